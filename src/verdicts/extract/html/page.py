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
from verdicts.extract.html.hidden_words import hide_words
from verdicts.extract.html.html_blocks import html_blocks
from verdicts.extract.html.pieces import element_of, pieces_of
from verdicts.extract.model.blocks import Block

MENUS = "nav"

_USUAL = ("script", "style")
_UNESCAPED = frozenset({"xmp", "plaintext"})
"""Obsolete visible elements with unescaped text in HTML, including `<`."""
_MARKED = re.compile(f"</({'|'.join((UNREAD - ICON_TAGS) | _UNESCAPED)})>")


class Page:
    """The page at `url`, parsed when it is first asked for more than blocks without menus."""

    def __init__(self, html: bytes | str, url: str = "") -> None:
        self.url = url
        self.utf8 = html.encode() if isinstance(html, str) else html
        self._blocks: dict[tuple[frozenset[str], bool], tuple[Block, ...]] = {}

    @cached_property
    def _parsed(self) -> tuple[LexborHTMLParser, list[tuple[str, str]], list[str]]:
        tree, scripts, styles = _tree(self.utf8), [], []
        for node in tree.css(", ".join(_USUAL)):
            if node.tag == "style":
                styles.append(node.text())
            elif "json" in (kind := (node.attributes.get("type") or "").strip().lower()):
                scripts.append((kind, node.text()))
        return tree, scripts, styles

    @property
    def tree(self) -> LexborHTMLParser:
        """All but scripts, styles and other elements with text that readers never see."""
        # Writing the body cuts the tree.
        _ = self._written
        return self._parsed[0]

    @property
    def scripts(self) -> list[tuple[str, str]]:
        """The media type and the text of each script of JSON."""
        return self._parsed[1]

    @property
    def styles(self) -> list[str]:
        """The style sheets."""
        return self._parsed[2]

    @cached_property
    def _written(self) -> str:
        return _cut(self._parsed[0])

    def show_ratings(self) -> None:
        """Adds the ratings that the page only draws as text, and hides words that its styles hide."""
        if write_ratings(self.tree, self.utf8) | hide_words(self.tree, self.styles):
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
            # Menus are half of many pages. To write and walk them costs as much as to parse the page once more.
            written = _cut(_tree(self.utf8), MENUS) if MENUS in unseen else self._written
            self._blocks[unseen, opens] = html_blocks(pieces_of(written, unseen, opens=opens))
        return self._blocks[unseen, opens]


def _tree(utf8: bytes) -> LexborHTMLParser:
    return LexborHTMLParser(utf8, scripting=True)


def _cut(tree: LexborHTMLParser, *tags: str) -> str:
    """Cuts what readers never see, and elements of these tags; returns the body as Lexbor writes it."""
    tree.strip_tags([*_USUAL, *tags])
    written = _written(tree)
    # To look for these by selectors costs half a parse.
    rare = frozenset(_MARKED.findall(written))
    if rare - _UNESCAPED:
        tree.strip_tags([*(rare - _UNESCAPED)])
    for node in tree.css(", ".join(rare & _UNESCAPED)) if rare & _UNESCAPED else ():
        _escape(tree, node)
    return _written(tree) if rare else written


def _written(tree: LexborHTMLParser) -> str:
    return (tree.body.html if tree.body is not None else None) or "<body></body>"


def _escape(tree: LexborHTMLParser, node: LexborNode) -> None:
    """Replaces an element with unescaped text by a plain one."""
    plain = tree.create_node("div")
    for child in list(node.iter(include_text=True)):
        plain.insert_child(child, move=True)
    node.replace_with(plain, move=True)
