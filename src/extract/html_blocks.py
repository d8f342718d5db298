"""HTML becomes blocks, through Lexbor. Depends on which elements break a line, never on classes or nesting."""

from dataclasses import dataclass, field

from selectolax.lexbor import LexborHTMLParser, LexborNode

from extract.blocks import Block, Cell, clean

UNSEEN = frozenset({"script", "style", "template", "noscript", "svg", "head", "iframe", "object", "select", "textarea"})
"""Elements whose text no reader sees: hydration scripts repeat the content, icons carry titles."""

HIDDEN = "[hidden], .sr-only, .visually-hidden"
"""The two classes are the names that utility frameworks give to text for screen readers; it repeats what is visible."""

TEXT = "-text"
NO_ELEMENT = ("-", "!")
"""What Lexbor calls text nodes, and how it begins the names of comments and the like."""

PHRASING = frozenset(
    [
        "a",
        "abbr",
        "b",
        "bdi",
        "bdo",
        "cite",
        "code",
        "data",
        "del",
        "dfn",
        "em",
        "font",
        "i",
        "ins",
        "kbd",
        "label",
        "mark",
        "q",
        "s",
        "samp",
        "small",
        "span",
        "strong",
        "sub",
        "sup",
        "time",
        "u",
        "var",
        "wbr",
    ]
)
"""Elements that do not break a line by themselves."""

PROSE = frozenset(
    [
        "p",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "blockquote",
        "li",
        "dt",
        "dd",
        "td",
        "th",
        "caption",
        "figcaption",
        "summary",
        "title",
    ]
)
"""Elements that hold one text even if it is made of inline elements alone: `<p><b>Free</b> <i>tier</i></p>`."""

CELLS = frozenset({"td", "th", "dd"})
"""Elements that say something by being empty."""

KEYS = frozenset({"th", "dt"})
"""Elements that say what others mean."""

GLUED = frozenset({"li", "p"})
"""Elements of prose that are laid out as units where nothing stands between their inline elements.

`<li><span>Panel ship</span><span>75%</span></li>` would read `Panel ship75%`.
"""

SPAN_MAX = 50
"""Columns and rows a cell may claim; `colspan=9000000000000000` is no table."""


HEADINGS = {f"h{level}": level for level in range(1, 7)}


@dataclass(slots=True)
class _Open:
    """An element whose content is being read, and the text gathered in it since the last block ended."""

    parent: int
    level: int | None
    splits_inline: bool
    blocks_before: int
    cell: Cell | None = None
    is_key: bool = False
    parts: list[str] = field(default_factory=list)
    href: str | None = None


@dataclass(frozen=True, slots=True)
class _Leave:
    """Stands on the stack below an element's children. `opened` is None for an element that breaks no line."""

    tag: str
    opened: _Open | None


def html_blocks(tree: LexborHTMLParser) -> tuple[Block, ...]:
    """The visible text units of a parsed page, in reading order.

    Depth first without recursion: hostile pages nest deeper than Python's stack.
    """
    if tree.body is None:
        return ()
    blocks: list[Block] = []
    opened: list[_Open] = []
    links: list[str] = []
    tables = _Tables()
    hidden = {node.mem_id for node in tree.css(HIDDEN)}
    stack: list[LexborNode | _Leave] = [tree.body]
    while stack:
        node = stack.pop()
        if isinstance(node, _Leave):
            if node.tag == "a":
                links.pop()
            tables.leave(node.tag)
            if node.opened is not None:
                is_empty_cell = node.tag in CELLS and len(blocks) == node.opened.blocks_before
                _end_block(node.opened, blocks, is_empty_cell=is_empty_cell)
                opened.pop()
            continue
        tag = node.tag or ""
        if tag == TEXT:
            _read(opened[-1], node.text_content or "", links)
            continue
        if tag in UNSEEN or tag.startswith(NO_ELEMENT) or (hidden and node.mem_id in hidden):
            continue
        if tag == "br":
            opened[-1].parts.append(" ")
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
            element = _open(node, tag, outer, children, len(blocks))
            element.cell = tables.cell
            element.is_key = tag in KEYS or (outer is not None and outer.is_key)
            opened.append(element)
        stack.append(_Leave(tag, element))
        stack.extend(reversed(children))
    return tuple(blocks)


class _Tables:
    """Counts tables, rows and columns while the walk enters and leaves their elements. A table in a cell is its own."""

    def __init__(self) -> None:
        self._seen = 0
        self._open: list[tuple[int, dict[int, int]]] = []
        self._at: list[tuple[int, int]] = []
        self._cells: list[Cell | None] = []

    @property
    def cell(self) -> Cell | None:
        """The cell that the walk is in."""
        return self._cells[-1] if self._cells else None

    def enter(self, node: LexborNode, tag: str) -> None:
        if tag == "table":
            self._open.append((self._seen, {}))
            self._seen += 1
            self._at.append((-1, 0))
            self._cells.append(None)
        elif tag == "tr" and self._at:
            self._at[-1] = (self._at[-1][0] + 1, 0)
            self._cells[-1] = None
        elif tag in {"td", "th"} and self._at:
            number, filled = self._open[-1]
            row, column = self._at[-1]
            while filled.get(column, 0) > row:
                column += 1
            for across in range(_span(node, "colspan")):
                filled[column + across] = row + _span(node, "rowspan")
            self._at[-1] = (row, column + _span(node, "colspan"))
            self._cells[-1] = Cell(number, row, column)

    def leave(self, tag: str) -> None:
        if tag == "table" and self._open:
            self._open.pop()
            self._at.pop()
            self._cells.pop()
        elif tag in {"td", "th"} and self._cells:
            self._cells[-1] = None


def _span(node: LexborNode, name: str) -> int:
    value = node.attributes.get(name) or "1"
    return min(max(int(value), 1), SPAN_MAX) if value.isascii() and value.isdecimal() and len(value) < 20 else 1


def _breaks_line(tag: str, outer: _Open | None, node: LexborNode) -> bool:
    """Whether an element's text is a block of its own.

    An inline element is one only where its container holds nothing but inline elements, and is not one of prose:
    `<div><span>75%</span><span>Panel ship</span></div>` reads as two units.
    """
    if tag not in PHRASING or outer is None:
        return True
    return outer.splits_inline and node.parent is not None and node.parent.tag not in PHRASING


def _open(node: LexborNode, tag: str, outer: _Open | None, children: list[LexborNode], blocks_before: int) -> _Open:
    container = node.parent if tag in PROSE and node.parent is not None else node
    level = HEADINGS.get(tag, outer.level if outer is not None else None)
    tags = [child.tag for child in children]
    has_text = TEXT in tags and any(
        tag == TEXT and (child.text_content or "").strip() for tag, child in zip(tags, children, strict=True)
    )
    is_container = tag not in PROSE or (tag in GLUED and sum(tag in PHRASING for tag in tags) > 1)
    splits_inline = is_container and tag not in PHRASING and not has_text
    return _Open(container.mem_id, level, splits_inline, blocks_before)


def _read(into: _Open, content: str, links: list[str]) -> None:
    into.parts.append(content)
    if into.href is None and links and links[-1] and content.strip():
        into.href = links[-1]


def _end_block(element: _Open, blocks: list[Block], *, is_empty_cell: bool = False) -> None:
    """What follows in the same element begins a new block."""
    text = clean("".join(element.parts))
    if text or is_empty_cell:
        blocks.append(Block(text, element.level, element.href, element.parent, element.cell, element.is_key))
    element.parts, element.href = [], None
