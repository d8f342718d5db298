"""Grids that are no tables: elements side by side with the same number of parts each, a row each, or all cells."""

from collections.abc import Mapping

from verdicts.extract.grids.grid import Grid, GridCell
from verdicts.extract.grids.table import WIDTH_MAX
from verdicts.extract.html.cell_text import cell_text, is_hidden
from verdicts.extract.html.elements import Element, attributes_of
from verdicts.extract.html.table_cells import ROWS_MAX

ROWS_MIN, PARTS_MIN = 3, 2
"""Two rows alike are a pair of cards, and one part a row is a list."""

_ROW_TAGS = frozenset({"div", "li", "section", "article", "ul", "ol"})


def are_rows(children: list[Element | str]) -> bool:
    """Whether these are rows of a grid: one element like the next, each of parts and no text beside them."""
    rows = _elements(children)
    if rows is None or not ROWS_MIN <= len(rows) <= ROWS_MAX:
        return False
    first = rows[0]
    if first[0] not in _ROW_TAGS or any(row[0] != first[0] for row in rows):
        return False
    counts = set()
    for row in rows:
        parts = _elements(row[2])
        counts.add(0 if parts is None else len(parts))
        if len(counts) > 1:
            return False
    return PARTS_MIN <= counts.pop() <= WIDTH_MAX


def read_parts(children: list[Element | str], ids: Mapping[str, Element], depth: int) -> Grid:
    """The grid of rows that `are_rows`."""
    rows = [_elements(row[2]) or [] for row in _elements(children) or []]
    cells = tuple(
        # A part may be an icon itself.
        GridCell(number, column, 1, 1, 0, False, None, cell_text(("td", "", [part]), ids))
        for number, parts in enumerate(rows)
        for column, part in enumerate(parts)
    )
    return Grid("parts", len(rows), len(rows[0]), cells, depth=depth)


def are_cells(children: list[Element | str], columns: int) -> bool:
    """Whether these are the cells of a grid of so many columns, row by row, three rows or more."""
    cells = _elements(children)
    return cells is not None and len(cells) % columns == 0 and ROWS_MIN <= len(cells) // columns <= ROWS_MAX


def read_cells(children: list[Element | str], columns: int, ids: Mapping[str, Element], depth: int) -> Grid:
    """The grid of cells that `are_cells`."""
    parts = _elements(children) or []
    cells = tuple(
        GridCell(*divmod(place, columns), 1, 1, 0, False, None, cell_text(("td", "", [part]), ids))
        for place, part in enumerate(parts)
    )
    return Grid("tracks", len(parts) // columns, columns, cells, depth=depth)


def _elements(children: list[Element | str]) -> list[Element] | None:
    """The elements that are shown; None where a text stands among them."""
    elements = []
    for child in children:
        if isinstance(child, tuple):
            if not (child[1] and is_hidden(attributes_of(child[1]))):
                elements.append(child)
        elif not child.isspace():
            return None
    return elements
