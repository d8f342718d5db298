"""The two cells of a row: those that are opened, and what stands in the place of one that has no take."""

from collections import Counter
from collections.abc import Mapping, Sequence

from verdicts.corpus.enumerations import SIDES, Side
from verdicts.extract.model.blocks import Block, fold, shared_depth
from verdicts.extract.model.errors import PageRejected
from verdicts.extract.panel.scorecard.take_columns import TOOLS, Columns
from verdicts.extract.panel.scorecard.take_heads import Opening

NONE_MAX = 60
"""Characters of words that say there is no take, whatever they are: `The panel has not reviewed this one yet`."""

COLUMNS_MAX = 60
"""Columns of a table, at most."""

PanelVotes = tuple[int | None, int | None]
"""Takes of A and of B that the page's votes say there are; None where it shows no votes."""


def a_row_a_seat(
    texts: Sequence[Block], owned: Mapping[int, list[Opening]], columns: Columns
) -> dict[int, list[Opening]]:
    """A seat that stands in each of its two cells is one row: the cells of the second belong to the first."""
    seats = list(owned)
    pairs = list(zip(seats[::TOOLS], seats[1::TOOLS], strict=False))
    is_in_each = len(seats) % TOOLS == 0 and all(len(cells) == 1 for cells in owned.values())
    if columns.sides is not None or not is_in_each:
        return dict(owned)
    if any(fold(texts[first].text) != fold(texts[second].text) for first, second in pairs):
        return dict(owned)
    return {first: [*owned[first], *owned[second]] for first, second in pairs}


def one_a_side(
    texts: Sequence[Block], seat: int, cells: Sequence[Opening], columns: Columns, end: int
) -> list[tuple[Side, Opening]]:
    """The cells of a row by side. Several empty ones of a side are one; beside a take they are nothing.

    A cell that names no tool is that of the tool whose cell is not there. In a table, what stands in the place of a
    cell in unknown words says that there is no take.
    """
    sides = columns.sides or {}
    named = {side: [cell for cell in cells if sides.get(cell.first) == side] for side in SIDES}
    unnamed = [cell for cell in cells if cell.first not in sides]
    found: list[tuple[Side, Opening]] = []
    for side in columns.order:
        own = named[side] or unnamed[:1]
        unnamed = unnamed if named[side] else unnamed[1:]
        said = [] if own else _in_its_place(texts, range(seat + 1, end), columns, side)
        if said and all(_may_say_none(texts[index]) for index in said):
            own = [Opening(said[0], said[-1])]
        takes = [cell for cell in own if cell.is_take]
        if columns.second is None and len(own) > 1:
            raise PageRejected("incomplete_scorecard", f"the row of {texts[seat].text} has two cells of one tool")
        found += [(side, cell) for cell in takes or own[:1]]
    if unnamed:
        raise PageRejected("incomplete_scorecard", f"the row of {texts[seat].text} has more than two cells")
    return found


def _in_its_place(texts: Sequence[Block], row: range, columns: Columns, side: Side) -> list[int]:
    """The texts of a row in the columns of a tool."""
    if columns.second is None:
        return []
    second = columns.second
    own = range(second, second + COLUMNS_MAX) if side == columns.order[1] else range(1, second)
    return [index for index in row if (cell := texts[index].cell) is not None and cell.column in own]


def in_order(
    texts: Sequence[Block], owned: Mapping[int, Sequence[Opening]], columns: Columns, votes: PanelVotes
) -> list[tuple[int, Side, Opening]]:
    usual = _usual_remarks(owned)
    rows: dict[int, list[Opening]] = {}
    single: list[int] = []
    ends = [*list(owned)[1:], len(texts)]
    for (seat, cells), end in zip(owned.items(), ends, strict=True):
        both = list(cells) if len(cells) == TOOLS else _with_missing(texts, range(seat, end), cells, usual)
        rows[seat] = both or list(cells)
        if both is None:
            single.append(seat)
    placed = [
        (seat, side, cell)
        for seat, cells in rows.items()
        if seat not in single
        for side, cell in zip(columns.order, cells, strict=True)
    ]
    if single:
        side = _side_of_single(placed, len(single), votes)
        if side is None or any(len(rows[seat]) != 1 or not rows[seat][0].is_take for seat in single):
            name = texts[single[0]].text
            raise PageRejected("incomplete_scorecard", f"the row of {name} has not one cell for each of the two tools")
        other = SIDES[1 - SIDES.index(side)]
        for seat in single:
            placed += [(seat, side, rows[seat][0]), (seat, other, Opening(seat, seat))]
    return placed


def _side_of_single(placed: Sequence[tuple[int, Side, Opening]], count: int, votes: PanelVotes) -> Side | None:
    """The side whose votes need just the takes that stand alone in their rows, if the other side needs none."""
    if None in votes:
        return None
    read = Counter(side for _, side, cell in placed if cell.is_take)
    needed = {side: (said or 0) - read[side] for side, said in zip(SIDES, votes, strict=True)}
    return next((side for side, other in (SIDES, SIDES[::-1]) if needed[side] == count and needed[other] == 0), None)


def _usual_remarks(owned: Mapping[int, Sequence[Opening]]) -> int:
    """How many texts stand between a reviewer and the first cell, in the rows that have both cells."""
    counted = Counter(cells[0].first - seat - 1 for seat, cells in owned.items() if len(cells) == TOOLS)
    return counted.most_common(1)[0][0] if counted else 0


def _with_missing(texts: Sequence[Block], row: range, cells: Sequence[Opening], usual: int) -> list[Opening] | None:
    """The two cells of a row that begins with its seat, where unknown words say that one or both have no take.

    What stands in the place of a cell says so: `Abstained`. None where nothing does.
    """
    free = [index for index in range(row.start + 1 + usual, row.stop) if not texts[index].is_control]
    if len(cells) == 1:
        (cell,) = cells
        before = [index for index in free if index < cell.first]
        path = _cell_path(texts, row, cell)
        apart = [index for index in free if index > cell.last + 1 and not _is_within(texts[index], path)]
        if len(before) == 1 and _may_say_none(texts[before[0]]):
            return [Opening(before[0], before[0]), cell]
        if not before and apart and _may_say_none(texts[apart[0]]):
            return [cell, Opening(apart[0], apart[0])]
    elif not cells and len(free) == TOOLS and all(_may_say_none(texts[index]) for index in free):
        return [Opening(index, index) for index in free]
    return None


def _may_say_none(block: Block) -> bool:
    """Short, and without a number: `Average | 88 | 71` is no row of two missing takes."""
    return 0 < len(block.text) <= NONE_MAX and not any(character.isdigit() for character in block.text)


def _cell_path(texts: Sequence[Block], row: range, cell: Opening) -> tuple[int, ...]:
    """The element around a head and the text behind it; around the head alone where that one holds the seat, too."""
    path = texts[cell.first].path
    if cell.last + 1 not in row:
        return path
    both = path[: shared_depth(path, texts[cell.last + 1].path)]
    return path if _is_within(texts[row.start], both) else both


def _is_within(block: Block, path: tuple[int, ...]) -> bool:
    return bool(path) and block.is_within(path)
