"""Tomorrow's facts of today's: a pure function of both and of the seed."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from random import Random

from builders.month.changes import CHANGE
from builders.month.site import Condition, Site

CONDITION: dict[str, Condition] = {"an outage: refused": "refusing", "an outage: 503": "overloaded"}

HOURS_BEFORE = 10
"""The site changes by day, the night comes after it."""


def evolve(site: Site, events: Sequence[str], seed: int, night: int, at: datetime) -> Site:
    """The site as a night at the true moment `at` finds it. A redesign leaves the dates of the words as they are."""
    before = site.shown()
    site = replace(site, condition="up")
    for number, event in enumerate(events):
        random = Random(f"{seed} {night} {number} {event}")
        if event in CHANGE:
            site = CHANGE[event](site, random)
        elif event in CONDITION:
            site = replace(site, condition=CONDITION[event])
        elif event == "a redesign":
            site = replace(site, is_redesigned=True)
    changed_at = at - timedelta(hours=HOURS_BEFORE)
    modified = {
        path: changed_at
        if path not in before or (before[path].a, before[path].b) != (shown.a, shown.b)
        else site.modified[path]
        for path, shown in site.shown().items()
    }
    return replace(site, modified=modified)
