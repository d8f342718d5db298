"""Nights as columns and as lines."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from math import ceil
from typing import Any

from markupsafe import Markup

from verdicts.explore.figures.svg import circle, group, line, polyline, rect, svg, text, tooltip

_NIGHTS_WIDTH, _LEFT, _RIGHT, _TOP = 640, 48, 6, 8

_DAY_LABEL = 70
"""Units between named days below the columns: `30 Nov` takes 62 of them on a phone."""

PARTS = ("unchanged", "stored", "other", "failed")
"""Parts of a column, from the bottom."""

Night = Mapping[str, Any]


def draw_outcomes(nights: Sequence[Night]) -> Markup:
    """From the answer of `outcomes_by_night`, the newest night first: addresses by how they ended."""
    pitch = _pitch(nights)
    every = ceil(_DAY_LABEL / pitch)
    days = [
        text(
            _LEFT + pitch * (number + 0.5), 150, f"{night['started_at'].day} {night['started_at']:%b}", "tick", "middle"
        )
        for number, night in enumerate(reversed(nights))
        if number % every == 0
    ]
    return _columns("Addresses by night and how they ended", nights, PARTS, 130, 156, days)


def draw_failures(nights: Sequence[Night]) -> Markup:
    """The failed addresses of the same nights."""
    return _columns("Failed addresses by night, on another scale", nights, ("failed",), 46, 54, [])


def _columns(
    says: str, nights: Sequence[Night], kinds: Sequence[str], base: int, height: int, below: Sequence[Markup]
) -> Markup:
    most = _round_up(max((sum(night[kind] for kind in kinds) for night in nights), default=0))
    pitch = _pitch(nights)
    columns = []
    for number, night in enumerate(reversed(nights)):
        x, top, parts = _LEFT + pitch * number + 1, float(base), []
        for kind in kinds:
            size = (base - _TOP) * night[kind] / most
            top -= size
            if night[kind]:
                parts.append(rect(kind, x, top, pitch - 2, size))
        counts = ", ".join(f"{night[kind]:,} {kind}" for kind in PARTS)
        columns.append(group(f"{night['started_at']:%Y-%m-%d}: {counts}", *parts))
    ticks = {0: base, most: _TOP}
    if most % 2 == 0 and base - _TOP >= 60:
        ticks[most // 2] = (base + _TOP) // 2
    grid = [
        line("grid", _LEFT, y, _NIGHTS_WIDTH - _RIGHT, y) + text(_LEFT - 6, y + 4, f"{count:,}", "tick", "end")
        for count, y in ticks.items()
    ]
    return svg("chart wide-chart", _NIGHTS_WIDTH, height, says, *grid, *columns, *below)


def _pitch(nights: Sequence[Night]) -> float:
    return min(40.0, (_NIGHTS_WIDTH - _LEFT - _RIGHT) / max(1, len(nights)))


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


_TIME_WIDTH, _TIME_BASE, _TIME_LEFT, _TIME_RIGHT = 400, 116, 44, 332
_VERDICTS = {"ship": "▲", "mixed": "◆", "skip": "▼"}


def draw_history(moments: Sequence[Mapping[str, Any]], until: datetime) -> Markup | None:
    """From the answer of `tool_over_time`: the share of pages with each verdict. None if all moments say the same."""
    told = sorted(moments, key=lambda row: row["changed_at"])
    if len({tuple(row[f"{verdict}_pages"] for verdict in _VERDICTS) for row in told}) < 2:
        return None
    times = [*(row["changed_at"] for row in told), max(until, told[-1]["changed_at"] + timedelta(hours=12))]
    span = (times[-1] - times[0]).total_seconds()
    places = [_TIME_LEFT + (_TIME_RIGHT - _TIME_LEFT) * (at - times[0]).total_seconds() / span for at in times]
    marks = [
        line("grid", _TIME_LEFT, y, _TIME_RIGHT, y) + text(_TIME_LEFT - 6, y + 4, says, "tick", "end")
        for y, says in ((_TOP, "100 %"), (_TIME_BASE, "0 %"))
    ]
    for row, x, end in zip(told, places[:-1], places[1:], strict=True):
        counts = {verdict: row[f"{verdict}_pages"] for verdict in _VERDICTS}
        parts, top = [], float(_TIME_BASE)
        for verdict, glyph in _VERDICTS.items():
            size = (_TIME_BASE - _TOP) * counts[verdict] / (sum(counts.values()) or 1)
            top -= size
            if size:
                parts.append(rect(f"part {verdict}", x, top, end - x, size))
            if size >= 14 and row is told[-1]:
                parts.append(text(_TIME_RIGHT + 6, top + size / 2 + 4, f"{glyph} {verdict}", verdict))
        says = ", ".join(f"{count:,} {verdict}" for verdict, count in counts.items())
        marks.append(group(f"{row['changed_at']:%Y-%m-%d}: pages that say {says}", *parts))
    days = [
        text(places[0], 134, f"{times[0]:%Y-%m-%d}", "tick"),
        text(places[-1], 134, f"{times[-1]:%Y-%m-%d}", "tick", "end"),
    ]
    return svg("chart", _TIME_WIDTH, 140, "Share of pages with each verdict over time", *marks, *days)
