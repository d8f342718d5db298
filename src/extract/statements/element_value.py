"""What microdata and RDFa have in common: the form of their items, and the value that an element gives a property."""

from typing import Any, NamedTuple

from selectolax.lexbor import LexborNode

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


class Markup(NamedTuple):
    """Items of the markup; `is_cut`: there were more, or deeper ones, than are read."""

    items: list[dict[str, list[Any]]]
    is_cut: bool


def element_value(node: LexborNode) -> str:
    """`content` on any element is meant as its value: `<span itemprop="price" content="20">twenty</span>`."""
    attributes = node.attributes
    attribute = ATTRIBUTES.get(node.tag or "")
    given = attributes.get("content") or (attributes.get(attribute) if attribute else None)
    return given if given is not None else node.text(deep=True)
