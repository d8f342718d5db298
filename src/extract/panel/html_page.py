"""A comparison in HTML: in its visible parts; else in hidden and lazy parts; else in its data."""

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from html import escape

from selectolax.lexbor import LexborHTMLParser, LexborNode

from verdicts.corpus.text import published
from verdicts.extract.html.html_blocks import html_blocks
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
_SCRIPT = re.compile(rb"<script\b", re.IGNORECASE)
_LAZY = re.compile(r"<(/?)(?:template|noscript)\b[^<>]*>", re.IGNORECASE)
_CLOSED = '[hidden], [style*="display:none"], [style*="display: none"]'
"""Parts that open with a click."""
_MAY_BE_CLOSED = re.compile(rb"hidden|style", re.IGNORECASE)
_ICONS = 'svg, img, [role="img"], i[aria-label], i[title]'
_DATA_TYPES = frozenset({"application/json", "application/ld+json"})
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[_-]+")


@dataclass(frozen=True, slots=True)
class HtmlPage:
    """A page parsed once for all profiles. Menus are cut out of `blocks`. `is_whole`: its body is closed."""

    utf8: bytes
    is_whole: bool
    blocks: tuple[Block, ...]
    canonical_url: str | None


def parse_page(utf8: bytes, url: str) -> HtmlPage:
    """The page at `url`, its visible blocks and its own address."""
    tree = _parsed(utf8)
    for menu in tree.css("nav"):
        menu.decompose()
    is_whole = _END.search(utf8, max(len(utf8) - END_REACH, 0)) is not None or _END.search(utf8) is not None
    return HtmlPage(utf8, is_whole, html_blocks(tree), _declared_address(utf8, url))


def _parsed(utf8: bytes) -> LexborHTMLParser:
    return LexborHTMLParser(utf8, scripting=True)


def _declared_address(utf8: bytes, url: str) -> str | None:
    """The canonical address in the head; None if several disagree. The crawl reads the same."""
    head = read_head(utf8, "")
    if len({*head.canonicals}) != 1:
        return None
    address = web_address(head.canonicals[0], base_of(url, head.base))
    return None if address is None else address.url


def read_page(page: HtmlPage, words: PageWords) -> tuple[Comparison, Texts]:
    """The comparison on the page, and the blocks of its spans. Raises `PageRejected` for the visible page.

    A page with tabs has its table or its takes in hidden parts. If icons are the only verdicts, their meaning is read,
    too, if that leaves fewer doubts.
    """
    visible = arrange(page.blocks, words)
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
    tree = _with_icon_labels(page.utf8) if shown.doubts else None
    if tree is not None:
        with suppress(PageRejected):
            texts = arrange(html_blocks(tree), words)
            read = _comparison(page, texts)
            if len(read.doubts) < len(shown.doubts):
                return read, texts
    return shown, visible


def _comparison(page: HtmlPage, texts: Texts) -> Comparison:
    comparison = read_comparison(texts, is_html=True, is_whole=page.is_whole)
    return replace(comparison, canonical_url=page.canonical_url)


def _other_texts(page: HtmlPage, words: PageWords, *, has_takes: bool) -> Iterator[Texts]:
    """Other ways to read the page, the likeliest first.

    Menus are half of many pages and hold no comparison; the last way includes them. With takes, icons may be the seats.
    """
    if any(block.breaks for block in page.blocks):
        yield arrange(page.blocks, words, at_breaks=True)
    if b"<nav" in page.utf8:
        yield arrange(html_blocks(_parsed(page.utf8)), words)
    yield from _with_more_parts(page, words)
    if has_takes and (named := _with_icon_labels(page.utf8)) is not None:
        yield arrange(html_blocks(named), words)
    if _SCRIPT.search(page.utf8):
        yield from _data(_parsed(page.utf8), words)


def _with_more_parts(page: HtmlPage, words: PageWords) -> Iterator[Texts]:
    if _MAY_BE_CLOSED.search(page.utf8) is not None:
        tree = _parsed(page.utf8)
        hidden = tree.css(_CLOSED)
        for node in hidden:
            for name in ("hidden", "style"):
                if name in node.attributes:
                    del node.attrs[name]
        if hidden:
            yield arrange(html_blocks(tree), words)
    text = page.utf8.decode()
    if _LAZY.search(text) is not None:
        lazy = LexborHTMLParser(_LAZY.sub(lambda match: f"<{match[1]}div>", text), scripting=True)
        yield arrange(html_blocks(lazy), words)


def _with_icon_labels(utf8: bytes) -> LexborHTMLParser | None:
    """The page with its icons replaced by their names; None if no icon has one."""
    tree = _parsed(utf8)
    named = [(node, label) for node in tree.css(_ICONS) if (label := _icon_label(node))]
    for node, label in named:
        plain = tree.create_node("span")
        plain.inner_html = escape(label)
        node.replace_with(plain)
    return tree if named else None


def _icon_label(node: LexborNode) -> str:
    labels = ((node.attributes.get(name) or "").strip() for name in ("aria-label", "alt", "title"))
    title = node.css_first("title")
    return next(filter(None, labels), "" if title is None else title.text().strip())


def _data(tree: LexborHTMLParser, words: PageWords) -> Iterator[Texts]:
    """The texts of each data script, in order. Keys that are labels stay labels."""
    labels = frozenset({*words.card_labels, *words.decision_labels, words.decision, words.scorecard})
    for script in tree.css("script[type]"):
        text = script.text(deep=True)
        is_data = (script.attributes.get("type") or "").strip().lower() in _DATA_TYPES
        if is_data and text and len(text) <= DATA_MAX:
            try:
                data = json.loads(text)
            except (ValueError, RecursionError):
                continue
            yield Texts(_blocks(data, None, 0, labels, words.tool_link), words)


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
