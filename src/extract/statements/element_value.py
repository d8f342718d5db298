"""What microdata and RDFa have in common: the form of their items, and the value that an element gives a property."""

from typing import Any, NamedTuple

from selectolax.lexbor import LexborHTMLParser, LexborNode

from verdicts.extract.html.cell_text import cell_text
from verdicts.extract.html.elements import written_element
from verdicts.extract.html.tags import VOID

ATTRIBUTES = {
    "meta": "content",
    "data": "value",
    "meter": "value",
    "time": "datetime",
    **dict.fromkeys(("a", "area", "link"), "href"),
    **dict.fromkeys(("audio", "embed", "iframe", "img", "source", "track", "video"), "src"),
    "object": "data",
}
"""Where the value of a property is not the text of its element (HTML standard, 5.2.4)."""


_WRITTEN_RAW = "script, style, template, noscript, iframe, xmp, plaintext, textarea, svg, math"
"""Elements in an element that are no text, or whose text HTML writes as it is, `<` and all."""


class Markup(NamedTuple):
    """Items of the markup; `is_cut`: there were more, or deeper ones, than are read."""

    items: list[dict[str, list[Any]]]
    is_cut: bool


def element_value(node: LexborNode) -> str:
    """`content` on any element is meant as its value: `<span itemprop="price" content="20">twenty</span>`."""
    attributes = node.attributes
    attribute = ATTRIBUTES.get(node.tag or "")
    given = attributes.get("content") or (attributes.get(attribute) if attribute else None)
    return given if given is not None else _text(node)


def _text(node: LexborNode) -> str:
    """As a browser shows it, as cells are read: `<del>$30</del> $20` is $20, and `<img alt="4.5">` says 4.5.

    What is hidden as a whole is stated all the same.
    """
    if node.tag in VOID:
        return ""
    if node.css_first(_WRITTEN_RAW) is None and node.html:
        return cell_text(written_element(node.html), {}).text or node.text(deep=True)
    alone = LexborHTMLParser(node.html or "", scripting=True)
    for raw in alone.css(_WRITTEN_RAW):
        raw.decompose()
    return "" if alone.body is None else alone.body.text(deep=True)
