"""An axis of scores, and where a score stands on it."""

from collections.abc import Iterable
from dataclasses import dataclass

USUAL_START, END = 40, 100
"""Scores below 40 are rare: an axis begins there, at 0 once there is one of them. It never fits itself to the data."""


@dataclass(frozen=True, slots=True)
class Axis:
    """Scores from `start` to 100 between the units `left` and `right` of a picture."""

    start: int
    left: float
    right: float

    def x(self, score: float) -> float:
        """Where a score stands."""
        return round(self.left + (self.right - self.left) * (score - self.start) / (END - self.start), 1)

    @property
    def ticks(self) -> tuple[tuple[float, str], ...]:
        """Where the axis is numbered."""
        step = 10 if self.start else 20
        return tuple((self.x(score), str(score)) for score in range(self.start, END + 1, step))


def axis_of(scores: Iterable[float], left: float, right: float) -> Axis:
    """The axis for some scores."""
    return Axis(USUAL_START if min(scores, default=END) >= USUAL_START else 0, left, right)
