"""A page parsed once: its body as plain elements, its blocks, its scripts of data and its styles. Pure."""

import re
from functools import cached_property

from selectolax.lexbor import LexborHTMLParser, LexborNode

from verdicts.extract.html.drawn_ratings import write_ratings
from verdicts.extract.html.elements import (
    ICON_TAGS,
    UNREAD,
    UNSEEN,
    Element,
)
from verdicts.extract.html.html_blocks import html_blocks
from verdicts.extract.html.pieces import element_of, pieces_of
from verdicts.extract.model.blocks import Block

_USUAL = "script, style"
_UNESCAPED = frozenset({"xmp", "plaintext"})
"""Obsolete visible elements with unescaped text in HTML, including `<`."""
_MARKED = re.compile(f"</({'|'.join((UNREAD - ICON_TAGS) | _UNESCAPED)})>")


class Page:
    """The page at `url`.

    `scripts` are the media type and the text of each script of JSON, `styles` its style sheets. The `tree` has neither
    these nor other elements with text that readers never see.
    """

    def __init__(self, html: bytes | str, url: str = "") -> None:
        self.url = url
        self.utf8 = html.encode() if isinstance(html, str) else html
        self.tree = LexborHTMLParser(self.utf8, scripting=True)
        self.scripts: list[tuple[str, str]] = []
        self.styles: list[str] = []
        self._written = self._without_unread()
        self._blocks: dict[tuple[frozenset[str], bool], tuple[Block, ...]] = {}

    def _without_unread(self) -> str:
        """Takes scripts and styles, and cuts what readers never see; returns the body as Lexbor writes it."""
        for node in self.tree.css(_USUAL):
            if node.tag == "style":
                self.styles.append(node.text())
            elif "json" in (kind := (node.attributes.get("type") or "").strip().lower()):
                self.scripts.append((kind, node.text()))
            node.decompose()
        written = _written(self.tree)
        # To look for these by selectors costs half a parse.
        rare = frozenset(_MARKED.findall(written))
        for node in self.tree.css(", ".join(rare - _UNESCAPED)) if rare - _UNESCAPED else ():
            node.decompose()
        for node in self.tree.css(", ".join(rare & _UNESCAPED)) if rare & _UNESCAPED else ():
            _escape(self.tree, node)
        return _written(self.tree) if rare else written

    def show_ratings(self) -> None:
        """Adds the ratings that the page only draws as text."""
        if write_ratings(self.tree, self.utf8):
            self._written = _written(self.tree)
            self.__dict__.pop("body", None)
            self._blocks.clear()

    @cached_property
    def body(self) -> Element:
        """The body with icons, hidden and struck parts."""
        return element_of(pieces_of(self._written))

    def seen(self) -> Element:
        """The visible body."""
        return element_of(pieces_of(self._written, UNSEEN))

    def blocks(self, unseen: frozenset[str] = UNSEEN, *, opens: bool = False) -> tuple[Block, ...]:
        """The visible text units. `unseen`: tags to leave out. `opens`: parts that a click opens are shown."""
        if (unseen, opens) not in self._blocks:
            self._blocks[unseen, opens] = html_blocks(pieces_of(self._written, unseen, opens=opens))
        return self._blocks[unseen, opens]


def _written(tree: LexborHTMLParser) -> str:
    return (tree.body.html if tree.body is not None else None) or "<body></body>"


def _escape(tree: LexborHTMLParser, node: LexborNode) -> None:
    """Replaces an element with unescaped text by a plain one."""
    plain = tree.create_node("div")
    for child in list(node.iter(include_text=True)):
        plain.insert_child(child, move=True)
    node.replace_with(plain, move=True)
