"""Which cells of a table name tools, found from the table and the page alone: points for independent evidence. Pure.

Entities stand in rows in 94 % of the web's tables, which is a prior and decides nothing. What the evidence does not
settle names nothing.
"""

import re
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass
from typing import TypeAlias

from extract.generic.axis_words import (
    ACCEPTED_POINTS,
    AHEAD_POINTS,
    EMPTY_SHARE_MAX,
    FEATURE_WORDS,
    KINDS_MIN,
    PLAN_WORDS,
    POINTS,
    PRODUCT_ATTRIBUTES,
    SHARE,
    TOOL_WORDS,
    Evidence,
)
from extract.generic.list_words import NAME_MAX, RANKED, WORDS_MAX
from extract.generic.stated import key
from extract.grids.grid import Grid
from extract.html.cell_text import CellText

LABEL_COLUMNS_MAX = 3
"""Columns from the edge among which the names stand: behind a rank, a picture."""

_PRICE = re.compile(r"(?:[$€£¥₹]\s?\d[\d.,]*+|(?<![\d.,])\d[\d.,]*+\s?[$€£¥₹])(?:\s?/\s?\w++)?|free", re.IGNORECASE)
_NUMBER = re.compile(r"[\d.,]++\s?(?:%|/\s?\d++)?")
_FLAG = re.compile(r"yes|no|✓|✗|✔|✘", re.IGNORECASE)

_Lines: TypeAlias = Sequence[Sequence[CellText]]


@dataclass(frozen=True, slots=True)
class PageNames:
    """What the page says of names outside its tables: keys of its title and headings, and of stated products."""

    headings: Set[str]
    stated: Set[str]


@dataclass(frozen=True, slots=True)
class Axis:
    """The tools of a table in its order: names as its cells have them, where each leads, and the evidence for them."""

    names: tuple[str, ...]
    links: tuple[str | None, ...]
    evidence: frozenset[Evidence]

    @property
    def points(self) -> int:
        return sum(POINTS[kind] for kind in self.evidence)


def find_axis(grid: Grid, page: PageNames) -> Axis | None:
    """The tools of a table; None where the evidence does not settle which cells name them, or that any do."""
    lines = _lines(grid)
    if not is_genuine(grid):
        return None
    ways = [_axis(lines, page, TOOL_WORDS), _axis([*zip(*lines, strict=True)], page, FEATURE_WORDS)]
    found = sorted((axis for axis in ways if axis is not None), key=lambda axis: -axis.points)
    if not found or found[0].points < ACCEPTED_POINTS or len(found[0].evidence) < KINDS_MIN:
        return None
    if len(found) > 1 and found[0].points - found[1].points < AHEAD_POINTS:
        return None
    # Songs and countries have rows with links and numbers, too.
    return found[0] if found[0].evidence & {"attributes", "stated"} else None


def is_genuine(grid: Grid) -> bool:
    """Whether a grid is a table of data: two columns and three rows or more, filled, and not only an arrangement."""
    if grid.is_presentation or grid.shape == "parts" or grid.depth or grid.columns < 2 or grid.rows < 3:
        return False
    texts = [text for row in grid.texts() for text in row]
    return texts.count("") <= EMPTY_SHARE_MAX * len(texts)


def _lines(grid: Grid) -> _Lines:
    """Rows without those of one cell, which are titles."""
    titles = {cell.row for cell in grid.cells if cell.columns == grid.columns > 1}
    return [row for number, row in enumerate(grid.places()) if number not in titles]


def _axis(lines: _Lines, page: PageNames, corners: Set[str]) -> Axis | None:
    """The names that stand below each other, the first line being heads."""
    if len(lines) < 3 or len(lines[0]) < 2:
        return None
    for column in range(min(LABEL_COLUMNS_MAX, len(lines[0]) - 1)):
        cells = [line[column] for line in lines[1:]]
        names = tuple(unranked(cell.text or "") for cell in cells)
        if all(map(_is_name, names)) and len({*map(key, names)}) == len(names):
            if _share([key(name) for name in names], PLAN_WORDS.__contains__) >= SHARE:
                return None
            links = tuple(cell.links[0] if len({*cell.links}) == 1 else None for cell in cells)
            evidence = frozenset(_evidence(lines, column, names, links, page, corners))
            return Axis(tuple(cell.text or "" for cell in cells), links, evidence)
    return None


def unranked(text: str) -> str:
    """`1. Alpha` is Alpha."""
    ranked = RANKED.fullmatch(text)
    return text if ranked is None else ranked[2] or ranked[4]


def _is_name(name: str) -> bool:
    is_value = any(form.fullmatch(name) for form in (_PRICE, _NUMBER, _FLAG))
    return bool(key(name)) and len(name) <= NAME_MAX and len(name.split()) <= WORDS_MAX and not is_value


def _evidence(
    lines: _Lines,
    column: int,
    names: Sequence[str],
    links: Sequence[str | None],
    page: PageNames,
    corners: Set[str],
) -> Iterator[Evidence]:
    keys = [key(name) for name in names]
    if _share(keys, page.headings.__contains__) >= SHARE:
        yield "headings"
    if _share(keys, page.stated.__contains__) >= SHARE:
        yield "stated"
    targets = [link for link in links if link is not None]
    if len(targets) >= SHARE * len(names) and len({*targets}) == len(targets):
        yield "links"
    if key(lines[0][column].text or "") in corners:
        yield "corner"
    heads = [key(cell.text or "") for cell in lines[0][column + 1 :]]
    if _share(heads, PRODUCT_ATTRIBUTES.__contains__) >= SHARE:
        yield "attributes"
    values = [[line[other].text or "" for line in lines[1:]] for other in range(column + 1, len(lines[0]))]
    if any(all(form.fullmatch(value) for value in of_one) for of_one in values for form in (_PRICE, _NUMBER, _FLAG)):
        yield "types"


def _share(keys: Sequence[str], holds: Callable[[str], bool]) -> float:
    return sum(map(holds, keys)) / len(keys)
