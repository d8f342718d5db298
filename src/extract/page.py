"""One snapshot, read: decides what it is and hands it to the reader of that."""

from collections.abc import Iterator
from contextlib import suppress
from urllib.parse import urlsplit

from selectolax.lexbor import LexborHTMLParser

from extract.generic.main_text import read_document
from extract.generic.side_by_side import read_side_by_side
from extract.html.decoding import decode
from extract.html.html_blocks import html_blocks
from extract.model.blocks import Block, text_blocks
from extract.model.errors import PageRejected
from extract.model.records import Comparison, Extracted, Span
from extract.panel.arrange import arrange
from extract.panel.embedded import data_blocks, with_lazy_parts
from extract.panel.grammar import read_comparison
from extract.panel.labels import COMPARISON_PATH
from fetch.model.headers import media_type_of
from fetch.model.snapshot import Snapshot, has_address

EXTRACTOR_VERSION = "2"
"""Raised whenever the same snapshot may yield other records than before; so that they are read anew."""

HTML_TYPES = frozenset({"text/html", "application/xhtml+xml"})
TEXT_TYPES = frozenset({"text/plain"})


def extract(snapshot: Snapshot) -> Extracted:
    """What a snapshot says. Never raises for what a page holds: a page that cannot be read is a `Reject`."""
    try:
        return _extract(snapshot)
    except PageRejected as rejected:
        return rejected.reject


def source_words(snapshot: Snapshot, span: Span) -> tuple[str, ...]:
    """The texts of these blocks, as the page has them: what a record was read from. Raises `PageRejected`."""
    text, is_text = _text(snapshot)
    blocks = text_blocks(text) if is_text else _html_reading(text)[1]
    return tuple(block.text for block in blocks[span.first : span.last + 1])


def _text(snapshot: Snapshot) -> tuple[str, bool]:
    """The page decoded, and whether it is a text dump."""
    content_type = snapshot.header("content-type")
    text = decode(snapshot.body, content_type)
    media_type = media_type_of(content_type)
    return text, media_type in TEXT_TYPES or (not media_type and not _looks_like_html(text))


def _extract(snapshot: Snapshot) -> Extracted:
    text, is_text = _text(snapshot)
    if is_text:
        return read_comparison(text_blocks(text), is_html=False)
    media_type = media_type_of(snapshot.header("content-type"))
    if media_type and media_type not in HTML_TYPES:
        raise PageRejected("not_html", f"the page calls itself {media_type}, and only HTML and plain text are read")
    if not _looks_like_html(text):
        raise PageRejected("not_html", f"the page calls itself {media_type or 'nothing'} and holds no HTML")
    return _extract_html(text, snapshot.final_url)


def _extract_html(text: str, url: str) -> Extracted:
    try:
        return _html_reading(text)[0]
    except PageRejected as rejected:
        if rejected.reject.reason != "not_a_comparison" or _must_be_comparison(url):
            raise
    document = read_document(text, url, read_side_by_side(LexborHTMLParser(text, scripting=True)))
    if document is None:
        raise PageRejected("empty", "the page is no comparison and has no main text")
    return document


def _html_reading(text: str) -> tuple[Comparison, tuple[Block, ...]]:
    """The comparison that the page shows; else the one in its lazy parts; else the one in its data. With its blocks."""
    tree = LexborHTMLParser(text, scripting=True)
    link = tree.css_first('link[rel="canonical"]')
    canonical_url = None if link is None else link.attributes.get("href")
    for menu in tree.css("nav"):
        menu.decompose()
    blocks = arrange(html_blocks(tree))
    try:
        return read_comparison(blocks, is_html=True, canonical_url=canonical_url), blocks
    except PageRejected as rejected:
        for other in _other_blocks(text, tree):
            with suppress(PageRejected):
                return read_comparison(other, is_html=True, canonical_url=canonical_url), other
        raise rejected from None


def _other_blocks(text: str, tree: LexborHTMLParser) -> Iterator[tuple[Block, ...]]:
    """Menus are half of many pages and hold no comparison; where they do after all, the page is read with them."""
    if "<nav" in text:
        yield arrange(html_blocks(LexborHTMLParser(text, scripting=True)))
    lazy = with_lazy_parts(text)
    if lazy is not None:
        yield arrange(html_blocks(LexborHTMLParser(lazy, scripting=True)))
    yield from data_blocks(tree)


def _looks_like_html(text: str) -> bool:
    return "<" in text and any(
        mark in text[:4096].lower() for mark in ("<!doctype", "<html", "<head", "<body", "<div", "<p")
    )


def _must_be_comparison(url: str) -> bool:
    """A file handed over without an address was meant as one; so was every page below the comparison path."""
    return not has_address(url) or urlsplit(url).path.startswith(COMPARISON_PATH)
