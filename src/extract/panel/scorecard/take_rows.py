"""Rows of the scorecard: which reviewer each cell belongs to, and where the cell's words may stand."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from verdicts.corpus.enumerations import SIDES, Side
from verdicts.extract.model.blocks import Block, fold
from verdicts.extract.model.errors import PageRejected
from verdicts.extract.panel.scorecard.row_cells import PanelVotes, a_row_a_seat, in_order, one_a_side
from verdicts.extract.panel.scorecard.seats import seat_name, seatings
from verdicts.extract.panel.scorecard.take_columns import TOOLS, Columns
from verdicts.extract.panel.scorecard.take_heads import Opening
from verdicts.extract.panel.words.page_words import PageWords


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
    owned = a_row_a_seat(texts, owned, columns)
    if columns.sides is None:
        placed = in_order(texts, owned, columns, votes)
    else:
        placed = [
            (seat, side, cell)
            for seat, cells in owned.items()
            for side, cell in one_a_side(
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
