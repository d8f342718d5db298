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


def write_ratings(tree: LexborHTMLParser, utf8: bytes) -> bool:
    """Adds the text to each element of `tree` that draws a rating without words of its own; whether there is one."""
    if not any(hint in utf8 for hint in _HINTS):
        return False
    # Each node is looked at, also after the first one with a rating.
    named = [_name(tree, node) for node in tree.css(_NAMED)]
    spoken = [_speak(node) for node in tree.css(_SPOKEN)]
    drawn = [_draw(node) for node in tree.css(_DRAWN)]
    stated = [_state(node) for node in tree.css(_STATED)]
    return any((*named, *spoken, *drawn, *stated))


def _draw(node: LexborNode) -> bool:
    """The width of filled stars: `width: 92%`."""
    width = _WIDTH.search(node.attributes.get("style") or "")
    around = node.parent
    if width is None or around is None:
        return False
    classes = " ".join(one.attributes.get("class") or "" for one in (node, around))
    if not _OF_STARS.search(classes) or _has_words(around):
        return False
    node.insert_child(f"{width[1]}%")
    return True


def _state(node: LexborNode) -> bool:
    stated = node.attributes.get("data-rating") or node.attributes.get("data-score")
    if not stated or _has_words(node):
        return False
    node.insert_child(stated)
    return True


def _name(tree: LexborHTMLParser, node: LexborNode) -> bool:
    """The name of a picture as text."""
    names = (node.attributes.get(name) for name in ("aria-label", "alt", "title"))
    named = next((named for name in names if name and (named := _SCALED.fullmatch(name.strip()))), None)
    if named is None or (node.tag != "img" and _has_words(node)):
        return False
    if node.tag == "img":
        node.replace_with(_text(tree, named[1]))
        return True
    for name in ("aria-label", "title"):
        if name in node.attributes:
            del node.attrs[name]
    node.insert_child(named[1])
    return True


def _speak(node: LexborNode) -> bool:
    """Words for screen readers that are a rating are shown."""
    is_rating = _SCALED.fullmatch((_text_of(node) or "").strip()) is not None
    if is_rating:
        node.attrs["class"] = ""
    return is_rating


def _text(tree: LexborHTMLParser, text: str) -> LexborNode:
    written = tree.create_node("span")
    written.insert_child(text)
    return written


def _has_words(node: LexborNode) -> bool:
    """Stars alone, and names of icons, are no words."""
    text = _text_of(node)
    return text is None or any(map(str.isdigit, text))


PARTS_MAX = 100
"""The most elements and texts in a drawn rating: hostile pages nest labels by the ten thousand."""


def _text_of(node: LexborNode) -> str | None:
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
