"""Nights as columns and as lines."""

from collections.abc import Mapping, Sequence
from math import ceil
from typing import Any

from markupsafe import Markup

from verdicts.explore.figures.svg import circle, group, line, polyline, rect, svg, text, tooltip

_NIGHTS_WIDTH, _LEFT, _RIGHT, _TOP, _BASE = 640, 48, 6, 8, 130

_DAY_LABEL = 70
"""Units between named days below the columns: `30 Nov` takes 62 of them on a phone."""

PARTS = ("unchanged", "stored", "other", "failed")
"""Parts of a column, from the bottom."""

Night = Mapping[str, Any]


def draw_outcomes(nights: Sequence[Night]) -> Markup:
    """From the answer of `outcomes_by_night`, the newest night first: addresses by how they ended."""
    most = _round_up(max((sum(night[part] for part in PARTS) for night in nights), default=0))
    pitch = min(40.0, (_NIGHTS_WIDTH - _LEFT - _RIGHT) / max(1, len(nights)))
    every = ceil(_DAY_LABEL / pitch)
    columns, days = [], []
    for number, night in enumerate(reversed(nights)):
        x, top, rects = _LEFT + pitch * number + 1, float(_BASE), []
        for part in PARTS:
            size = (_BASE - _TOP) * night[part] / most
            top -= size
            if night[part]:
                rects.append(rect(part, x, top, pitch - 2, size))
        counts = ", ".join(f"{night[part]:,} {part}" for part in PARTS)
        columns.append(group(f"{night['started_at']:%Y-%m-%d}: {counts}", *rects))
        if number % every == 0:
            day = f"{night['started_at'].day} {night['started_at']:%b}"
            days.append(text(_LEFT + pitch * (number + 0.5), _BASE + 20, day, "tick", "middle"))
    ticks = {0: _BASE, most: _TOP}
    if most % 2 == 0:
        ticks[most // 2] = (_BASE + _TOP) // 2
    grid = [
        line("grid", _LEFT, y, _NIGHTS_WIDTH - _RIGHT, y) + text(_LEFT - 6, y + 4, f"{count:,}", "tick", "end")
        for count, y in ticks.items()
    ]
    says = "Addresses by night and how they ended"
    return svg("chart wide-chart", _NIGHTS_WIDTH, _BASE + 26, says, *grid, *columns, *days)


def _round_up(most: int) -> int:
    """A number such as 1, 2, 5, 10, at least `most`: a new night seldom changes the axis."""
    step = 1
    while most > 5 * step:
        step *= 10
    return next(first * step for first in (1, 2, 5) if first * step >= most)


_SPARK_WIDTH, _SPARK_HEIGHT, _SPARK_MARGIN = 120, 22, 3


def draw_sparkline(shares: Sequence[float], of: str = "nights") -> Markup:
    """Percentages on a fixed axis, at least one, the oldest first; `of` names them."""
    right, bottom = _SPARK_WIDTH - _SPARK_MARGIN, _SPARK_HEIGHT - _SPARK_MARGIN
    pitch = (right - _SPARK_MARGIN) / max(1, len(shares) - 1)
    points = [
        (_SPARK_MARGIN + pitch * number, bottom - (bottom - _SPARK_MARGIN) * share / 100)
        for number, share in enumerate(shares)
    ]
    says = f"{len(shares)} {of}, lowest {min(shares):.0f} %, newest {shares[-1]:.0f} %"
    grid = [line("grid", _SPARK_MARGIN, y, right, y) for y in (_SPARK_MARGIN, bottom)]
    marks = (tooltip(says), *grid, polyline("line", points), circle("a", *points[-1], 2.5))
    return svg("sparkline", _SPARK_WIDTH, _SPARK_HEIGHT, says, *marks, is_fixed=True)
