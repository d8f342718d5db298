"""Monthly prices on an axis where each step to the right multiplies: dots, or bars where there are too many."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import log10
from typing import Any

WIDTH, HEIGHT, MARGIN = 520, 26, 12
MOST_USD = 10_000
TICKS = (1, 10, 100, 1_000, 10_000)

BASE, BAR = 22, 18
"""Where bars stand, and how high the highest is."""

DOT = 4.0


@dataclass(frozen=True, slots=True)
class Dot:
    """A price of so many tiers; one of several is larger."""

    x: float
    radius: float
    says: str


@dataclass(frozen=True, slots=True)
class Step:
    """Prices of a step of the axis; its height is its share of the tiers of the category's fullest step."""

    x: float
    y: float
    width: float
    height: float
    says: str


@dataclass(frozen=True, slots=True)
class Ladder:
    """The prices of a category: dots or steps, never both."""

    dots: tuple[Dot, ...]
    steps: tuple[Step, ...]


def price_x(amount: float) -> float:
    """Where a price stands; what is below $1 or above $10,000 stands at the end."""
    place = log10(min(MOST_USD, max(1.0, amount))) / log10(MOST_USD)
    return round(MARGIN + (WIDTH - 2 * MARGIN) * place, 1)


def ticks() -> tuple[tuple[float, str], ...]:
    """Where the axis is numbered."""
    return tuple((price_x(amount), f"${amount:,}") for amount in TICKS)


def ladders_of(prices: Sequence[Mapping[str, Any]]) -> dict[str, Ladder]:
    """By category, of the answer of `price_dots`."""
    return {name: _ladder([*rows]) for name, rows in groupby(prices, key=lambda row: row["category"])}


def _ladder(rows: Sequence[Mapping[str, Any]]) -> Ladder:
    if not rows[0]["is_binned"]:
        return Ladder(tuple(map(_dot, rows)), ())
    most = max(row["tiers"] for row in rows)
    return Ladder((), tuple(_step(row, most) for row in rows))


def _dot(row: Mapping[str, Any]) -> Dot:
    tiers, price = row["tiers"], row["from_usd"]
    radius = round(min(7.0, DOT * tiers**0.25), 1)
    return Dot(price_x(price), radius, f"${price:,.2f} a month: {tiers:,} {'tier' if tiers == 1 else 'tiers'}")


def _step(row: Mapping[str, Any], most: int) -> Step:
    start, end = price_x(row["from_usd"]), price_x(row["to_usd"])
    height = round(max(1.0, BAR * row["tiers"] / most), 1)
    says = f"${row['from_usd']:,.2f} to ${row['to_usd']:,.2f} a month: {row['tiers']:,} tiers"
    return Step(start, round(BASE - height, 1), round(end - start - 1, 1), height, says)
