"""A comparison in HTML: in its visible parts; else in hidden and lazy parts; else in its data."""

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from html import escape

from selectolax.lexbor import LexborHTMLParser, LexborNode

from verdicts.corpus.text import published
from verdicts.extract.html.elements import UNSEEN
from verdicts.extract.html.page import MENUS, Page
from verdicts.extract.model.blocks import Block, clean, fold
from verdicts.extract.model.records import Comparison, PageRejected
from verdicts.extract.panel.arrange import arrange
from verdicts.extract.panel.comparison import read_comparison
from verdicts.extract.panel.texts import PageWords, Texts
from verdicts.fetch.model.addresses import base_of, web_address
from verdicts.fetch.parse.page_head import read_head

DATA_MAX = 5_000_000
"""The most characters of one script to read as data."""
DEPTH_MAX = 100
"""The deepest nesting of data; deeper parts are left out."""
END_REACH = 500
"""The last tags are first searched in this many bytes at the page's end."""

_END = re.compile(rb"</(?:body|html)\b", re.IGNORECASE)
_LAZY = re.compile(r"<(/?)(?:template|noscript)\b[^<>]*>", re.IGNORECASE)
_CLOSED = re.compile(rb"hidden|display:\s?none", re.IGNORECASE)
"""Parts that open with a click."""
_ICONS = 'svg, img, [role="img"], i[aria-label], i[title]'
_DATA_TYPES = frozenset({"application/json", "application/ld+json"})
_WITHOUT_MENUS = UNSEEN | {MENUS}
"""Menus hold no comparison."""
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[_-]+")


def read_page(page: Page, words: PageWords) -> tuple[Comparison, Texts]:
    """The comparison on the page, and the blocks of its spans. Raises `PageRejected` for the visible page."""
    comparison, texts = _read(page, words)
    return replace(comparison, canonical_url=declared_address(page)), texts


def declared_address(page: Page) -> str | None:
    """The canonical address in the head; None if several disagree. The crawl reads the same."""
    head = read_head(page.utf8, "")
    if len({*head.canonicals}) != 1:
        return None
    address = web_address(head.canonicals[0], base_of(page.url, head.base))
    return None if address is None else address.url


def _read(page: Page, words: PageWords) -> tuple[Comparison, Texts]:
    """A page with tabs has its table or its takes in hidden parts.

    If icons are the only verdicts, their meaning is read, too, if that leaves fewer doubts.
    """
    visible = arrange(page.blocks(_WITHOUT_MENUS), words)
    try:
        shown = _comparison(page, visible)
    except PageRejected as rejected:
        has_takes = rejected.reject.reason == "incomplete_scorecard"
        for texts in _other_texts(page, words, has_takes=has_takes):
            with suppress(PageRejected):
                return _comparison(page, texts), texts
        raise rejected from None
    if not (shown.decisions and shown.takes):
        for texts in _with_more_parts(page, words):
            with suppress(PageRejected):
                fuller = _comparison(page, texts)
                if (bool(fuller.decisions), bool(fuller.takes)) > (bool(shown.decisions), bool(shown.takes)):
                    return fuller, texts
    for texts in _with_icon_labels(page, words) if shown.doubts else ():
        with suppress(PageRejected):
            read = _comparison(page, texts)
            if len(read.doubts) < len(shown.doubts):
                return read, texts
    return shown, visible


def _comparison(page: Page, texts: Texts) -> Comparison:
    is_whole = _END.search(page.utf8, max(len(page.utf8) - END_REACH, 0)) or _END.search(page.utf8)
    return read_comparison(texts, is_html=True, is_whole=is_whole is not None)


def _other_texts(page: Page, words: PageWords, *, has_takes: bool) -> Iterator[Texts]:
    """Other ways to read the page, the likeliest first. With takes, icons may be the seats."""
    blocks = page.blocks(_WITHOUT_MENUS)
    if any(block.lines for block in blocks):
        yield arrange(blocks, words, at_breaks=True)
    if b"<nav" in page.utf8:
        yield arrange(page.blocks(), words)
    yield from _with_more_parts(page, words)
    if has_takes:
        yield from _with_icon_labels(page, words)
    yield from _data(page, words)


def _with_more_parts(page: Page, words: PageWords) -> Iterator[Texts]:
    has_closed = _CLOSED.search(page.utf8) is not None
    if has_closed:
        yield arrange(page.blocks(opens=True), words)
    text = page.utf8.decode()
    if _LAZY.search(text) is not None:
        whole = Page(_LAZY.sub(lambda match: f"<{match[1]}div>", text))
        yield arrange(whole.blocks(), words)
        if has_closed:
            yield arrange(whole.blocks(opens=True), words)


def _with_icon_labels(page: Page, words: PageWords) -> Iterator[Texts]:
    """The page with its icons replaced by their names; nothing if no icon has one."""
    tree = LexborHTMLParser(page.utf8, scripting=True)
    named = [(node, label) for node in tree.css(_ICONS) if (label := _icon_label(node))]
    for node, label in named:
        plain = tree.create_node("span")
        plain.inner_html = escape(label)
        node.replace_with(plain)
    if named:
        yield arrange(Page(tree.html or "").blocks(), words)


def _icon_label(node: LexborNode) -> str:
    labels = ((node.attributes.get(name) or "").strip() for name in ("aria-label", "alt", "title"))
    title = node.css_first("title")
    return next(filter(None, labels), "" if title is None else title.text().strip())


def _data(page: Page, words: PageWords) -> Iterator[Texts]:
    """The texts of each data script, in order. Keys that are labels stay labels."""
    labels = frozenset({*words.card_labels, *words.decision_labels, words.decision, words.scorecard})
    for kind, text in page.scripts:
        if kind in _DATA_TYPES and text and len(text) <= DATA_MAX:
            with suppress(ValueError, RecursionError):
                yield Texts(_blocks(json.loads(text), None, 0, labels, words.tool_link), words)


def _blocks(
    value: object, href: str | None, depth: int, labels: frozenset[str], tool_link: re.Pattern[str]
) -> Iterator[Block]:
    if depth > DEPTH_MAX:
        return
    if isinstance(value, dict):
        link = next((text for text in value.values() if isinstance(text, str) and tool_link.search(text)), None)
        for key, part in value.items():
            label = _HUMP.sub(" ", str(key))
            is_label = fold(label) in labels
            if is_label:
                yield Block(label, is_key=True)
            if part != link and (part is not None or is_label):
                yield from _blocks(part, link, depth + 1, labels, tool_link)
    elif isinstance(value, list):
        for part in value:
            yield from _blocks(part, None, depth + 1, labels, tool_link)
    elif isinstance(value, str):
        if text := clean(published(value)):
            yield Block(text, href=href)
    elif value is None:
        yield Block("")
    elif not isinstance(value, bool):
        yield Block(str(value), href=href)
