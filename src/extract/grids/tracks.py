"""Columns that a page's styles give its grids: cells side by side without an element for their row. Pure."""

import re
from collections.abc import Mapping
from types import MappingProxyType

from selectolax.lexbor import LexborHTMLParser

from verdicts.extract.html.elements import attributes_of

TRACKS_MAX = 20
"""A grid of more columns arranges a page and compares nothing."""

NO_TRACKS: Mapping[str, int] = MappingProxyType({})

_RULE = re.compile(r"\.([\w-]++)\s*+\{([^{}]*+)\}")
_TEMPLATE = re.compile(r"(?<![\w-])grid-template-columns\s*+:\s*+([^;{}]++)")
_REPEATED = re.compile(r"repeat\(\s*+(\d{1,3})\s*+,[^()]*+(?:\([^()]*+\)[^()]*+)*+\)")
_IN_PARENTHESES = re.compile(r"\([^()]*+\)")
_UTILITY = re.compile(r"(?:[a-z0-9]{2,4}:)?grid-cols-(\d{1,2})")
"""Tailwind's `md:grid-cols-4`: the widest window counts."""


def declared_tracks(tree: LexborHTMLParser) -> Mapping[str, int]:
    """The number of columns by the class that a style sheet of the page gives them."""
    styles = [node.text() for node in tree.css("style")]
    return {
        name: tracks
        for style in styles
        if "grid-template-columns" in style
        for name, rule in _RULE.findall(style)
        if (tracks := _tracks(rule)) is not None
    }


def tracks_of(attributes: str, declared: Mapping[str, int]) -> int | None:
    """The number of columns of an element, two or more, as its style or its classes say; None where neither does."""
    if "grid" not in attributes and not declared:
        return None
    written = attributes_of(attributes)
    classes = written.get("class", "").split()
    by_class = [int(utility[1]) for name in classes if (utility := _UTILITY.fullmatch(name))]
    by_class += [declared[name] for name in classes if name in declared]
    tracks = _tracks(written.get("style", "")) or max(by_class, default=None)
    return tracks if tracks is not None and 2 <= tracks <= TRACKS_MAX else None


def _tracks(rule: str) -> int | None:
    """`repeat(3, 1fr)` and `2fr 1fr 1fr` are three; what depends on the window (`auto-fill`) is not known."""
    template = _TEMPLATE.search(rule)
    if template is None or "auto-fi" in template[1] or "subgrid" in template[1]:
        return None
    repeated = sum(int(times) for times in _REPEATED.findall(template[1]))
    others = _IN_PARENTHESES.sub("", _REPEATED.sub(" ", template[1])).split()
    return repeated + len([track for track in others if not track.startswith("[")])
