"""What extraction gets right of three sets of made pages, whose answers are known.

uv run python -m benchmarks.fidelity [SET ...] [--by field|kind|layout|page]

A value that is not right is reported, when the page is refused or a doubt speaks of it, or silent (missing without a
word), or wrong (another value without a word). Without a set: all made ones, as the tests read them.

    --show WORD        what is not right on the pages whose name holds this word; their bytes go to a folder
    --editions 25      so many times the 120 pages of the gallery, with other facts in the same layouts
"""

import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from pathlib import Path

from benchmarks.measuring import make_options, markdown_table
from builders.fidelity import SETS
from builders.scoring import STATES, Reading, tally, tally_pages
from comparison_bench.gallery.pages import gallery_pages
from comparison_bench.scoring import MARKS


def table(title: str, columns: Sequence[str], counts: Mapping[str, Counter[str]]) -> str:
    """A row a group, and a last one for all."""
    rows = [*counts.items(), ("all", sum(counts.values(), Counter[str]()))]
    return markdown_table((title, *columns), [(name, *(f"{count[one]:,}" for one in columns)) for name, count in rows])


def show(readings: Iterable[Reading], folder: Path) -> Iterator[str]:
    """What is not right on pages, in lines for a person, who finds the page in the folder."""
    for number, reading in enumerate(reading for reading in readings if reading.state != "right"):
        path = folder / f"{number}{'.html' if reading.page.body.lstrip().startswith(b'<') else '.txt'}"
        path.write_bytes(reading.page.body)
        yield f"{reading.state}: {reading.name}: {path}"
        yield from (f"    reports {report}" for report in reading.reports)
        for field, at, expected, given, mark in reading.findings:
            if mark != "right":
                yield f"    {mark} {field} [{at}]: expected {expected!r}, given {given!r}"


def main() -> None:
    options = make_options(__doc__)
    options.add_argument("sets", nargs="*", default=[*SETS], help="sets of pages")
    options.add_argument("--by", choices=("field", "kind", "layout", "page"), default="field", help="a line for each")
    options.add_argument("--show", metavar="WORD", help="what is not right on pages whose name holds this word")
    options.add_argument("--editions", type=int, default=1, metavar="N", help="N editions of the gallery")
    options.add_argument("--most", type=int, metavar="N", help="the first N pages of a set alone")
    given = options.parse_args()
    for name in given.sets:
        pages, digest, read = SETS[name]
        made = pages()
        if name == "gallery":
            made = chain.from_iterable(map(gallery_pages, range(given.editions)))
        chosen = list(islice(made, given.most))
        print(f"\n{name}: {len(chosen):,} pages, {digest(chosen)}\n")
        readings = map(read, chosen)
        if given.show is not None:
            folder = Path(tempfile.mkdtemp(prefix="pages-"))
            print(*show((reading for reading in readings if given.show in reading.name), folder), sep="\n")
            continue
        kept = list(readings)
        if given.by == "page":
            print(table("pages", STATES, tally_pages(kept, "kind")))
        else:
            print(table(given.by, MARKS, tally(kept, given.by)))


if __name__ == "__main__":
    main()
