"""Where the cells of HTML tables stand, spans and all: in the walk over a page, and in a table read as a whole."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from verdicts.extract.html.elements import attributes_of
from verdicts.extract.model.blocks import Cell

COLUMNS_MAX, ROWS_MAX = 60, 1_000
"""No table for a reader is larger; `colspan=9000000000000000` and `rowspan=100000000` are cut to this."""

CELL_TAGS = frozenset({"td", "th"})
GROUP_TAGS = frozenset({"thead", "tbody", "tfoot"})
TABLE_TAGS = frozenset({"table", "tr", *GROUP_TAGS, *CELL_TAGS})


@dataclass(slots=True)
class Placement:
    """Places the cells of one table in the order of the page: to the right of the cells that reach into its row.

    `row` and `column` are those of the cell placed last, from 0; before the first row, `row` is -1.
    """

    row: int = -1
    column: int = 0
    next_column: int = 0
    covered_until: dict[int, int] = field(default_factory=dict)
    """Column to the first row that no cell placed so far covers, of cells over more than one row."""

    def next_row(self) -> None:
        self.row += 1
        self.next_column = 0

    def next_group(self) -> None:
        """No cell reaches out of its group of rows."""
        self.covered_until.clear()

    def place(self, rows: int, columns: int) -> None:
        """Places a cell that claims so many rows and columns; 0 rows are all that are left of its group."""
        column = self.next_column
        while self.covered_until.get(column, 0) > self.row:
            column += 1
        self.column, self.next_column = column, column + min(columns or 1, COLUMNS_MAX)
        if rows != 1:
            end = self.row + min(rows or ROWS_MAX, ROWS_MAX)
            for covered in range(column, self.next_column):
                self.covered_until[covered] = max(self.covered_until.get(covered, 0), end)


class TableWalk:
    """Counts tables, rows and columns while a walk enters and leaves their elements. A table in a cell is its own.

    Rows are counted as they are written: blocks stand in that order, and only a table read as a whole (`grids`) has
    its foot below its body.
    """

    def __init__(self) -> None:
        self._tables = 0
        self._open: list[tuple[int, Placement]] = []

    def enter(self, tag: str, attributes: str) -> Cell | None:
        """The walk is in this element of a table now, and in this cell, if it is one."""
        if tag == "table":
            self._open.append((self._tables, Placement()))
            self._tables += 1
        elif self._open:
            number, placement = self._open[-1]
            if tag in GROUP_TAGS:
                placement.next_group()
                return None
            if tag == "tr" or placement.row < 0:
                placement.next_row()
            if tag != "tr":
                rows, columns = claims(attributes) if "span" in attributes else (1, 1)
                placement.place(rows, columns)
                return Cell(number, placement.row, placement.column)
        return None

    def leave(self) -> None:
        """The walk has left a table."""
        self._open.pop()


def claims(attributes: str) -> tuple[int, int]:
    """How many rows and columns a cell claims, by HTML's attributes or by ARIA's. 0 rows: all that are left."""
    claimed = attributes_of(attributes)
    return _claimed(claimed, "rowspan"), _claimed(claimed, "colspan") or 1


def _claimed(attributes: Mapping[str, str], name: str) -> int:
    """What is no number claims one. Browsers read leading digits: `2px` claims two."""
    value = (attributes.get(name) or attributes.get(f"aria-{name}") or "").strip()
    digits = value[: len(value) - len(value.lstrip("0123456789"))]
    return int(digits) if digits and len(digits) < 20 else 1
