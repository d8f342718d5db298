"""The scorecard: a seat, then a cell for A and a cell for B; or, the reviewers lost, takes in quotation marks."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from corpus.enumerations import SIDES, Side
from extract.model.blocks import Block, fold
from extract.model.errors import PageRejected
from extract.model.records import MissingTake, Span, Take
from extract.panel.page_words import PageWords
from extract.panel.quoted import read_quoted, without_quotation_marks

SEAT_MAX_LENGTH = 40
"""Characters. A seat is a word or two; a longer text before a cell is something else."""


@dataclass(frozen=True, slots=True)
class Scorecard:
    """All takes in reading order, and the cells that say there is none."""

    takes: tuple[Take, ...]
    missing_takes: tuple[MissingTake, ...]
    is_labelled: bool


@dataclass(frozen=True, slots=True)
class _Cell:
    """Block numbers: `head` holds score and verdict, or says that there is no take; `texts` are its paragraphs."""

    head: range
    texts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _SeatedCell:
    row: int
    side: Side
    seat: str
    cell: _Cell


def read_scorecard(blocks: Sequence[Block], section: range, names: tuple[str, str], words: PageWords) -> Scorecard:
    """The takes between the scorecard's head and its end.

    Raises `PageRejected`: `incomplete_scorecard` where a row has not one cell for each tool or names no reviewer,
    `truncated` where a quotation mark is never closed.
    """
    heads = list(_heads(blocks, section, words))
    if not heads:
        takes = tuple(read_quoted(blocks, section, words.profile.page.quotation_marks))
        return Scorecard(takes, (), is_labelled=False)
    named = [index for index in section if blocks[index].text in names]
    is_each_named = len(heads) == len(named) and all(head.start - 1 in named for head in heads)
    if is_each_named:
        # A cell begins with its tool's name: without the names it is a row of two cells.
        blocks = [Block("") if index in named else block for index, block in enumerate(blocks)]
        heads = [range(head.start - 1, head.stop) for head in heads]
    elif len(named) == len(SIDES) and named[0] < heads[0].start < named[1] and _is_by_tool(blocks, heads, named):
        return _assembled(blocks, _by_tool(blocks, section, heads, named), words)
    return _assembled(blocks, _by_row(blocks, section, heads, words), words)


def _heads(blocks: Sequence[Block], section: range, words: PageWords) -> Iterator[range]:
    """What opens each cell: `88/100 · ship`, or the two as texts of their own; `No panel take`; an empty cell."""
    index = section.start
    while index < section.stop:
        if not _opens_cell(blocks[index].text, words):
            index += 1
            continue
        is_split = index + 1 < section.stop and _completes(blocks[index].text, blocks[index + 1].text, words)
        yield range(index, index + 1 + is_split)
        index += 1 + is_split


def _opens_cell(text: str, words: PageWords) -> bool:
    return not text or fold(text) == words.no_take or words.take_head.fullmatch(text) is not None


def _completes(first: str, second: str, words: PageWords) -> bool:
    """`88/100` and `ship`, in either order."""
    parts = (words.take_head.fullmatch(first), words.take_head.fullmatch(second))
    if not first or not second or parts[0] is None or parts[1] is None:
        return False
    return all((parts[0][group] is None) != (parts[1][group] is None) for group in ("score", "verdict"))


def _by_row(blocks: Sequence[Block], section: range, heads: Sequence[range], words: PageWords) -> list[_SeatedCell]:
    """Cells come in pairs; what stands last before a pair is its seat."""
    if len(heads) % len(SIDES):
        raise PageRejected("incomplete_scorecard", f"{len(heads)} cells cannot be rows of two tools")
    cells: list[_SeatedCell] = []
    ends = [*(head.start for head in heads[1:]), section.stop]
    seat_index = heads[0].start - 1
    for number, (head, end) in enumerate(zip(heads, ends, strict=True)):
        row, column = divmod(number, len(SIDES))
        next_seat = end - 1 if column == 1 and end != section.stop else None
        if column == 0:
            _check_seat(blocks, seat_index, section, row)
        cell = _Cell(head, _cell_texts(blocks, range(head.stop, end if next_seat is None else next_seat)))
        seat = blocks[seat_index].text
        if cell.texts and fold(blocks[cell.texts[-1]].text) in words.seats:
            raise PageRejected("incomplete_scorecard", f"the row of {seat} has not one cell for each of the two tools")
        cells.append(_SeatedCell(row, SIDES[column], seat, cell))
        if next_seat is not None:
            seat_index = next_seat
    return cells


def _check_seat(blocks: Sequence[Block], index: int, section: range, row: int) -> None:
    if index not in section or not blocks[index].text or len(blocks[index].text) > SEAT_MAX_LENGTH:
        raise PageRejected("incomplete_scorecard", f"row {row + 1} of the scorecard names no reviewer")


def _is_by_tool(blocks: Sequence[Block], heads: Sequence[range], named: Sequence[int]) -> bool:
    """Whether each cell has a seat of its own before it, first all cells of A, then all of B."""
    seats = [blocks[head.start - 1] for head in heads]
    return all(0 < len(seat.text) <= SEAT_MAX_LENGTH for seat in seats) and all(
        head.start - 1 not in named for head in heads
    )


def _by_tool(
    blocks: Sequence[Block], section: range, heads: Sequence[range], named: Sequence[int]
) -> list[_SeatedCell]:
    """Two runs of seats become rows: seats of both tools stand in one row, in the order of the page."""
    ends = [*(head.start - 1 for head in heads[1:]), section.stop]
    runs: tuple[dict[str, _Cell], dict[str, _Cell]] = ({}, {})
    for head, end in zip(heads, ends, strict=True):
        column = int(head.start > named[1])
        seat = blocks[head.start - 1].text
        if seat in runs[column]:
            raise PageRejected("incomplete_scorecard", f"{seat} stands twice in the column of one tool")
        stop = min(end, named[1]) if head.start < named[1] else end
        runs[column][seat] = _Cell(head, _cell_texts(blocks, range(head.stop, stop)))
    return [
        _SeatedCell(row, side, seat, run[seat])
        for row, seat in enumerate(_merged_order(list(runs[0]), list(runs[1])))
        for side, run in zip(SIDES, runs, strict=True)
        if seat in run
    ]


def _merged_order(first: list[str], second: list[str]) -> list[str]:
    """Both orders in one; a seat of the second alone follows the one that it follows there."""
    merged = list(first)
    for index, seat in enumerate(second):
        if seat not in merged:
            merged.insert(merged.index(second[index - 1]) + 1 if index else 0, seat)
    return merged


def _cell_texts(blocks: Sequence[Block], candidates: range) -> tuple[int, ...]:
    """The paragraphs of one take: those that share the first one's parent element; a text dump has no parents."""
    texts = [index for index in candidates if blocks[index].text]
    return tuple(index for index in texts if blocks[index].path == blocks[texts[0]].path)


def _assembled(blocks: Sequence[Block], cells: Sequence[_SeatedCell], words: PageWords) -> Scorecard:
    takes: list[Take] = []
    missing: list[MissingTake] = []
    for seated in cells:
        head, texts = seated.cell.head, seated.cell.texts
        label = " ".join(blocks[index].text for index in head if blocks[index].text)
        if label and fold(label) != words.no_take:
            takes.append(_labelled_take(blocks, seated, len(takes), label, words))
        else:
            missing.append(MissingTake(seated.seat, seated.side, Span(head.start, texts[-1] if texts else head.start)))
    return Scorecard(tuple(takes), tuple(missing), is_labelled=True)


def _labelled_take(blocks: Sequence[Block], seated: _SeatedCell, position: int, label: str, words: PageWords) -> Take:
    head, texts = seated.cell.head, seated.cell.texts
    parts = [match for index in head if (match := words.take_head.fullmatch(blocks[index].text)) is not None]
    if not texts:
        raise PageRejected("incomplete_scorecard", f"{seated.seat} gives '{label}' and no words with it")
    return Take(
        position=position,
        row=seated.row,
        side=seated.side,
        seat=seated.seat,
        score=next((part["score"] for part in parts if part["score"]), None),
        verdict=next((part["verdict"] for part in parts if part["verdict"]), None),
        text=without_quotation_marks(
            " ".join(blocks[index].text for index in texts), words.profile.page.quotation_marks
        ),
        span=Span(head.start, texts[-1]),
    )
