"""What happens when: the events of each day, drawn by seed, every kind at least once."""

from collections.abc import Sequence
from random import Random

CHANGES: dict[str, int] = {
    "a price": 12,
    "a verdict": 9,
    "an edited take": 10,
    "a rewritten take": 3,
    "a moved take": 3,
    "community votes": 5,
    "a new page": 6,
    "a new tool": 4,
    "a renamed slug": 2,
    "a page removed with 410": 2,
    "a page removed with 404": 2,
    "a mirror copies": 2,
}
"""What happens to the words of the site, and how often in thirty nights."""

LATE = "redirects taken away"
"""In the second half, once: what was renamed in the first was seen to lead on, what is renamed just before was not."""

TROUBLES = (
    "a redesign",
    "an outage: refused",
    "an outage: 503",
    "kill -9",
    "a full disk",
    "the clock set back",
)
"""What happens to the site or to the machine, once each, on nights of their own."""

QUIET_AT_THE_END = 2
"""The last nights bring no trouble: they show whether all is well again."""

MONTH = 30


def events_of(
    seed: int, nights: int, changes: Sequence[str] = tuple(CHANGES), troubles: Sequence[str] = TROUBLES
) -> list[tuple[str, ...]]:
    """The events before or during each night, in the order in which they happen. The first night has none."""
    random = Random(f"calendar {seed}")
    days: list[list[str]] = [[] for _ in range(nights)]
    for change in changes:
        for _ in range(max(1, round(CHANGES[change] * nights / MONTH))):
            # A page that is gone with 404 is gone once that was said on three nights.
            latest = max(2, nights // 2) if change == "a page removed with 404" else nights
            days[random.randrange(1, latest)].append(change)
    days[Random(f"{LATE} {seed}").randrange(nights // 2, nights)].append(LATE)
    free = list(range(2, nights - QUIET_AT_THE_END))
    for night, trouble in zip(random.sample(free, len(troubles)), troubles, strict=True):
        days[night].append(trouble)
    return [tuple(day) for day in days]
