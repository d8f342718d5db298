"""URLs shaped like a trap: calendars, facets and relative links that a host generates without end. Pure.

The bounds are a guess, not measured: no comparison site comes near them, and `max_depth` and the budgets stop what
passes.
"""

from collections import Counter

from verdicts.fetch.model.addresses.web_address import web_address

SEGMENTS_MAX = 16
REPEATS_MAX = 2
"""`/a/b/a/b/a/b`: a relative link that should have been absolute."""
PARAMETERS_MAX = 6
"""Facets multiply: `?color=..&size=..&brand=..&page=..`."""


def is_trap(url: str) -> bool:
    """Whether a canonical URL is shaped like a trap."""
    address = web_address(url)
    if address is None:
        return False
    segments = [segment for segment in address.path.split("/") if segment]
    if len(segments) > SEGMENTS_MAX or address.query.count("&") >= PARAMETERS_MAX:
        return True
    return bool(segments) and max(Counter(segments).values()) > REPEATS_MAX
