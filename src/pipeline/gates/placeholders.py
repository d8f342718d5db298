"""Words that stand where values belonged, on nearly every page at once: `$0`, `Loading...`, `0/100`, `N/A`."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from corpus.enumerations import GateMeasure
from pipeline.gates.measures import Placeholder, Places
from pipeline.gates.thresholds import PLACEHOLDER_BEFORE, PLACEHOLDER_SHARE, PLACEHOLDER_TOOLS

MEASURES: tuple[GateMeasure, ...] = ("takes", "take_text", "score", "panel", "tagline", "rating", "decision", "price")
"""Measures whose values differ from tool to tool. A seat, a side or a reviewer's verdict may well be one for all."""

Users: TypeAlias = Mapping[GateMeasure, Mapping[str, set[str]]]
"""Measure to words to the tools in whose places they stand."""


def placeholders(before: Sequence[Places], after: Sequence[Places]) -> frozenset[Placeholder]:
    """The words of pages read anew that are no values: few tools had them before, and nearly all have them now."""
    users_before, users_after = _users(before), _users(after)
    found: set[Placeholder] = set()
    for measure, users in users_after.items():
        tools = set().union(*users.values())
        tools_before = set().union(*users_before.get(measure, {}).values())
        for words, those in users.items():
            had = users_before.get(measure, {}).get(words, set())
            if (
                len(those) >= PLACEHOLDER_TOOLS
                and len(those) >= PLACEHOLDER_SHARE * len(tools)
                and len(had) <= PLACEHOLDER_BEFORE * len(tools_before)
            ):
                found.add((measure, words))
    return frozenset(found)


def _users(pages: Sequence[Places]) -> Users:
    users: dict[GateMeasure, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for number, places in enumerate(pages):
        for measure in MEASURES:
            for place in places.get(measure, ()):
                if place.words is not None and place.is_value:
                    users[measure][place.words].add(place.tool or f"page {number}")
    return users
