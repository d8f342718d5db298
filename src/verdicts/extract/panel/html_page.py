"""A comparison in HTML: in its visible parts, and in hidden and lazy ones where these say more."""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from html import escape, unescape
from typing import TypeAlias

from selectolax.lexbor import LexborHTMLParser, LexborNode

from verdicts.extract.html.elements import UNSEEN
from verdicts.extract.html.page import MENUS, Page
from verdicts.extract.model.records import Comparison, PageRejected
from verdicts.extract.panel.arrange import arrange
from verdicts.extract.panel.comparison import read_comparison
from verdicts.extract.panel.texts import PageWords, Texts
from verdicts.fetch.model.addresses import base_of, web_address
from verdicts.fetch.parse.page_head import read_head

END_REACH = 500
"""The last tags are first searched in this many bytes at the page's end."""

_END = re.compile(rb"</(?:body|html)\b", re.IGNORECASE)
_LAZY = re.compile(r"<(/?)(?:template|noscript|dialog|iframe)\b[^<>]*>", re.IGNORECASE)
_SOURCE = re.compile(r"""<iframe\b[^<>]*?\bsrcdoc=(["'])(.*?)\1[^<>]*>""", re.IGNORECASE | re.DOTALL)
"""A page within the page, as an attribute."""
_CLOSED = '[hidden], [style*="none" i]'
"""Parts that open with a click."""
_ICONS = 'svg, img, [role="img"], i[aria-label], i[title], meter, [role="meter"]'
_NAMES = ("aria-label", "alt", "title")
_WITHOUT_MENUS = UNSEEN | {MENUS, "rt", "rp"}
"""Menus hold no comparison, and the small print over a name is no part of it."""


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
    """The best of the ways to read the page. Raises `PageRejected` for the visible page."""
    best: Reading | None = None
    refused: PageRejected | None = None
    for arrange_texts, is_wanted in _ways(page, words):
        if best is not None and not is_wanted(best[0]):
            continue
        texts = arrange_texts()
        if texts is None:
            continue
        try:
            reading = _comparison(page, texts), texts
        except PageRejected as rejected:
            refused = refused or rejected
            continue
        if best is None or _score(reading[0]) > _score(best[0]) or _goes_on(best[0], reading[0]):
            best = reading
    if best is None:
        assert refused is not None
        raise refused
    return best


def _score(comparison: Comparison) -> tuple[bool, bool, int]:
    return bool(comparison.decisions), bool(comparison.takes), -len(comparison.doubts)


def _goes_on(shown: Comparison, opened: Comparison) -> bool:
    """Whether all is the same, but some takes go on in hidden parts."""
    pairs = [*zip(shown.takes, opened.takes, strict=False)]
    return (
        len(shown.takes) == len(opened.takes)
        and [card.panel_ship for card in shown.cards] == [card.panel_ship for card in opened.cards]
        and all(take.seat == other.seat and other.text.startswith(take.text.rstrip("….")) for take, other in pairs)
        and any(take.text != other.text for take, other in pairs)
    )


def _comparison(page: Page, texts: Texts) -> Comparison:
    is_whole = _END.search(page.utf8, max(len(page.utf8) - END_REACH, 0)) or _END.search(page.utf8)
    return read_comparison(texts, is_html=True, is_whole=is_whole is not None)


Reading: TypeAlias = tuple[Comparison, Texts]
Wanted: TypeAlias = Callable[[Comparison], bool]
"""Whether a way may read more of a page than the best one so far."""


def _ways(page: Page, words: PageWords) -> Iterator[tuple[Callable[[], Texts | None], Wanted]]:
    """The page as it is shown, then with each line break, with its menus, with hidden parts, with names of icons."""

    def lacks_parts(best: Comparison) -> bool:
        return not (best.decisions and best.takes)

    def has_doubts(best: Comparison) -> bool:
        return bool(best.doubts)

    blocks = page.blocks(_WITHOUT_MENUS)
    yield lambda: arrange(blocks, words), lacks_parts
    if any(block.lines for block in blocks):
        yield lambda: arrange(blocks, words, at_breaks=True), lambda _: False
    yield lambda: arrange(page.blocks(), words) if page.tree.css_matches(MENUS) else None, lambda _: False
    if page.tree.css_matches(_CLOSED):
        yield lambda: arrange(page.blocks(opens=True), words), lambda _: True
    yield lambda: _with_lazy_parts(page, words), lacks_parts
    yield lambda: _with_icon_labels(page, words), has_doubts


def _with_lazy_parts(page: Page, words: PageWords) -> Texts | None:
    """The page with all that it shows later; None if it has no such parts."""
    text = page.utf8.decode()
    if _LAZY.search(text) is None:
        return None
    text = _SOURCE.sub(lambda match: f"<div>{unescape(match[2])}</div>", text)
    whole = Page(_LAZY.sub(lambda match: f"<{match[1]}div>", text))
    return arrange(whole.blocks(opens=True), words)


def _with_icon_labels(page: Page, words: PageWords) -> Texts | None:
    """The page with its icons replaced by their names, and meters by their values; None if it has none."""
    tree = LexborHTMLParser(page.utf8, scripting=True)
    named = [(node, label) for node in tree.css(_ICONS) if (label := _icon_label(node))]
    for node, label in named:
        plain = tree.create_node("span")
        plain.inner_html = escape(label)
        node.replace_with(plain)
    return arrange(Page(tree.html or "").blocks(), words) if named else None


def _icon_label(node: LexborNode) -> str:
    """The name of an icon, the value of a meter, `88/100`, or the number drawn in a picture."""
    value, most = (
        (node.attributes.get(name) or node.attributes.get(f"aria-value{spoken}") or "").strip()
        for name, spoken in (("value", "now"), ("max", "max"))
    )
    if value and most:
        return f"{value}/{most}"
    drawn = node.text(strip=True) if node.tag == "svg" else ""
    labels = (drawn if drawn.isdecimal() else "", *((node.attributes.get(name) or "").strip() for name in _NAMES))
    return next(filter(None, labels), "")
