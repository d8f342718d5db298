"""Rows of the scorecard: which reviewer each cell belongs to, and where the cell's words may stand."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from corpus.enumerations import SIDES, Side
from extract.model.blocks import Block, fold, shared_depth
from extract.model.errors import PageRejected
from extract.panel.scorecard.seats import seat_name, seatings
from extract.panel.scorecard.take_columns import TOOLS, Columns
from extract.panel.scorecard.take_heads import Opening
from extract.panel.words.page_words import PageWords

NONE_MAX = 60
"""Characters of words that say there is no take, whatever they are: `The panel has not reviewed this one yet`."""

COLUMNS_MAX = 60
"""Columns of a table, at most."""

PanelVotes = tuple[int | None, int | None]
"""Takes of A and of B that the page's votes say there are; None where it shows no votes."""


@dataclass(frozen=True, slots=True)
class SeatedCell:
    """A cell with its place. `region` are the texts that may be its words: up to the next cell, seat or name."""

    row: int
    side: Side
    seat: str
    opening: Opening
    region: range


@dataclass(frozen=True, slots=True)
class Rows:
    """The cells in the order of rows, the texts of the seats, and what stands between a seat and its first cell.

    `inferred` are the seats of the rows that show one cell, whose side the votes tell.
    """

    cells: tuple[SeatedCell, ...]
    seats: tuple[int, ...]
    remarks: tuple[int, ...]
    inferred: tuple[int, ...]


def read_rows(
    texts: Sequence[Block],
    openings: Sequence[Opening],
    columns: Columns,
    words: PageWords,
    votes: PanelVotes,
    *,
    is_behind: bool,
) -> Rows:
    """The cells of every row. `is_behind` says whether what opens a cell stands behind its words.

    Raises `PageRejected` (`incomplete_scorecard`) where no way to tell the reviewers comes out even.
    """
    failed: PageRejected | None = None
    for seats in seatings(texts, openings, columns, words):
        try:
            return _rows(texts, openings, columns, seats, words, votes, is_behind=is_behind)
        except PageRejected as rejected:
            failed = failed or rejected
    raise failed or PageRejected("incomplete_scorecard", "row 1 of the scorecard names no reviewer")


def _rows(
    texts: Sequence[Block],
    openings: Sequence[Opening],
    columns: Columns,
    seats: Sequence[int],
    words: PageWords,
    votes: PanelVotes,
    *,
    is_behind: bool,
) -> Rows:
    owned = _owned(openings, seats)
    if sum(map(len, owned.values())) != len(openings):
        raise PageRejected("incomplete_scorecard", "row 1 of the scorecard names no reviewer")
    owned = _a_row_a_seat(texts, owned, columns)
    if columns.sides is None:
        placed = _in_order(texts, owned, columns, votes)
    else:
        placed = [
            (seat, side, cell)
            for seat, cells in owned.items()
            for side, cell in _one_a_side(
                texts, seat, cells, columns, min((s for s in seats if s > seat), default=len(texts))
            )
        ]
    bounds = [*seats, *columns.labels, *(index for _, _, cell in placed for index in (cell.first, cell.last))]
    numbers = _row_numbers(texts, placed, words)
    cells = [
        SeatedCell(
            number,
            side,
            seat_name(texts[seat].text, words),
            cell,
            _before_cell(cell, bounds, {*seats, *columns.labels})
            if is_behind
            else _behind_cell(cell, bounds, len(texts)),
        )
        for number, (seat, side, cell) in zip(numbers, placed, strict=True)
    ]
    firsts: dict[int, int] = {}
    for seat, _, cell in placed:
        firsts[seat] = min(cell.first, firsts.get(seat, cell.first))
    remarks = _remarks(firsts, bounds)
    cells.sort(key=lambda cell: (cell.row, cell.side))
    inferred = tuple(cell.first for _, _, cell in placed if cell.first in seats)
    return Rows(tuple(cells), tuple(seats), () if is_behind else tuple(remarks), inferred)


def _remarks(firsts: Mapping[int, int], bounds: Sequence[int]) -> list[int]:
    """The texts between each seat and its first cell: a biography, where all seats have as many; else unknown words."""
    between = [[index for index in range(seat + 1, first) if index not in bounds] for seat, first in firsts.items()]
    is_even = len({len(texts) for texts in between}) == 1
    return [index for texts in between for index in texts] if is_even else []


def _owned(openings: Sequence[Opening], seats: Sequence[int]) -> dict[int, list[Opening]]:
    """The cells behind each seat, up to the next one."""
    owned: dict[int, list[Opening]] = {seat: [] for seat in seats}
    for cell in openings:
        place = bisect_left(seats, cell.first)
        if place:
            owned[seats[place - 1]].append(cell)
    return owned


def _a_row_a_seat(
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


def _one_a_side(
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


def _in_order(
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
    return bool(path) and block.path[: len(path)] == path


def _behind_cell(cell: Opening, bounds: Sequence[int], end: int) -> range:
    return range(cell.last + 1, min((bound for bound in bounds if bound > cell.last), default=end))


def _before_cell(cell: Opening, bounds: Sequence[int], labels: set[int]) -> range:
    start = cell.first
    while start - 1 in labels:
        start -= 1
    return range(max((bound + 1 for bound in bounds if bound < start), default=0), start)


def _row_numbers(texts: Sequence[Block], placed: Sequence[tuple[int, Side, Opening]], words: PageWords) -> list[int]:
    """A row a text that names a reviewer; where each has a cell of one tool alone, a row a reviewer of both."""
    sides_of: dict[int, set[Side]] = {}
    for seat, side, _ in placed:
        if side in sides_of.setdefault(seat, set()):
            raise _twice(texts[seat].text)
        sides_of[seat].add(side)
    if any(len(sides) == TOOLS for sides in sides_of.values()):
        order = sorted(sides_of)
        names = Counter(fold(seat_name(texts[seat].text, words)) for seat in order)
        if names.most_common(1)[0][1] > 1:
            raise _twice(names.most_common(1)[0][0])
        return [order.index(seat) for seat, _, _ in placed]
    runs: dict[Side, list[str]] = {side: [] for side in SIDES}
    for seat, side, _ in placed:
        name = fold(seat_name(texts[seat].text, words))
        if name in runs[side]:
            raise _twice(texts[seat].text)
        runs[side].append(name)
    merged = _merged_order(runs["a"], runs["b"])
    return [merged.index(fold(seat_name(texts[seat].text, words))) for seat, _, _ in placed]


def _twice(seat: str) -> PageRejected:
    return PageRejected("incomplete_scorecard", f"{seat} stands twice in the column of one tool")


def _merged_order(first: list[str], second: list[str]) -> list[str]:
    """Both orders in one; a seat of the second alone follows the one that it follows there."""
    merged = list(first)
    for index, seat in enumerate(second):
        if seat not in merged:
            merged.insert(merged.index(second[index - 1]) + 1 if index else 0, seat)
    return merged
