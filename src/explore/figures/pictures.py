"""The picture that a question declares for its answer, and a heatmap of two seats per cell."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from verdicts.explore.figures.bars import Bars, bars_of
from verdicts.explore.figures.dots import Line, ScoreRows, line_of, score_rows_of
from verdicts.warehouse.serving.named_queries import Picture, row_labels

STEPS = (5.0, 8.0, 11.0, 14.0)
"""Mean distances in points at which a cell gets the next tone. Two takes by one person differ by some 3."""


@dataclass(frozen=True, slots=True)
class Cell:
    """Two seats that scored the same tools. `tone` is 0 to 4 for the largest distance."""

    tone: int
    distance: float
    opposite_pct: float
    takes: int


@dataclass(frozen=True, slots=True)
class HeatmapRow:
    """A seat beside those before it; None if two seats share no tool."""

    seat: str
    cells: tuple[Cell | None, ...]


@dataclass(frozen=True, slots=True)
class Heatmap:
    """A lower triangle: `columns` are all seats but the last, the rows all but the first."""

    columns: tuple[str, ...]
    rows: tuple[HeatmapRow, ...]


def heatmap_of(seats: Sequence[str], pairs: Sequence[Mapping[str, Any]]) -> Heatmap:
    """The seats in this order; pairs are from the answer of `seats_that_disagree`."""
    by_seats = {frozenset((pair["seat"], pair["other_seat"])): _cell(pair) for pair in pairs}
    rows = (
        HeatmapRow(seat, tuple(by_seats.get(frozenset((seat, other))) for other in seats[:number]))
        for number, seat in enumerate(seats)
        if number
    )
    return Heatmap(tuple(seats[:-1]), tuple(rows))


def _cell(pair: Mapping[str, Any]) -> Cell:
    distance = pair["mean_distance"]
    tone = sum(distance >= step for step in STEPS)
    return Cell(tone, distance, pair["opposite_verdicts_pct"], pair["takes_compared"])


@dataclass(frozen=True, slots=True)
class Drawn:
    """A picture, and the name of the macro that draws it."""

    macro: str
    figure: Bars | ScoreRows | Line


def drawn(picture: Picture, rows: Sequence[Mapping[str, Any]]) -> Drawn | None:
    """None if the question declares no picture, no row has a value, or a time has several."""
    if picture.value is None:
        return None
    first, value = picture.labels[0], picture.value
    told = [row for row in rows if row[first] is not None and row[value] is not None]
    if not told:
        return None
    if picture.kind == "lines":
        points = [(row[first], row[value]) for row in told]
        return Drawn("lines", line_of(points)) if len({moment for moment, _ in points}) == len(points) else None
    labels = row_labels([[_text(row[column]) for column in picture.labels] for row in told])
    named = [(label, float(row[value])) for label, row in zip(labels, told, strict=True)]
    return Drawn("score_rows", score_rows_of(named)) if picture.kind == "strip" else Drawn("bars", bars_of(named))


def _text(value: object) -> str | None:
    if value is None:
        return None
    return f"{value:%Y-%m-%d}" if isinstance(value, datetime) else str(value)
