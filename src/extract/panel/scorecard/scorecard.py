"""The scorecard: a seat, then a cell for each tool; or, the reviewers lost, takes in quotation marks."""

from collections.abc import Sequence
from dataclasses import dataclass

from verdicts.corpus.enumerations import SIDES
from verdicts.corpus.unicode_text import is_visible
from verdicts.extract.model.blocks import Block
from verdicts.extract.model.errors import PageRejected
from verdicts.extract.model.records import Doubt, MissingTake, Span, Take
from verdicts.extract.panel.scorecard.quoted import read_quoted, without_quotation_marks
from verdicts.extract.panel.scorecard.row_cells import PanelVotes
from verdicts.extract.panel.scorecard.take_columns import Columns, column_readings
from verdicts.extract.panel.scorecard.take_doubts import reading_doubts, unread_text
from verdicts.extract.panel.scorecard.take_furniture import hangs_on_take, shared_endings
from verdicts.extract.panel.scorecard.take_heads import Opening, openings
from verdicts.extract.panel.scorecard.take_parts import Parts, take_parts
from verdicts.extract.panel.scorecard.take_rows import Rows, SeatedCell, read_rows
from verdicts.extract.panel.scorecard.take_texts import cell_texts
from verdicts.extract.panel.words.page_words import PageWords


@dataclass(frozen=True, slots=True)
class Scorecard:
    """All takes in reading order, the cells that say there is none, and what was left open."""

    takes: tuple[Take, ...]
    missing_takes: tuple[MissingTake, ...]
    is_labelled: bool
    doubts: tuple[Doubt, ...] = ()


def read_scorecard(
    blocks: Sequence[Block],
    section: range,
    names: tuple[str, str],
    words: PageWords,
    votes: PanelVotes = (None, None),
) -> Scorecard:
    """The takes between the scorecard's head and its end. `votes` tell the right one of several readings.

    Raises `PageRejected`: `incomplete_scorecard` where a row has not one cell for each tool or names no reviewer,
    `truncated` where a quotation mark is never closed.
    """
    readings: list[Scorecard] = []
    failed: PageRejected | None = None
    for heads_may_end_it in (False, True):
        parts = take_parts(blocks, section, names, words, heads_may_end_it=heads_may_end_it)
        for found in openings(parts.texts, words):
            if not any(cell.is_take for cell in found):
                continue
            for is_behind in (False, True):
                try:
                    reading = _labelled(parts, found, names, words, votes, is_behind=is_behind)
                except PageRejected as rejected:
                    failed = failed or rejected
                    continue
                if _fits(reading.takes, votes):
                    return reading
                readings.append(reading)
                break
        if readings:
            return readings[0]
    if failed is not None:
        raise failed
    return _quoted(blocks, section, words)


def _quoted(blocks: Sequence[Block], section: range, words: PageWords) -> Scorecard:
    takes = tuple(read_quoted(blocks, section, words.profile.page.quotation_marks))
    used = {index for take in takes for index in range(take.span.first, take.span.last + 1)}
    unread = [index for index in section if index not in used and not hangs_on_take(blocks[index], words)]
    return Scorecard(takes, (), is_labelled=False, doubts=tuple(unread_text(blocks[index].text) for index in unread))


def _fits(takes: Sequence[Take], votes: PanelVotes) -> bool:
    counts = [sum(take.side == side for take in takes) for side in SIDES]
    return all(said is None or said == count for said, count in zip(votes, counts, strict=True))


def _labelled(
    parts: Parts,
    openings_found: Sequence[Opening],
    names: tuple[str, str],
    words: PageWords,
    votes: PanelVotes,
    *,
    is_behind: bool,
) -> Scorecard:
    texts = parts.texts
    found = _without_corner(texts, openings_found)
    columns, rows = _placed(texts, found, names, words, votes, is_behind=is_behind)
    in_cells = cell_texts(texts, rows.cells, words)
    own = in_cells.own
    said = shared_endings(
        {
            cell.opening.first: " ".join(texts[index].text for index in own[cell.opening.first])
            for cell in rows.cells
            if cell.opening.is_take
        },
        words,
    )
    takes: list[Take] = []
    missing: list[MissingTake] = []
    for cell in rows.cells:
        span = _span(parts, cell.opening, own[cell.opening.first])
        if cell.opening.is_take:
            takes.append(_take(cell, said[cell.opening.first], len(takes), span, words))
        else:
            missing.append(MissingTake(cell.seat, cell.side, span))
    is_whole = None not in votes and _fits(takes, votes)
    doubts = reading_doubts(texts, rows, columns, in_cells, takes, words, is_whole=is_whole)
    return Scorecard(tuple(takes), tuple(missing), is_labelled=True, doubts=tuple(doubts))


def _placed(
    texts: Sequence[Block],
    found: Sequence[Opening],
    names: tuple[str, str],
    words: PageWords,
    votes: PanelVotes,
    *,
    is_behind: bool,
) -> tuple[Columns, Rows]:
    """Columns and rows by the first reading of the names whose rows come out even."""
    failed: PageRejected | None = None
    for columns in column_readings(texts, names, found):
        try:
            return columns, read_rows(texts, found, columns, words, votes, is_behind=is_behind)
        except PageRejected as rejected:
            failed = failed or rejected
    raise failed or PageRejected("incomplete_scorecard", "nothing says whose the cells of the scorecard are")


def _without_corner(texts: Sequence[Block], found: Sequence[Opening]) -> Sequence[Opening]:
    """Without the empty cells over the seats: the head of a table has no takes."""
    first = next(opening for opening in found if opening.is_take)
    row = None if (cell := texts[first.first].cell) is None else cell.row
    return [
        opening
        for opening in found
        if opening.is_take or (own := texts[opening.first].cell) is None or own.row > 0 or own.row == row
    ]


def _take(cell: SeatedCell, text: str, position: int, span: Span, words: PageWords) -> Take:
    opening = cell.opening
    text = without_quotation_marks(text, words.profile.page.quotation_marks)
    if not is_visible(text):
        head = " · ".join(filter(None, [opening.score, opening.verdict]))
        raise PageRejected("incomplete_scorecard", f"{cell.seat} gives '{head}' and no words with it")
    return Take(
        position=position,
        row=cell.row,
        side=cell.side,
        seat=cell.seat,
        score=opening.score,
        verdict=opening.verdict,
        text=text,
        span=span,
    )


def _span(parts: Parts, opening: Opening, own: Sequence[int]) -> Span:
    origins = [parts.origins[index] for index in (opening.first, opening.last, *own)]
    return Span(min(origins), max(origins))
