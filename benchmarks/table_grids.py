"""Tables with known grids: exact tables, exact places and what was told of the others, beside pandas.read_html.

    uv run --group peers python -m benchmarks.table_grids [FOLDER] [--made 400]

FOLDER has pairs `NAME.html` and `NAME.tsv` or `NAME.csv`, in folders however deep; in a TSV `\\n` is a line's end and
`\\p` a bar, as WikiTableQuestions writes them. Runs of white space are one space, and no space is left out. The grid
that is compared is the largest of a file. Without FOLDER: made tables, of which a broken one has no exact answer.
"""

import csv
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeAlias

from benchmarks.bench import pandas_tables
from benchmarks.measuring import make_options, markdown_table
from builders.made_tables import make_tables
from verdicts.extract.grids.page_grids import page_grids
from verdicts.extract.html.html_page import Page

Texts: TypeAlias = Sequence[Sequence[str]]
Read: TypeAlias = tuple[Texts, bool]
"""The texts of a table, and whether something is told to be wrong with it."""


def ours(html: str) -> Read:
    grids = page_grids(Page(html).body)
    if not grids:
        return [], True
    grid = max(grids, key=lambda grid: grid.rows * grid.columns)
    return grid.texts(), bool(grid.defects) or any(cell.said.is_unreadable for cell in grid.cells)


def pandas(html: str) -> Read:
    tables = [[*head, *body, *foot] for head, body, foot in pandas_tables(html)]
    return max(tables, key=lambda rows: sum(map(len, rows)), default=[]), not tables


def pairs(folder: Path) -> Iterator[tuple[str, Texts | None]]:
    """Pages and what their tables hold."""
    for page in sorted(folder.rglob("*.html")):
        html = page.read_text(encoding="utf-8", errors="replace")
        if (tsv := page.with_suffix(".tsv")).exists():
            lines = tsv.read_text(encoding="utf-8").splitlines()
            yield html, [[_unescape(text) for text in line.split("\t")] for line in lines]
        elif (table := page.with_suffix(".csv")).exists():
            with table.open(encoding="utf-8", newline="") as file:
                yield html, [*csv.reader(file)]


def _unescape(text: str) -> str:
    return text.replace("\\n", "\n").replace("\\p", "|").replace("\\\\", "\\")


def make_pages(count: int) -> Iterator[tuple[str, Texts | None]]:
    for table in make_tables(count):
        yield table.html, None if table.texts is None else [[text or "" for text in row] for row in table.texts]


def _squeeze(texts: Texts) -> list[list[str]]:
    return [[" ".join(text.split()) for text in row] for row in texts]


def score(read: Callable[[str], Read], answers: Sequence[tuple[str, Texts | None]]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for html, answer in answers:
        texts, is_told = read(html)
        if answer is None:
            counts["broken, told" if is_told else "broken, silent"] += 1
            continue
        expected, found = _squeeze(answer), _squeeze(texts)
        counts["places"] += sum(map(len, expected))
        counts["exact places"] += sum(
            text == other
            for row, others in zip(expected, found, strict=False)
            for text, other in zip(row, others, strict=False)
        )
        verdict = "exact" if expected == found else "wrong, told" if is_told else "wrong, silent"
        counts[verdict] += 1
    return counts


COLUMNS = ("exact", "wrong, told", "wrong, silent", "broken, told", "broken, silent", "exact places", "places")


def main() -> None:
    parser = make_options(__doc__)
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--made", type=int, default=400)
    arguments = parser.parse_args()
    answers = [*(make_pages(arguments.made) if arguments.folder is None else pairs(arguments.folder))]
    readers: dict[str, Callable[[str], Read]] = {"verdicts": ours, "pandas": pandas}
    scores = {name: score(read, answers) for name, read in readers.items()}
    print(f"{len(answers):,} tables")
    print(markdown_table(["", *COLUMNS], [[name, *(f"{of[c]:,}" for c in COLUMNS)] for name, of in scores.items()]))


if __name__ == "__main__":
    main()
