"""A table of any page as a rectangle of cells, its flaws, and its lines."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from verdicts.extract.html.cell_text import EMPTY, CellText

Shape: TypeAlias = Literal["table", "roles", "parts"]
"""The origin of a grid: `<table>`, ARIA's roles, elements with equally many parts."""

Flaw: TypeAlias = Literal["overlap", "cut_span", "ragged_row", "too_large", "nested_too_deep", "copies_differ"]
"""What is wrong with a grid.

`overlap`: two cells claim one place. `cut_span`: a cell claims rows outside its group, or columns beyond any table.
`ragged_row`: no cell covers a place. `too_large`: rows or columns beyond the limits were left out. `nested_too_deep`:
inner tables were not read. `copies_differ`: another grid of the page has the same heads and other content.
"""


@dataclass(frozen=True, slots=True)
class Defect:
    """A flaw of a grid, and its first row and column (from 0)."""

    flaw: Flaw
    row: int
    column: int


@dataclass(frozen=True, slots=True)
class GridCell:
    """A cell: its position (from 0), the rows and columns it covers, and its content."""

    row: int
    column: int
    rows: int
    columns: int
    is_head: bool
    """By markup: `th`, `scope`, a row of `thead`, a role."""
    scope: str | None
    """`col`, `row`, `colgroup` or `rowgroup`, by its `scope` or role."""
    said: CellText


@dataclass(frozen=True, slots=True)
class Grid:
    """A table of a page. `cells` are sorted by row and column; an uncovered place is a `ragged_row`."""

    shape: Shape
    rows: int
    columns: int
    cells: tuple[GridCell, ...]
    caption: str | None = None
    is_presentation: bool = False
    """Its role says that it is only layout."""
    depth: int = 0
    """The number of tables around it."""
    defects: tuple[Defect, ...] = ()

    def places(self) -> list[list[CellText]]:
        """The content of each place: a spanning cell fills all its places, the first of two overlapping ones."""
        places: list[list[CellText | None]] = [[None] * self.columns for _ in range(self.rows)]
        for cell in self.cells:
            for row in places[cell.row : cell.row + cell.rows]:
                for column in range(cell.column, min(cell.column + cell.columns, self.columns)):
                    if row[column] is None:
                        row[column] = cell.said
        return [[EMPTY if said is None else said for said in row] for row in places]

    def texts(self) -> list[list[str]]:
        return [[said.text or "" for said in row] for row in self.places()]


PARTS = ": "
"""Joins the lines of a head: `Pricing` over `Monthly` is `Pricing: Monthly`."""

HEAD_LINES_MAX = 4
"""The most head lines of a table; a table with only heads has none."""


@dataclass(frozen=True, slots=True)
class Line:
    """Cells beside each other. `section` is the title above them in the table."""

    cells: tuple[CellText, ...]
    section: str | None = None


Lines: TypeAlias = Sequence[Line]


def read_lines(grid: Grid) -> tuple[Line, ...]:
    """The lines of a grid without its titles; all head lines are joined as the first."""
    titles = _titles(grid)
    lines: list[Line] = []
    heads = 0
    section: str | None = None
    for number, cells in enumerate(grid.places()):
        if number in titles:
            # A title above the heads is that of the table.
            section = titles[number] if lines else None
            continue
        heads += heads == len(lines) and _are_heads(grid, number)
        lines.append(Line(tuple(cells), section))
    if 1 < heads < min(len(lines), HEAD_LINES_MAX + 1):
        lines[:heads] = [Line(tuple(map(_join_heads, zip(*(line.cells for line in lines[:heads]), strict=True))))]
    return tuple(_cut_repeated_heads([*_with_one_label(grid, lines)]))


def _cut_repeated_heads(lines: Lines) -> Iterable[Line]:
    """Cuts heads that all cells below them repeat for narrow windows: `Price $9` below `Price`.

    In the first column alone they are parts of names: `Mortgage Alpha` below `Mortgage`.
    """
    columns = [*zip(*(line.cells for line in lines), strict=True)]
    cut = [*map(_cut_head, columns)]
    if cut[1:] == columns[1:]:
        return lines
    return (replace(line, cells=cells) for line, cells in zip(lines, zip(*cut, strict=True), strict=True))


def _cut_head(column: tuple[CellText, ...]) -> tuple[CellText, ...]:
    head, texts = column[0].text, [cell.text for cell in column[1:] if cell.text]
    if not head or len(texts) < 2 or not all(text.startswith((f"{head} ", f"{head}: ")) for text in texts):
        return column
    below = (cell.text and cell.text.removeprefix(head).removeprefix(":").strip() for cell in column[1:])
    return (column[0], *(replace(cell, text=text) for cell, text in zip(column[1:], below, strict=True)))


def transpose(lines: Lines) -> tuple[Line, ...]:
    return tuple(Line(cells) for cells in zip(*(line.cells for line in lines), strict=True))


def _titles(grid: Grid) -> dict[int, str]:
    """Rows with one text over the whole width, or over all but one empty column."""
    by_row: dict[int, list[GridCell]] = {}
    for cell in grid.cells:
        by_row.setdefault(cell.row, []).append(cell)
    titles = {}
    for row, cells in by_row.items():
        said = [cell for cell in cells if cell.said != EMPTY]
        is_wide = len(said) == 1 and said[0].columns > 1 and said[0].columns >= grid.columns - 1
        # With a cell that spans into it, the row is a normal one.
        if is_wide and sum(cell.columns for cell in cells) == grid.columns:
            titles[row] = said[0].said.text or ""
    return titles


def _are_heads(grid: Grid, row: int) -> bool:
    cells = [cell for cell in grid.cells if cell.row <= row < cell.row + cell.rows and cell.said.text]
    return bool(cells) and all(cell.is_head and cell.scope != "row" for cell in cells)


def _with_one_label(grid: Grid, lines: Lines) -> Iterator[Line]:
    """Joins two head columns if the first spans rows: `Pricing` beside `Monthly` and `Yearly`."""
    groups = [cell for cell in grid.cells if cell.column == 0 and cell.is_head and cell.rows > 1 and cell.columns == 1]
    labels = [cell for cell in grid.cells if cell.column == 1 and cell.columns == 1 and cell.said.text]
    is_grouped = any(group.row > 0 for group in groups) and grid.columns > 3
    if not is_grouped or not all(label.is_head for label in labels):
        yield from lines
        return
    for line in lines:
        yield replace(line, cells=(_join_heads(line.cells[:2]), *line.cells[2:]))


def _join_heads(cells: Sequence[CellText]) -> CellText:
    """Joins heads above each other; a spanning one is in several."""
    texts = list(dict.fromkeys(cell.text for cell in cells if cell.text))
    spoken = next((cell for cell in cells if cell.text), cells[0])
    return replace(
        spoken,
        text=PARTS.join(texts) or None,
        links=tuple(dict.fromkeys(link for cell in cells for link in cell.links)),
    )
