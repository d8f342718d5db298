"""Rows of the scorecard: whose each cell is, which reviewer gave it, and where its words may stand."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from verdicts.corpus.enumerations import SIDES, Side
from verdicts.extract.model.blocks import Block, fold, shared_depth
from verdicts.extract.model.records import PageRejected
from verdicts.extract.panel.page_words import PageWords
from verdicts.extract.panel.take_heads import Opening

TOOLS = len(SIDES)


@dataclass(frozen=True, slots=True)
class Columns:
    """Whose the cells are.

    `sides` are the sides of the cells whose tool is named, by their first text; None where the cells of a row stand in
    the `order` of the columns, as those that are not named do.

    `labels` are the texts that say so, `head` those of them over all rows. In a table, `second` is the column where
    that of the second tool begins.
    """

    sides: Mapping[int, Side] | None
    order: tuple[Side, Side] = SIDES
    labels: frozenset[int] = frozenset()
    head: frozenset[int] = frozenset()
    second: int | None = None
    is_by_tool: bool = False
    """All cells of one tool come before those of the other."""


def column_readings(texts: Sequence[Block], names: tuple[str, str], cells: Sequence[Opening]) -> Iterator[Columns]:
    """What names in the scorecard may say of its cells, the likeliest first; names may be words of a take, too.

    Raises `PageRejected` (`incomplete_scorecard`) where the head of the columns does not name both tools.
    """
    inside = {index for cell in cells for index in range(cell.first, cell.last + 1)}
    free = [index for index in range(len(texts)) if index not in inside]
    named = [index for index in free if _side(texts[index].text, names) is not None]
    shown = [index for index in named if not texts[index].is_control]
    found = False
    for candidates in (named, shown) if shown != named else (named,):
        for columns in _columns(texts, candidates, names, cells):
            found = True
            yield columns
    if found:
        return
    if any(index < cells[0].first for index in shown):
        raise PageRejected(
            "incomplete_scorecard",
            f"the tools' names stand {len(named)} times among {len(cells)} cells of the scorecard",
        )
    yield Columns(None)


def _columns(
    texts: Sequence[Block], named: Sequence[int], names: tuple[str, str], cells: Sequence[Opening]
) -> Iterator[Columns]:
    if not named:
        yield _by_place(texts, cells, None, SIDES, frozenset()) or Columns(None)
        return
    head = [index for index in named if index < cells[0].first]
    sides = _sides_of(texts, named, names)
    labels = frozenset(named)
    if len(head) >= TOOLS:
        order = _order(sides[:TOOLS])
        by_place = _by_place(texts, cells, named[:TOOLS], order, labels)
        if by_place is not None:
            yield by_place
            return
        if len(named) == TOOLS:
            yield Columns(None, order, labels, labels)
            return
    if len(named) == TOOLS and len(head) == 1:
        own = {cell.first: sides[0] if cell.first < named[1] else sides[1] for cell in cells}
        yield Columns(own, _order(sides), labels, is_by_tool=True)
    for skipped in (0, TOOLS):
        found = _name_a_cell(named[skipped:], cells) or _name_a_cell(named[skipped:], _takes(cells))
        if found is not None:
            own = dict(zip(found, _sides_of(texts, list(found.values()), names), strict=True))
            yield Columns(own, SIDES, labels, frozenset(named[:skipped]))


def _takes(cells: Sequence[Opening]) -> list[Opening]:
    return [cell for cell in cells if cell.is_take]


def _by_place(
    texts: Sequence[Block],
    cells: Sequence[Opening],
    head: Sequence[int] | None,
    order: tuple[Side, Side],
    labels: frozenset[int],
) -> Columns | None:
    """The sides by the columns of a table; None where the cells stand in no table of two columns.

    `head` are the names over the columns; a name may span several.
    """
    places = {cell.first: place for cell in cells if (place := texts[cell.first].cell) is not None}
    if len(places) != len(cells) or len({place.table for place in places.values()}) != 1:
        return None
    columns = sorted({places[cell.first].column for cell in _takes(cells)})
    if head is not None:
        columns = [place.column for index in head if (place := texts[index].cell) is not None]
    if len(columns) != TOOLS or columns[0] >= columns[1]:
        return None
    sides = {first: order[place.column >= columns[1]] for first, place in places.items()}
    return Columns(sides, order, labels, frozenset(head or ()), columns[1])


def _name_a_cell(named: Sequence[int], cells: Sequence[Opening]) -> dict[int, int] | None:
    """The name of each cell, by the first text of the cell: all stand before their cells' heads, or all behind them."""
    if len(named) != len(cells) or not cells:
        return None
    starts = [cell.first for cell in cells]
    pairs = list(zip(starts, named, strict=True))
    is_before = all(name < start for start, name in pairs) and all(
        name > start for name, start in zip(named[1:], starts, strict=False)
    )
    is_behind = all(name > start for start, name in pairs) and all(
        name < start for name, start in zip(named, starts[1:], strict=False)
    )
    return dict(pairs) if is_before or is_behind else None


def _sides_of(texts: Sequence[Block], named: Sequence[int], names: tuple[str, str]) -> list[Side]:
    if fold(names[0]) == fold(names[1]):
        return [SIDES[number % TOOLS] for number in range(len(named))]
    return [side for index in named if (side := _side(texts[index].text, names)) is not None]


def _side(text: str, names: tuple[str, str]) -> Side | None:
    if not text or len(text) > max(map(len, names)) + 4:
        return None
    folded = fold(text)
    return next((side for side, name in zip(SIDES, names, strict=True) if text == name or folded == fold(name)), None)


def _order(sides: Sequence[Side]) -> tuple[Side, Side]:
    if set(sides) != set(SIDES):
        raise PageRejected("incomplete_scorecard", "both columns of the scorecard name the same tool")
    return sides[0], sides[1]


SEAT_MAX = 40
"""Characters. A seat is a word or two; a longer text before a cell is something else."""

PICTURE_MAX = 3
"""Letters that stand for a reviewer's picture."""

Mark: TypeAlias = tuple[int | None, bool, int | None]
"""What the markup says of a text that heads others: level of a heading, key of a row, column of a table."""


def seat_name(text: str, words: PageWords) -> str:
    """The reviewer as the page names it, without a remark or a number beside a name that is known."""
    return _known(text, words) or text


def is_seat_with_words(text: str, words: PageWords) -> bool:
    """Whether words stand beside a known reviewer that may be part of the name or not: `Builder Changed their mind`."""
    said = fold(text).split()
    return _known(text, words) is None and any(seat in said for seat in words.seats)


def seatings(
    texts: Sequence[Block], openings: Sequence[Opening], columns: Columns, words: PageWords
) -> Iterator[list[int]]:
    """Ways to tell the reviewers from other texts: by what marks the known ones, by their words, by their place."""
    inside = {index for cell in openings for index in range(cell.first, cell.last + 1)} | columns.labels
    start = max(columns.head, default=-1) + 1
    free = [
        index
        for index in range(start, len(texts))
        if index not in inside and _may_be_seat(texts[index], words) and not is_picture(texts, index, words)
    ]
    known = [index for index in free if _known(texts[index].text, words) is not None]
    shown = [index for index in known if not texts[index].is_control]
    if {fold(texts[index].text) for index in shown} == {fold(texts[index].text) for index in known}:
        # Tabs repeat the reviewers in a row of buttons.
        known = shown
    held = {place.column for cell in openings if (place := texts[cell.first].cell) is not None}
    marks = {mark for index in known if (mark := _mark(texts[index], held)) is not None}
    cells = {texts[index].cell for index in known}
    marked = [
        index
        for index in free
        if index in known
        or (_mark(texts[index], held) in marks and (texts[index].cell is None or texts[index].cell not in cells))
    ]
    if known and marked != known:
        yield marked
    if known:
        yield known
    before = [_before(cell.first, columns.labels) for cell in openings]
    by_place = before if columns.is_by_tool else before[::TOOLS]
    if all(index in free for index in by_place) and set(known) <= set(by_place):
        yield by_place
    first = [index for index in free if _mark(texts[index], held) is not None and index < openings[0].first]
    if not known and first:
        yield [index for index in free if _mark(texts[index], held) == _mark(texts[first[-1]], held)]


@lru_cache(maxsize=8192)
def _known(text: str, words: PageWords) -> str | None:
    if not text or len(text) > SEAT_MAX:
        return None
    match = words.seat_with_remark.match(text)
    return None if match is None else match["seat"]


def _may_be_seat(block: Block, words: PageWords) -> bool:
    text = block.text
    if not 0 < len(text) <= SEAT_MAX or text[-1] in ".!?":
        return False
    return fold(text) not in words.column_heads and words.furniture.fullmatch(text) is None


def is_picture(texts: Sequence[Block], index: int, words: PageWords) -> bool:
    """Whether a text is the reviewer's picture: the first letters of the name beside it, `BU` for Builder."""
    text = texts[index].text
    if not 0 < len(text) <= PICTURE_MAX or not text.isalpha() or not text.isupper():
        return False
    if fold(text) in words.seats:
        # `PM` is the first letters of PM, too.
        return index + 1 < len(texts) and texts[index + 1].text == text
    beside = [texts[other].text for other in (index + 1, index - 1) if 0 <= other < len(texts)]
    return any(
        text != name and text in {name[: len(text)].upper(), "".join(word[0] for word in name.split()).upper()}
        for name in beside
    )


def _mark(block: Block, held: Collection[int]) -> Mark | None:
    """None where the markup says nothing. A column that holds takes, too (`held`), marks no reviewer."""
    column = None if block.cell is None or block.cell.column in held else block.cell.column
    mark = (block.level, block.is_key, column)
    return None if mark == (None, False, None) else mark


def _before(index: int, labels: frozenset[int]) -> int:
    index -= 1
    while index in labels:
        index -= 1
    return index


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
