"""Bars on a base line: one per row, histograms of scores, columns of nights."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import ceil
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
    shortened,
)
from verdicts.warehouse.serving.named_queries import Label


@dataclass(frozen=True, slots=True)
class Bars:
    """One bar per row, from `left`; `x` of a row is the length of its bar."""

    height: float
    left: float
    rows: tuple[LabelledRow, ...]


def bars_of(told: Sequence[tuple[Label, float]]) -> Bars:
    """Labels and values, in order; the largest value has the longest bar, a value below zero none."""
    told, top, right = told[:ROWS_MAX], 4, 52
    left, chars = (240, 32) if have_parts(told) else (160, 21)
    most = max((value for _, value in told), default=0) or 1
    lengths = [round(max(0, (WIDTH - left - right) * value / most), 1) for _, value in told]
    return Bars(top + LABELLED_ROW * len(told), left, labelled_rows(told, chars, lengths, top))


HISTOGRAM_ROW, HISTOGRAM_TOP, HISTOGRAM_BOTTOM = 34, 6, 22
SEAT_CHARS = 8
"""Characters of a seat's name before its row."""


@dataclass(frozen=True, slots=True)
class Bin:
    """A bar of a histogram; `says` is its tooltip."""

    x: float
    y: float
    width: float
    height: float
    says: str


@dataclass(frozen=True, slots=True)
class HistogramRow:
    """A seat: its bars, and its median as a line and a number. `base` is the bars' base line."""

    label: str
    base: float
    bins: tuple[Bin, ...]
    median_x: float
    median: float
    takes: int


@dataclass(frozen=True, slots=True)
class Histogram:
    """Histograms below each other on one axis of scores, from the harshest seat on."""

    height: float
    axis: Axis
    rows: tuple[HistogramRow, ...]


def histogram_of(bins: Sequence[Mapping[str, Any]], step: int = 5) -> Histogram:
    """From the answer of `score_histogram`. A bar is as high as its share of the seat's takes, on one scale."""
    axis = axis_of((row["from_score"] for row in bins), 68, WIDTH - 64)
    most = max((row["takes"] / row["seat_takes"] for row in bins), default=1)

    def bars(rows: Sequence[Mapping[str, Any]], base: float) -> Iterator[Bin]:
        for row in rows:
            first, takes = row["from_score"], row["takes"]
            height = round((HISTOGRAM_ROW - 6) * takes / row["seat_takes"] / most, 1)
            x, end = axis.x(first), axis.x(min(100, first + step))
            last = 100 if first + step >= 100 else first + step - 1
            says = f"{row['seat']}, {first} to {last}: {takes:,} of {row['seat_takes']:,} takes"
            yield Bin(x, round(base - height, 1), round(max(1.0, end - x - 1), 1), height, says)

    made: list[HistogramRow] = []
    for seat, group in groupby(bins, key=lambda row: row["seat"]):
        rows, base = [*group], HISTOGRAM_TOP + HISTOGRAM_ROW * (len(made) + 1)
        median, takes = rows[0]["seat_median"], rows[0]["seat_takes"]
        label = shortened(seat, SEAT_CHARS)
        made.append(HistogramRow(label, base, tuple(bars(rows, base)), axis.x(median), median, takes))
    return Histogram(HISTOGRAM_TOP + HISTOGRAM_ROW * len(made) + HISTOGRAM_BOTTOM, axis, tuple(made))


NIGHTS_WIDTH, NIGHTS_LEFT, NIGHTS_RIGHT, NIGHTS_TOP = 640, 48, 6, 8
NIGHTS_HEIGHT, FAILED_HEIGHT = 130, 46
DAY_LABEL = 70
"""Units between named days below the columns: `30 Nov` takes 62 of them on a phone."""

PARTS = ("unchanged", "stored", "other", "failed")
"""Parts of a column, from the bottom."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a column; `kind` is one of PARTS."""

    kind: str
    y: float
    height: float


@dataclass(frozen=True, slots=True)
class Column:
    """A night; the panel below shows its failures as `failed`."""

    x: float
    width: float
    parts: tuple[Part, ...]
    failed: Part | None
    says: str


@dataclass(frozen=True, slots=True)
class Stacked:
    """Columns from the oldest night to the newest, and failures again on their own scale; `days` are named."""

    columns: tuple[Column, ...]
    ticks: tuple[Tick, ...]
    failed_ticks: tuple[Tick, ...]
    days: tuple[Tick, ...]


def stacked_of(nights: Sequence[Mapping[str, Any]]) -> Stacked:
    """From the answer of `outcomes_by_night`, the newest night first."""
    oldest_first = nights[::-1]
    most = _round_up(max((sum(night[part] for part in PARTS) for night in nights), default=0))
    most_failed = _round_up(max((night["failed"] for night in nights), default=0))
    pitch = min(40.0, (NIGHTS_WIDTH - NIGHTS_LEFT - NIGHTS_RIGHT) / max(1, len(nights)))
    columns = tuple(_column(night, number, pitch, most, most_failed) for number, night in enumerate(oldest_first))
    every = ceil(DAY_LABEL / pitch)
    days = tuple(
        (round(NIGHTS_LEFT + pitch * (number + 0.5), 1), f"{night['started_at'].day} {night['started_at']:%b}")
        for number, night in enumerate(oldest_first)
        if number % every == 0
    )
    return Stacked(columns, _ticks(most, NIGHTS_HEIGHT), _ticks(most_failed, FAILED_HEIGHT), days)


def _column(night: Mapping[str, Any], number: int, pitch: float, most: int, most_failed: int) -> Column:
    parts, base = [], float(NIGHTS_HEIGHT)
    for kind in PARTS:
        height = (NIGHTS_HEIGHT - NIGHTS_TOP) * night[kind] / most
        if night[kind]:
            parts.append(Part(kind, round(base - height, 1), round(height, 1)))
        base -= height
    height = (FAILED_HEIGHT - NIGHTS_TOP) * night["failed"] / most_failed
    failed = Part("failed", round(FAILED_HEIGHT - height, 1), round(height, 1)) if night["failed"] else None
    says = ", ".join(f"{night[kind]:,} {kind}" for kind in PARTS)
    x = round(NIGHTS_LEFT + pitch * number + 1, 1)
    return Column(x, round(pitch - 2, 1), tuple(parts), failed, f"{night['started_at']:%Y-%m-%d}: {says}")


def _ticks(most: int, base: int) -> tuple[Tick, ...]:
    ends = ((float(base), "0"), (float(NIGHTS_TOP), f"{most:,}"))
    is_halved = most % 2 == 0 and base - NIGHTS_TOP >= 60
    return (*ends, ((base + NIGHTS_TOP) / 2, f"{most // 2:,}")) if is_halved else ends


def _round_up(most: int) -> int:
    """A number such as 1, 2, 5, 10, at least `most`: a new night seldom changes the axis."""
    step = 1
    while most > 5 * step:
        step *= 10
    return next(first * step for first in (1, 2, 5) if first * step >= most)
