"""A page parsed once: its body as plain elements, its blocks, its scripts of data and its styles. Pure."""

from functools import cached_property

from selectolax.lexbor import LexborHTMLParser, LexborNode

from verdicts.extract.html.drawn_ratings import write_ratings
from verdicts.extract.html.elements import (
    ICON_TAGS,
    MAY_BE_UNSEEN,
    UNREAD,
    UNSEEN,
    Element,
    attributes_of,
    is_unseen,
    written_element,
)
from verdicts.extract.html.html_blocks import html_blocks
from verdicts.extract.model.blocks import Block

_UNREAD = ", ".join(sorted(UNREAD - ICON_TAGS))
_UNESCAPED = "xmp, plaintext"
"""Obsolete visible elements with unescaped text in HTML, including `<`."""


class Page:
    """The page at `url`.

    `scripts` are the media type and the text of each script of JSON, `styles` its style sheets. The `tree` has neither
    these nor other elements with text that readers never see.
    """

    def __init__(self, html: bytes | str, url: str = "") -> None:
        self.url = url
        self.utf8 = html.encode() if isinstance(html, str) else html
        self.tree = LexborHTMLParser(self.utf8, scripting=True)
        unread = self.tree.css(_UNREAD)
        types = [(node.attributes.get("type") or "").strip().lower() if node.tag == "script" else "" for node in unread]
        self.scripts = [(kind, node.text()) for kind, node in zip(types, unread, strict=True) if "json" in kind]
        self.styles = [node.text() for node in unread if node.tag == "style"]
        for node in unread:
            node.decompose()
        for node in self.tree.css(_UNESCAPED):
            _escape(self.tree, node)
        write_ratings(self.tree, self.utf8)
        self._written = (self.tree.body.html if self.tree.body is not None else None) or "<body></body>"
        self._seen: dict[tuple[frozenset[str], bool], Element] = {}
        self._blocks: dict[tuple[frozenset[str], bool], tuple[Block, ...]] = {}

    @cached_property
    def body(self) -> Element:
        """The body with icons, hidden and struck parts."""
        return written_element(self._written)

    def seen(self, unseen: frozenset[str] = UNSEEN, *, opens: bool = False) -> Element:
        """The visible body. `unseen`: tags to leave out. `opens`: parts that a click opens are shown."""

        def is_cut(tag: str, attributes: str) -> bool:
            if tag in unseen:
                return True
            may_be_unseen = attributes and MAY_BE_UNSEEN.search(attributes)
            return bool(may_be_unseen) and is_unseen(attributes_of(attributes), opens=opens)

        if (unseen, opens) not in self._seen:
            self._seen[unseen, opens] = written_element(self._written, is_cut)
        return self._seen[unseen, opens]

    def blocks(self, unseen: frozenset[str] = UNSEEN, *, opens: bool = False) -> tuple[Block, ...]:
        """The visible text units, see `seen`."""
        if (unseen, opens) not in self._blocks:
            self._blocks[unseen, opens] = html_blocks(self.seen(unseen, opens=opens))
        return self._blocks[unseen, opens]


def _escape(tree: LexborHTMLParser, node: LexborNode) -> None:
    """Replaces an element with unescaped text by a plain one."""
    plain = tree.create_node("div")
    for child in list(node.iter(include_text=True)):
        plain.insert_child(child, move=True)
    node.replace_with(plain, move=True)
