"""What a reading of the scorecard leaves open, told with the words that it is about."""

from collections.abc import Iterator, Mapping, Sequence

from verdicts.extract.model.blocks import Block, fold
from verdicts.extract.model.records import Doubt, Take
from verdicts.extract.panel.scorecard.seats import is_picture, is_seat_with_words
from verdicts.extract.panel.scorecard.take_columns import Columns
from verdicts.extract.panel.scorecard.take_furniture import hangs_on_take, repeated_texts
from verdicts.extract.panel.scorecard.take_rows import Rows
from verdicts.extract.panel.scorecard.take_texts import CellTexts
from verdicts.extract.panel.words.page_words import PageWords

REMARK_MIN = 40
"""Characters of a text over or under the rows that is the page's own remark; a shorter one may head a column."""

CUT_OFF = ("…", "...")
"""How a text ends that goes on elsewhere."""


def reading_doubts(
    texts: Sequence[Block],
    rows: Rows,
    columns: Columns,
    in_cells: CellTexts,
    takes: Sequence[Take],
    words: PageWords,
    *,
    is_whole: bool,
) -> list[Doubt]:
    """Every doubt of a reading. `is_whole` says whether the votes prove that every take was read."""
    return [
        *_unread_texts(texts, rows, columns, in_cells.outside, words, is_whole=is_whole),
        *_uneven(texts, rows, in_cells),
        *_half_read(takes),
        *_named_with_words(texts, rows, words),
        *_cut_off(texts, rows, in_cells.own),
        *(
            Doubt("unread_text", None, "words of one take", text)
            for text in sorted(repeated_texts(texts, in_cells.own.values()))
        ),
        *(
            Doubt("missing_cell", None, f"two cells in the row of {texts[seat].text}", "one, whose tool the votes tell")
            for seat in rows.inferred
        ),
    ]


def unread_text(text: str) -> Doubt:
    return Doubt("unread_text", None, "every text of the scorecard in a take", text)


def _unread_texts(
    texts: Sequence[Block],
    rows: Rows,
    columns: Columns,
    outside: Sequence[int],
    words: PageWords,
    *,
    is_whole: bool,
) -> Iterator[Doubt]:
    """Texts that are in no take, seat or name and no furniture.

    Where the votes say that every take was read (`is_whole`), what stands under the rows is another part of the page,
    and what is a link or longer than a column's head is the page's own remark.
    """
    used = {*rows.seats, *rows.remarks, *columns.labels}
    last = max(cell.opening.last for cell in rows.cells)
    for cell in rows.cells:
        opening = cell.opening
        used |= {*range(opening.first, opening.last + 1), *cell.region, opening.closing or opening.first} - {*outside}
    for index, block in enumerate(texts):
        if index in used:
            continue
        is_known = (
            hangs_on_take(block, words) or fold(block.text) in words.column_heads or is_picture(texts, index, words)
        )
        is_remark = len(block.text) > REMARK_MIN or block.href is not None
        is_outside = index > last or (bool(columns.head) and index < max(columns.head))
        if not is_known and not (is_whole and (is_remark or is_outside)):
            yield unread_text(block.text)


def _uneven(texts: Sequence[Block], rows: Rows, in_cells: CellTexts) -> Iterator[Doubt]:
    """Takes of several texts where no element holds a cell: a paragraph of the take, or something between the rows."""
    for cell in rows.cells:
        found = in_cells.own[cell.opening.first]
        if cell.opening.is_take and len(found) > 1 and cell.opening.first in in_cells.unbounded:
            rest = " ".join(texts[index].text for index in found[1:])
            yield Doubt("unread_text", cell.side, f"one text in the take of {cell.seat}", rest)


def _half_read(takes: Sequence[Take]) -> Iterator[Doubt]:
    """Takes without score or verdict."""
    for take in takes:
        if take.score is None or take.verdict is None:
            head = take.score or take.verdict or ""
            yield Doubt("unread_text", take.side, f"score and verdict of {take.seat}", head)


def _cut_off(texts: Sequence[Block], rows: Rows, own: Mapping[int, Sequence[int]]) -> Iterator[Doubt]:
    """Takes that break off before a link or a button: the rest is behind it."""
    for cell in rows.cells:
        found = own[cell.opening.first]
        if cell.opening.is_take and found and texts[found[-1]].text.endswith(CUT_OFF):
            behind = found[-1] + 1
            if behind < cell.region.stop and (texts[behind].is_control or texts[behind].href is not None):
                tail = texts[found[-1]].text[-60:]
                yield Doubt("unread_text", cell.side, f"the whole take of {cell.seat}", tail)


def _named_with_words(texts: Sequence[Block], rows: Rows, words: PageWords) -> Iterator[Doubt]:
    """Reviewers beside whose known name other words stand."""
    for seat in rows.seats:
        if is_seat_with_words(texts[seat].text, words):
            yield Doubt("unread_text", None, "the name of a reviewer alone", texts[seat].text)
