"""One bar a row, from zero."""

from collections.abc import Sequence
from dataclasses import dataclass

from verdicts.explore.figures.labels import BETWEEN, fitted, has_parts
from verdicts.warehouse.serving.named_queries import Label

WIDTH, RIGHT = 400, 52
LEFT, LABEL_CHARS = 160, 21
WIDE_LEFT, WIDE_LABEL_CHARS = 240, 32
"""Where the bars begin, and the characters of a label before them; wide where labels have several parts."""

ROW, TOP = 22, 4

ROWS_MAX = 40


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
    left: float
    rows: tuple[BarRow, ...]


def bars_of(told: Sequence[tuple[Label, float]]) -> Bars:
    """Labels and values, in order; the longest bar is the largest value, and below zero there is none."""
    shown = told[:ROWS_MAX]
    labels = [label for label, _ in shown]
    is_wide = has_parts(labels)
    left, chars = (WIDE_LEFT, WIDE_LABEL_CHARS) if is_wide else (LEFT, LABEL_CHARS)
    most = max((value for _, value in shown), default=0) or 1
    rows = tuple(
        BarRow(
            short,
            BETWEEN.join(label),
            TOP + ROW * place,
            round(max(0, (WIDTH - left - RIGHT) * value / most), 1),
            f"{value:,.1f}".removesuffix(".0"),
        )
        for place, (short, (label, value)) in enumerate(zip(fitted(labels, chars), shown, strict=True))
    )
    return Bars(TOP + ROW * len(rows), left, rows)
