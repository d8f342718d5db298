"""The scores of a tool as dots on a line, the harshest and the keenest seat lettered."""

from collections.abc import Sequence
from dataclasses import dataclass

from verdicts.explore.figures.axis import Axis, axis_of

WIDTH, HEIGHT, MARGIN = 132, 20, 21


@dataclass(frozen=True, slots=True)
class Strip:
    """Dots from left to right; the letters stand outside the outermost."""

    dots: tuple[float, ...]
    low: str
    high: str
    says: str


def strip_axis(scores: Sequence[Sequence[int]]) -> Axis:
    """One axis for all the strips of a table."""
    return axis_of((score for row in scores for score in row), MARGIN, WIDTH - MARGIN)


def strip_of(axis: Axis, seats: Sequence[str], scores: Sequence[int]) -> Strip:
    """Seats and their scores come from the lowest score to the highest, at least one."""
    says = ", ".join(f"{seat} {score}" for seat, score in zip(seats, scores, strict=True))
    dots = tuple(map(axis.x, scores))
    return Strip(dots, seats[0][:2], seats[-1][:2] if len(seats) > 1 else "", says)
