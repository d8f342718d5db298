"""Prices on an axis where each step multiplies: of a category, and against scores. Dots are links with names."""

from collections.abc import Mapping, Sequence
from itertools import groupby
from math import log10
from typing import Any
from urllib.parse import urlencode

from markupsafe import Markup

from verdicts.explore.figures.labels import place_labels, shorten, write_number
from verdicts.explore.figures.svg import WIDTH, circle, line, link, make_axis, rect, svg, text
from verdicts.warehouse.serving.named_queries import Label

_PRICES = (1, 10, 100, 1_000, 10_000)
"""Monthly prices marked on their axis, which is logarithmic."""

_LADDER_WIDTH, _MARGIN, _LADDER_HEIGHT, _DOTS_AT = 520, 12, 54, 27

_BASE, _BAR, _DOT = 22, 18, 4.0
"""The base line of price bars, the height of the highest, and the radius of a dot of one tier."""

_NAME_CHARS = 20
"""Room for a name at a dot."""

_LADDER_LETTERS, _LETTERS = 15, 12
"""Sizes of letters on a telephone, in the units of a picture; on a desk they are smaller."""


def _share(amount: float) -> float:
    """A price below $1 or above $10,000 is at the end of the axis."""
    return log10(min(_PRICES[-1], max(1.0, amount))) / log10(_PRICES[-1])


def _x(amount: float) -> float:
    return _MARGIN + (_LADDER_WIDTH - 2 * _MARGIN) * _share(amount)


def price_axis() -> Markup:
    """The marked prices, for the head of the table."""
    anchors = {_PRICES[0]: "start", _PRICES[-1]: "end"}
    ticks = (text(_x(price), 12, f"${price:,}", "tick", anchors.get(price, "middle")) for price in _PRICES)
    return svg("ladder", _LADDER_WIDTH, 16, "Dollars a month", *ticks)


def draw_ladders(prices: Sequence[Mapping[str, Any]]) -> dict[str, Markup]:
    """The monthly prices of each category, from the answer of `price_dots`: dots, or steps if there are too many."""
    return {name: _ladder(name, [*rows]) for name, rows in groupby(prices, key=lambda row: row["category"])}


def _ladder(category: str, rows: Sequence[Mapping[str, Any]]) -> Markup:
    is_binned, most = rows[0]["is_binned"], max(row["tiers"] for row in rows)
    height, y = (26.0, _BASE + 0.5) if is_binned else (_LADDER_HEIGHT, _DOTS_AT)
    grid = [line("grid", _x(price), 2, _x(price), height - 2) for price in _PRICES]
    base = line("base", _MARGIN, y, _LADDER_WIDTH - _MARGIN, y)
    if is_binned:
        marks = [_step(row, most) for row in rows]
    else:
        names = [_name_dot(row) for row in rows]
        dots = [(_x(row["from_usd"]), _DOTS_AT, name) for row, name in zip(rows, names, strict=True)]
        # The base line leaves no room beside a dot.
        spots = place_labels(dots, _LADDER_LETTERS, (0, 0, _LADDER_WIDTH, _LADDER_HEIGHT), 7, is_lone=False)
        marks = [_dot(category, *dot) for dot in zip(rows, names, spots, strict=True)]
    says = f"Monthly prices of {category}, $1 to $10,000"
    return svg("ladder", _LADDER_WIDTH, height, says, *grid, base, *marks, has_links=not is_binned)


def _name_dot(row: Mapping[str, Any]) -> str:
    more = f" +{row['tools'] - 1}" if row["tools"] > 1 else ""
    return shorten(row["names"][0], _NAME_CHARS - len(more)) + more


def _dot(category: str, row: Mapping[str, Any], name: str, spot: tuple[float, float, str] | None) -> Markup:
    more = row["tools"] - len(row["names"])
    who = ", ".join(row["names"]) + (f" and {more:,} more" if more > 0 else "")
    says = f"${row['from_usd']:,.2f} a month: {who}"
    href = f"/tools/{row['tool_id']}" if row["tool_id"] else f"/prices?{urlencode({'category': category})}#cheapest"
    dot = circle("dot", _x(row["from_usd"]), _DOTS_AT, min(7.0, _DOT * row["tiers"] ** 0.25))
    return link(href, says, dot, text(*spot[:2], name, "", spot[2]) if spot else Markup())


def _step(row: Mapping[str, Any], most: int) -> Markup:
    start, end = _x(row["from_usd"]), _x(row["to_usd"])
    height = max(1.0, _BAR * row["tiers"] / most)
    says = f"${row['from_usd']:,.2f} to ${row['to_usd']:,.2f} a month: {row['tiers']:,} tiers"
    return rect("bar", start, _BASE - height, end - start - 1, height, says)


_TOP, _BOTTOM, _LEFT, _FREE, _FIRST, _HEIGHT, _POINT = 10, 226, 30, 60, 98, 246, 3.5
"""Edges of the picture of prices and scores, where free tools stand and $1 does, and the radius of a dot."""


def draw_points(points: Sequence[tuple[Label, float, float, str]]) -> Markup:
    """A dot for each score and monthly price, with a label and the id of its tool: at least one.

    Tools that cost something are named first, the best of them before others.
    """
    axis = make_axis((score for _, score, _, _ in points), _BOTTOM, _TOP)
    right = WIDTH - 26
    ticks = {_FREE: "free", **{_FIRST + (right - _FIRST) * _share(price): f"${price:,}" for price in _PRICES}}
    grid = [
        line("grid", x, _TOP, x, _BOTTOM) + text(x, _HEIGHT - 4, says, "tick", "middle") for x, says in ticks.items()
    ]
    scores = [
        line("grid", _LEFT, axis.x(score), right, axis.x(score))
        + text(_LEFT - 6, axis.x(score) + 4, f"{score}", "tick", "end")
        for score in range(axis.start, 101, 20)
    ]
    ordered = sorted(points, key=lambda point: (point[2] == 0, -point[1]))
    dots: list[tuple[float, float, str]] = []
    for label, score, price, _ in ordered:
        y = axis.x(score)
        # Free tools with one score stand side by side.
        beside = [x for x, dot_y, _ in dots if abs(dot_y - y) < 2 * _POINT]
        free = next((x for x in range(_FREE - 14, _FREE + 15, 7) if x not in beside), _FREE)
        dots.append((_FIRST + (right - _FIRST) * _share(price) if price else free, y, shorten(label[0], _NAME_CHARS)))
    marks = [
        link(
            f"/tools/{tool_id}",
            f"{' · '.join(label)}: {f'${price:,.2f} a month' if price else 'free'}, mean score"
            f" {write_number(score, 1)}",
            circle("dot", x, y, _POINT),
            text(*spot[:2], name, "", spot[2]) if spot else Markup(),
        )
        for (label, score, price, tool_id), (x, y, name), spot in zip(
            ordered, dots, place_labels(dots, _LETTERS, (_LEFT, 0, WIDTH, _BOTTOM), _POINT, is_lone=True), strict=True
        )
    ]
    says = f"Mean scores, {axis.start} to 100, by monthly price, free to $10,000"
    return svg("chart", WIDTH, _HEIGHT, says, *grid, *scores, *marks, has_links=True)
