"""The picture that a question declares for its answer: a bar, a dot or a point for each row."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from markupsafe import Markup

from verdicts.explore.figures.labels import BETWEEN, fit_labels, measure_label, write_number
from verdicts.explore.figures.price_charts import draw_points
from verdicts.explore.figures.svg import WIDTH, circle, group, make_axis, rect, svg, text
from verdicts.warehouse.serving.named_queries import Label, Picture, row_labels

ROWS_MAX = 40
"""The most labelled rows of a picture: the first of the answer."""

_ROW, _TOP = 22, 4

Labelled = Sequence[tuple[Label, float]]


def draw_answer(picture: Picture, rows: Sequence[Mapping[str, Any]]) -> Markup | None:
    """None if the question declares no picture, or no row has a value."""
    if picture.value is None:
        return None
    first, value = picture.labels[0], picture.value
    drawn_rows = [row for row in rows if row[first] is not None and row[value] is not None]
    if not drawn_rows:
        return None
    labels = row_labels([[_write_value(row[column]) for column in picture.labels] for row in drawn_rows])
    if picture.against is not None:
        prices = [row[picture.against] for row in drawn_rows]
        ids = [row["tool_id"] for row in drawn_rows]
        return draw_points(
            [
                (label, row[value], price, id_)
                for label, row, price, id_ in zip(labels, drawn_rows, prices, ids, strict=True)
            ]
        )
    labelled = [(label, float(row[value])) for label, row in zip(labels, drawn_rows, strict=True)]
    return draw_score_rows(labelled) if picture.kind == "strip" else draw_bars(labelled)


def _write_value(value: object) -> str | None:
    if value is None:
        return None
    return f"{value:%Y-%m-%d}" if isinstance(value, datetime) else str(value)


def draw_bars(rows: Labelled) -> Markup:
    """One bar per row, in order. The largest value has the longest bar; a value below zero has no bar."""
    rows = rows[:ROWS_MAX]
    left, chars = (240, 32) if _are_long(rows, 21) else (160, 21)
    most = max((value for _, value in rows), default=0) or 1
    marks = []
    for number, (label, says, value) in enumerate(_make_labels(rows, chars)):
        y, length = _TOP + _ROW * number, max(0, (WIDTH - left - 52) * rows[number][1] / most)
        name = text(left - 8, y + 15, label, anchor="end")
        bar = rect("bar", left, y + 3, length, 15)
        marks.append(group(says, name, bar, text(left + 6 + length, y + 15, value, "value")))
    return svg("chart", WIDTH, _TOP + _ROW * len(rows), "Bars from zero", *marks)


def draw_score_rows(rows: Labelled) -> Markup:
    """One dot per row on the axis of scores."""
    rows = rows[:ROWS_MAX]
    left, chars = (210, 28) if _are_long(rows, 16) else (124, 16)
    axis, height = make_axis((score for _, score in rows), left, WIDTH - 36), _TOP + _ROW * len(rows) + 22
    marks = []
    for number, (label, says, value) in enumerate(_make_labels(rows, chars)):
        y = _TOP + _ROW * (number + 0.5)
        name = text(left - 8, y + 4, label, anchor="end")
        dot = circle("a", axis.x(rows[number][1]), y, 4.5)
        marks.append(group(says, name, axis.base(y), dot, text(WIDTH - 2, y + 4, value, "value", "end")))
    return svg("chart", WIDTH, height, f"Scores, {axis.start} to 100", axis.grid(height), *marks)


def _are_long(rows: Labelled, chars: int) -> bool:
    """Whether some labels have several parts or more letters, and so need more room."""
    return any(len(label) > 1 or measure_label(label[0]) > chars for label, _ in rows)


def _make_labels(rows: Labelled, chars: int) -> list[tuple[str, str, str]]:
    """The short label, tooltip and value of each row."""
    values = _write_distinct([value for _, value in rows])
    short = fit_labels([label for label, _ in rows], chars)
    return [
        (label, f"{BETWEEN.join(whole)}: {value}", value)
        for label, (whole, _), value in zip(short, rows, values, strict=True)
    ]


def _write_distinct(values: Sequence[float]) -> list[str]:
    """Each number with one decimal; with more if two different ones would else be written alike: 0.25 and 0.2."""
    for decimals in (1, 2, 3):
        texts = [write_number(value, decimals).removesuffix(".0") for value in values]
        if len({*texts}) == len({*values}):
            break
    return texts
