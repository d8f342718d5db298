"""The bars of an answer, where its question is about a distribution."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verdicts.pipeline.terminal import block_bar

if TYPE_CHECKING:
    from verdicts.warehouse.serving.named_queries import Picture
    from verdicts.warehouse.serving.query import Answer

WIDTH = 24
"""Characters of the longest bar."""


def bars_of(answer: Answer, picture: Picture | None, *, is_ascii: bool) -> list[str] | None:
    """A bar for each row, the largest value `WIDTH` long; NULL has none.

    None where there is nothing to draw: another picture, a single row, no number above 0, or one below 0, where bars
    begin.
    """
    if picture is None or picture.kind != "bars" or picture.value is None:
        return None
    place = answer.columns.index(picture.value)
    values = [float(row[place] or 0) for row in answer.rows]
    largest = max(values, default=0.0)
    if len(values) < 2 or largest <= 0 or min(values) < 0:
        return None
    bars = [block_bar(value / largest, WIDTH) for value in values]
    return ["#" * len(bar) for bar in bars] if is_ascii else bars
