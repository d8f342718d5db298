"""The picture that a question declares, of its answer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from verdicts.explore.figures.bars import Bars, bars_of
from verdicts.explore.figures.lines import Line, line_of
from verdicts.explore.figures.score_rows import ScoreRows, score_rows_of
from verdicts.warehouse.serving.named_queries import Picture, row_labels


@dataclass(frozen=True, slots=True)
class Drawn:
    """A picture, and the name of the macro that draws it."""

    macro: str
    figure: Bars | ScoreRows | Line


def drawn(picture: Picture, rows: Sequence[Mapping[str, Any]]) -> Drawn | None:
    """None where no picture fits: the question declares none, no row has a value, or a time has several."""
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
