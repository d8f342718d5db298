"""One element to a grid: a table by its markup, or elements side by side."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from verdicts.extract.grids.grid import Defect, Flaw, Grid, GridCell, Shape
from verdicts.extract.html.cell_text import cell_text
from verdicts.extract.html.elements import Element, attributes_of, is_hidden
from verdicts.extract.html.html_blocks import CELL_TAGS, COLUMNS_MAX, GROUP_TAGS, ROWS_MAX, Placement, claims

WIDTH_MAX = 200
"""The most columns of a grid, with spans. Cells further right are left out."""

_PRESENTATION = frozenset({"presentation", "none"})
_SCOPES = {"columnheader": "col", "rowheader": "row"}
_NO_GROUP = 0


@dataclass(frozen=True, slots=True)
class _Row:
    group: int
    tag: str
    """The tag of the group: `thead`, `tbody` or `tfoot`."""
    cells: tuple[Element, ...]


def read_table(table: Element, ids: Mapping[str, Element], depth: int = 0) -> Grid:
    """The grid of a table; inner tables are only text of its cells.

    `tfoot` comes last, wherever it is written. Spans end with their row group.
    """
    rows = sorted(_rows(table), key=lambda row: row.tag == "tfoot")
    left_of_group = [*_left_of_group(rows)]
    placement = Placement()
    cells: list[GridCell] = []
    defects: dict[Flaw, Defect] = {}
    covered: set[tuple[int, int]] = set()
    groups: list[int] = []
    for row, left in zip(rows[:ROWS_MAX], left_of_group, strict=False):
        if not groups or groups[-1] != row.group:
            groups.append(row.group)
            placement.next_group()
        placement.next_row()
        for cell in row.cells:
            claimed_rows, claimed_columns = claims(cell[1]) if "span" in cell[1] else (1, 1)
            placement.place(claimed_rows, claimed_columns)
            place = placement.row, placement.column
            across = min(claimed_columns, COLUMNS_MAX, WIDTH_MAX - placement.column)
            if across <= 0:
                defects.setdefault("too_large", Defect("too_large", *place))
                break
            down = min(claimed_rows or left, left, ROWS_MAX - placement.row)
            if claimed_rows > left or claimed_columns > across:
                defects.setdefault("cut_span", Defect("cut_span", *place))
            claimed = {(place[0] + y, place[1] + x) for y in range(down) for x in range(across)}
            if not covered.isdisjoint(claimed):
                defects.setdefault("overlap", Defect("overlap", *place))
            covered |= claimed
            cells.append(_cell(cell, place, (down, across), len(groups) - 1, row, ids))
    if len(rows) > ROWS_MAX:
        defects.setdefault("too_large", Defect("too_large", ROWS_MAX, 0))
    height, width = placement.row + 1, max((column for _, column in covered), default=-1) + 1
    if len(covered) < height * width:
        first = next((y, x) for y in range(height) for x in range(width) if (y, x) not in covered)
        defects["ragged_row"] = Defect("ragged_row", *first)
    attributes = attributes_of(table[1])
    return Grid(
        "roles" if attributes.get("role", "").strip().lower() in {"table", "grid", "treegrid"} else "table",
        height,
        width,
        tuple(cells),
        _caption(table, ids),
        attributes.get("role") in _PRESENTATION,
        depth,
        tuple(defects.values()),
    )


def _rows(table: Element) -> Iterator[_Row]:
    """The visible rows as written; cells outside rows form one."""
    stack: list[tuple[Element | str, int, str]] = [(child, _NO_GROUP, "tbody") for child in table[2][::-1]]
    groups = _NO_GROUP
    loose: list[Element] = []
    while stack:
        node, group, group_tag = stack.pop()
        if isinstance(node, str) or node[0] in {"table", "caption"}:
            continue
        tag, written, children = node
        attributes = attributes_of(written)
        if is_hidden(attributes):
            continue
        if tag in CELL_TAGS:
            loose.append(node)
            continue
        if loose:
            yield _Row(group, group_tag, tuple(loose))
            loose = []
        if tag == "tr":
            yield _Row(group, group_tag, tuple(_cells(children)))
        elif tag in GROUP_TAGS or attributes.get("role") == "rowgroup":
            groups += 1
            stack += [(child, groups, tag if tag in GROUP_TAGS else "tbody") for child in children[::-1]]
        else:
            stack += [(child, group, group_tag) for child in children[::-1]]
    if loose:
        yield _Row(_NO_GROUP, "tbody", tuple(loose))


def _cells(children: Iterable[Element | str]) -> Iterator[Element]:
    """The cells of a row, at any depth: `<div role=row><div role=none><div role=cell>`."""
    stack = [*children][::-1]
    while stack:
        node = stack.pop()
        if isinstance(node, str) or node[0] == "table" or is_hidden(attributes_of(node[1])):
            continue
        if node[0] in CELL_TAGS:
            yield node
        else:
            stack += node[2][::-1]


def _left_of_group(rows: list[_Row]) -> Iterator[int]:
    """For each row the rest of its group, including itself."""
    left: list[int] = []
    for place in range(len(rows) - 1, -1, -1):
        goes_on = place + 1 < len(rows) and rows[place + 1].group == rows[place].group
        left.append(left[-1] + 1 if goes_on else 1)
    return reversed(left)


def _cell(
    cell: Element, place: tuple[int, int], size: tuple[int, int], group: int, row: _Row, ids: Mapping[str, Element]
) -> GridCell:
    tag, written, _ = cell
    attributes = attributes_of(written)
    scope = attributes.get("scope", "").lower() or _SCOPES.get(attributes.get("role", "")) or None
    is_head = tag == "th" or scope is not None or row.tag == "thead"
    return GridCell(*place, *size, group, is_head, scope, cell_text(cell, ids))


def _caption(table: Element, ids: Mapping[str, Element]) -> str | None:
    captions = (child for child in table[2] if isinstance(child, tuple) and child[0] == "caption")
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
    is_alike = len({tag for tag, _, _ in elements}) == 1 and elements[0][0] in _ROW_TAGS
    if not is_alike or not ROWS_MIN <= len(elements) <= ROWS_MAX:
        return None
    rows: list[list[Element]] = []
    for _, _, inner in elements:
        parts = _elements(inner)
        if parts is None or len(parts) != len(rows[0] if rows else parts) or not PARTS_MIN <= len(parts) <= WIDTH_MAX:
            return None
        rows.append(parts)
    return "parts", rows


def _elements(children: list[Element | str]) -> list[Element] | None:
    """The visible elements; None if there is text among them."""
    elements = []
    for child in children:
        if isinstance(child, tuple):
            if not (child[1] and is_hidden(attributes_of(child[1]))):
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


def tracks_of(attributes: str, declared: Mapping[str, int]) -> int | None:
    """The number of columns of an element, at least two, by its style or classes, if either says it."""
    if "grid" not in attributes and not declared:
        return None
    written = attributes_of(attributes)
    classes = written.get("class", "").split()
    by_class = [int(utility[1]) for name in classes if (utility := _UTILITY.fullmatch(name))]
    by_class += [declared[name] for name in classes if name in declared]
    tracks = _tracks(written.get("style", "")) or max(by_class, default=None)
    return tracks if tracks is not None and 2 <= tracks <= TRACKS_MAX else None


def _tracks(rule: str) -> int | None:
    """`repeat(3, 1fr)` and `2fr 1fr 1fr` are three; `auto-fill`, which depends on the window, is unknown."""
    template = _TEMPLATE.search(rule)
    if template is None or "auto-fi" in template[1] or "subgrid" in template[1]:
        return None
    repeated = sum(int(times) for times in _REPEATED.findall(template[1]))
    others = _IN_PARENTHESES.sub("", _REPEATED.sub(" ", template[1])).split()
    return repeated + len([track for track in others if not track.startswith("[")])
