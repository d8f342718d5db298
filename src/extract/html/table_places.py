"""Where the walk over a page is in its tables."""

from selectolax.lexbor import LexborNode

from extract.model.blocks import Cell

TABLE_PARTS = frozenset({"table", "tr", "td", "th"})

SPAN_MAX = 50
"""Columns and rows a cell may claim; `colspan=9000000000000000` is no table."""


class Tables:
    """Counts tables, rows and columns while the walk enters and leaves their elements. A table in a cell is its own."""

    def __init__(self) -> None:
        self._seen = 0
        self._open: list[tuple[int, dict[int, int]]] = []
        self._at: list[tuple[int, int]] = []
        self._cells: list[Cell | None] = []

    @property
    def cell(self) -> Cell | None:
        """The cell that the walk is in."""
        return self._cells[-1] if self._cells else None

    def enter(self, node: LexborNode, tag: str) -> None:
        """The walk is in an element now."""
        if tag not in TABLE_PARTS:
            return
        if tag == "table":
            self._open.append((self._seen, {}))
            self._seen += 1
            self._at.append((-1, 0))
            self._cells.append(None)
        elif tag == "tr" and self._at:
            self._at[-1] = (self._at[-1][0] + 1, 0)
            self._cells[-1] = None
        elif tag in {"td", "th"} and self._at:
            number, filled = self._open[-1]
            row, column = self._at[-1]
            while filled.get(column, 0) > row:
                column += 1
            for across in range(_span(node, "colspan")):
                filled[column + across] = row + _span(node, "rowspan")
            self._at[-1] = (row, column + _span(node, "colspan"))
            self._cells[-1] = Cell(number, row, column)

    def leave(self, tag: str) -> None:
        """The walk has left it."""
        if tag == "table" and self._open:
            self._open.pop()
            self._at.pop()
            self._cells.pop()
        elif tag in {"td", "th"} and self._cells:
            self._cells[-1] = None


def _span(node: LexborNode, name: str) -> int:
    value = node.attributes.get(name) or "1"
    return min(max(int(value), 1), SPAN_MAX) if value.isascii() and value.isdecimal() and len(value) < 20 else 1
