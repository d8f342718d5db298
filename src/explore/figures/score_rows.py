"""One dot a row on the axis of scores."""

from collections.abc import Sequence
from dataclasses import dataclass

from explore.figures.axis import Axis, axis_of
from explore.figures.labels import shortened

WIDTH, LEFT, RIGHT = 400, 110, 36
ROW, TOP, BOTTOM = 22, 4, 22
ROWS_MAX = 40
LABEL_CHARS = 17


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """A label and its score; the whole label is for a pointer."""

    label: str
    says: str
    y: float
    x: float
    value: str


@dataclass(frozen=True, slots=True)
class ScoreRows:
    """At most ROWS_MAX rows, the first of the answer."""

    height: float
    axis: Axis
    rows: tuple[ScoreRow, ...]


def score_rows_of(told: Sequence[tuple[str, float]]) -> ScoreRows:
    """Labels and scores, in order."""
    shown = told[:ROWS_MAX]
    axis = axis_of((score for _, score in shown), LEFT, WIDTH - RIGHT)
    rows = tuple(
        ScoreRow(
            shortened(label, LABEL_CHARS),
            label,
            TOP + ROW * place + ROW / 2,
            axis.x(score),
            f"{score:,.1f}".removesuffix(".0"),
        )
        for place, (label, score) in enumerate(shown)
    )
    return ScoreRows(TOP + ROW * len(rows) + BOTTOM, axis, rows)
