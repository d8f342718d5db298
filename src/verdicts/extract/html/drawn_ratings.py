"""Ratings that a page only draws, in stars or a picture: their names and widths become text of the page. Pure."""

import re
from itertools import islice

from selectolax.lexbor import LexborHTMLParser, LexborNode

from verdicts.extract.html.elements import SCREEN_READER_CLASSES

_HINTS = (
    *(b"tars", b"ating", b"ated ", b"out of", b"core", b"ewertung", b"terne", b"toile", b"Note", b"strellas", b"telle"),
)
"""A page without one of these draws no rating: `Rated`, `stars`, `rating`, `Bewertung`, `étoiles`."""

_NAMED = "[aria-label], [title], img[alt]"
_SPOKEN = ", ".join(f".{name}" for name in sorted(SCREEN_READER_CLASSES))
_DRAWN = '[style*="width"]'
_STATED = "[data-rating], [data-score]"

OUT_OF = "(?:/|out of|of|von|sur|de|su|van|av)"
"""What stands between a rating and its scale."""
_SCALED = re.compile(
    rf"[^\d<>]{{0,30}}?(\d{{1,3}}(?:[.,]\d{{1,2}})?\s?{OUT_OF}\s?(?:5|10|100))"
    r"(?:[.,]0)?(?!\d)\D{0,20}",
    re.IGNORECASE,
)
"""`Rated 4.5 out of 5 stars`, `4,5 von 5 Sternen`."""
_WIDTH = re.compile(r"width:\s?(\d{1,3}(?:\.\d{1,2})?)%")
_OF_STARS = re.compile(r"\b(?:stars?|ratings?)\b", re.IGNORECASE)


def write_ratings(tree: LexborHTMLParser, utf8: bytes) -> None:
    """Adds the text to each element of `tree` that draws a rating without words of its own."""
    if not any(hint in utf8 for hint in _HINTS):
        return
    for node in tree.css(_NAMED):
        _write_name(tree, node)
    for node in tree.css(_SPOKEN):
        if _SCALED.fullmatch((_short_text(node) or "").strip()):
            # Words for screen readers that are a rating are shown.
            node.attrs["class"] = ""
    for node in tree.css(_DRAWN):
        _write_width(node)
    for node in tree.css(_STATED):
        stated = node.attributes.get("data-rating") or node.attributes.get("data-score")
        if stated and not _has_number(node):
            node.insert_child(stated)


def _write_name(tree: LexborHTMLParser, node: LexborNode) -> None:
    """The name of a picture as text."""
    names = (node.attributes.get(name) or "" for name in ("aria-label", "alt", "title"))
    named = next((named for name in names if (named := _SCALED.fullmatch(name.strip()))), None)
    if named is None or (node.tag != "img" and _has_number(node)):
        return
    if node.tag == "img":
        written = tree.create_node("span")
        written.insert_child(named[1])
        node.replace_with(written)
        return
    for name in {"aria-label", "title"} & node.attributes.keys():
        del node.attrs[name]
    node.insert_child(named[1])


def _write_width(node: LexborNode) -> None:
    """The width of filled stars: `width: 92%`."""
    width, around = _WIDTH.search(node.attributes.get("style") or ""), node.parent
    if width is None or around is None:
        return
    classes = " ".join(one.attributes.get("class") or "" for one in (node, around))
    if _OF_STARS.search(classes) and not _has_number(around):
        node.insert_child(f"{width[1]}%")


def _has_number(node: LexborNode) -> bool:
    """Stars alone, and names of icons, are no rating in words."""
    text = _short_text(node)
    return text is None or any(map(str.isdigit, text))


PARTS_MAX = 100
"""The most elements and texts in a drawn rating: hostile pages nest labels by the ten thousand."""


def _short_text(node: LexborNode) -> str | None:
    """The text in an element; None for one of too many parts."""
    texts: list[str] = []
    stack = [node]
    for _ in range(PARTS_MAX):
        if not stack:
            return "".join(texts)
        part = stack.pop()
        if part.tag == "-text":
            texts.append(part.text())
        else:
            stack += reversed([*islice(part.iter(include_text=True), PARTS_MAX)])
    return None
