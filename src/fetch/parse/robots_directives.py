"""Robots directives of a page: `X-Robots-Tag` and `<meta name="robots">`. Pure.

Read as Google documents them: those for all robots and those for our product token are combined, the stricter wins.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

NOINDEX = frozenset({"noindex", "none"})
NOFOLLOW = frozenset({"nofollow", "none"})

_SPLIT = re.compile(r"[\s,]+")
_AGENT = re.compile(r"\s*+([A-Za-z][A-Za-z0-9_-]*+|\*)\s*+:(.*)", re.DOTALL)
_VALUED = frozenset({"unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"})
"""Directives with a value after a colon: the name before it is no robot's."""


@dataclass(frozen=True, slots=True)
class Directives:
    """`is_noindex`: the page must not be stored. `is_nofollow`: none of its links may be followed."""

    is_noindex: bool = False
    is_nofollow: bool = False

    def __or__(self, other: "Directives") -> "Directives":
        return Directives(self.is_noindex or other.is_noindex, self.is_nofollow or other.is_nofollow)


def directives_of(content: str) -> Directives:
    """The directives in the content of a meta element: `noindex, nofollow`."""
    names = set(_SPLIT.split(content.lower()))
    return Directives(bool(names & NOINDEX), bool(names & NOFOLLOW))


def header_directives(headers: Iterable[tuple[str, str]], token: str) -> Directives:
    """All `X-Robots-Tag` headers for every robot or for `token`, our product token in lower case.

    A name before a colon says for which robot the directives behind it are, up to the next name of one.
    """
    directives = Directives()
    for name, value in headers:
        if name != "x-robots-tag":
            continue
        is_ours = True
        for part in value.split(","):
            match = _AGENT.fullmatch(part)
            if match is not None and match[1].lower() not in _VALUED:
                is_ours = match[1].lower() in {token, "*"}
                part = match[2]
            if is_ours:
                directives |= directives_of(part)
    return directives
