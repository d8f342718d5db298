"""Which texts of the scorecard name the reviewers."""

from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from typing import TypeAlias

from verdicts.extract.model.blocks import Block, fold
from verdicts.extract.panel.scorecard.take_columns import TOOLS, Columns
from verdicts.extract.panel.scorecard.take_heads import Opening
from verdicts.extract.panel.words.page_words import PageWords

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
