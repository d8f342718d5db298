"""A value over time as a line, from zero."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 400, 140, 44, 10, 10, 24


@dataclass(frozen=True, slots=True)
class Line:
    """Points from the oldest to the newest; ticks of the value (y) and of the first and last day (x)."""

    points: tuple[tuple[float, float], ...]
    y_ticks: tuple[tuple[float, str], ...]
    first: str
    last: str


def line_of(told: Sequence[tuple[datetime, float]]) -> Line:
    """Times and values, at least one, in any order."""
    known = sorted(told)
    began, ended = known[0][0], known[-1][0]
    span = (ended - began).total_seconds() or 1
    most = max((value for _, value in known), default=0) or 1
    base = HEIGHT - BOTTOM
    points = tuple(
        (
            round(LEFT + (WIDTH - LEFT - RIGHT) * (at - began).total_seconds() / span, 1),
            round(base - (base - TOP) * max(0, value) / most, 1),
        )
        for at, value in known
    )
    ticks = ((float(base), "0"), (float(TOP), f"{most:,.4g}"))
    return Line(points, ticks, f"{began:%Y-%m-%d}", f"{ended:%Y-%m-%d}")
