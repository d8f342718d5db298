"""A lower triangle: two seats a cell, how far they are apart as a tone."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

STEPS = (5.0, 8.0, 11.0, 14.0)
"""Points of mean distance from which a cell has the next tone. Two takes by one person differ by some 3."""


@dataclass(frozen=True, slots=True)
class Cell:
    """Two seats that scored the same tools. `tone` is 0 to 4, the last furthest apart."""

    tone: int
    distance: float
    opposite_pct: float
    takes: int


@dataclass(frozen=True, slots=True)
class HeatmapRow:
    """A seat beside those before it; None where two seats share no tool."""

    seat: str
    cells: tuple[Cell | None, ...]


@dataclass(frozen=True, slots=True)
class Heatmap:
    """`columns` are all seats but the last, the rows all but the first."""

    columns: tuple[str, ...]
    rows: tuple[HeatmapRow, ...]


def heatmap_of(seats: Sequence[str], pairs: Sequence[Mapping[str, Any]]) -> Heatmap:
    """The seats in this order; pairs are of the answer of `seats_that_disagree`."""
    by_seats = {frozenset((pair["seat"], pair["other_seat"])): _cell(pair) for pair in pairs}
    rows = (
        HeatmapRow(seat, tuple(by_seats.get(frozenset((seat, other))) for other in seats[:place]))
        for place, seat in enumerate(seats)
        if place
    )
    return Heatmap(tuple(seats[:-1]), tuple(rows))


def _cell(pair: Mapping[str, Any]) -> Cell:
    distance = pair["mean_distance"]
    tone = sum(distance >= step for step in STEPS)
    return Cell(tone, distance, pair["opposite_verdicts_pct"], pair["takes_compared"])
