"""One dot a row on the axis of scores."""

from collections.abc import Sequence
from dataclasses import dataclass

from verdicts.explore.figures.axis import Axis, axis_of
from verdicts.explore.figures.labels import BETWEEN, fitted, has_parts
from verdicts.warehouse.serving.named_queries import Label

WIDTH, RIGHT = 400, 36
LEFT, LABEL_CHARS = 124, 16
WIDE_LEFT, WIDE_LABEL_CHARS = 210, 28
"""Where the axis begins, and the characters of a label before it; wide where labels have several parts."""

ROW, TOP, BOTTOM = 22, 4, 22
ROWS_MAX = 40


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


def score_rows_of(told: Sequence[tuple[Label, float]]) -> ScoreRows:
    """Labels and scores, in order."""
    shown = told[:ROWS_MAX]
    labels = [label for label, _ in shown]
    is_wide = has_parts(labels)
    left, chars = (WIDE_LEFT, WIDE_LABEL_CHARS) if is_wide else (LEFT, LABEL_CHARS)
    axis = axis_of((score for _, score in shown), left, WIDTH - RIGHT)
    rows = tuple(
        ScoreRow(
            short,
            BETWEEN.join(label),
            TOP + ROW * place + ROW / 2,
            axis.x(score),
            f"{score:,.1f}".removesuffix(".0"),
        )
        for place, (short, (label, score)) in enumerate(zip(fitted(labels, chars), shown, strict=True))
    )
    return ScoreRows(TOP + ROW * len(rows) + BOTTOM, axis, rows)
