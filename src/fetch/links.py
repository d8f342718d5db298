"""The links of an HTML page."""

import re
from urllib.parse import urljoin

from selectolax.lexbor import LexborHTMLParser

from fetch.canonical import BadUrl, canonicalize

DEPTH_LIMIT = 5_000
"""Lexbor's time grows with the square of nesting (1 MB of nested divs: 134 s) and it cannot be interrupted."""

_TAG = re.compile(rb"<(/?)([a-zA-Z][a-zA-Z0-9]{0,20})")
_NEVER_CLOSED = frozenset(
    b"area base br col embed hr img input link meta param source track wbr li p td tr th dt dd option"
    b" path circle ellipse rect line polyline polygon use stop".split()
)


def find_links(body: bytes, url: str) -> tuple[str, ...]:
    """Canonical addresses a page links to, in order, each once. `nofollow` is honoured, on a link and for the page.

    A page nested too deeply to be parsed in time gives none.
    """
    if _depth(body) > DEPTH_LIMIT:
        return ()
    tree = LexborHTMLParser(body, encoding=True, scripting=True)
    for meta in tree.css('meta[name="robots" i]'):
        if {"nofollow", "none"} & set(re.split(r"[\s,]+", (meta.attributes.get("content") or "").lower())):
            return ()
    base_tag = tree.css_first("base[href]")
    base = url if base_tag is None else _joined(url, base_tag.attributes.get("href") or "")
    found: dict[str, None] = {}
    for link in tree.css("a[href]"):
        if "nofollow" in (link.attributes.get("rel") or "").lower().split():
            continue
        try:
            found[canonicalize(link.attributes.get("href") or "", base)] = None
        except BadUrl:
            continue
    return tuple(found)


def _depth(body: bytes) -> int:
    """The deepest nesting, roughly and in linear time."""
    depth = deepest = 0
    for match in _TAG.finditer(body):
        if match[2].lower() in _NEVER_CLOSED:
            continue
        depth = max(depth - 1, 0) if match[1] else depth + 1
        deepest = max(deepest, depth)
    return deepest


def _joined(url: str, href: str) -> str:
    try:
        return urljoin(url, href)
    except ValueError:
        return url
