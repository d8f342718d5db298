"""Dots and lines on an axis: scores of a row, of a tool, of two tools, prices, and values over time."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Any

from verdicts.explore.figures.axes import (
    LABELLED_ROW,
    ROWS_MAX,
    WIDTH,
    Axis,
    LabelledRow,
    Tick,
    axis_of,
    have_parts,
    labelled_rows,
    price_x,
    shortened,
)
from verdicts.explore.figures.bars import SEAT_CHARS
from verdicts.warehouse.serving.named_queries import Label


@dataclass(frozen=True, slots=True)
class ScoreRows:
    """One dot per row on the axis of scores."""

    height: float
    axis: Axis
    rows: tuple[LabelledRow, ...]


def score_rows_of(told: Sequence[tuple[Label, float]]) -> ScoreRows:
    told, top, bottom = told[:ROWS_MAX], 4, 22
    left, chars = (210, 28) if have_parts(told) else (124, 16)
    axis = axis_of((score for _, score in told), left, WIDTH - 36)
    places = [axis.x(score) for _, score in told]
    rows = labelled_rows(told, chars, places, top + LABELLED_ROW / 2)
    return ScoreRows(top + LABELLED_ROW * len(rows) + bottom, axis, rows)


STRIP_WIDTH, STRIP_MARGIN = 132, 21


@dataclass(frozen=True, slots=True)
class Strip:
    """The scores of a tool from left to right; letters outside name the harshest and the keenest seat."""

    dots: tuple[float, ...]
    low: str
    high: str
    says: str


def strip_axis(scores: Sequence[Sequence[int]]) -> Axis:
    """One axis for all strips of a table."""
    return axis_of((score for row in scores for score in row), STRIP_MARGIN, STRIP_WIDTH - STRIP_MARGIN)


def strip_of(axis: Axis, seats: Sequence[str], scores: Sequence[int]) -> Strip:
    """Seats and their scores, sorted by score, at least one."""
    says = ", ".join(f"{seat} {score}" for seat, score in zip(seats, scores, strict=True))
    return Strip(tuple(map(axis.x, scores)), seats[0][:2], seats[-1][:2] if len(seats) > 1 else "", says)


DUMBBELL_ROW, DUMBBELL_TOP, DUMBBELL_BOTTOM = 28, 6, 22


@dataclass(frozen=True, slots=True)
class Mark:
    """A score of one tool; its number is at the outer side, `anchor` as in SVG."""

    x: float
    score: str
    label_x: float
    anchor: str


@dataclass(frozen=True, slots=True)
class DumbbellRow:
    """A seat; a tool without a score from it has no mark."""

    label: str
    y: float
    a: Mark | None
    b: Mark | None


@dataclass(frozen=True, slots=True)
class Dumbbell:
    """Two tools seat by seat: a disc and a ring on one axis, and a line between them."""

    height: float
    axis: Axis
    rows: tuple[DumbbellRow, ...]


def dumbbell_of(seats: Sequence[Mapping[str, Any]]) -> Dumbbell:
    """From the answer of `page_seats`."""
    told = [score for row in seats for score in (row["score_a"], row["score_b"]) if score is not None]
    axis = axis_of(told, 68, WIDTH - 26)

    def mark(score: float | None, other: float | None, *, is_right: bool) -> Mark | None:
        if score is None:
            return None
        right = is_right if other is None or score == other else score > other
        x = axis.x(score)
        return Mark(x, f"{score:.0f}", x + (10 if right else -10), "start" if right else "end")

    rows = tuple(
        DumbbellRow(
            shortened(row["seat"], SEAT_CHARS),
            DUMBBELL_TOP + DUMBBELL_ROW * number + DUMBBELL_ROW / 2,
            mark(row["score_a"], row["score_b"], is_right=False),
            mark(row["score_b"], row["score_a"], is_right=True),
        )
        for number, row in enumerate(seats)
    )
    return Dumbbell(DUMBBELL_TOP + DUMBBELL_ROW * len(rows) + DUMBBELL_BOTTOM, axis, rows)


LADDER_BASE, LADDER_BAR, LADDER_DOT = 22, 18, 4.0
"""The base line of price bars, the height of the highest, and the radius of a dot of one tier."""


@dataclass(frozen=True, slots=True)
class Dot:
    """A price of so many tiers; a dot of several tiers is larger."""

    x: float
    radius: float
    says: str


@dataclass(frozen=True, slots=True)
class Step:
    """Prices in one step of the axis; its height is its share of the category's fullest step."""

    x: float
    y: float
    width: float
    height: float
    says: str


@dataclass(frozen=True, slots=True)
class Ladder:
    """The monthly prices of a category: dots, or steps if there are too many."""

    dots: tuple[Dot, ...]
    steps: tuple[Step, ...]


def ladders_of(prices: Sequence[Mapping[str, Any]]) -> dict[str, Ladder]:
    """By category, from the answer of `price_dots`."""
    return {name: _ladder([*rows]) for name, rows in groupby(prices, key=lambda row: row["category"])}


def _ladder(rows: Sequence[Mapping[str, Any]]) -> Ladder:
    if not rows[0]["is_binned"]:
        return Ladder(tuple(map(_dot, rows)), ())
    most = max(row["tiers"] for row in rows)
    return Ladder((), tuple(_step(row, most) for row in rows))


def _dot(row: Mapping[str, Any]) -> Dot:
    tiers, price = row["tiers"], row["from_usd"]
    radius = round(min(7.0, LADDER_DOT * tiers**0.25), 1)
    return Dot(price_x(price), radius, f"${price:,.2f} a month: {tiers:,} {'tier' if tiers == 1 else 'tiers'}")


def _step(row: Mapping[str, Any], most: int) -> Step:
    start, end = price_x(row["from_usd"]), price_x(row["to_usd"])
    height = round(max(1.0, LADDER_BAR * row["tiers"] / most), 1)
    says = f"${row['from_usd']:,.2f} to ${row['to_usd']:,.2f} a month: {row['tiers']:,} tiers"
    return Step(start, round(LADDER_BASE - height, 1), round(end - start - 1, 1), height, says)


LINE_HEIGHT, LINE_LEFT, LINE_RIGHT, LINE_TOP, LINE_BOTTOM = 140, 44, 10, 10, 24


@dataclass(frozen=True, slots=True)
class Line:
    """Points from the oldest to the newest; ticks of the value (y) and of the first and last day (x)."""

    points: tuple[tuple[float, float], ...]
    y_ticks: tuple[Tick, ...]
    first: str
    last: str


def line_of(told: Sequence[tuple[datetime, float]]) -> Line:
    """A value over time, from zero: times and values, at least one, in any order."""
    known = sorted(told)
    began, ended = known[0][0], known[-1][0]
    span = (ended - began).total_seconds() or 1
    most = max((value for _, value in known), default=0) or 1
    base = LINE_HEIGHT - LINE_BOTTOM
    points = tuple(
        (
            round(LINE_LEFT + (WIDTH - LINE_LEFT - LINE_RIGHT) * (at - began).total_seconds() / span, 1),
            round(base - (base - LINE_TOP) * max(0, value) / most, 1),
        )
        for at, value in known
    )
    ticks = ((float(base), "0"), (float(LINE_TOP), f"{most:,.4g}"))
    return Line(points, ticks, f"{began:%Y-%m-%d}", f"{ended:%Y-%m-%d}")


SPARK_WIDTH, SPARK_HEIGHT, SPARK_MARGIN = 120, 22, 3


@dataclass(frozen=True, slots=True)
class Sparkline:
    """Points from the oldest to the newest, in SVG's form; the newest is `end`, too."""

    points: str
    end: tuple[float, float]
    says: str


def sparkline_of(shares: Sequence[float], of: str = "nights") -> Sparkline:
    """Percentages on a fixed axis, at least one, the oldest first; `of` names them."""
    pitch = (SPARK_WIDTH - 2 * SPARK_MARGIN) / max(1, len(shares) - 1)
    height = SPARK_HEIGHT - 2 * SPARK_MARGIN
    points = [
        (round(SPARK_MARGIN + pitch * number, 1), round(SPARK_HEIGHT - SPARK_MARGIN - height * share / 100, 1))
        for number, share in enumerate(shares)
    ]
    says = f"{len(shares)} {of}, lowest {min(shares):.0f} %, newest {shares[-1]:.0f} %"
    return Sparkline(" ".join(f"{x},{y}" for x, y in points), points[-1], says)
