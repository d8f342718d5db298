"""Scores on one axis: of reviewers, of one tool, of two tools; and how far reviewers are apart."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from markupsafe import Markup

from verdicts.explore.figures.labels import shorten, write_number
from verdicts.explore.figures.svg import LABEL_END, WIDTH, Axis, circle, line, make_axis, rect, svg, text, tooltip

_TOP, _BOTTOM = 6, 22
"""Room above the first row, and below the last for the numbers of the axis."""

_REVIEWER_ROW, _PAIR_ROW = 34, 28
"""Heights of a reviewer's row in a histogram, and in a comparison of two tools."""


def draw_histogram(bins: Sequence[Mapping[str, Any]], step: int = 5) -> Markup | None:
    """From the answer of `score_histogram`: a row of bars for each reviewer, with its mean; None without a reviewer.

    A bar is as high as its share of the reviewer's reviews, on one scale.
    """
    if not bins:
        return None
    axis = make_axis((row["from_score"] for row in bins), LABEL_END + 8, WIDTH - 88)
    most = max(row["reviews"] / row["reviewer_reviews"] for row in bins)
    reviewers = [[*rows] for _, rows in groupby(bins, key=lambda row: row["reviewer"])]
    height = _TOP + _REVIEWER_ROW * len(reviewers) + _BOTTOM
    drawn = [
        mark for number, rows in enumerate(reviewers, 1) for mark in _draw_histogram_row(rows, number, axis, most, step)
    ]
    return svg("chart", WIDTH, height, f"Scores by reviewer, {axis.start} to 100", axis.grid(height), *drawn)


def _draw_histogram_row(
    rows: Sequence[Mapping[str, Any]], number: int, axis: Axis, most: float, step: int
) -> Iterator[Markup]:
    base, reviewer, reviews = _TOP + _REVIEWER_ROW * number, rows[0]["reviewer"], rows[0]["reviewer_reviews"]
    yield text(LABEL_END, base - 4, shorten(reviewer), anchor="end")
    yield axis.base(base)
    for row in rows:
        first = row["from_score"]
        height = (_REVIEWER_ROW - 6) * row["reviews"] / reviews / most
        x, end = axis.x(first), axis.x(min(100, first + step))
        last = 100 if first + step >= 100 else first + step - 1
        says = f"{reviewer}, {first} to {last}: {row['reviews']:,} of {reviews:,} reviews"
        yield rect("bar", x, base - height, max(1.0, end - x - 1), height, says)
    mean = axis.x(rows[0]["reviewer_mean"])
    yield line("median", mean, base - 28, mean, base + 2)
    yield text(axis.right + 8, base - 4, write_number(rows[0]["reviewer_mean"], 1))
    count = f"n {reviews:,}" if reviews < 10_000 else f"n {reviews / 1000:,.0f}k"
    yield text(WIDTH - 2, base - 4, count, "tick", "end")


_STRIP_WIDTH, _STRIP_MARGIN = 190, 24


def strip_axis(scores: Sequence[Sequence[int]]) -> Axis:
    """One axis for all strips of a table."""
    return make_axis((score for row in scores for score in row), _STRIP_MARGIN, _STRIP_WIDTH - _STRIP_MARGIN)


def draw_strip(axis: Axis, reviewers: Sequence[str], scores: Sequence[int]) -> Markup:
    """The scores of a tool, at least one, in ascending order, with the lowest and the highest one."""
    says = ", ".join(f"{reviewer} {score}" for reviewer, score in zip(reviewers, scores, strict=True))
    low, high = axis.x(scores[0]), axis.x(scores[-1])
    return svg(
        "strip",
        _STRIP_WIDTH,
        24,
        says,
        tooltip(says),
        axis.base(12),
        line("span", low, 12, high, 12),
        *(circle("", axis.x(score), 12, 4) for score in scores),
        text(low - 7, 16, f"{scores[0]}", anchor="end"),
        text(high + 7, 16, f"{scores[-1]}" if len(scores) > 1 else ""),
        is_fixed=True,
    )


def draw_dumbbell(reviewers: Sequence[Mapping[str, Any]]) -> Markup:
    """Two tools reviewer by reviewer, from the answer of `page_reviewers`: a disc, a ring, and a line between them."""
    scores = [score for row in reviewers for score in (row["score_a"], row["score_b"]) if score is not None]
    axis = make_axis(scores, LABEL_END + 8, WIDTH - 26)
    height = _TOP + _PAIR_ROW * len(reviewers) + _BOTTOM
    drawn = [
        mark
        for number, row in enumerate(reviewers)
        for mark in _draw_pair(row, _TOP + _PAIR_ROW * number + _PAIR_ROW / 2, axis)
    ]
    says = f"Scores of both tools reviewer by reviewer, {axis.start} to 100"
    return svg("chart", WIDTH, height, says, axis.grid(height), *drawn)


def _draw_pair(row: Mapping[str, Any], y: float, axis: Axis) -> Iterator[Markup]:
    a, b = row["score_a"], row["score_b"]
    yield text(LABEL_END, y + 4, shorten(row["reviewer"]), anchor="end")
    if a is not None and b is not None:
        yield line("between", axis.x(a), y, axis.x(b), y)
    for kind, score, opposite in (("a", a, b), ("b", b, a)):
        if score is not None:
            # Numbers are at the outer sides.
            is_right = kind == "b" if opposite in (None, score) else score > opposite
            yield circle(kind, axis.x(score), y, 5 if kind == "a" else 4)
            x = axis.x(score) + (10 if is_right else -10)
            yield text(x, y + 4, f"{score:.0f}", "value", "start" if is_right else "end")
