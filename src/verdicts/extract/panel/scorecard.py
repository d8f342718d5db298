"""The scorecard: a seat, then a cell for each tool; or, without reviewers, takes in quotation marks."""

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from verdicts.corpus.enumerations import SIDES, Side
from verdicts.corpus.text import is_visible
from verdicts.extract.model.blocks import Cell
from verdicts.extract.model.records import Doubt, MissingTake, PageRejected, Take
from verdicts.extract.panel.take_columns import is_picture, is_seat_with_words
from verdicts.extract.panel.take_heads import Opening, openings, take_parts
from verdicts.extract.panel.take_rows import PanelVotes, Rows, read_rows
from verdicts.extract.panel.take_words import CellTexts, cell_texts, other_voice, without_shared_endings
from verdicts.extract.panel.texts import TOOLS, Texts

REMARK_MIN = 40
"""From this many characters on, a text above or below the rows is the page's remark; a shorter one may be a head."""

WORDLESS_SHARE = 4
"""At most one cell in so many may have no words."""

CUT_OFF = ("…", "...")
"""Endings of a text that continues elsewhere."""

_BULLET = re.compile(r"^(?:[-*•>–]|\d{1,3}[.)])\s")
"""List bullets in dumps."""


class Scorecard(Struct, frozen=True):
    """All takes in reading order, the cells without a take, and the doubts."""

    takes: tuple[Take, ...]
    missing_takes: tuple[MissingTake, ...]
    is_labelled: bool
    doubts: tuple[Doubt, ...] = ()
    wordless: tuple[Side, ...] = ()
    """The sides of score and verdict without words."""

    def fits(self, votes: PanelVotes) -> bool:
        """Whether each tool has as many takes as the page's votes say."""
        counts = [sum(take.side == side for take in self.takes) + self.wordless.count(side) for side in SIDES]
        return all(said is None or said == count for said, count in zip(votes, counts, strict=True))


def read_scorecard(page: Texts, section: range, names: tuple[str, str], votes: PanelVotes = (None, None)) -> Scorecard:
    """The takes between the scorecard's head and its end. `votes` select one of several readings.

    Raises `PageRejected`: `incomplete_scorecard` if a row lacks a reviewer or one cell per tool, `truncated` if a
    quotation mark is never closed.
    """
    readings: list[Scorecard] = []
    partial: list[Scorecard] = []
    failed: PageRejected | None = None
    upright = _upright(page.part(section), names)
    for heads_may_end_it in (False, True):
        texts = take_parts(upright, names, heads_may_end_it=heads_may_end_it)
        for found in openings(texts):
            for is_behind in (False, True):
                try:
                    rows = read_rows(texts, _below_head(texts, found), names, votes, is_behind=is_behind)
                    reading = _read(texts, rows, votes)
                except PageRejected as rejected:
                    failed = failed or rejected
                    continue
                if reading.wordless:
                    partial.append(reading)
                    continue
                if reading.fits(votes):
                    return reading
                readings.append(reading)
                break
        if readings:
            return readings[0]
    if partial and all(reading.takes == partial[0].takes for reading in partial) and partial[0].fits(votes):
        return partial[0]
    if failed is not None:
        raise failed
    takes = tuple(_quoted(page, section))
    used = {number for take in takes for number in range(take.span.first, take.span.last + 1)}
    unread = [index for index in section if page.numbers[index] not in used and not page.hangs_on_take(index)]
    return Scorecard(takes, (), is_labelled=False, doubts=tuple(_unread(page[index].text) for index in unread))


def _upright(page: Texts, names: tuple[str, str]) -> Texts:
    """The scorecard with a table turned if its columns are reviewers and its rows the tools."""
    cells = {at: cell for at, block in enumerate(page) if (cell := block.cell) is not None}
    seats = [cell for at, cell in cells.items() if page.folded[at] in page.words.seats]
    if len(seats) < TOOLS or any(cell.row for cell in seats):
        return page
    tools = [cell for at, cell in cells.items() if page[at].text in names]
    tables = {cell.table for cell in (*seats, *tools)}
    if any(cell.column for cell in tools) or len(tools) != len(names) or len(tables) > 1:
        return page
    turned = {at: Cell(table, column, row) for at, (table, row, column) in cells.items() if table == tools[0].table}
    order = iter(sorted(turned, key=lambda at: (turned[at], at)))
    kept = [next(order) if at in turned else at for at in range(len(page))]
    blocks = (replace(page[at], cell=turned.get(at, page[at].cell)) for at in kept)
    return Texts(blocks, page.words, [page.numbers[at] for at in kept])


def _below_head(texts: Texts, found: Sequence[Opening]) -> Sequence[Opening]:
    """Drops empty cells above the seats: the head of a table has no takes."""
    first = next(opening for opening in found if opening.is_take)
    row = None if (cell := texts[first.first].cell) is None else cell.row
    return [
        opening
        for opening in found
        if opening.is_take or (own := texts[opening.first].cell) is None or own.row > 0 or own.row == row
    ]


def _read(texts: Texts, rows: Rows, votes: PanelVotes) -> Scorecard:
    in_cells = cell_texts(texts, rows.cells)
    joined = {
        cell.opening.first: " ".join(texts[index].text for index in in_cells.own[cell.opening.first])
        for cell in rows.cells
        if cell.opening.is_take
    }
    said = without_shared_endings(joined, texts.words)
    takes: list[Take] = []
    missing: list[MissingTake] = []
    wordless: list[Doubt] = []
    for cell in rows.cells:
        opening = cell.opening
        span = texts.span((opening.first, opening.last, *in_cells.own[opening.first]))
        if not opening.is_take:
            missing.append(MissingTake(cell.seat, cell.side, span))
            continue
        text = _without_quotation_marks(said[opening.first], texts.words.profile.page.quotation_marks)
        # `82 found this helpful` is nobody's take: its words are above its score.
        if not is_visible(text) or texts.words.boilerplate.fullmatch(text) is not None:
            head = " · ".join(filter(None, [opening.score, opening.verdict]))
            # A dump may have lost a line.
            if wordless or len(rows.cells) < WORDLESS_SHARE or not texts[opening.first].path:
                raise PageRejected("incomplete_scorecard", f"{cell.seat} gives '{head}' and no words with it")
            wordless.append(Doubt("unread_text", cell.side, f"words of {cell.seat}", head))
            continue
        takes.append(Take(len(takes), cell.row, cell.side, cell.seat, opening.score, opening.verdict, text, span))
    without = tuple(doubt.side for doubt in wordless if doubt.side is not None)
    scorecard = Scorecard(tuple(takes), tuple(missing), is_labelled=True, wordless=without)
    is_whole = None not in votes and scorecard.fits(votes)
    doubts = (*_unread_texts(texts, rows, in_cells, is_whole=is_whole), *_doubts(texts, rows, in_cells, takes))
    return replace(scorecard, doubts=(*doubts, *wordless))


def _unread(text: str) -> Doubt:
    return Doubt("unread_text", None, "every text of the scorecard in a take", text)


def _unread_texts(texts: Texts, rows: Rows, in_cells: CellTexts, *, is_whole: bool) -> Iterator[Doubt]:
    """Texts outside of takes, seats, names and boilerplate.

    If the votes say that every take was read (`is_whole`), texts below the rows belong to another part of the page;
    links and texts longer than a column's head are the page's own remarks.
    """
    columns = rows.columns
    used = {*rows.seats, *rows.remarks, *columns.labels}
    last = max(cell.opening.last for cell in rows.cells)
    for cell in rows.cells:
        opening = cell.opening
        inside = {*range(opening.first, opening.last + 1), *cell.region, opening.closing or opening.first}
        used |= inside - {*in_cells.outside}
    for index, block in enumerate(texts):
        is_known = (
            index in used
            or texts.hangs_on_take(index)
            or texts.folded[index] in texts.words.column_heads
            or is_picture(texts, index)
        )
        is_remark = len(block.text) > REMARK_MIN or block.href is not None
        is_outside = index > last or (bool(columns.head) and index < max(columns.head))
        if not is_known and not (is_whole and (is_remark or is_outside)):
            yield _unread(block.text)


def _doubts(texts: Texts, rows: Rows, in_cells: CellTexts, takes: Sequence[Take]) -> Iterator[Doubt]:
    """The doubts of a reading, with the words in question."""
    own = {cell: in_cells.own[cell.opening.first] for cell in rows.cells if cell.opening.is_take}
    for cell, said in own.items():
        unproven = [texts[index].text for index in in_cells.unproven[cell.opening.first]]
        if unproven:
            yield Doubt("unread_text", cell.side, f"one text in the take of {cell.seat}", " ".join(unproven))
        for other in filter(None, (other_voice(texts[index].text) for index in said)):
            yield Doubt("unread_text", cell.side, f"words of {cell.seat} alone", other)
    for take in takes:
        if take.score is None or take.verdict is None:
            head = take.score or take.verdict or ""
            yield Doubt("unread_text", take.side, f"score and verdict of {take.seat}", head)
    for seat in rows.seats:
        if is_seat_with_words(texts[seat].text, texts.words):
            yield Doubt("unread_text", None, "the name of a reviewer alone", texts[seat].text)
    # A take is cut before a link or a button, which leads to the rest.
    for cell, found in own.items():
        behind = found[-1] + 1 if found and texts[found[-1]].text.endswith(CUT_OFF) else cell.region.stop
        if behind < cell.region.stop and (texts[behind].is_control or texts[behind].href is not None):
            yield Doubt("unread_text", cell.side, f"the whole take of {cell.seat}", texts[behind - 1].text[-60:])
    for seat in rows.inferred:
        expected = f"two cells in the row of {texts[seat].text}"
        yield Doubt("missing_cell", None, expected, "one, whose tool the votes tell")


def _quoted(page: Texts, section: range) -> Iterator[Take]:
    """The takes in quotation marks, one after the other, maybe over several lines.

    Raises `PageRejected` if a mark is never closed (`truncated`) or encloses nothing.
    """
    position = 0
    index = section.start
    while index < section.stop:
        start = _BULLET.sub("", page[index].text)
        closing = next((mark[1] for mark in page.words.profile.page.quotation_marks if start.startswith(mark[0])), None)
        last = index
        if closing is not None:
            while not (page[last].text.endswith(closing) and (last > index or len(page[last].text) > 1)):
                last += 1
                if last >= section.stop:
                    raise PageRejected("truncated", f"the take that begins {page[index].text[:60]!r} is cut off")
            text = " ".join([start, *(block.text for block in page[index + 1 : last + 1])])[1:-1].strip()
            if not is_visible(text):
                raise PageRejected("incomplete_scorecard", "two quotation marks hold no words")
            yield Take(position, None, None, None, None, None, text, page.span((index, last)))
            position += 1
        index = last + 1


def _without_quotation_marks(text: str, marks: Sequence[tuple[str, str]]) -> str:
    """A take without the marks around it. Marks of only its first or last words stay."""
    for opening, closing in marks:
        if text.startswith(opening) and text.endswith(closing) and text.count(opening) + text.count(closing) in {2, 4}:
            inner = text[1:-1]
            return inner if opening not in inner and closing not in inner else text
    return text
