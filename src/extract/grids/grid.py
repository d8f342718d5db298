"""A rectangle of cells, and what is wrong with it."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from verdicts.extract.html.cell_text import EMPTY, CellText

Shape: TypeAlias = Literal["table", "roles", "parts", "tracks", "definitions"]
"""What makes it one: `<table>`, ARIA's roles, elements side by side with the same number of parts, cells in a grid of
so many columns, lists of definitions below headings.
"""

ALIGNED = frozenset({"parts", "tracks"})
"""Shapes that cards and menus have, too."""

Flaw: TypeAlias = Literal["overlap", "cut_span", "ragged_row", "too_large", "nested_too_deep", "copies_differ"]
"""`overlap`: two cells claim one place. `cut_span`: a cell claims rows that its group does not have, or columns beyond
any table. `ragged_row`: a place that no cell covers. `too_large`: rows or columns beyond the bounds were left out.
`nested_too_deep`: tables within were not read. `copies_differ`: another grid of the page has the same heads and says
something else.
"""


@dataclass(frozen=True, slots=True)
class Defect:
    """What is wrong with a grid, first at this row and column (from 0)."""

    flaw: Flaw
    row: int
    column: int


@dataclass(frozen=True, slots=True)
class GridCell:
    """A cell: its place (from 0), the rows and columns it covers, and what it says."""

    row: int
    column: int
    rows: int
    columns: int
    group: int
    """Group of rows that it stands in, from 0 in the order they are shown."""
    is_head: bool
    """The markup says so: `th`, `scope`, a row of `thead`, a role."""
    scope: str | None
    """`col`, `row`, `colgroup` or `rowgroup`, as its `scope` or role says."""
    said: CellText


@dataclass(frozen=True, slots=True)
class Grid:
    """A table of a page. `cells` by row and column; a place that none covers is a `ragged_row`."""

    shape: Shape
    rows: int
    columns: int
    cells: tuple[GridCell, ...]
    caption: str | None = None
    is_presentation: bool = False
    """Its role says that it only arranges what is in it."""
    depth: int = 0
    """Tables around it."""
    defects: tuple[Defect, ...] = ()

    def places(self) -> list[list[CellText]]:
        """What each place says: a cell that spans stands in all that it covers, the first of two that overlap."""
        places: list[list[CellText | None]] = [[None] * self.columns for _ in range(self.rows)]
        for cell in self.cells:
            for row in places[cell.row : cell.row + cell.rows]:
                for column in range(cell.column, min(cell.column + cell.columns, self.columns)):
                    if row[column] is None:
                        row[column] = cell.said
        return [[EMPTY if said is None else said for said in row] for row in places]

    def texts(self) -> list[list[str]]:
        """The text of each place; empty where there is none."""
        return [[said.text or "" for said in row] for row in self.places()]
