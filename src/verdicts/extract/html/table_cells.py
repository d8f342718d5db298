"""The rows of a table, and the place of each cell: HTML tables, and elements with ARIA's roles of tables."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from verdicts.extract.html.elements import Element, is_hidden

COLUMNS_MAX, ROWS_MAX = 60, 1_000
"""Larger than any table for people; `colspan=9000000000000000` and `rowspan=100000000` are cut to this."""
WIDTH_MAX = 200
"""The most columns, with spans. All cells further right stand beside each other at this column."""

CELL_TAGS = frozenset({"td", "th"})
GROUP_TAGS = frozenset({"thead", "tbody", "tfoot"})
NO_GROUP = 0
_SPANS = frozenset({"rowspan", "colspan", "aria-rowspan", "aria-colspan"})


class Row(NamedTuple):
    """The cells of a row, the number of its group, and the tag of that: `thead`, `tbody` or `tfoot`."""

    group: int
    tag: str
    cells: Sequence[Element]


PlacedCell: TypeAlias = tuple[Element, int, int, int, int]
"""A cell, its row and column, from 0, and the rows and columns that it claims. 0 rows: the rest of its group."""


def place_cells(lines: Iterable[Row]) -> Iterator[PlacedCell]:
    """Each cell to the right of those that span into its row (HTML standard, Forming a table).

    Spans end with their row group.
    """
    covered_until: dict[int, int] = {}
    group = None
    for number, row in enumerate(lines):
        if row.group != group:
            group = row.group
            covered_until.clear()
        column = 0
        for cell in row.cells:
            while column < WIDTH_MAX and covered_until.get(column, 0) > number:
                column += 1
            if _SPANS.isdisjoint(cell.attributes):
                yield cell, number, column, 1, 1
                column = min(column + 1, WIDTH_MAX)
                continue
            rows, columns = _read_span(cell.attributes, "rowspan"), _read_span(cell.attributes, "colspan") or 1
            yield cell, number, column, rows, columns
            beside = min(column + min(columns, COLUMNS_MAX), WIDTH_MAX)
            if rows != 1:
                end = number + min(rows or ROWS_MAX, ROWS_MAX)
                for covered in range(column, beside):
                    covered_until[covered] = max(covered_until.get(covered, 0), end)
            column = beside


def _read_span(attributes: Mapping[str, str], name: str) -> int:
    """By HTML's or ARIA's attribute. An invalid number is one. Browsers read leading digits: `2px` is two."""
    value = (attributes.get(name) or attributes.get(f"aria-{name}") or "").strip()
    digits = value[: len(value) - len(value.lstrip("0123456789"))]
    return int(digits) if digits and len(digits) < 20 else 1


def read_rows(table: Element, *, with_hidden: bool = False) -> Iterator[Row]:
    """The rows as written; cells outside rows form one. Inner tables are only content of their cells."""
    stack: list[tuple[Element | str, int, str]] = [(child, NO_GROUP, "tbody") for child in table.children[::-1]]
    groups = NO_GROUP
    loose: list[Element] = []
    while stack:
        node, group, group_tag = stack.pop()
        if isinstance(node, str) or node.tag in {"table", "caption"}:
            continue
        if not with_hidden and is_hidden(node.attributes):
            continue
        if node.tag in CELL_TAGS:
            loose.append(node)
            continue
        if loose:
            yield Row(group, group_tag, loose)
            loose = []
        if node.tag == "tr":
            yield Row(group, group_tag, _cells(node, with_hidden=with_hidden))
            continue
        if node.tag in GROUP_TAGS or node.attributes.get("role") == "rowgroup":
            groups += 1
            group, group_tag = groups, node.tag if node.tag in GROUP_TAGS else "tbody"
        stack += [(child, group, group_tag) for child in node.children[::-1]]
    if loose:
        yield Row(NO_GROUP, "tbody", loose)


def _cells(row: Element, *, with_hidden: bool) -> Sequence[Element]:
    """The cells of a row, at any depth: `<div role=row><div role=none><div role=cell>`."""
    cells: list[Element] = []
    stack = row.children[::-1]
    while stack:
        node = stack.pop()
        if isinstance(node, str) or (not with_hidden and is_hidden(node.attributes)):
            continue
        if node.tag in CELL_TAGS:
            cells.append(node)
        elif node.tag != "table":
            stack += node.children[::-1]
    return cells
