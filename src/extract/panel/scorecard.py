"""The scorecard: a seat, then a cell for A and a cell for B; or, the reviewers lost, takes in quotation marks."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from extract.model.blocks import Block, fold
from extract.model.errors import PageRejected
from extract.model.records import MissingTake, Side, Span, Take
from extract.panel.labels import NO_TAKE, QUOTED, SCORE, SEATS
from extract.panel.quoted import read_quoted

SIDES: tuple[Side, Side] = ("a", "b")
SEAT_MAX_LENGTH = 40


@dataclass(frozen=True, slots=True)
class Scorecard:
    """All takes in reading order, and the cells that say there is none."""

    takes: tuple[Take, ...]
    missing_takes: tuple[MissingTake, ...]
    is_labelled: bool


@dataclass(frozen=True, slots=True)
class _Cell:
    head: range
    texts: tuple[int, ...]


def read_scorecard(blocks: Sequence[Block], section: range, names: tuple[str, str]) -> Scorecard:
    """The takes between the scorecard's head and its end.

    Raises `PageRejected`: `incomplete_scorecard` where a row has not one cell a tool, `truncated` where a quotation
    mark is never closed.
    """
    heads = list(_heads(blocks, section))
    if heads:
        return _read_labelled(blocks, section, heads, names)
    return Scorecard(tuple(read_quoted(blocks, section)), (), is_labelled=False)


def _heads(blocks: Sequence[Block], section: range) -> Iterator[range]:
    """What opens each cell: `88/100 · ship`, or the two as texts of their own; `No panel take`; an empty cell."""
    index = section.start
    while index < section.stop:
        if not _opens_cell(blocks[index].text):
            index += 1
            continue
        is_split = index + 1 < section.stop and _completes(blocks[index].text, blocks[index + 1].text)
        yield range(index, index + 1 + is_split)
        index += 1 + is_split


def _opens_cell(text: str) -> bool:
    if not text or fold(text) == NO_TAKE:
        return True
    return SCORE.fullmatch(text) is not None


def _completes(first: str, second: str) -> bool:
    """`88/100` and `ship`, in either order."""
    one, other = SCORE.fullmatch(first), SCORE.fullmatch(second)
    if not first or not second or one is None or other is None:
        return False
    return (one["score"] is None) != (other["score"] is None) and (one["verdict"] is None) != (other["verdict"] is None)


def _read_labelled(
    blocks: Sequence[Block], section: range, heads: Sequence[range], names: tuple[str, str]
) -> Scorecard:
    """Rows of two cells, told by what stands before them: a seat before each pair, or before each cell."""
    named = [index for index in section if blocks[index].text in names]
    is_each_named = len(heads) == len(named) and all(head.start - 1 in named for head in heads)
    if is_each_named:
        # A cell begins with its tool's name: without the names it is a row of two cells.
        blocks = [Block("") if index in named else block for index, block in enumerate(blocks)]
        heads = [range(head.start - 1, head.stop) for head in heads]
    elif len(named) == len(SIDES) and named[0] < heads[0].start < named[1] and _is_by_tool(blocks, heads, named):
        return _read_by_tool(blocks, section, heads, named)
    return _assembled(blocks, _by_row(blocks, section, heads))


@dataclass(frozen=True, slots=True)
class _Placed:
    """A cell with its row, side and seat."""

    row: int
    side: Side
    seat: str
    cell: "_Cell"


def _by_row(blocks: Sequence[Block], section: range, heads: Sequence[range]) -> list[_Placed]:
    """Cells come in pairs; what stands last before a pair is its seat."""
    if len(heads) % len(SIDES):
        raise PageRejected("incomplete_scorecard", f"{len(heads)} cells cannot be rows of two tools")
    placed: list[_Placed] = []
    ends = [*(head.start for head in heads[1:]), section.stop]
    seat_at = heads[0].start - 1
    for number, (head, end) in enumerate(zip(heads, ends, strict=True)):
        row, column = divmod(number, len(SIDES))
        next_seat = end - 1 if column == 1 and end != section.stop else None
        if column == 0:
            _check_seat(blocks, seat_at, section, row)
        cell = _Cell(head, _cell_texts(blocks, range(head.stop, end if next_seat is None else next_seat)))
        seat = blocks[seat_at].text
        if cell.texts and fold(blocks[cell.texts[-1]].text) in SEATS:
            raise PageRejected("incomplete_scorecard", f"the row of {seat} has not one cell for each of the two tools")
        placed.append(_Placed(row, SIDES[column], seat, cell))
        if next_seat is not None:
            seat_at = next_seat
    return placed


def _is_by_tool(blocks: Sequence[Block], heads: Sequence[range], named: Sequence[int]) -> bool:
    """Whether each cell has a seat of its own before it, first all cells of A, then all of B."""
    seats = [blocks[head.start - 1] for head in heads]
    return all(0 < len(seat.text) <= SEAT_MAX_LENGTH for seat in seats) and all(
        head.start - 1 not in named for head in heads
    )


def _read_by_tool(blocks: Sequence[Block], section: range, heads: Sequence[range], named: Sequence[int]) -> Scorecard:
    """Two runs of seats become rows: seats of both stand in one row, in the order of the page."""
    ends = [*(head.start - 1 for head in heads[1:]), section.stop]
    runs: tuple[dict[str, _Cell], dict[str, _Cell]] = ({}, {})
    for head, end in zip(heads, ends, strict=True):
        side = int(head.start > named[1])
        seat = blocks[head.start - 1].text
        if seat in runs[side]:
            raise PageRejected("incomplete_scorecard", f"{seat} stands twice in the column of one tool")
        stop = min(end, named[1]) if head.start < named[1] else end
        runs[side][seat] = _Cell(head, _cell_texts(blocks, range(head.stop, stop)))
    seats = _woven(list(runs[0]), list(runs[1]))
    placed = [
        _Placed(row, SIDES[side], seat, runs[side][seat])
        for row, seat in enumerate(seats)
        for side in range(len(SIDES))
        if seat in runs[side]
    ]
    return _assembled(blocks, placed)


def _woven(first: list[str], second: list[str]) -> list[str]:
    """Both orders in one; a seat of the second alone follows the one it follows there."""
    woven = list(first)
    for at, seat in enumerate(second):
        if seat not in woven:
            place = woven.index(second[at - 1]) + 1 if at else 0
            woven.insert(place, seat)
    return woven


def _assembled(blocks: Sequence[Block], placed: Sequence[_Placed]) -> Scorecard:
    takes: list[Take] = []
    missing: list[MissingTake] = []
    for one in placed:
        head, texts = one.cell.head, one.cell.texts
        label = " ".join(blocks[index].text for index in head if blocks[index].text)
        if label and fold(label) != NO_TAKE:
            takes.append(_labelled_take(blocks, one, len(takes), label))
        else:
            missing.append(MissingTake(one.seat, one.side, Span(head.start, texts[-1] if texts else head.start)))
    return Scorecard(tuple(takes), tuple(missing), is_labelled=True)


def _check_seat(blocks: Sequence[Block], seat_at: int, section: range, row: int) -> None:
    if seat_at not in section or not blocks[seat_at].text or len(blocks[seat_at].text) > SEAT_MAX_LENGTH:
        raise PageRejected("incomplete_scorecard", f"row {row + 1} of the scorecard names no reviewer")


def _cell_texts(blocks: Sequence[Block], candidates: range) -> tuple[int, ...]:
    """The paragraphs of one take: those that share the first one's parent element; a text dump has no parents."""
    texts = [index for index in candidates if blocks[index].text]
    return tuple(index for index in texts if blocks[index].parent == blocks[texts[0]].parent)


def _labelled_take(blocks: Sequence[Block], one: _Placed, position: int, label: str) -> Take:
    parts = [found for index in one.cell.head if (found := SCORE.fullmatch(blocks[index].text)) is not None]
    score = next((part["score"] for part in parts if part["score"]), None)
    verdict = next((part["verdict"] for part in parts if part["verdict"]), None)
    texts = one.cell.texts
    if not texts:
        raise PageRejected("incomplete_scorecard", f"{one.seat} gives '{label}' and no words with it")
    return Take(
        position=position,
        row=one.row,
        side=one.side,
        seat=one.seat,
        score=score,
        verdict=verdict,
        text=_unquoted(" ".join(blocks[index].text for index in texts)),
        span=Span(one.cell.head.start, texts[-1]),
    )


def _unquoted(text: str) -> str:
    for opening, closing in QUOTED:
        if text.startswith(opening) and text.endswith(closing) and text.count(opening) + text.count(closing) in {2, 4}:
            inner = text[1:-1]
            return inner if opening not in inner and closing not in inner else text
    return text
