"""What a page asks of robots: `X-Robots-Tag` and `<meta name="robots">`. Pure.

Read as Google documents them: directives for all robots and those for ours add up, the stricter wins.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

NOINDEX = frozenset({"noindex", "none"})
NOFOLLOW = frozenset({"nofollow", "none"})

_SPLIT = re.compile(r"[\s,]+")
_AGENT = re.compile(r"\s*([A-Za-z][A-Za-z0-9_-]*)\s*:(.*)", re.DOTALL)
_VALUED = frozenset({"unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"})
"""Directives with a value after a colon, which names no robot."""


@dataclass(frozen=True, slots=True)
class Directives:
    """`is_noindex`: not to be kept. `is_nofollow`: none of its links to be followed."""

    is_noindex: bool = False
    is_nofollow: bool = False

    def __or__(self, other: "Directives") -> "Directives":
        return Directives(self.is_noindex or other.is_noindex, self.is_nofollow or other.is_nofollow)


def directives_of(words: str) -> Directives:
    """The content of a meta element: `noindex, nofollow`."""
    found = set(_SPLIT.split(words.lower()))
    return Directives(bool(found & NOINDEX), bool(found & NOFOLLOW))


def header_directives(headers: Iterable[tuple[str, str]], token: str) -> Directives:
    """All `X-Robots-Tag` headers that speak to everyone or to `token`, our product name in lower case."""
    found = Directives()
    for name, value in headers:
        if name != "x-robots-tag":
            continue
        match = _AGENT.fullmatch(value)
        agent = None if match is None or match[1].lower() in _VALUED else match[1].lower()
        if agent is None or match is None:
            found |= directives_of(value)
        elif agent in {token, "*"}:
            found |= directives_of(match[2])
    return found
