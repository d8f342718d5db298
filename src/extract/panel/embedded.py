"""Pages whose content is not in the visible DOM: hidden tabs, parts in `<template>` and `<noscript>`, data in a script.

Only looked at where the visible page is no comparison: elsewhere these repeat what is there.
"""

import json
import re
from collections.abc import Iterator
from html import escape

from selectolax.lexbor import LexborHTMLParser, LexborNode

from verdicts.corpus.unicode_text import published
from verdicts.extract.model.blocks import Block, clean, fold
from verdicts.extract.panel.words.page_words import PageWords

DATA_MAX = 5_000_000
"""Characters of one script that are read as data."""
DEPTH_MAX = 100
"""Nesting of data that is followed; deeper parts are left out."""

_LAZY = re.compile(r"<(/?)(?:template|noscript)\b[^<>]*>", re.IGNORECASE)
_DATA_TYPES = frozenset({"application/json", "application/ld+json"})
_CLOSED = '[hidden], [style*="display:none"], [style*="display: none"]'
"""What a click shows."""
_MAY_BE_CLOSED = re.compile("hidden|style", re.IGNORECASE)
_ICONS = 'svg, img, [role="img"], i[aria-label], i[title]'
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[_-]+")


def with_lazy_parts(html: str) -> LexborHTMLParser | None:
    """The page with its lazy parts in place; None where it has none."""
    if _LAZY.search(html) is None:
        return None
    return LexborHTMLParser(_LAZY.sub(lambda match: f"<{match[1]}div>", html), scripting=True)


def with_hidden_parts(html: str) -> LexborHTMLParser | None:
    """The page with all tabs open; None where nothing is hidden."""
    if _MAY_BE_CLOSED.search(html) is None:
        return None
    tree = LexborHTMLParser(html, scripting=True)
    hidden = tree.css(_CLOSED)
    for node in hidden:
        for name in ("hidden", "style"):
            if name in node.attributes:
                del node.attrs[name]
    return tree if hidden else None


def with_icon_labels(utf8: bytes) -> LexborHTMLParser | None:
    """The page with the names of its icons in their places; None where none has a name."""
    tree = LexborHTMLParser(utf8, scripting=True)
    icons = [(node, _icon_label(node)) for node in tree.css(_ICONS)]
    named = [(node, label) for node, label in icons if label]
    for node, label in named:
        plain = tree.create_node("span")
        plain.inner_html = escape(label)
        node.replace_with(plain)
    return tree if named else None


def _icon_label(node: LexborNode) -> str:
    for name in ("aria-label", "alt", "title"):
        label = (node.attributes.get(name) or "").strip()
        if label:
            return label
    title = node.css_first("title")
    return "" if title is None else title.text().strip()


def data_blocks(tree: LexborHTMLParser, words: PageWords) -> Iterator[tuple[Block, ...]]:
    """For each script of data on the page, its texts as blocks, in order. Keys that are labels are labels."""
    labels = frozenset({*words.card_labels, *words.decision_labels, words.decision, words.scorecard})
    for script in tree.css("script[type]"):
        if (script.attributes.get("type") or "").strip().lower() not in _DATA_TYPES:
            continue
        text = script.text(deep=True)
        if not text or len(text) > DATA_MAX:
            continue
        try:
            data = json.loads(text)
        except (ValueError, RecursionError):
            continue
        yield tuple(_blocks(data, None, 0, labels, words.tool_link))


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
        text = clean(published(value))
        if text:
            yield Block(text, href=href)
    elif value is None:
        yield Block("")
    elif not isinstance(value, bool):
        yield Block(str(value), href=href)
