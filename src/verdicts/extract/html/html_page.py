"""A page parsed once: its tree, its elements, its blocks and its scripts of data. Pure."""

from collections.abc import Set
from functools import cached_property

from selectolax.lexbor import LexborHTMLParser

from verdicts.extract.html.drawn_ratings import write_ratings
from verdicts.extract.html.element_tree import read_element
from verdicts.extract.html.elements import UNSEEN, Element
from verdicts.extract.html.hidden_words import hide_words
from verdicts.extract.html.html_blocks import html_blocks
from verdicts.extract.model.blocks import Block

MENUS = "nav"


class Page:
    """The page at `url`, parsed when it is first read.

    `is_drawn`: drawn ratings become texts, and words that style sheets hide are hidden.
    """

    def __init__(self, html: bytes | str, url: str = "", *, is_drawn: bool = False) -> None:
        self.url = url
        self.utf8 = html.encode() if isinstance(html, str) else html
        self.is_drawn = is_drawn
        self.closed: list[str] = []
        """The tags of hidden parts, which a click may open, in what was read without them."""
        self._blocks: dict[tuple[Set[str], bool], tuple[Block, ...]] = {}

    @cached_property
    def tree(self) -> LexborHTMLParser:
        tree = LexborHTMLParser(self.utf8, scripting=True)
        if self.is_drawn:
            write_ratings(tree, self.utf8)
            hide_words(tree, [node.text() for node in tree.css("style")])
        return tree

    @cached_property
    def scripts(self) -> list[tuple[str, str]]:
        """The media type and the text of each script of JSON."""
        typed = (((node.attributes.get("type") or "").strip().lower(), node) for node in self.tree.css("script[type]"))
        return [(kind, node.text()) for kind, node in typed if "json" in kind]

    @cached_property
    def body(self) -> Element:
        """The body with icons, hidden and struck parts."""
        return self.read_visible(None)

    def read_visible(self, unseen: Set[str] | None = UNSEEN, *, opens: bool = False) -> Element:
        """The visible body without these tags; with None all of the body. `opens`: also what a click opens."""
        body = self.tree.body
        closed = None if opens or unseen is None else self.closed
        return Element("body", {}, []) if body is None else read_element(body, unseen, opens=opens, closed=closed)

    def blocks(self, unseen: Set[str] = UNSEEN, *, opens: bool = False) -> tuple[Block, ...]:
        """The visible text units."""
        if (unseen, opens) not in self._blocks:
            self._blocks[unseen, opens] = html_blocks(self.read_visible(unseen, opens=opens))
        return self._blocks[unseen, opens]
