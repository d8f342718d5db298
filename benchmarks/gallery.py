"""The gallery: 120 comparison pages in 40 layouts with answer keys, read by ours and by peers in one run.

uv run python -m benchmarks.gallery [--layouts | --show LAYOUT | --peers] [--editions 1]

Without an option: by field what is right, told or silent. Another edition has other facts in the same layouts.
"""

from collections.abc import Iterable, Sequence
from itertools import islice

from benchmarks.gallery_peers import main_texts, statements, tables
from benchmarks.measuring import markdown_table, options_of
from builders.gallery.pages import GalleryPage, digest, gallery_pages
from builders.gallery.score import FIELDS, Finding, Score, judged, read


def fields(readings: Iterable[tuple[GalleryPage, Sequence[Finding]]]) -> str:
    score = Score()
    for _, findings in readings:
        score.add(findings)
    rows = [(name, *(f"{score.marks[name][mark]:,}" for mark in ("right", "told", "silent"))) for name in FIELDS]
    total = (f"{sum(score.of(mark).values()):,}" for mark in ("right", "told", "silent"))
    return markdown_table(("field", "right", "told", "silent"), [*rows, ("all", *total)])


def layouts(readings: Iterable[tuple[GalleryPage, Sequence[Finding]]]) -> str:
    marks: dict[str, list[str]] = {}
    for page, findings in readings:
        marks.setdefault(page.layout, []).extend(finding.mark for finding in findings)
    rows = [
        (name.replace("_", " "), *(f"{of.count(mark):,}" for mark in ("right", "told", "silent")))
        for name, of in marks.items()
    ]
    return markdown_table(("layout", "right", "told", "silent"), rows)


def show(readings: Iterable[tuple[GalleryPage, Sequence[Finding]]], layout: str) -> None:
    """What is not right on the pages of a layout."""
    for page, findings in readings:
        if page.layout == layout:
            print(page.url)
            print(*(f"  {one}" for one in findings if one.mark != "right"), sep="\n")


def main() -> None:
    options = options_of(__doc__)
    options.add_argument("--layouts", action="store_true", help="one line for each layout")
    options.add_argument("--show", metavar="LAYOUT", help="what is not right on its pages")
    options.add_argument("--peers", action="store_true", help="what other libraries read of the same pages")
    options.add_argument("--editions", type=int, default=1, metavar="N", help="so many times 120 pages")
    options.add_argument("--most", type=int, metavar="N", help="the first N pages of an edition alone")
    given = options.parse_args()
    pages = [page for edition in range(given.editions) for page in islice(gallery_pages(edition), given.most)]
    print(f"{len(pages):,} pages, {digest(pages)}\n")
    if given.peers:
        print(tables(pages), statements(pages), main_texts(pages), sep="\n\n")
        return
    readings = [(page, judged(page.answer, read(page))) for page in pages]
    if given.show:
        show(readings, given.show)
    else:
        print(layouts(readings) if given.layouts else fields(readings))


if __name__ == "__main__":
    main()
