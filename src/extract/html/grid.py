"""HTML tables as rectangular grids: a cell that spans stands in every place it covers. Pure."""

from dataclasses import dataclass

from selectolax.lexbor import LexborNode

from extract.model.blocks import clean

COLUMNS_MAX, ROWS_MAX = 60, 1_000
"""No table for a reader is larger; `colspan=9000000000000000` and `rowspan=100000000` are cut to this."""


@dataclass(frozen=True, slots=True)
class Spanning:
    """A cell as written: its text and how many rows and columns it claims."""

    text: str
    rows: int = 1
    columns: int = 1


def table_cells(table: LexborNode) -> list[list[Spanning]]:
    """The rows of a table as written; those of tables inside its cells are not its own."""
    rows = []
    for row in table.css("tr")[:ROWS_MAX]:
        if _table_of(row) != table.mem_id:
            continue
        cells = [child for child in row.iter() if child.tag in {"td", "th"}]
        rows.append([Spanning(_text(cell), _span(cell, "rowspan"), _span(cell, "colspan")) for cell in cells])
    return rows


def grid(rows: list[list[Spanning]]) -> list[list[str]]:
    """The rows, all of one length; a place that no cell covers is empty. No cell is lost, up to the bounds."""
    covered: dict[tuple[int, int], str] = {}
    for number, row in enumerate(rows[:ROWS_MAX]):
        column = 0
        for cell in row:
            while (number, column) in covered:
                column += 1
            for down in range(min(max(cell.rows, 1), len(rows) - number)):
                for across in range(min(max(cell.columns, 1), COLUMNS_MAX)):
                    covered.setdefault((number + down, column + across), cell.text)
    height = max((row for row, _ in covered), default=-1) + 1
    width = max((column for _, column in covered), default=-1) + 1
    return [[covered.get((row, column), "") for column in range(width)] for row in range(height)]


def _table_of(node: LexborNode) -> int | None:
    parent = node.parent
    while parent is not None and parent.tag != "table":
        parent = parent.parent
    return None if parent is None else parent.mem_id


def _text(cell: LexborNode) -> str:
    return clean(cell.text(deep=True, separator=" "))


def _span(cell: LexborNode, name: str) -> int:
    value = cell.attributes.get(name) or "1"
    limit = ROWS_MAX if name == "rowspan" else COLUMNS_MAX
    return min(int(value), limit) if value.isascii() and value.isdecimal() and len(value) < 20 else 1
