"""HTML to blocks, with their cells in tables. Depends only on line-breaking elements, never on classes or nesting."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, auto

from msgspec import Struct

from verdicts.extract.html.elements import (
    CELLS,
    CONTROL_ROLE,
    CONTROLS,
    GLUED,
    HEADINGS,
    KEYS,
    PHRASING,
    PROSE,
    STRONG,
    VOID,
    Element,
    attribute,
    attributes_of,
)
from verdicts.extract.model.blocks import Block, Cell, clean

COLUMNS_MAX, ROWS_MAX = 60, 1_000
"""Larger than any table for people; `colspan=9000000000000000` and `rowspan=100000000` are cut to this."""

CELL_TAGS = frozenset({"td", "th"})
GROUP_TAGS = frozenset({"thead", "tbody", "tfoot"})
TABLE_TAGS = frozenset({"table", "tr", *GROUP_TAGS, *CELL_TAGS})


@dataclass(slots=True)
class Placement:
    """Places the cells of one table in page order: to the right of cells that span into their row.

    `row` and `column` are those of the last cell, from 0; before the first row, `row` is -1.
    """

    row: int = -1
    column: int = 0
    next_column: int = 0
    covered_until: dict[int, int] = field(default_factory=dict)
    """Column to the first row after the cells that span rows."""

    def next_row(self) -> None:
        self.row += 1
        self.next_column = 0

    def next_group(self) -> None:
        """Spans end with their row group."""
        self.covered_until.clear()

    def place(self, rows: int, columns: int) -> None:
        """Places a cell with these spans; 0 rows mean the rest of its group."""
        column = self.next_column
        while self.covered_until.get(column, 0) > self.row:
            column += 1
        self.column, self.next_column = column, column + min(columns or 1, COLUMNS_MAX)
        if rows != 1:
            end = self.row + min(rows or ROWS_MAX, ROWS_MAX)
            for covered in range(column, self.next_column):
                self.covered_until[covered] = max(self.covered_until.get(covered, 0), end)


class TableWalk:
    """Counts tables, rows and columns as a walk enters and leaves their elements. Nested tables count separately.

    Rows are counted as written, as blocks have that order; only a table read as a whole (`grids`) has its foot below
    its body.
    """

    def __init__(self) -> None:
        self._tables = 0
        self._open: list[tuple[int, Placement]] = []

    def enter(self, tag: str, attributes: str) -> Cell | None:
        """Enters an element of a table; returns its cell, if it is one."""
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
        self._open.pop()


def claims(attributes: str) -> tuple[int, int]:
    """The rows and columns of a cell, by HTML's or ARIA's attributes. 0 rows: the rest of its group."""
    claimed = attributes_of(attributes)
    return _claimed(claimed, "rowspan"), _claimed(claimed, "colspan") or 1


def _claimed(attributes: Mapping[str, str], name: str) -> int:
    """An invalid number is one. Browsers read leading digits: `2px` is two."""
    value = (attributes.get(name) or attributes.get(f"aria-{name}") or "").strip()
    digits = value[: len(value) - len(value.lstrip("0123456789"))]
    return int(digits) if digits and len(digits) < 20 else 1


PATH_MAX = 100
"""Deeper elements share a path; hostile pages nest by the hundred thousand."""

_WHOLE = PHRASING | (PROSE - GLUED)
"""Elements with inline elements that are never separate units."""

BREAK = "\x00"
"""Stands for `<br>` until its text is complete: HTML has no such character."""


class _Open(Struct, gc=False):
    """An open element that breaks a line, and its text since the last block."""

    tag: str
    path: tuple[int, ...]
    path_within: tuple[int, ...]
    elements: tuple[tuple[str, str], ...]
    level: int | None
    cell: Cell | None
    is_key: bool
    is_control: bool
    blocks_before: int
    parts: list[str]
    href: str | None = None
    is_strong: bool = False
    splits_inline: bool = False


class _End(Enum):
    """Marks the end of an element in the walk."""

    BLOCK = auto()
    LINK = auto()


def html_blocks(body: Element) -> tuple[Block, ...]:  # noqa: PLR0912, PLR0915  a call an element costs as much
    """The text units of a page's body, in reading order.

    Depth first without recursion: hostile pages nest deeper than Python's stack.
    """
    blocks: list[Block] = []
    around: list[_Open] = []
    outer = _Open("", (), (), (), None, None, False, False, 0, [])
    links: list[str | None] = [None]
    tables = TableWalk()
    elements = 0
    stack: list[Element | str | _End] = [body]
    while stack:
        node = stack.pop()
        if isinstance(node, tuple):
            tag, attributes, children = node
            link = links[-1]
            text = children[0] if len(children) == 1 else None
            if tag == "a":
                link = attribute(attributes, "href") or None
                if not isinstance(text, str):
                    links.append(link)
                    stack.append(_End.LINK)
            elif tag == "br":
                outer.parts.append(BREAK)
                continue
            is_inline = tag in PHRASING
            if is_inline and not outer.splits_inline:
                if isinstance(text, str):
                    _read(outer, text, link)
                else:
                    stack += children[::-1]
                continue
            if outer.parts:
                _end_block(outer, blocks)
            level = HEADINGS.get(tag, outer.level)
            cell = tables.enter(tag, attributes) if tag in TABLE_TAGS else outer.cell
            is_key = outer.is_key or tag in KEYS
            is_control = outer.is_control or tag in CONTROLS or ("role" in attributes and _is_control(attributes))
            path = outer.path_within
            within_these = (*outer.elements[:PATH_MAX], (tag, attributes))
            if isinstance(text, str):
                text = clean(text)
                if text or tag in CELLS:
                    link = link if text else None
                    blocks.append(Block(text, level, link, path, within_these, cell, is_key, is_inline, is_control))
                continue
            elements += 1
            within = (*path, elements) if len(path) < PATH_MAX else path
            around.append(outer)
            outer = _Open(tag, path, within, within_these, level, cell, is_key, is_control, len(blocks), [])
            lone = _beside_pictures(children) if tag == "p" and text is None else text
            if isinstance(lone, tuple) and (inner := _around_one_text(lone)):
                outer.is_control = is_control or any(_is_control(attributes) for _, attributes, _ in inner)
                outer.is_strong = any(tag in STRONG for tag, _, _ in inner)
                outer.elements = (*within_these, *((tag, attributes) for tag, attributes, _ in inner if attributes))
            elif tag not in _WHOLE:
                outer.splits_inline = _splits_inline(tag, children)
            stack.append(_End.BLOCK)
            stack += children[::-1]
        elif isinstance(node, str):
            if outer.parts or not node.isspace():
                _read(outer, node, links[-1])
        elif node is _End.LINK:
            links.pop()
        else:
            if outer.parts:
                _end_block(outer, blocks)
            if len(blocks) == outer.blocks_before and outer.tag in CELLS:
                blocks.append(_block([""], outer))
            if outer.tag == "table":
                tables.leave()
            outer = around.pop()
    return tuple(blocks)


def _around_one_text(element: Element) -> list[Element]:
    """An inline element and those in it, if they hold only one text, beside pictures; else nothing."""
    inner = [element]
    while inner[-1][0] in PHRASING:
        child = _beside_pictures(inner[-1][2])
        if child is None:
            return []
        if isinstance(child, str):
            return inner
        inner.append(child)
    return []


def _beside_pictures(parts: list[Element | str]) -> Element | str | None:
    """The only part that is neither a picture nor a line break nor blank."""
    if len(parts) > 1:
        parts = [part for part in parts if not (part.isspace() if isinstance(part, str) else part[0] in VOID)]
    return parts[0] if len(parts) == 1 else None


def _is_control(attributes: str) -> bool:
    return attribute(attributes, "role") == CONTROL_ROLE


def _splits_inline(tag: str, children: list[Element | str]) -> bool:
    """Whether the inline elements of an element are separate units.

    They are if it holds nothing else and is not prose: `<div><span>75%</span><span>Panel ship</span></div>` is two
    units.
    """
    inline = 0
    for child in children:
        if isinstance(child, str):
            if not child.isspace():
                return False
        elif child[0] in PHRASING:
            inline += 1
    return inline > (tag in GLUED)


def _read(into: _Open, text: str, link: str | None) -> None:
    into.parts.append(text)
    if link is not None and into.href is None and not text.isspace():
        into.href = link


def _end_block(element: _Open, blocks: list[Block]) -> None:
    """Later text in the same element begins a new block."""
    lines = [line for line in map(clean, "".join(element.parts).split(BREAK)) if line]
    if lines:
        blocks.append(_block(lines, element))
    element.parts, element.href = [], None


def _block(lines: list[str], element: _Open) -> Block:
    return Block(
        " ".join(lines),
        element.level,
        element.href,
        element.path,
        element.elements,
        element.cell,
        element.is_key,
        element.tag in PHRASING,
        element.is_control,
        element.is_strong,
        tuple(lines) if len(lines) > 1 else (),
    )
