"""Finds the tool and the reviewer of each cell of the scorecard."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TypeAlias

from msgspec import Struct

from verdicts.corpus.enumerations import SIDES, Side
from verdicts.extract.model.blocks import fold
from verdicts.extract.panel.profile import PageWords
from verdicts.extract.panel.take_heads import Opening
from verdicts.extract.panel.texts import TOOLS, Labels, Texts

REVIEWER_MAX = 40
"""The most characters of a reviewer, which is a word or two."""

Votes: TypeAlias = tuple[int, int] | None
"""The panel's votes for and against a tool; None if the page does not say."""

PanelVotes: TypeAlias = tuple[Votes, Votes]
"""The votes on A and on B."""


class SeatedCell(Struct, frozen=True):
    """A head with its reviewer, side and row."""

    row: int
    side: Side
    reviewer: str
    opening: Opening


class Cells(Struct, frozen=True):
    """One way to give each head its tool and its reviewer. `problem` says why it cannot be trusted.

    `labels` are the texts that name tools, `reviewers` those that name reviewers; `copies` repeat another row.
    `inferred` are reviewers with one cell, whose side comes from the votes. `is_ordered`: no name and no column tells
    the tools, only the order of the cells.
    """

    cells: tuple[SeatedCell, ...] = ()
    reviewers: tuple[int, ...] = ()
    labels: tuple[int, ...] = ()
    copies: tuple[int, ...] = ()
    inferred: tuple[int, ...] = ()
    is_ordered: bool = False
    problem: str | None = None


def cell_readings(
    texts: Texts, openings: Sequence[Opening], names: tuple[str, str], votes: PanelVotes
) -> Iterator[Cells]:
    """The ways to read the cells, the likeliest first: names may be labels or words, reviewers known or unknown."""
    for named in _list_name_sets(texts, openings, names):
        sides, problem = _find_sides(texts, openings, names, named)
        seated = False
        for reviewers in _reviewer_ways(texts, openings, named):
            seated = True
            cells = _reviewer_cells(texts, openings, reviewers, named, sides, votes)
            yield cells if problem is None else Cells(problem=problem)
        if not seated:
            yield Cells(problem="row 1 of the scorecard names no reviewer")


# The tools of the cells.

Sides: TypeAlias = tuple[Mapping[int, Side], tuple[Side, Side], bool]
"""The sides of the heads, by their first text, as far as a name or a column tells them; the order of the others; and
whether no name tells any of them."""


def _list_name_sets(texts: Texts, openings: Sequence[Opening], names: tuple[str, str]) -> Iterator[Sequence[int]]:
    """The texts that name a tool: all, or none if the names only stand behind heads."""
    folded, most = tuple(map(fold, names)), max(map(len, names)) + 4
    inside = {index for cell in openings for index in range(cell.first, cell.last + 1)}
    named = [
        index
        for index, text in enumerate(texts.folded)
        if text in folded and index not in inside and 0 < len(texts[index].text) <= most
    ]
    yield named
    if named and named[0] > openings[0].first:
        yield []


def _find_sides(
    texts: Texts, openings: Sequence[Opening], names: tuple[str, str], named: Sequence[int]
) -> tuple[Sides, str | None]:
    """Both names before the first head are those of the columns; any other name owns what follows it."""
    folded = tuple(map(fold, names))
    is_one = folded[0] == folded[1]
    of_names = {
        index: SIDES[number % TOOLS if is_one else folded.index(texts.folded[index])]
        for number, index in enumerate(named)
    }
    head, order = [index for index in named if index < openings[0].first][:TOOLS], SIDES
    owners: Mapping[int, int | None] = {}
    if len(head) == TOOLS:
        if {of_names[index] for index in head} != {*SIDES}:
            return ({}, SIDES, False), "both columns of the scorecard name the same tool"
        order = (of_names[head[0]], of_names[head[1]])
    if named and (len(head) < TOOLS or len(named) > TOOLS):
        labels = Labels(texts, named[TOOLS:] if len(head) == TOOLS else named)
        owners = {opening.first: labels.find_owner(opening.first) for opening in openings}
    sides = {first: of_names[owner] for first, owner in owners.items() if owner is not None}
    return (sides or _sides_by_column(texts, openings, order), order, not named), None


def _sides_by_column(texts: Texts, openings: Sequence[Opening], order: tuple[Side, Side]) -> Mapping[int, Side]:
    """The sides of the cells of a table in two columns; nothing for others."""
    cells = {opening.first: cell for opening in openings if (cell := texts[opening.first].cell) is not None}
    columns = sorted(
        {cells[opening.first].column for opening in openings if opening.is_take and opening.first in cells}
    )
    is_table = len(cells) == len(openings) and len({cell.table for cell in cells.values()}) == 1
    if not is_table or len(columns) != TOOLS:
        return {}
    return {first: order[cell.column >= columns[1]] for first, cell in cells.items()}


# The reviewers of the cells.


def reviewer_name(text: str, words: PageWords) -> str:
    """The reviewer as the page names it, without a remark or number beside a known name."""
    return _read_reviewer(text, words) or text


def is_reviewer_with_words(text: str, words: PageWords) -> bool:
    """Whether a known reviewer has other words beside it: `Builder Changed their mind`."""
    return _read_reviewer(text, words) is None and not words.reviewers.isdisjoint(fold(text).split())


def _reviewer_ways(texts: Texts, openings: Sequence[Opening], named: Sequence[int]) -> Iterator[list[int]]:
    """Ways to find the reviewers: by the words of known ones, by their position."""
    inside = {index for cell in openings for index in range(cell.first, cell.last + 1)} | {*named}
    head = [index for index in named if index < openings[0].first]
    start = head[TOOLS - 1] + 1 if len(head) >= TOOLS else 0
    free = [index for index in range(start, len(texts)) if index not in inside and _may_be_reviewer(texts, index)]
    known_reviewers = [index for index in free if _read_reviewer(texts[index].text, texts.words) is not None]
    if known_reviewers:
        yield known_reviewers
    before = [next((at for at in range(cell.first - 1, -1, -1) if at not in named), -1) for cell in openings]
    for by_place in (before[::TOOLS], before):
        if all(index in free for index in by_place) and {*known_reviewers} <= {*by_place}:
            yield by_place
            break


@lru_cache(maxsize=8192)
def _read_reviewer(text: str, words: PageWords) -> str | None:
    match = words.reviewer_with_remark.match(text) if 0 < len(text) <= REVIEWER_MAX else None
    return None if match is None else match["reviewer"]


def _may_be_reviewer(texts: Texts, index: int) -> bool:
    text = texts[index].text
    if not 0 < len(text) <= REVIEWER_MAX or text[-1] in ".!?" or texts.folded[index] in texts.words.column_heads:
        return False
    return texts.words.boilerplate.fullmatch(text) is None


# The rows.


def _reviewer_cells(
    texts: Texts,
    openings: Sequence[Opening],
    reviewers: Sequence[int],
    named: Sequence[int],
    sides: Sides,
    votes: PanelVotes,
) -> Cells:
    of_cells, order, is_ordered = sides
    owned = _assign_heads(texts, openings, reviewers, of_cells)
    if sum(map(len, owned.values())) != len(openings):
        return Cells(problem="row 1 of the scorecard names no reviewer")
    kept, copies = _without_copies(texts, owned)
    names = {reviewer: reviewer_name(texts[reviewer].text, texts.words) for reviewer in reviewers}
    rows: dict[str, list[int]] = {}
    for reviewer in kept:
        if owned[reviewer]:
            rows.setdefault(fold(names[reviewer]), []).append(reviewer)
    placed: dict[str, dict[Side, Opening]] = {}
    for row, of_row in rows.items():
        cells = [cell for reviewer in of_row for cell in owned[reviewer]]
        name = names[of_row[0]]
        by_side, problem = _one_a_side(cells, of_cells, order, name)
        if problem is not None:
            return Cells(problem=problem)
        placed[row] = by_side
    inferred = [rows[row][0] for row, by_side in placed.items() if not by_side]
    needed = _find_single_side(placed, len(inferred), votes)
    for reviewer in inferred:
        cell = owned[reviewer][0]
        if needed is None or not cell.is_take:
            return Cells(problem=f"the row of {names[reviewer]} does not have one cell for each tool")
        placed[fold(names[reviewer])] = {needed: cell, SIDES[1 - SIDES.index(needed)]: Opening(reviewer, reviewer)}
    numbers = {row: number for number, row in enumerate(_order_rows(placed))}
    seated = [
        SeatedCell(numbers[row], side, names[rows[row][0]], cell)
        for row, by_side in placed.items()
        for side, cell in by_side.items()
    ]
    return Cells(
        tuple(sorted(seated, key=lambda cell: (cell.row, cell.side))),
        (*reviewers,),
        (*named,),
        (*copies,),
        (*inferred,),
        is_ordered,
    )


def _assign_heads(
    texts: Texts, openings: Sequence[Opening], reviewers: Sequence[int], sides: Mapping[int, Side]
) -> Mapping[int, list[Opening]]:
    """The heads of each reviewer. A run of reviewers before all heads owns as many of each tool, in order."""
    labels = Labels(texts, reviewers)
    owned: dict[int, list[Opening]] = {reviewer: [] for reviewer in reviewers}
    by_side = [[cell for cell in openings if sides.get(cell.first) == side] for side in SIDES]
    if len(reviewers) > 1 and reviewers[-1] < openings[0].first and texts[openings[0].first].cell is None:
        if all(len(cells) == len(reviewers) for cells in by_side):
            for cells in by_side:
                for reviewer, cell in zip(reviewers, cells, strict=True):
                    owned[reviewer].append(cell)
        return owned
    for cell in openings:
        if (owner := labels.find_owner(cell.first)) is not None:
            owned[owner].append(cell)
    return owned


def _without_copies(texts: Texts, owned: Mapping[int, Sequence[Opening]]) -> tuple[Sequence[int], list[int]]:
    """The reviewers whose rows do not repeat another one, and the texts of the others.

    A carousel repeats its last rows above the first, and as many below.
    """
    reviewers = [reviewer for reviewer, cells in owned.items() if cells]
    names = [texts.folded[reviewer] for reviewer in reviewers]
    ends = dict(zip(owned, [*[*owned][1:], len(texts)], strict=True))
    different = len({*names})
    if different == len(names) or not all(len(owned[reviewer]) >= TOOLS for reviewer in reviewers):
        return reviewers, []
    above = (len(names) - different) // 2
    kept = reviewers[above : above + different]
    row_texts = {
        reviewer: tuple(texts[index].text for index in range(reviewer, ends[reviewer]) if texts[index].text)
        for reviewer in reviewers
    }
    if {row_texts[reviewer] for reviewer in kept} != {*row_texts.values()}:
        return reviewers, []
    return kept, [index for reviewer in reviewers if reviewer not in kept for index in range(reviewer, ends[reviewer])]


def _one_a_side(
    cells: Sequence[Opening], sides: Mapping[int, Side], order: tuple[Side, Side], name: str
) -> tuple[dict[Side, Opening], str | None]:
    """The cells of a row by side; empty if the side of its only cell is open. Beside a take an empty cell is none."""
    by_side: dict[Side, list[Opening]] = {
        side: [cell for cell in cells if sides.get(cell.first) == side] for side in order
    }
    unnamed = [cell for cell in cells if cell.first not in sides]
    if unnamed and len(unnamed) == len(cells):
        if len(cells) == 1:
            return {}, None
        if len(cells) > TOOLS:
            return {}, f"the row of {name} has more than two cells"
        return dict(zip(order, cells, strict=True)), None
    if unnamed:
        return {}, f"the row of {name} does not have one cell for each tool"
    read: dict[Side, Opening] = {}
    for side, side_cells in by_side.items():
        takes = [cell for cell in side_cells if cell.is_take]
        if len(takes) > 1:
            return {}, f"{name} stands twice in the column of one tool"
        if side_cells:
            read[side] = (takes or side_cells)[0]
    return read, None


def _find_single_side(placed: Mapping[str, Mapping[Side, Opening]], count: int, votes: PanelVotes) -> Side | None:
    """The side that needs exactly the single takes by the votes, if the other side needs none."""
    if None in votes:
        return None
    needed = {
        side: sum(tool_votes or ()) - sum(side in row and row[side].is_take for row in placed.values())
        for side, tool_votes in zip(SIDES, votes, strict=True)
    }
    return next(
        (side for side, other_side in (SIDES, SIDES[::-1]) if needed[side] == count and needed[other_side] == 0), None
    )


def _order_rows(placed: Mapping[str, Mapping[Side, Opening]]) -> Sequence[str]:
    """Merges the orders of both tools; a reviewer only of the second keeps its predecessor."""
    runs = {
        side: sorted((row for row, cells in placed.items() if side in cells), key=lambda row: placed[row][side].first)
        for side in SIDES
    }
    merged = list(runs["a"])
    for index, row in enumerate(runs["b"]):
        if row not in merged:
            merged.insert(merged.index(runs["b"][index - 1]) + 1 if index else 0, row)
    return merged
