"""HTML to blocks, with their cells in tables. Depends only on line-breaking elements, never on classes or nesting."""

from collections.abc import Mapping
from itertools import count

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
)
from verdicts.extract.html.table_cells import place_cells, read_rows
from verdicts.extract.model.blocks import Block, Cell, clean

PATH_MAX = 100
"""Deeper elements share a path; hostile pages nest by the hundred thousand."""

_WHOLE = PHRASING | (PROSE - GLUED)
"""Elements with inline elements that are never separate units."""

BREAK = "\x00"
"""Stands for `<br>` until its text is complete: HTML has no such character."""


class _Open(Struct, gc=False):
    """An open element that breaks a line, and its text since the last block."""

    element: Element
    path: tuple[int, ...]
    path_within: tuple[int, ...]
    elements: tuple[tuple[str, Mapping[str, str]], ...]
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


class _End(Struct, gc=False):
    """Marks the end of an element in the walk: the element around it, if it breaks a line, and the link around it."""

    around: _Open | None
    link: str | None


def html_blocks(body: Element) -> tuple[Block, ...]:  # noqa: PLR0912, PLR0915  a call an element costs as much
    """The text units of the visible body of a page, in reading order."""
    blocks: list[Block] = []
    outer = _Open(body, (), (), (), None, None, False, False, 0, [], splits_inline=False)
    link: str | None = None
    tables = count()
    cells: dict[int, Cell] = {}
    stack: list[Element | str | _End] = [body]
    number = -1
    while stack:
        node = stack.pop()
        if isinstance(node, str):
            is_blank = node.isspace()
            if outer.parts or not is_blank:
                outer.parts.append(node)
            if link is not None and outer.href is None and not is_blank:
                outer.href = link
            continue
        if isinstance(node, _End):
            link = node.link
            if node.around is not None:
                if outer.parts:
                    _end_block(outer, blocks)
                if len(blocks) == outer.blocks_before and outer.element.tag in CELLS:
                    blocks.append(_block([""], outer))
                outer = node.around
            continue
        number += 1
        tag, attributes, children = node.tag, node.attributes, node.children
        if tag == "br":
            outer.parts.append(BREAK)
            continue
        around_link = link
        if tag == "a":
            link = attributes.get("href") or None
        is_inline = tag in PHRASING
        if is_inline:
            if outer.splits_inline is None:
                _look_inside(outer)
            if not outer.splits_inline:
                if tag == "a":
                    stack.append(_End(None, around_link))
                stack += children[::-1]
                continue
        if outer.parts:
            _end_block(outer, blocks)
        if tag == "table":
            table, rows = next(tables), read_rows(node, with_hidden=True)
            cells.update({id(inner): Cell(table, row, column) for inner, row, column, _, _ in place_cells(rows)})
        level = HEADINGS.get(tag, outer.level)
        cell = None if tag == "table" else cells.get(id(node), outer.cell)
        is_key = outer.is_key or tag in KEYS
        is_control = outer.is_control or tag in CONTROLS or attributes.get("role") == CONTROL_ROLE
        path = outer.path_within
        elements = (*outer.elements[:PATH_MAX], (tag, attributes))
        first = children[0] if children else ""
        if isinstance(first, str) and len(children) < 2:
            content = clean(first)
            if content or tag in CELLS:
                href = link if content else None
                blocks.append(Block(content, level, href, path, elements, cell, is_key, is_inline, is_control))
            link = around_link
            continue
        within = (*path, number) if len(path) < PATH_MAX else path
        stack.append(_End(outer, around_link))
        stack += children[::-1]
        outer = _Open(node, path, within, elements, level, cell, is_key, is_control, len(blocks), [])
    return tuple(blocks)


def _look_inside(within: _Open) -> None:
    """What an element is by all that it holds: a button or bold words, if that is one inline element around one text.

    Its inline elements are separate units if it holds nothing else and is not prose:
    `<div><span>75%</span><span>Panel ship</span></div>` is two units.
    """
    within.splits_inline = False
    tag, children = within.element.tag, within.element.children
    lone = _beside_pictures(children) if tag == "p" or len(children) == 1 else None
    if isinstance(lone, Element) and (inner := _around_one_text(lone)):
        for element in inner:
            within.is_control = within.is_control or element.attributes.get("role") == CONTROL_ROLE
            within.is_strong = within.is_strong or element.tag in STRONG
            if element.attributes:
                within.elements += ((element.tag, element.attributes),)
    elif tag not in _WHOLE:
        inline = 0
        for child in children:
            if isinstance(child, Element):
                inline += child.tag in PHRASING
            elif not child.isspace():
                return
        within.splits_inline = inline > (tag in GLUED)


def _around_one_text(element: Element) -> list[Element]:
    """An inline element and those in it, if they hold only one text, beside pictures; else nothing."""
    inner: list[Element] = []
    child: Element | str | None = element
    while isinstance(child, Element):
        if child.tag not in PHRASING:
            return []
        inner.append(child)
        child = _beside_pictures(child.children)
    return inner if child is not None else []


def _beside_pictures(parts: list[Element | str]) -> Element | str | None:
    """The only part that is neither a picture nor a line break nor blank."""
    if len(parts) > 1:
        parts = [part for part in parts if not (part.isspace() if isinstance(part, str) else part.tag in VOID)]
    return parts[0] if len(parts) == 1 else None


def _end_block(ended: _Open, blocks: list[Block]) -> None:
    """Later text in the same element begins a new block."""
    lines = [line for line in map(clean, "".join(ended.parts).split(BREAK)) if line]
    if lines:
        blocks.append(_block(lines, ended))
    ended.parts, ended.href = [], None


def _block(lines: list[str], ended: _Open) -> Block:
    return Block(
        " ".join(lines),
        ended.level,
        ended.href,
        ended.path,
        ended.elements,
        ended.cell,
        ended.is_key,
        ended.element.tag in PHRASING,
        ended.is_control,
        ended.is_strong,
        tuple(lines) if len(lines) > 1 else (),
    )
