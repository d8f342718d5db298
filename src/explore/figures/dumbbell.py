"""Two tools seat by seat: a disc and a ring on one axis, and a line between them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from verdicts.explore.figures.axis import Axis, axis_of
from verdicts.explore.figures.labels import shortened

WIDTH, LEFT, RIGHT = 400, 68, 26
ROW, TOP, BOTTOM = 28, 6, 22
LABEL_CHARS = 8


@dataclass(frozen=True, slots=True)
class Mark:
    """A score of one tool; its number stands at the outer side, `anchor` as in SVG."""

    x: float
    score: str
    label_x: float
    anchor: str


@dataclass(frozen=True, slots=True)
class DumbbellRow:
    """A seat; a tool that it does not score has no mark."""

    label: str
    y: float
    a: Mark | None
    b: Mark | None


@dataclass(frozen=True, slots=True)
class Dumbbell:
    """The rows in the order of the answer."""

    height: float
    axis: Axis
    rows: tuple[DumbbellRow, ...]


def dumbbell_of(seats: Sequence[Mapping[str, Any]]) -> Dumbbell:
    """Of the answer of `page_seats`."""
    told = [score for row in seats for score in (row["score_a"], row["score_b"]) if score is not None]
    axis = axis_of(told, LEFT, WIDTH - RIGHT)

    def mark(score: float | None, other: float | None, *, is_right: bool) -> Mark | None:
        if score is None:
            return None
        right = is_right if other is None or score == other else score > other
        x = axis.x(score)
        return Mark(x, f"{score:.0f}", x + (10 if right else -10), "start" if right else "end")

    rows = tuple(
        DumbbellRow(
            shortened(row["seat"], LABEL_CHARS),
            TOP + ROW * place + ROW / 2,
            mark(row["score_a"], row["score_b"], is_right=False),
            mark(row["score_b"], row["score_a"], is_right=True),
        )
        for place, row in enumerate(seats)
    )
    return Dumbbell(TOP + ROW * len(rows) + BOTTOM, axis, rows)
