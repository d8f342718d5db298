"""HTML to blocks. Depends on which elements break a line, never on classes or nesting."""

from dataclasses import dataclass, field
from enum import Enum, auto
from itertools import accumulate

from selectolax.lexbor import LexborHTMLParser

from verdicts.extract.html.elements import Element, attribute
from verdicts.extract.html.seen import seen_body
from verdicts.extract.html.table_cells import TABLE_TAGS, TableWalk
from verdicts.extract.html.tags import CELLS, CONTROL_ROLE, CONTROLS, GLUED, HEADINGS, KEYS, PHRASING, PROSE
from verdicts.extract.model.blocks import Block, Cell, clean

PATH_MAX = 100
"""Elements around a text that are told apart; hostile pages nest by the hundred thousand."""

_WHOLE = PHRASING | (PROSE - GLUED)
"""Elements whose inline elements are never units of their own."""

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


class _End(Enum):
    """Stands in the walk behind what an element holds."""

    BLOCK = auto()
    LINK = auto()


def html_blocks(tree: LexborHTMLParser) -> tuple[Block, ...]:  # noqa: PLR0912, PLR0915  a call an element costs as much
    """The visible text units of a parsed page, in reading order. Cuts what is not seen out of the tree.

    The walk is depth first and without recursion: hostile pages nest deeper than Python's stack.
    """
    body = seen_body(tree)
    blocks: list[Block] = []
    around: list[_Open] = []
    outer = _Open("", (), (), None, None, False, False, False, 0)
    links: list[str | None] = [None]
    tables = TableWalk()
    elements = 0
    stack: list[Element | str | _End] = [] if body is None else [body]
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
            is_control = outer.is_control or tag in CONTROLS or (attributes != "" and _is_control(attributes))
            path = outer.path_within
            if isinstance(text, str):
                text = clean(text)
                if text or tag in CELLS:
                    blocks.append(Block(text, level, link if text else None, path, cell, is_key, is_inline, is_control))
                continue
            elements += 1
            within = (*path, elements) if len(path) < PATH_MAX else path
            around.append(outer)
            outer = _Open(tag, path, within, level, cell, is_key, is_control, False, len(blocks))
            if text is not None and (inner := _around_one_text(text)):
                outer.is_control = is_control or any(_is_control(attributes) for _, attributes, _ in inner)
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
                blocks.append(_block("", outer))
            if outer.tag == "table":
                tables.leave()
            outer = around.pop()
    return tuple(blocks)


def _around_one_text(element: Element) -> list[Element]:
    """The inline element and those in it, where they hold one text and nothing else; nothing for any other."""
    inner = [element]
    while inner[-1][0] in PHRASING and len(inner[-1][2]) == 1:
        (child,) = inner[-1][2]
        if isinstance(child, str):
            return inner
        inner.append(child)
    return []


def _is_control(attributes: str) -> bool:
    return attribute(attributes, "role") == CONTROL_ROLE


def _splits_inline(tag: str, children: list[Element | str]) -> bool:
    """Whether the inline elements of an element are units of their own.

    They are where it holds nothing else, and is not one of prose: `<div><span>75%</span><span>Panel ship</span></div>`
    reads as two units.
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
    """What follows in the same element begins a new block."""
    lines = [line for line in map(clean, "".join(element.parts).split(BREAK)) if line]
    if lines:
        block = _block(" ".join(lines), element)
        block.breaks = tuple(accumulate(map(len, lines[:-1]), lambda end, length: end + 1 + length))
        blocks.append(block)
    element.parts, element.href = [], None


def _block(text: str, element: _Open) -> Block:
    return Block(
        text,
        element.level,
        element.href,
        element.path,
        element.cell,
        element.is_key,
        element.tag in PHRASING,
        element.is_control,
    )
