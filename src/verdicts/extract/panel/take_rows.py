"""Rows of the scorecard: the tool and reviewer of each cell, and where its words may be.

Names may head columns or cells, or be words of a take; a short text may be a reviewer or not. Each way is tried, the
likeliest first; the first with consistent rows counts.
"""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from msgspec import Struct

from verdicts.corpus.enumerations import SIDES, Side
from verdicts.extract.model.blocks import Block, fold, shared_depth
from verdicts.extract.model.records import PageRejected
from verdicts.extract.panel.take_columns import Columns, column_readings, incomplete, seat_name, seatings, text_before
from verdicts.extract.panel.take_heads import Opening
from verdicts.extract.panel.texts import SHORT_MAX, TOOLS, Texts

PanelVotes: TypeAlias = tuple[int | None, int | None]
"""Takes of A and of B by the page's votes; None without votes."""


class SeatedCell(Struct, frozen=True):
    """A cell with its row and side. `region` are its possible words: up to the next cell, seat or name."""

    row: int
    side: Side
    seat: str
    opening: Opening
    region: range


class Rows(Struct, frozen=True):
    """The cells in the order of rows, the texts of the seats, and texts between a seat and its first cell.

    `inferred` are seats with only one cell, whose side comes from the votes.
    """

    columns: Columns
    cells: tuple[SeatedCell, ...]
    seats: tuple[int, ...]
    remarks: tuple[int, ...]
    inferred: tuple[int, ...]


def read_rows(
    texts: Texts, found: Sequence[Opening], names: tuple[str, str], votes: PanelVotes, *, is_behind: bool
) -> Rows:
    """The cells of every row. `is_behind`: the opening of a cell comes after its words.

    Raises `PageRejected` (`incomplete_scorecard`) if no reading of tools and reviewers is consistent.
    """
    failed: PageRejected | None = None
    for columns in column_readings(texts, names, found):
        for seats in seatings(texts, found, columns):
            try:
                return _rows(texts, found, columns, seats, votes, is_behind=is_behind)
            except PageRejected as rejected:
                failed = failed or rejected
        failed = failed or incomplete("row 1 of the scorecard names no reviewer")
    raise failed or incomplete("nothing shows to which tools the cells of the scorecard belong")


# The rows.


class _Placed(NamedTuple):
    """A cell in the row of a seat, with its side."""

    seat: int
    side: Side
    cell: Opening


def _rows(
    texts: Texts,
    found: Sequence[Opening],
    columns: Columns,
    seats: Sequence[int],
    votes: PanelVotes,
    *,
    is_behind: bool,
) -> Rows:
    ends = dict(zip(seats, [*seats[1:], len(texts)], strict=True))
    found, copies = _without_copies(texts, found, columns, ends)
    seats = [seat for seat in seats if seat not in copies]
    owned: dict[int, list[Opening]] = {seat: [] for seat in seats}
    for cell in found:
        if place := bisect_left(seats, cell.first):
            owned[seats[place - 1]].append(cell)
    if sum(map(len, owned.values())) != len(found):
        raise incomplete("row 1 of the scorecard names no reviewer")
    if columns.sides is None:
        placed = _in_order(texts, _a_row_a_seat(texts, owned), columns, ends, votes)
    else:
        placed = [one for seat, cells in owned.items() for one in _one_a_side(texts, seat, cells, columns, ends[seat])]
    labels = {*seats, *columns.labels}
    heads = (index for one in placed for index in (one.cell.first, one.cell.last))
    bounds = [-1, *sorted({*labels, *copies, *heads}), len(texts)]
    regions = [_region(one.cell, bounds, labels, is_behind=is_behind) for one in placed]
    cells = [
        SeatedCell(number, one.side, seat_name(texts[one.seat].text, texts.words), one.cell, region)
        for number, one, region in zip(_row_numbers(texts, placed), placed, regions, strict=True)
    ]
    inferred = tuple(one.cell.first for one in placed if one.cell.first in owned)
    remarks = copies if is_behind else [*copies, *_remarks(placed, bounds)]
    return Rows(columns, tuple(sorted(cells, key=lambda cell: (cell.row, cell.side))), (*seats,), (*remarks,), inferred)


def _a_row_a_seat(texts: Texts, owned: Mapping[int, list[Opening]]) -> Mapping[int, list[Opening]]:
    """Joins the rows of a seat that both of its cells repeat, side by side or in two tabs of the same seats."""
    seats = list(owned)
    half = len(seats) // TOOLS
    for firsts, seconds in ((seats[::TOOLS], seats[1::TOOLS]), (seats[:half], seats[half:])):
        pairs = list(zip(firsts, seconds, strict=False))
        is_in_each = len(firsts) == len(seconds) and all(len(cells) == 1 for cells in owned.values())
        if is_in_each and all(texts.folded[first] == texts.folded[second] for first, second in pairs):
            return {first: [*owned[first], *owned[second]] for first, second in pairs}
    return owned


def _without_copies(
    texts: Texts, found: Sequence[Opening], columns: Columns, ends: Mapping[int, int]
) -> tuple[Sequence[Opening], list[int]]:
    """The cells without those of rows that repeat an earlier one word for word, and the texts of these rows.

    A carousel repeats its last rows above the first, and as many below. Two tools may have the same words, so each cell
    must name its tool, or both must be in the row.
    """
    if len({texts[seat].text for seat in ends}) == len(ends):
        return found, []
    rows: dict[int, tuple[object, ...]] = {}
    for seat, end in ends.items():
        sides = [(columns.sides or {}).get(cell.first) for cell in found if seat < cell.first < end]
        if len(sides) < TOOLS and (not sides or None in sides):
            return found, []
        rows[seat] = (*sides, *(text for index in range(seat, end) if (text := texts[index].text)))
    different = len({*rows.values()})
    above = (len(rows) - different) // 2 if len(rows) < 2 * different else 0
    kept = [*rows][above : above + different]
    if len({rows[seat] for seat in kept}) < different:
        return found, []
    copies = [index for seat in rows if seat not in kept for index in range(seat, ends[seat])]
    return [cell for cell in found if cell.first not in copies], copies


def _one_a_side(texts: Texts, seat: int, cells: Sequence[Opening], columns: Columns, end: int) -> Iterator[_Placed]:
    """The cells of a row by side. Several empty cells of a side are one; beside a take they do not count.

    A cell without a tool's name belongs to the missing tool. In a table, unknown words in place of a cell mean that
    there is no take.
    """
    sides = columns.sides or {}
    unnamed = [cell for cell in cells if cell.first not in sides]
    for side in columns.order:
        own = [cell for cell in cells if sides.get(cell.first) == side]
        if not own:
            own, unnamed = unnamed[:1], unnamed[1:]
        if not own and columns.second is not None:
            is_second = side == columns.order[1]
            places = [
                (index, place.column) for index in range(seat + 1, end) if (place := texts[index].cell) is not None
            ]
            said = [index for index, column in places if column and (column >= columns.second) == is_second]
            if said and all(_may_say_none(texts[index]) for index in said):
                own = [Opening(said[0], said[-1])]
        if columns.second is None and len(own) > 1:
            raise incomplete(f"the row of {texts[seat].text} has two cells of one tool")
        yield from (_Placed(seat, side, cell) for cell in [cell for cell in own if cell.is_take] or own[:1])
    if unnamed:
        raise incomplete(f"the row of {texts[seat].text} has more than two cells")


def _in_order(
    texts: Texts, owned: Mapping[int, Sequence[Opening]], columns: Columns, ends: Mapping[int, int], votes: PanelVotes
) -> list[_Placed]:
    """The cells of each row in the order of the columns. The votes decide the side of a single cell."""
    counted = Counter(cells[0].first - seat - 1 for seat, cells in owned.items() if len(cells) == TOOLS)
    usual = counted.most_common(1)[0][0] if counted else 0
    placed: list[_Placed] = []
    single: list[int] = []
    for seat, cells in owned.items():
        both = cells if len(cells) == TOOLS else _with_missing(texts, range(seat, ends[seat]), cells, usual)
        if both is None:
            single.append(seat)
        else:
            placed += [_Placed(seat, side, cell) for side, cell in zip(columns.order, both, strict=True)]
    if single:
        side = _side_of_single(placed, len(single), votes)
        if side is None or any(len(owned[seat]) != 1 or not owned[seat][0].is_take for seat in single):
            raise incomplete(f"the row of {texts[single[0]].text} does not have one cell for each tool")
        other = SIDES[1 - SIDES.index(side)]
        for seat in single:
            placed += [_Placed(seat, side, owned[seat][0]), _Placed(seat, other, Opening(seat, seat))]
    return placed


def _side_of_single(placed: Sequence[_Placed], count: int, votes: PanelVotes) -> Side | None:
    """The side that needs exactly the single takes by the votes, if the other side needs none."""
    if None in votes:
        return None
    read = Counter(one.side for one in placed if one.cell.is_take)
    needed = {side: (said or 0) - read[side] for side, said in zip(SIDES, votes, strict=True)}
    return next((side for side, other in (SIDES, SIDES[::-1]) if needed[side] == count and needed[other] == 0), None)


def _with_missing(texts: Texts, row: range, cells: Sequence[Opening], usual: int) -> list[Opening] | None:
    """The two cells of a row if unknown words (`Abstained`) replace one or both takes, else None.

    `usual`: the number of texts between reviewer and first cell in complete rows.
    """
    free = [index for index in range(row.start + 1 + usual, row.stop) if not texts[index].is_control]
    if len(cells) == 1:
        (cell,) = cells
        path = _cell_path(texts, row, cell)
        before = [index for index in free if index < cell.first]
        apart = [index for index in free if index > cell.last + 1 and not (path and texts[index].is_within(path))]
        if len(before) == 1 and _may_say_none(texts[before[0]]):
            return [Opening(before[0], before[0]), cell]
        if not before and apart and _may_say_none(texts[apart[0]]):
            return [cell, Opening(apart[0], apart[0])]
    elif not cells and len(free) == TOOLS and all(_may_say_none(texts[index]) for index in free):
        return [Opening(index, index) for index in free]
    return None


def _may_say_none(block: Block) -> bool:
    """Short, and without a number: `Average | 88 | 71` is no row of two missing takes."""
    return 0 < len(block.text) <= SHORT_MAX and not any(character.isdigit() for character in block.text)


def _cell_path(texts: Texts, row: range, cell: Opening) -> tuple[int, ...]:
    """The element around a head and the next text; only around the head if the larger one includes the seat."""
    path = texts[cell.first].path
    if cell.last + 1 not in row:
        return path
    both = path[: shared_depth(path, texts[cell.last + 1].path)]
    return path if both and texts[row.start].is_within(both) else both


def _remarks(placed: Sequence[_Placed], bounds: Collection[int]) -> list[int]:
    """The texts between each seat and its first cell: biographies if all seats have equally many, else unknown."""
    firsts: dict[int, int] = {}
    for one in placed:
        firsts[one.seat] = min(one.cell.first, firsts.get(one.seat, one.cell.first))
    between = [[index for index in range(seat + 1, first) if index not in bounds] for seat, first in firsts.items()]
    return [index for texts in between for index in texts] if len({len(texts) for texts in between}) == 1 else []


def _region(cell: Opening, bounds: Sequence[int], labels: Collection[int], *, is_behind: bool) -> range:
    """From the opening to the next of the `bounds`, or from the one before to it."""
    if not is_behind:
        return range(cell.last + 1, bounds[bisect_right(bounds, cell.last)])
    start = text_before(cell.first, labels) + 1
    return range(bounds[bisect_left(bounds, start) - 1] + 1, start)


def _row_numbers(texts: Texts, placed: Sequence[_Placed]) -> list[int]:
    """One row per seat text; if each has a cell of only one tool, one row per reviewer of both."""
    names = {one.seat: fold(seat_name(texts[one.seat].text, texts.words)) for one in placed}
    counted = Counter((one.seat, one.side) for one in placed)
    for (seat, _), count in counted.items():
        if count > 1:
            raise _twice(texts[seat].text)
    if len(counted) > len(names):
        order = sorted(names)
        for name, count in Counter(names[seat] for seat in order).most_common(1):
            if count > 1:
                raise _twice(name)
        return [order.index(one.seat) for one in placed]
    runs: dict[Side, list[str]] = {side: [] for side in SIDES}
    for one in placed:
        if names[one.seat] in runs[one.side]:
            raise _twice(texts[one.seat].text)
        runs[one.side].append(names[one.seat])
    # Merges both orders; a seat only of the second tool keeps its predecessor.
    merged = list(runs["a"])
    for index, name in enumerate(runs["b"]):
        if name not in merged:
            merged.insert(merged.index(runs["b"][index - 1]) + 1 if index else 0, name)
    return [merged.index(names[one.seat]) for one in placed]


def _twice(seat: str) -> PageRejected:
    return incomplete(f"{seat} stands twice in the column of one tool")
