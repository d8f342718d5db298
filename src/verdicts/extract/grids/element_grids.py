"""One element to a grid: a table by its markup, or elements side by side."""

from collections.abc import Mapping

from verdicts.extract.grids.grid import Defect, Flaw, Grid, GridCell
from verdicts.extract.html.cell_text import cell_text
from verdicts.extract.html.elements import ROLES, Element, is_hidden
from verdicts.extract.html.table_cells import COLUMNS_MAX, ROWS_MAX, WIDTH_MAX, place_cells, read_rows

_PRESENTATION = frozenset({"presentation", "none"})
_SCOPES = {"columnheader": "col", "rowheader": "row"}


def read_table(table: Element, ids: Mapping[str, Element], depth: int = 0) -> Grid:
    """The grid of a table; inner tables are only text of its cells.

    `tfoot` comes last, wherever it is written.
    """
    rows = sorted(read_rows(table), key=lambda row: row.tag == "tfoot")
    ends = {row.group: number for number, row in enumerate(rows, 1)}
    cells: list[GridCell] = []
    defects: dict[Flaw, Defect] = {}
    covered: set[tuple[int, int]] = set()
    for cell, y, x, claimed_rows, claimed_columns in place_cells(rows[:ROWS_MAX]):
        across = min(claimed_columns, COLUMNS_MAX, WIDTH_MAX - x)
        if across <= 0:
            defects.setdefault("too_large", Defect("too_large", y, x))
            continue
        left = ends[rows[y].group] - y
        down = min(claimed_rows or left, left, ROWS_MAX - y)
        if claimed_rows > left or claimed_columns > across:
            defects.setdefault("cut_span", Defect("cut_span", y, x))
        claimed = {(row, column) for row in range(y, y + down) for column in range(x, x + across)}
        if not covered.isdisjoint(claimed):
            defects.setdefault("overlap", Defect("overlap", y, x))
        covered |= claimed
        attributes = cell.attributes
        scope = attributes.get("scope", "").lower() or _SCOPES.get(attributes.get("role", "")) or None
        is_head = cell.tag == "th" or scope is not None or rows[y].tag == "thead"
        cells.append(GridCell(y, x, down, across, is_head, scope, cell_text(cell, ids)))
    if len(rows) > ROWS_MAX:
        defects.setdefault("too_large", Defect("too_large", ROWS_MAX, 0))
    height, width = min(len(rows), ROWS_MAX), max((column for _, column in covered), default=-1) + 1
    if len(covered) < height * width:
        first = next((y, x) for y in range(height) for x in range(width) if (y, x) not in covered)
        defects["ragged_row"] = Defect("ragged_row", *first)
    role = table.attributes.get("role", "")
    captions = (child for child in table.children if isinstance(child, Element) and child.tag == "caption")
    return Grid(
        "roles" if ROLES.get(role.strip().lower()) == "table" else "table",
        height,
        width,
        tuple(cells),
        next((cell_text(caption, ids).text for caption in captions), None),
        role in _PRESENTATION,
        depth,
        tuple(defects.values()),
    )


ROWS_MIN, PARTS_MIN = 3, 2
"""Two equal rows are a pair of cards, and one part per row is a list."""

_ROW_TAGS = frozenset({"div", "li", "section", "article", "ul", "ol"})


def read_aligned(children: list[Element | str]) -> list[list[Element]] | None:
    """Elements that form the rows of a grid without a table: all are alike, with equally many parts and no text."""
    elements = _elements(children)
    if elements is None:
        return None
    is_alike = len({element.tag for element in elements}) == 1 and elements[0].tag in _ROW_TAGS
    if not is_alike or not ROWS_MIN <= len(elements) <= ROWS_MAX:
        return None
    rows: list[list[Element]] = []
    for element in elements:
        parts = _elements(element.children)
        if parts is None or len(parts) != len(rows[0] if rows else parts) or not PARTS_MIN <= len(parts) <= WIDTH_MAX:
            return None
        rows.append(parts)
    return rows


def _elements(children: list[Element | str]) -> list[Element] | None:
    """The visible elements; None if there is text among them."""
    elements = []
    for child in children:
        if isinstance(child, Element):
            if not is_hidden(child.attributes):
                elements.append(child)
        elif not child.isspace():
            return None
    return elements
