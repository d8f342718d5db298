"""One element to a grid: a table by its markup, or elements side by side."""

import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType

from verdicts.extract.grids.grid import Defect, Flaw, Grid, GridCell, Shape
from verdicts.extract.html.cell_text import cell_text
from verdicts.extract.html.elements import ROLES, Element, is_hidden
from verdicts.extract.html.table_cells import COLUMNS_MAX, ROWS_MAX, place_cells, read_rows

WIDTH_MAX = 200
"""The most columns of a grid, with spans. Cells further right are left out."""

_PRESENTATION = frozenset({"presentation", "none"})
_SCOPES = {"columnheader": "col", "rowheader": "row"}


def read_table(table: Element, ids: Mapping[str, Element], depth: int = 0) -> Grid:
    """The grid of a table; inner tables are only text of its cells.

    `tfoot` comes last, wherever it is written.
    """
    rows = sorted(read_rows(table), key=lambda row: row.tag == "tfoot")
    ends = {row.group: number for number, row in enumerate(rows, 1)}
    groups = {group: number for number, group in enumerate(dict.fromkeys(row.group for row in rows))}
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
        group = groups[rows[y].group]
        cells.append(GridCell(y, x, down, across, group, is_head, scope, cell_text(cell, ids)))
    if len(rows) > ROWS_MAX:
        defects.setdefault("too_large", Defect("too_large", ROWS_MAX, 0))
    height, width = min(len(rows), ROWS_MAX), max((column for _, column in covered), default=-1) + 1
    if len(covered) < height * width:
        first = next((y, x) for y in range(height) for x in range(width) if (y, x) not in covered)
        defects["ragged_row"] = Defect("ragged_row", *first)
    role = table.attributes.get("role", "")
    return Grid(
        "roles" if ROLES.get(role.strip().lower()) == "table" else "table",
        height,
        width,
        tuple(cells),
        _caption(table, ids),
        role in _PRESENTATION,
        depth,
        tuple(defects.values()),
    )


def _caption(table: Element, ids: Mapping[str, Element]) -> str | None:
    captions = (child for child in table.children if isinstance(child, Element) and child.tag == "caption")
    caption = next(captions, None)
    return None if caption is None else cell_text(caption, ids).text


ROWS_MIN, PARTS_MIN = 3, 2
"""Two equal rows are a pair of cards, and one part per row is a list."""

_ROW_TAGS = frozenset({"div", "li", "section", "article", "ul", "ol"})


def aligned(children: list[Element | str], columns: int | None) -> tuple[Shape, list[list[Element]]] | None:
    """Elements that form a grid without a table, and its shape, or None.

    With `columns`, from the page's styles, they may be cells, row by row. Else each is a row: all are alike, with
    equally many parts and no text beside them.
    """
    elements = _elements(children)
    if elements is None:
        return None
    if columns is not None and len(elements) % columns == 0 and ROWS_MIN <= len(elements) // columns <= ROWS_MAX:
        return "tracks", [elements[place : place + columns] for place in range(0, len(elements), columns)]
    is_alike = len({element.tag for element in elements}) == 1 and elements[0].tag in _ROW_TAGS
    if not is_alike or not ROWS_MIN <= len(elements) <= ROWS_MAX:
        return None
    rows: list[list[Element]] = []
    for element in elements:
        parts = _elements(element.children)
        if parts is None or len(parts) != len(rows[0] if rows else parts) or not PARTS_MIN <= len(parts) <= WIDTH_MAX:
            return None
        rows.append(parts)
    return "parts", rows


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


TRACKS_MAX = 20
"""A grid with more columns is page layout."""

NO_TRACKS: Mapping[str, int] = MappingProxyType({})

_RULE = re.compile(r"\.([\w-]++)\s*+\{([^{}]*+)\}")
_TEMPLATE = re.compile(r"(?<![\w-])grid-template-columns\s*+:\s*+([^;{}]++)")
_REPEATED = re.compile(r"repeat\(\s*+(\d{1,3})\s*+,[^()]*+(?>(?:\([^()]*+\)[^()]*+)*)\)")
_IN_PARENTHESES = re.compile(r"\([^()]*+\)")
_UTILITY = re.compile(r"(?:[a-z0-9]{2,4}:)?grid-cols-(\d{1,2})")
"""Tailwind's `md:grid-cols-4`: the widest window counts."""


def declared_tracks(styles: Iterable[str]) -> Mapping[str, int]:
    """The number of columns that a style sheet of the page gives each class."""
    return {
        name: tracks
        for style in styles
        if "grid-template-columns" in style
        for name, rule in _RULE.findall(style)
        if (tracks := _tracks(rule)) is not None
    }


def tracks_of(attributes: Mapping[str, str], declared: Mapping[str, int]) -> int | None:
    """The number of columns of an element, at least two, by its style or classes, if either says it."""
    classes = attributes.get("class", "").split()
    by_class = [int(utility[1]) for name in classes if (utility := _UTILITY.fullmatch(name))]
    by_class += [declared[name] for name in classes if name in declared]
    tracks = _tracks(attributes.get("style", "")) or max(by_class, default=None)
    return tracks if tracks is not None and 2 <= tracks <= TRACKS_MAX else None


def _tracks(rule: str) -> int | None:
    """`repeat(3, 1fr)` and `2fr 1fr 1fr` are three; `auto-fill`, which depends on the window, is unknown."""
    template = _TEMPLATE.search(rule)
    if template is None or "auto-fi" in template[1] or "subgrid" in template[1]:
        return None
    repeated = sum(int(times) for times in _REPEATED.findall(template[1]))
    others = _IN_PARENTHESES.sub("", _REPEATED.sub(" ", template[1])).split()
    return repeated + len([track for track in others if not track.startswith("[")])
