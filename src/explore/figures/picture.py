"""The picture that a question declares, of its answer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from explore.figures.bars import Bars, bars_of
from explore.figures.lines import Line, line_of
from explore.figures.score_rows import ScoreRows, score_rows_of


@dataclass(frozen=True, slots=True)
class Drawn:
    """A picture, and the name of the macro that draws it."""

    macro: str
    figure: Bars | ScoreRows | Line


def drawn(kind: str, label: str | None, value: str | None, rows: Sequence[Mapping[str, Any]]) -> Drawn | None:
    """None where no picture fits: the question declares none, or no row has a value."""
    if label is None or value is None:
        return None
    told = [(row[label], row[value]) for row in rows if row[label] is not None and row[value] is not None]
    if not told:
        return None
    if kind == "lines":
        return Drawn("lines", line_of(told))
    named = [(str(name), float(number)) for name, number in told]
    return Drawn("score_rows", score_rows_of(named)) if kind == "strip" else Drawn("bars", bars_of(named))
