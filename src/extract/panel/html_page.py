"""A comparison in HTML: as it is shown; else in the page's hidden and lazy parts; else in its data."""

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

from selectolax.lexbor import LexborHTMLParser

from verdicts.extract.html.html_blocks import html_blocks
from verdicts.extract.model.blocks import Block
from verdicts.extract.model.errors import PageRejected
from verdicts.extract.model.records import Comparison
from verdicts.extract.panel.arrange import arrange
from verdicts.extract.panel.embedded import data_blocks, with_hidden_parts, with_icon_labels, with_lazy_parts
from verdicts.extract.panel.grammar import read_comparison
from verdicts.extract.panel.words.page_words import PageWords
from verdicts.fetch.model.addresses.web_address import base_of, web_address
from verdicts.fetch.parse.page_head import read_head

_END = re.compile(rb"</(?:body|html)\b", re.IGNORECASE)
_SCRIPT = re.compile(rb"<script\b", re.IGNORECASE)
END_REACH = 500
"""Bytes of a page's end in which its last tags are looked for first."""


@dataclass(frozen=True, slots=True)
class HtmlPage:
    """A page parsed once, whichever profiles it is read with. Menus are cut out of `blocks`.

    `is_whole` says whether its body is closed.
    """

    utf8: bytes
    is_whole: bool
    blocks: tuple[Block, ...]
    canonical_url: str | None

    @property
    def text(self) -> str:
        """What was parsed."""
        return self.utf8.decode()


def parse_page(utf8: bytes, url: str) -> HtmlPage:
    """The page at `url`, its visible blocks and the address that it calls its own."""
    tree = LexborHTMLParser(utf8, scripting=True)
    for menu in tree.css("nav"):
        menu.decompose()
    is_whole = _END.search(utf8, max(len(utf8) - END_REACH, 0)) is not None or _END.search(utf8) is not None
    return HtmlPage(utf8, is_whole, html_blocks(tree), _declared_address(utf8, url))


def _declared_address(utf8: bytes, url: str) -> str | None:
    """The canonical address in the head; None where several disagree. The crawl reads the same."""
    head = read_head(utf8, "")
    if len(set(head.canonicals)) != 1:
        return None
    address = web_address(head.canonicals[0], base_of(url, head.base))
    return None if address is None else address.url


def read_page(page: HtmlPage, words: PageWords) -> tuple[Comparison, tuple[Block, ...]]:
    """The comparison on the page, and the blocks that its spans count. Raises `PageRejected` for the visible page.

    A page that shows one tab at a time has its table or its takes in hidden parts.
    """
    visible = arrange(page.blocks, words)
    try:
        shown = _comparison(page, visible, words)
    except PageRejected as rejected:
        for blocks in _other_blocks(page, words):
            with suppress(PageRejected):
                return _comparison(page, blocks, words), blocks
        raise rejected from None
    if not (shown.decisions and shown.takes):
        for blocks in _with_more_parts(page, words):
            with suppress(PageRejected):
                fuller = _comparison(page, blocks, words)
                if (bool(fuller.decisions), bool(fuller.takes)) > (bool(shown.decisions), bool(shown.takes)):
                    return fuller, blocks
    return _with_icons(page, shown, words) or (shown, visible)


def _with_icons(page: HtmlPage, shown: Comparison, words: PageWords) -> tuple[Comparison, tuple[Block, ...]] | None:
    """The page with what its icons stand for, if that leaves less in doubt: a verdict may be a picture alone."""
    tree = with_icon_labels(page.utf8) if shown.doubts else None
    if tree is None:
        return None
    with suppress(PageRejected):
        blocks = arrange(html_blocks(tree), words)
        read = _comparison(page, blocks, words)
        if len(read.doubts) < len(shown.doubts):
            return read, blocks
    return None


def _comparison(page: HtmlPage, blocks: tuple[Block, ...], words: PageWords) -> Comparison:
    return read_comparison(blocks, words, is_html=True, is_whole=page.is_whole, canonical_url=page.canonical_url)


def _other_blocks(page: HtmlPage, words: PageWords) -> Iterator[tuple[Block, ...]]:
    """Other ways to read the page, the likeliest first.

    Menus are half of many pages and hold no comparison; where they do after all, the page is read with them.
    """
    if any(block.breaks for block in page.blocks):
        yield arrange(page.blocks, words, at_breaks=True)
    if b"<nav" in page.utf8:
        yield arrange(html_blocks(LexborHTMLParser(page.utf8, scripting=True)), words)
    yield from _with_more_parts(page, words)
    if _SCRIPT.search(page.utf8):
        yield from data_blocks(LexborHTMLParser(page.utf8, scripting=True), words)


def _with_more_parts(page: HtmlPage, words: PageWords) -> Iterator[tuple[Block, ...]]:
    for tree in (with_hidden_parts(page.text), with_lazy_parts(page.text)):
        if tree is not None:
            yield arrange(html_blocks(tree), words)
