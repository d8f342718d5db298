"""What extraction gets right of made pages, whose answers are known: the gallery of other sites.

uv run python -m benchmarks.fidelity [--editions 25] [--by field|layout] [--show WORD]

A value that is not right is reported, when the page is refused or a doubt speaks of it, or silent (missing without a
word), or wrong (another value without a word). An edition has other facts in the same layouts.
"""

import tempfile
from collections import Counter
from itertools import chain
from pathlib import Path

from benchmarks.measuring import make_options, markdown_table
from builders.readings import Reading, read_gallery, tally
from comparison_bench.gallery.pages import digest, gallery_pages
from comparison_bench.scoring import MARKS


def show(number: int, reading: Reading, folder: Path) -> None:
    """What is not right on a page, in lines for a person, who finds the page in the folder."""
    path = folder / f"{number}.html"
    path.write_bytes(reading.page.body)
    print(f"{reading.name}: {path}", *(f"    reports {report}" for report in reading.reports), sep="\n")
    for field, at, expected, given, mark in reading.findings:
        if mark != "right":
            print(f"    {mark} {field} [{at}]: expected {expected!r}, given {given!r}")


def main() -> None:
    options = make_options(__doc__)
    options.add_argument("--by", choices=("field", "layout"), default="field", help="a line for each")
    options.add_argument("--show", metavar="WORD", help="what is not right on pages whose name holds this word")
    options.add_argument("--editions", type=int, default=1, metavar="N")
    chosen = options.parse_args()
    pages = [*chain.from_iterable(map(gallery_pages, range(chosen.editions)))]
    readings = [*map(read_gallery, pages)]
    print(f"{len(pages):,} pages, {digest(pages)}\n")
    counts = tally(readings, chosen.by)
    rows = [*counts.items(), ("all", sum(counts.values(), Counter[str]()))]
    print(
        markdown_table((chosen.by, *MARKS), [(name, *(f"{count[mark]:,}" for mark in MARKS)) for name, count in rows])
    )
    if chosen.show is not None:
        folder = Path(tempfile.mkdtemp(prefix="pages-"))
        for number, reading in enumerate(readings):
            if chosen.show in reading.name and {finding.mark for finding in reading.findings} != {"right"}:
                show(number, reading, folder)


if __name__ == "__main__":
    main()
