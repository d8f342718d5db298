"""One bar a row, from zero."""

from collections.abc import Sequence
from dataclasses import dataclass

from explore.figures.labels import shortened

WIDTH, LEFT, RIGHT = 400, 160, 52
ROW, TOP = 22, 4

ROWS_MAX = 40
LABEL_CHARS = 21


@dataclass(frozen=True, slots=True)
class BarRow:
    """A label, its bar and its value; the whole label is for a pointer."""

    label: str
    says: str
    y: float
    width: float
    value: str


@dataclass(frozen=True, slots=True)
class Bars:
    """At most ROWS_MAX rows, the first of the answer."""

    height: float
    rows: tuple[BarRow, ...]


def bars_of(told: Sequence[tuple[str, float]]) -> Bars:
    """Labels and values, in order; the longest bar is the largest value, and below zero there is none."""
    shown = told[:ROWS_MAX]
    most = max((value for _, value in shown), default=0) or 1
    rows = tuple(
        BarRow(
            shortened(label, LABEL_CHARS),
            label,
            TOP + ROW * place,
            round(max(0, (WIDTH - LEFT - RIGHT) * value / most), 1),
            f"{value:,.1f}".removesuffix(".0"),
        )
        for place, (label, value) in enumerate(shown)
    )
    return Bars(TOP + ROW * len(rows), rows)
