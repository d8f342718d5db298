"""Where the cells of HTML tables stand, spans and all: in the walk over a page, and in a table read as a whole."""

from dataclasses import dataclass, field

from selectolax.lexbor import LexborNode

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
    covered_until: dict[int, int] = field(default_factory=dict)
    """Column to the first row that no cell placed so far covers."""

    def next_row(self) -> None:
        self.row += 1
        self.column = 0

    def place(self, rows: int, columns: int) -> None:
        """Places a cell that claims so many rows and columns."""
        while self.covered_until.get(self.column, 0) > self.row:
            self.column += 1
        end = self.row + _bounded(rows, ROWS_MAX)
        for column in range(self.column, self.column + _bounded(columns, COLUMNS_MAX)):
            self.covered_until[column] = max(self.covered_until.get(column, 0), end)


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
        rows.append([WrittenCell(_text(cell), _claim(cell, "rowspan"), _claim(cell, "colspan")) for cell in cells])
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


@dataclass(slots=True)
class _OpenTable:
    number: int
    placement: Placement = field(default_factory=Placement)
    cell: Cell | None = None


class TableWalk:
    """Counts tables, rows and columns while a walk enters and leaves their elements. A table in a cell is its own."""

    def __init__(self) -> None:
        self._tables = 0
        self._open: list[_OpenTable] = []

    @property
    def cell(self) -> Cell | None:
        """The cell that the walk is in."""
        return self._open[-1].cell if self._open else None

    def enter(self, node: LexborNode, tag: str) -> None:
        """The walk is in an element now."""
        if tag not in TABLE_TAGS:
            return
        if tag == "table":
            self._open.append(_OpenTable(self._tables))
            self._tables += 1
        elif self._open:
            table = self._open[-1]
            table.cell = None
            if tag == "tr":
                table.placement.next_row()
            else:
                table.placement.place(_claim(node, "rowspan"), _claim(node, "colspan"))
                table.cell = Cell(table.number, table.placement.row, table.placement.column)

    def leave(self, tag: str) -> None:
        """The walk has left an element."""
        if tag == "table" and self._open:
            self._open.pop()
        elif tag in CELL_TAGS and self._open:
            self._open[-1].cell = None


def _bounded(claim: int, limit: int) -> int:
    return min(max(claim, 1), limit)


def _claim(cell: LexborNode, name: str) -> int:
    """How many rows or columns a cell claims. What is no number claims one; so does 0, which browsers stretch."""
    value = cell.attributes.get(name) or "1"
    return int(value) if value.isascii() and value.isdecimal() and len(value) < 20 else 1


def _table_of(node: LexborNode) -> int | None:
    parent = node.parent
    while parent is not None and parent.tag != "table":
        parent = parent.parent
    return None if parent is None else parent.mem_id


def _text(cell: LexborNode) -> str:
    return clean(cell.text(deep=True, separator=" "))
