"""Which published copies stay: the newest few for a rollback, then the newest of a day, a week, a month."""

import re
from collections.abc import Callable, Hashable, Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from typing import NamedTuple

LATEST_KEPT = 3
"""Of the newest copies, whenever they were published: a rollback leads to the one before, and another one further."""

_DAY = re.compile(r"corpus-(\d{4})(\d{2})(\d{2})T")


class Keep(NamedTuple):
    """Of how many days, weeks and months with a copy the newest one is kept."""

    daily: int = 7
    weekly: int = 4
    monthly: int = 12


def kept(copies: Sequence[Path], keep: Keep) -> set[Path]:
    """Which of the copies stay; they come oldest first, without those that were rolled back from."""
    days = {path: _day(path) for path in copies}
    periods: tuple[tuple[int, Callable[[date], Hashable]], ...] = (
        (keep.daily, lambda day: day),
        (keep.weekly, lambda day: day.isocalendar()[:2]),
        (keep.monthly, lambda day: (day.year, day.month)),
    )
    staying = set(copies[-LATEST_KEPT:])
    for count, period_of in periods:
        newest = {period_of(days[path]): path for path in copies}
        staying |= set(list(newest.values())[-count:] if count else [])
    return staying


def _day(path: Path) -> date:
    """By the id of its load, which begins with its time; else when it was written."""
    if (match := _DAY.match(path.name)) is not None:
        return date(int(match[1]), int(match[2]), int(match[3]))
    return datetime.fromtimestamp(path.stat().st_mtime, UTC).date()
