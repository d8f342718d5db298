"""HTML to blocks, with Lexbor. Depends on which elements break a line, never on classes or nesting."""

from dataclasses import dataclass, field
from itertools import accumulate
from typing import TypeAlias

from selectolax.lexbor import LexborHTMLParser, LexborNode

from extract.html.table_cells import TableWalk
from extract.html.tags import CELLS, CONTROLS, GLUED, HEADINGS, HIDDEN, KEYS, NO_ELEMENT, PHRASING, PROSE, TEXT, UNSEEN
from extract.model.blocks import Block, Cell, clean


@dataclass(slots=True)
class _Open:
    """An element that the walk is in, and the text read in it since the last block ended."""

    path: tuple[int, ...]
    number: int
    level: int | None
    splits_inline: bool
    blocks_before: int
    cell: Cell | None = None
    is_key: bool = False
    is_inline: bool = False
    is_control: bool = False
    parts: list[str] = field(default_factory=list)
    href: str | None = None

    @property
    def path_within(self) -> tuple[int, ...]:
        """The path of what this element holds."""
        return self.path if len(self.path) >= PATH_MAX else (*self.path, self.number)


PATH_MAX = 100
"""Elements around a text that are told apart; hostile pages nest by the hundred thousand."""

BREAK = "\x00"
"""Stands for `<br>` until its text is whole: HTML has no such character."""

_Leave: TypeAlias = tuple[str, _Open | None]
"""Stands on the stack below an element's children: its tag, and its `_Open` if it breaks a line."""


def html_blocks(tree: LexborHTMLParser) -> tuple[Block, ...]:  # noqa: PLR0912, PLR0915  a call a node costs as much
    """The visible text units of a parsed page, in reading order.

    The walk is depth first and without recursion: hostile pages nest deeper than Python's stack.
    """
    if tree.body is None:
        return ()
    blocks: list[Block] = []
    opened: list[_Open] = []
    links: list[str] = []
    tables = TableWalk()
    hidden = {node.mem_id for node in tree.css(HIDDEN)}
    controls = {node.mem_id for node in tree.css(CONTROLS)}
    stack: list[LexborNode | _Leave] = [tree.body]
    while stack:
        node = stack.pop()
        if isinstance(node, tuple):
            tag, left = node
            if tag == "a":
                links.pop()
            if left is not None:
                _end_block(left, blocks, is_empty_cell=tag in CELLS and len(blocks) == left.blocks_before)
                tables.leave(tag)
                opened.pop()
            continue
        tag = node.tag or ""
        if tag == TEXT:
            _read(opened[-1], node.text_content or "", links)
            continue
        if tag in UNSEEN or tag.startswith(NO_ELEMENT) or (hidden and node.mem_id in hidden):
            continue
        if tag == "br":
            opened[-1].parts.append(BREAK)
            continue
        children = list(node.iter(include_text=True))
        if tag == "a":
            links.append(node.attributes.get("href") or "")
        outer = opened[-1] if opened else None
        element = None
        if _breaks_line(tag, outer, node):
            if outer is not None:
                _end_block(outer, blocks)
            tables.enter(node, tag)
            level = HEADINGS.get(tag, None if outer is None else outer.level)
            is_key = tag in KEYS or (outer is not None and outer.is_key)
            is_control = node.mem_id in controls or (outer is not None and outer.is_control)
            path = () if outer is None else outer.path_within
            only = _only_text(children, links[-1] if links else "", hidden, controls)
            if only is not None:
                text = clean(only[0])
                if text or tag in CELLS:
                    is_inline = tag in PHRASING
                    blocks.append(
                        Block(text, level, only[1] or None, path, tables.cell, is_key, is_inline, is_control or only[2])
                    )
                tables.leave(tag)
                if tag == "a":
                    links.pop()
                continue
            splits_inline = _splits_inline(tag, children)
            element = _Open(
                path, node.mem_id, level, splits_inline, len(blocks), tables.cell, is_key, tag in PHRASING, is_control
            )
            opened.append(element)
        stack.append((tag, element))
        stack.extend(reversed(children))
    return tuple(blocks)


def _only_text(
    children: list[LexborNode], href: str, hidden: set[int], controls: set[int]
) -> tuple[str, str, bool] | None:
    """What an element says that holds one text alone, in any number of inline elements. None for any other element.

    Text, link, and whether one of the inline elements is a control.

    Most elements are such, and need no walk.
    """
    is_control = False
    while len(children) == 1:
        (child,) = children
        tag = child.tag or ""
        if tag == TEXT:
            text = child.text_content or ""
            return text, href if text.strip() else "", is_control
        if tag not in PHRASING or child.mem_id in hidden:
            return None
        is_control = is_control or child.mem_id in controls
        if tag == "a":
            href = child.attributes.get("href") or ""
        children = list(child.iter(include_text=True))
    return None


def _breaks_line(tag: str, outer: _Open | None, node: LexborNode) -> bool:
    """Whether an element's text is a block of its own.

    An inline element is one only where its container holds nothing but inline elements, and is not one of prose:
    `<div><span>75%</span><span>Panel ship</span></div>` reads as two units.
    """
    if tag not in PHRASING or outer is None:
        return True
    return outer.splits_inline and node.parent is not None and node.parent.tag not in PHRASING


def _splits_inline(tag: str, children: list[LexborNode]) -> bool:
    """Whether the inline elements of an element are units of their own."""
    tags = [child.tag for child in children]
    has_text = TEXT in tags and any(
        tag == TEXT and (child.text_content or "").strip() for tag, child in zip(tags, children, strict=True)
    )
    is_container = tag not in PROSE or (tag in GLUED and sum(tag in PHRASING for tag in tags) > 1)
    return is_container and tag not in PHRASING and not has_text


def _read(into: _Open, content: str, links: list[str]) -> None:
    into.parts.append(content)
    if into.href is None and links and links[-1] and content.strip():
        into.href = links[-1]


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
                element.is_inline,
                element.is_control,
                tuple(accumulate((len(line) for line in lines[:-1]), lambda place, length: place + 1 + length)),
            )
        )
    element.parts, element.href = [], None
