"""Histograms below each other on one axis of scores: one row a seat."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from verdicts.explore.figures.axis import Axis, axis_of
from verdicts.explore.figures.labels import shortened

WIDTH, LEFT, RIGHT = 400, 68, 64
ROW, TOP, BOTTOM = 34, 6, 22
LABEL_CHARS = 8


@dataclass(frozen=True, slots=True)
class Bin:
    """A bar; `says` is for a pointer."""

    x: float
    y: float
    width: float
    height: float
    says: str


@dataclass(frozen=True, slots=True)
class HistogramRow:
    """A seat: its bars, and its median as a line and a number. `base` is where the bars stand."""

    label: str
    base: float
    bins: tuple[Bin, ...]
    median_x: float
    median: float
    takes: int


@dataclass(frozen=True, slots=True)
class Histogram:
    """The rows from the harshest seat on."""

    height: float
    axis: Axis
    rows: tuple[HistogramRow, ...]


def histogram_of(bins: Sequence[Mapping[str, Any]], step: int = 5) -> Histogram:
    """Of the answer of `score_histogram`. A bar is as high as its share of the seat's takes, on one scale."""
    axis = axis_of((row["from_score"] for row in bins), LEFT, WIDTH - RIGHT)
    most = max((row["takes"] / row["seat_takes"] for row in bins), default=1)

    def bars(rows: Sequence[Mapping[str, Any]], base: float) -> Iterator[Bin]:
        for row in rows:
            first, takes = row["from_score"], row["takes"]
            height = round((ROW - 6) * takes / row["seat_takes"] / most, 1)
            x, end = axis.x(first), axis.x(min(100, first + step))
            last = 100 if first + step >= 100 else first + step - 1
            says = f"{row['seat']}, {first} to {last}: {takes:,} of {row['seat_takes']:,} takes"
            yield Bin(x, round(base - height, 1), round(max(1.0, end - x - 1), 1), height, says)

    def row(place: int, seat: str, rows: Sequence[Mapping[str, Any]]) -> HistogramRow:
        base = TOP + ROW * (place + 1)
        median = rows[0]["seat_median"]
        return HistogramRow(
            shortened(seat, LABEL_CHARS), base, tuple(bars(rows, base)), axis.x(median), median, rows[0]["seat_takes"]
        )

    seats = [(seat, [*rows]) for seat, rows in groupby(bins, key=lambda bin_: bin_["seat"])]
    made = tuple(row(place, seat, rows) for place, (seat, rows) in enumerate(seats))
    return Histogram(TOP + ROW * len(made) + BOTTOM, axis, made)
