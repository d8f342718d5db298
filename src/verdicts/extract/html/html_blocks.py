"""HTML to blocks, with their cells in tables. Depends only on line-breaking elements, never on classes or nesting."""

from collections.abc import Mapping
from dataclasses import dataclass, field

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
    attribute,
    attributes_of,
)
from verdicts.extract.html.pieces import END, Pieces, is_linked
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
        while self.covered_until and self.covered_until.get(column, 0) > self.row:
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
                placement.place(*(claims(attributes) if "span" in attributes else (1, 1)))
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

    number: int
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
    splits_inline: bool | None = None
    """Whether its inline elements are separate units. None before the first one."""


def html_blocks(page: Pieces) -> tuple[Block, ...]:  # noqa: PLR0912, PLR0915  a call an element costs as much
    """The text units of a page's body, in reading order."""
    blocks: list[Block] = []
    outer = _Open(0, "", (), (), (), None, None, False, False, 0, [], splits_inline=False)
    around: list[_Open | None] = []
    """For each open element the one around it, if it breaks a line."""
    links: list[str | None] = [None]
    linked: list[int] = [-1]
    tables = TableWalk()
    number = -1
    for text, tag, attributes, content in page.pieces:
        number += 1
        if text and (outer.parts or not text.isspace()):
            _read(outer, text, links[-1])
        if not tag:
            continue
        if tag == END:
            if linked[-1] == len(around):
                links.pop()
                linked.pop()
            before = around.pop()
            if before is not None:
                if outer.parts:
                    _end_block(outer, blocks)
                if len(blocks) == outer.blocks_before and outer.tag in CELLS:
                    blocks.append(_block([""], outer))
                if outer.tag == "table":
                    tables.leave()
                outer = before
            continue
        link = links[-1]
        if tag == "a" or (attributes and is_linked(tag, attributes)):
            link = attribute(attributes, "href") or None
            if content is None:
                links.append(link)
                linked.append(len(around) + 1)
        elif tag == "br":
            outer.parts.append(BREAK)
            continue
        is_inline = tag in PHRASING
        if is_inline:
            if outer.splits_inline is None:
                _look_inside(outer, page)
            if not outer.splits_inline:
                if content is None:
                    around.append(None)
                elif content:
                    _read(outer, content, link)
                continue
        if outer.parts:
            _end_block(outer, blocks)
        level = HEADINGS.get(tag, outer.level)
        cell = tables.enter(tag, attributes) if tag in TABLE_TAGS else outer.cell
        is_key = outer.is_key or tag in KEYS
        is_control = outer.is_control or tag in CONTROLS or (attributes != "" and _is_control(attributes))
        path = outer.path_within
        elements = (*outer.elements[:PATH_MAX], (tag, attributes))
        if content is not None:
            content = clean(content)
            if content or tag in CELLS:
                link = link if content else None
                blocks.append(Block(content, level, link, path, elements, cell, is_key, is_inline, is_control))
            if tag == "table":
                tables.leave()
            continue
        within = (*path, number) if len(path) < PATH_MAX else path
        around.append(outer)
        outer = _Open(number, tag, path, within, elements, level, cell, is_key, is_control, len(blocks), [])
    return tuple(blocks)


def _look_inside(element: _Open, page: Pieces) -> None:
    """What an element is by all that it holds: a button or bold words, if that is one inline element around one text.

    Its inline elements are separate units if it holds nothing else and is not prose:
    `<div><span>75%</span><span>Panel ship</span></div>` is two units.
    """
    element.splits_inline = False
    children = page.children(element.number)
    lone = _beside_pictures(page, children) if element.tag == "p" or len(children) == 1 else None
    if isinstance(lone, int) and (inner := _around_one_text(page, lone)):
        for tag, attributes in inner:
            element.is_control = element.is_control or _is_control(attributes)
            element.is_strong = element.is_strong or tag in STRONG
            if attributes:
                element.elements += ((tag, attributes),)
    elif element.tag not in _WHOLE:
        inline = 0
        for child in children:
            if not isinstance(child, str):
                inline += page.pieces[child][1] in PHRASING
            elif not child.isspace():
                return
        element.splits_inline = inline > (element.tag in GLUED)


def _around_one_text(page: Pieces, number: int) -> list[tuple[str, str]]:
    """An inline element and those in it, if they hold only one text, beside pictures; else nothing."""
    inner: list[tuple[str, str]] = []
    child: int | str | None = number
    while isinstance(child, int):
        _, tag, attributes, content = page.pieces[child]
        if tag not in PHRASING:
            return []
        inner.append((tag, attributes))
        child = (content or None) if content is not None else _beside_pictures(page, page.children(child))
    return inner if child is not None else []


def _beside_pictures(page: Pieces, parts: list[str | int]) -> str | int | None:
    """The only part that is neither a picture nor a line break nor blank."""
    if len(parts) > 1:
        parts = [
            part for part in parts if not (part.isspace() if isinstance(part, str) else page.pieces[part][1] in VOID)
        ]
    return parts[0] if len(parts) == 1 else None


def _is_control(attributes: str) -> bool:
    return "role=" in attributes and attribute(attributes, "role") == CONTROL_ROLE


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
