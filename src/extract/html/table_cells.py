"""Where the cells of HTML tables stand, spans and all: in the walk over a page, and in a table read as a whole."""

from dataclasses import dataclass, field

from selectolax.lexbor import LexborNode

from extract.html.elements import attribute
from extract.model.blocks import Cell, clean

COLUMNS_MAX, ROWS_MAX = 60, 1_000
"""No table for a reader is larger; `colspan=9000000000000000` and `rowspan=100000000` are cut to this."""

CELL_TAGS = frozenset({"td", "th"})
TABLE_TAGS = frozenset({"table", "tr", *CELL_TAGS})


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

    def place(self, rows: int, columns: int) -> None:
        """Places a cell that claims so many rows and columns."""
        column = self.next_column
        while self.covered_until.get(column, 0) > self.row:
            column += 1
        self.column, self.next_column = column, column + min(columns or 1, COLUMNS_MAX)
        if rows > 1:
            end = self.row + min(rows, ROWS_MAX)
            for covered in range(column, self.next_column):
                self.covered_until[covered] = max(self.covered_until.get(covered, 0), end)


@dataclass(frozen=True, slots=True)
class WrittenCell:
    """A cell as written: its text and how many rows and columns it claims."""

    text: str
    rows: int = 1
    columns: int = 1


def table_cells(table: LexborNode) -> list[list[WrittenCell]]:
    """The rows of a table as written; those of tables inside its cells are not its own."""
    rows = []
    for row in table.css("tr")[:ROWS_MAX]:
        if _table_of(row) != table.mem_id:
            continue
        cells = [child for child in row.iter() if child.tag in CELL_TAGS]
        rows.append([_written(cell) for cell in cells])
    return rows


def rectangle(rows: list[list[WrittenCell]]) -> list[list[str]]:
    """The texts of a table, all rows of one length: a cell that spans stands in every place it covers.

    A place that no cell covers is empty. No cell is lost, up to the bounds.
    """
    texts: dict[tuple[int, int], str] = {}
    placement = Placement()
    for number, row in enumerate(rows[:ROWS_MAX]):
        placement.next_row()
        height = min(len(rows), ROWS_MAX) - number
        for cell in row:
            placement.place(cell.rows, cell.columns)
            for down in range(min(_bounded(cell.rows, ROWS_MAX), height)):
                for across in range(_bounded(cell.columns, COLUMNS_MAX)):
                    texts.setdefault((number + down, placement.column + across), cell.text)
    height = max((row for row, _ in texts), default=-1) + 1
    width = max((column for _, column in texts), default=-1) + 1
    return [[texts.get((row, column), "") for column in range(width)] for row in range(height)]


class TableWalk:
    """Counts tables, rows and columns while a walk enters and leaves their elements. A table in a cell is its own."""

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
            if tag == "tr" or placement.row < 0:
                placement.next_row()
            if tag != "tr":
                is_one = "span" not in attributes
                placement.place(
                    1 if is_one else _claimed(attributes, "rowspan"), 1 if is_one else _claimed(attributes, "colspan")
                )
                return Cell(number, placement.row, placement.column)
        return None

    def leave(self) -> None:
        """The walk has left a table."""
        self._open.pop()


def _bounded(claim: int, limit: int) -> int:
    return min(max(claim, 1), limit)


def _claim(value: str | None) -> int:
    """How many rows or columns a cell claims. What is no number claims one; so does 0, which browsers stretch."""
    return int(value) if value and value.isascii() and value.isdecimal() and len(value) < 20 else 1


def _claimed(attributes: str, name: str) -> int:
    """The claim of a cell by HTML's attribute or by ARIA's."""
    return _claim(attribute(attributes, name) or attribute(attributes, f"aria-{name}")) if name in attributes else 1


def _table_of(node: LexborNode) -> int | None:
    parent = node.parent
    while parent is not None and parent.tag != "table":
        parent = parent.parent
    return None if parent is None else parent.mem_id


def _written(cell: LexborNode) -> WrittenCell:
    attributes = cell.attributes
    text = clean(cell.text(deep=True, separator=" "))
    return WrittenCell(text, _claim(attributes.get("rowspan")), _claim(attributes.get("colspan")))
