"""HTML to blocks. Depends on which elements break a line, never on classes or nesting."""

from dataclasses import dataclass, field
from itertools import accumulate
from typing import TypeAlias

from selectolax.lexbor import LexborHTMLParser

from extract.html.elements import Element, attribute
from extract.html.seen import seen_body
from extract.html.table_cells import TABLE_TAGS, TableWalk
from extract.html.tags import CELLS, CONTROL_ROLE, CONTROLS, GLUED, HEADINGS, KEYS, PHRASING, PROSE
from extract.model.blocks import Block, Cell, clean

PATH_MAX = 100
"""Elements around a text that are told apart; hostile pages nest by the hundred thousand."""

BREAK = "\x00"
"""Stands for `<br>` until its text is whole: HTML has no such character."""


@dataclass(slots=True)
class _Open:
    """An element that breaks a line and that the walk is in, and the text read in it since the last block ended."""

    tag: str
    path: tuple[int, ...]
    path_within: tuple[int, ...]
    level: int | None
    cell: Cell | None
    is_key: bool
    is_control: bool
    splits_inline: bool
    blocks_before: int
    parts: list[str] = field(default_factory=list)
    href: str | None = None


_Unread: TypeAlias = Element | str | _Open | None
"""What the walk has before it. An open element stands for its own end, None for that of a link."""


def html_blocks(tree: LexborHTMLParser) -> tuple[Block, ...]:  # noqa: PLR0912, PLR0915  a call an element costs as much
    """The visible text units of a parsed page, in reading order. Cuts what is not seen out of the tree.

    The walk is depth first and without recursion: hostile pages nest deeper than Python's stack.
    """
    body = seen_body(tree)
    blocks: list[Block] = []
    opened: list[_Open] = []
    outer = _Open("", (), (), None, None, False, False, False, 0)
    links: list[str | None] = [None]
    tables = TableWalk()
    elements = 0
    stack: list[_Unread] = [] if body is None else [body]
    while stack:
        node = stack.pop()
        if isinstance(node, str):
            _read(outer, node, links[-1])
            continue
        if isinstance(node, _Open):
            tag = node.tag
            _end_block(node, blocks, is_empty_cell=tag in CELLS and len(blocks) == node.blocks_before)
            if tag == "table":
                tables.leave()
            outer = opened.pop()
            continue
        if node is None:
            links.pop()
            continue
        tag, attributes, children = node
        if tag == "br":
            outer.parts.append(BREAK)
            continue
        is_inline = tag in PHRASING
        text = children[0] if len(children) == 1 and isinstance(children[0], str) else None
        link = links[-1]
        if tag == "a":
            link = attribute(attributes, "href") or None
            if text is None:
                links.append(link)
                stack.append(None)
        if is_inline and not outer.splits_inline:
            if text is None:
                stack += children[::-1]
            else:
                _read(outer, text, link)
            continue
        if outer.parts:
            _end_block(outer, blocks)
        cell = tables.enter(tag, attributes) if tag in TABLE_TAGS else outer.cell
        level = HEADINGS.get(tag, outer.level)
        is_key = tag in KEYS or outer.is_key
        is_control = tag in CONTROLS or outer.is_control or (attributes != "" and _is_control(attributes))
        path = outer.path_within
        if text is not None:
            text = clean(text)
            if text or tag in CELLS:
                blocks.append(Block(text, level, link if text else None, path, cell, is_key, is_inline, is_control))
            continue
        one_text = _one_text(node)
        elements += 1
        opened.append(outer)
        outer = _Open(
            tag,
            path,
            path if len(path) >= PATH_MAX else (*path, elements),
            level,
            cell,
            is_key,
            is_control or one_text[1],
            not one_text[0] and _splits_inline(tag, children),
            len(blocks),
        )
        stack.append(outer)
        stack += children[::-1]
    return tuple(blocks)


def _one_text(node: Element) -> tuple[bool, bool]:
    """Whether an element holds one text alone, in any number of inline elements; whether one of these is a control."""
    _, _, children = node
    is_control = False
    while len(children) == 1:
        (child,) = children
        if isinstance(child, str):
            return True, is_control
        tag, attributes, children = child
        if tag not in PHRASING:
            break
        is_control = is_control or (attributes != "" and _is_control(attributes))
    return False, False


def _is_control(attributes: str) -> bool:
    return attribute(attributes, "role") == CONTROL_ROLE


def _splits_inline(tag: str, children: list[Element | str]) -> bool:
    """Whether the inline elements of an element are units of their own.

    They are where it holds nothing else, and is not one of prose: `<div><span>75%</span><span>Panel ship</span></div>`
    reads as two units.
    """
    if tag in PHRASING or (tag in PROSE and tag not in GLUED):
        return False
    inline = 0
    for child in children:
        if isinstance(child, str):
            if not child.isspace():
                return False
        elif child[0] in PHRASING:
            inline += 1
    return inline > (tag in GLUED)


def _read(into: _Open, text: str, link: str | None) -> None:
    if into.parts or not text.isspace():
        into.parts.append(text)
        if link is not None and into.href is None and not text.isspace():
            into.href = link


def _end_block(element: _Open, blocks: list[Block], *, is_empty_cell: bool = False) -> None:
    """What follows in the same element begins a new block."""
    if not element.parts and not is_empty_cell:
        return
    lines = [line for line in map(clean, "".join(element.parts).split(BREAK)) if line]
    text = " ".join(lines)
    if text or is_empty_cell:
        blocks.append(
            Block(
                text,
                element.level,
                element.href,
                element.path,
                element.cell,
                element.is_key,
                element.tag in PHRASING,
                element.is_control,
                _ends(lines[:-1]) if len(lines) > 1 else (),
            )
        )
    element.parts, element.href = [], None


def _ends(lines: list[str]) -> tuple[int, ...]:
    """Where each line ends in all of them, joined by a space."""
    return tuple(accumulate(map(len, lines), lambda end, length: end + 1 + length))
