"""The scorecard: a seat, then a cell for A and a cell for B; or, the reviewers lost, takes in quotation marks."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from extract.blocks import Block, fold
from extract.errors import PageRejected
from extract.labels import NO_TAKE, QUOTED, SCORE, SEATS
from extract.records import MissingTake, Side, Span, Take

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
    head: int
    texts: tuple[int, ...]


def read_scorecard(blocks: Sequence[Block], section: range) -> Scorecard:
    """The takes between the scorecard's head and its end.

    Raises `PageRejected`: `incomplete_scorecard` where a row has not one cell a tool, `truncated` where a quotation
    mark is never closed.
    """
    heads = [index for index in section if _opens_cell(blocks[index].text)]
    if heads:
        return _read_labelled(blocks, section, heads)
    return Scorecard(tuple(_read_quoted(blocks, section)), (), is_labelled=False)


def _opens_cell(text: str) -> bool:
    if not text or fold(text) == NO_TAKE:
        return True
    return SCORE.fullmatch(text) is not None


def _read_labelled(blocks: Sequence[Block], section: range, heads: Sequence[int]) -> Scorecard:
    """Cells come in pairs; what stands last before a pair is its seat."""
    if len(heads) % len(SIDES):
        raise PageRejected("incomplete_scorecard", f"{len(heads)} cells cannot be rows of two tools")
    takes: list[Take] = []
    missing: list[MissingTake] = []
    ends = [*heads[1:], section.stop]
    seat_at = heads[0] - 1
    for number, (head, end) in enumerate(zip(heads, ends, strict=True)):
        row, column = divmod(number, len(SIDES))
        is_last = end == section.stop
        next_seat = end - 1 if column == 1 and not is_last else None
        if column == 0:
            _check_seat(blocks, seat_at, section, row)
        cell = _Cell(head, _cell_texts(blocks, range(head + 1, end if next_seat is None else next_seat)))
        seat = blocks[seat_at].text
        if cell.texts and fold(blocks[cell.texts[-1]].text) in SEATS:
            raise PageRejected("incomplete_scorecard", f"the row of {seat} has not one cell for each of the two tools")
        span = Span(head, cell.texts[-1] if cell.texts else head)
        if SCORE.fullmatch(blocks[head].text) and blocks[head].text:
            takes.append(_labelled_take(blocks, cell, len(takes), row, SIDES[column], seat))
        else:
            missing.append(MissingTake(seat, SIDES[column], span))
        if next_seat is not None:
            seat_at = next_seat
    return Scorecard(tuple(takes), tuple(missing), is_labelled=True)


def _check_seat(blocks: Sequence[Block], seat_at: int, section: range, row: int) -> None:
    if seat_at not in section or not blocks[seat_at].text or len(blocks[seat_at].text) > SEAT_MAX_LENGTH:
        raise PageRejected("incomplete_scorecard", f"row {row + 1} of the scorecard names no reviewer")


def _cell_texts(blocks: Sequence[Block], candidates: range) -> tuple[int, ...]:
    """The paragraphs of one take: those that share the first one's parent element; a text dump has no parents."""
    texts = [index for index in candidates if blocks[index].text]
    return tuple(index for index in texts if blocks[index].parent == blocks[texts[0]].parent)


def _labelled_take(blocks: Sequence[Block], cell: _Cell, position: int, row: int, side: Side, seat: str) -> Take:
    label = SCORE.fullmatch(blocks[cell.head].text)
    if label is None or not cell.texts:
        raise PageRejected("incomplete_scorecard", f"{seat} gives '{blocks[cell.head].text}' and no words with it")
    text = " ".join(blocks[index].text for index in cell.texts)
    return Take(
        position=position,
        row=row,
        side=side,
        seat=seat,
        score=label["score"],
        verdict=label["verdict"],
        text=_unquoted(text),
        span=Span(cell.head, cell.texts[-1]),
    )


def _unquoted(text: str) -> str:
    for opening, closing in QUOTED:
        if text.startswith(opening) and text.endswith(closing) and text.count(opening) + text.count(closing) in {2, 4}:
            inner = text[1:-1]
            return inner if opening not in inner and closing not in inner else text
    return text


def _read_quoted(blocks: Sequence[Block], section: range) -> Iterator[Take]:
    """Quotation marks hold a take, over several lines where need be. They stand in pairs around the whole of it."""
    position = 0
    index = section.start
    while index < section.stop:
        marks = next((pair for pair in QUOTED if blocks[index].text.startswith(pair[0])), None)
        if marks is None:
            index += 1
            continue
        last = index
        while not (blocks[last].text.endswith(marks[1]) and (last > index or len(blocks[last].text) > 1)):
            last += 1
            if last >= section.stop:
                raise PageRejected("truncated", f"the take that begins {blocks[index].text[:60]!r} is cut off")
        text = " ".join(blocks[at].text for at in range(index, last + 1))
        yield Take(
            position=position,
            row=None,
            side=None,
            seat=None,
            score=None,
            verdict=None,
            text=text[1:-1].strip(),
            span=Span(index, last),
        )
        position += 1
        index = last + 1
