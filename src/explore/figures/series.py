"""Nights as columns and as lines, and prices on an axis where each step multiplies."""

from collections.abc import Mapping, Sequence
from itertools import groupby
from math import ceil, log10
from typing import Any

from markupsafe import Markup

from verdicts.explore.figures.svg import circle, group, line, polyline, rect, svg, text, tooltip

_NIGHTS_WIDTH, _LEFT, _RIGHT, _TOP = 640, 48, 6, 8

_DAY_LABEL = 70
"""Units between named days below the columns: `30 Nov` takes 62 of them on a phone."""

PARTS = ("unchanged", "stored", "other", "failed")
"""Parts of a column, from the bottom."""

Night = Mapping[str, Any]


def outcomes_of(nights: Sequence[Night]) -> Markup:
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


def failures_of(nights: Sequence[Night]) -> Markup:
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


def sparkline_of(shares: Sequence[float], of: str = "nights") -> Markup:
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


_PRICES_WIDTH, _PRICES_MARGIN = 520, 12
_PRICES = (1, 10, 100, 1_000, 10_000)
"""Monthly prices marked on their axis, which is logarithmic."""

_BASE, _BAR, _DOT = 22, 18, 4.0
"""The base line of price bars, the height of the highest, and the radius of a dot of one tier."""


def _x(amount: float) -> float:
    """A price below $1 or above $10,000 is at the end of the axis."""
    share = log10(min(_PRICES[-1], max(1.0, amount))) / log10(_PRICES[-1])
    return _PRICES_MARGIN + (_PRICES_WIDTH - 2 * _PRICES_MARGIN) * share


def price_axis() -> Markup:
    """The marked prices, for the head of the table."""
    anchors = {_PRICES[0]: "start", _PRICES[-1]: "end"}
    ticks = (text(_x(price), 12, f"${price:,}", "tick", anchors.get(price, "middle")) for price in _PRICES)
    return svg("ladder", _PRICES_WIDTH, 16, "Dollars a month", *ticks)


def ladders_of(prices: Sequence[Mapping[str, Any]]) -> dict[str, Markup]:
    """The monthly prices of each category, from the answer of `price_dots`: dots, or steps if there are too many."""
    return {name: _ladder([*rows]) for name, rows in groupby(prices, key=lambda row: row["category"])}


def _ladder(rows: Sequence[Mapping[str, Any]]) -> Markup:
    grid = [line("grid", _x(price), 2, _x(price), 24) for price in _PRICES]
    is_binned, most = rows[0]["is_binned"], max(row["tiers"] for row in rows)
    y = _BASE + 0.5 if is_binned else 13
    base = line("base", _PRICES_MARGIN, y, _PRICES_WIDTH - _PRICES_MARGIN, y)
    marks = (_step(row, most) if is_binned else _dot(row) for row in rows)
    return svg("ladder", _PRICES_WIDTH, 26, "Monthly prices, $1 to $10,000", *grid, base, *marks)


def _dot(row: Mapping[str, Any]) -> Markup:
    tiers, price = row["tiers"], row["from_usd"]
    says = f"${price:,.2f} a month: {tiers:,} {'tier' if tiers == 1 else 'tiers'}"
    return circle("dot", _x(price), 13, min(7.0, _DOT * tiers**0.25), says)


def _step(row: Mapping[str, Any], most: int) -> Markup:
    start, end = _x(row["from_usd"]), _x(row["to_usd"])
    height = max(1.0, _BAR * row["tiers"] / most)
    says = f"${row['from_usd']:,.2f} to ${row['to_usd']:,.2f} a month: {row['tiers']:,} tiers"
    return rect("bar", start, _BASE - height, end - start - 1, height, says)
