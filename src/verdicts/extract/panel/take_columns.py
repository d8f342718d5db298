"""The tools of the scorecard's cells, and the texts that name reviewers: ways to read them, the likeliest first."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache

from msgspec import Struct

from verdicts.corpus.enumerations import SIDES, Side
from verdicts.extract.model.blocks import Block, fold
from verdicts.extract.model.records import PageRejected
from verdicts.extract.panel.take_heads import Opening
from verdicts.extract.panel.texts import TOOLS, PageWords, Texts

SEAT_MAX = 40
"""The most characters of a seat, which is a word or two."""

PICTURE_MAX = 3
"""The most letters that replace a reviewer's picture."""


def incomplete(detail: str) -> PageRejected:
    return PageRejected("incomplete_scorecard", detail)


class Columns(Struct, frozen=True):
    """The tools of the cells.

    `sides` are the sides of cells with a named tool, by their first text; None if the cells of a row follow the `order`
    of the columns, as unnamed cells do. `labels` are the naming texts, `head` those above all rows. In a table,
    `second` is the first column of the second tool.
    """

    sides: Mapping[int, Side] | None
    order: tuple[Side, Side] = SIDES
    labels: frozenset[int] = frozenset()
    head: frozenset[int] = frozenset()
    second: int | None = None
    is_by_tool: bool = False
    """All cells of one tool come before those of the other."""


# Whose the cells are.


def column_readings(texts: Texts, names: tuple[str, str], cells: Sequence[Opening]) -> Iterator[Columns]:
    """What names in the scorecard may say about its cells, the likeliest first; a take may contain names, too.

    Raises `PageRejected` (`incomplete_scorecard`) if the head of the columns does not name both tools.
    """
    inside = {index for cell in cells for index in range(cell.first, cell.last + 1)}
    folded, most = tuple(map(fold, names)), max(map(len, names)) + 4
    named = [
        index
        for index, text in enumerate(texts.folded)
        if text in folded and index not in inside and 0 < len(texts[index].text) <= most
    ]
    shown = [index for index in named if not texts[index].is_control]
    is_told = False
    for candidates in (named, shown) if shown != named else (named,):
        for columns in _columns(texts, candidates, folded, cells):
            is_told = True
            yield columns
    if is_told:
        return
    if any(index < cells[0].first for index in shown):
        raise incomplete(f"the tools' names stand {len(named)} times among {len(cells)} cells of the scorecard")
    yield Columns(None)


def _columns(texts: Texts, named: Sequence[int], names: tuple[str, ...], cells: Sequence[Opening]) -> Iterator[Columns]:
    if not named:
        yield _by_place(texts, cells, named, SIDES) or Columns(None)
        return
    head = [index for index in named if index < cells[0].first]
    sides = _sides_of(texts, named, names)
    labels = frozenset(named)
    if len(head) >= TOOLS:
        order = _order(sides[:TOOLS])
        by_place = _by_place(texts, cells, named, order)
        if by_place is not None:
            yield by_place
            return
        if len(named) == TOOLS:
            yield Columns(None, order, labels, labels)
            return
    if len(named) == TOOLS and len(head) == 1:
        own = {cell.first: sides[0] if cell.first < named[1] else sides[1] for cell in cells}
        yield Columns(own, _order(sides), labels, is_by_tool=True)
    takes = [cell for cell in cells if cell.is_take]
    for skipped in (0, TOOLS):
        of_cells = _name_a_cell(named[skipped:], cells) or _name_a_cell(named[skipped:], takes)
        if of_cells is not None:
            own = dict(zip(of_cells, _sides_of(texts, list(of_cells.values()), names), strict=True))
            yield Columns(own, SIDES, labels, frozenset(named[:skipped]))


def _by_place(texts: Texts, cells: Sequence[Opening], named: Sequence[int], order: tuple[Side, Side]) -> Columns | None:
    """The sides by table columns; None if the cells are in no table of two columns.

    The first names are above the columns; a name may span several.
    """
    head = named[:TOOLS]
    places = {cell.first: place for cell in cells if (place := texts[cell.first].cell) is not None}
    if len(places) != len(cells) or len({place.table for place in places.values()}) != 1:
        return None
    columns = [place.column for index in head if (place := texts[index].cell) is not None]
    if not head:
        columns = sorted({places[cell.first].column for cell in cells if cell.is_take})
    if len(columns) != TOOLS or columns[0] >= columns[1]:
        return None
    sides = {first: order[place.column >= columns[1]] for first, place in places.items()}
    return Columns(sides, order, frozenset(named), frozenset(head), columns[1])


def _name_a_cell(named: Sequence[int], cells: Sequence[Opening]) -> dict[int, int] | None:
    """The name of each cell, by its first text: all names are before their cells' heads, or all after them."""
    if len(named) != len(cells) or not cells:
        return None
    starts = [cell.first for cell in cells]
    for first, second in ((named, starts), (starts, named)):
        order = [place for pair in zip(first, second, strict=True) for place in pair]
        if order == sorted({*order}):
            return dict(zip(starts, named, strict=True))
    return None


def _sides_of(texts: Texts, named: Sequence[int], names: tuple[str, ...]) -> list[Side]:
    """By the folded names; two tools of one name take turns."""
    if names[0] == names[1]:
        return [SIDES[number % TOOLS] for number in range(len(named))]
    return [SIDES[names.index(texts.folded[index])] for index in named]


def _order(sides: Sequence[Side]) -> tuple[Side, Side]:
    if {*sides} != {*SIDES}:
        raise incomplete("both columns of the scorecard name the same tool")
    return sides[0], sides[1]


# Which texts name the reviewers.


def seat_name(text: str, words: PageWords) -> str:
    """The reviewer as the page names it, without a remark or number beside a known name."""
    return _known(text, words) or text


def is_seat_with_words(text: str, words: PageWords) -> bool:
    """Whether a known reviewer has other words beside it: `Builder Changed their mind`."""
    return _known(text, words) is None and not words.seats.isdisjoint(fold(text).split())


def seatings(texts: Texts, cells: Sequence[Opening], columns: Columns) -> Iterator[list[int]]:
    """Ways to find the reviewers: by the markup of known ones, by their words, by their position."""
    inside = {index for cell in cells for index in range(cell.first, cell.last + 1)} | columns.labels
    start = max(columns.head, default=-1) + 1
    free = [index for index in range(start, len(texts)) if index not in inside and _may_be_seat(texts, index)]
    known = [index for index in free if _known(texts[index].text, texts.words) is not None]
    shown = [index for index in known if not texts[index].is_control]
    if {texts.folded[index] for index in shown} == {texts.folded[index] for index in known}:
        # Tabs repeat the reviewers in a row of buttons.
        known = shown
    held = {place.column for cell in cells if (place := texts[cell.first].cell) is not None}
    marks = {index: _mark(texts[index], held) for index in free}
    of_known = {marks[index] for index in known} - {None}
    in_cells = {texts[index].cell for index in known} - {None}
    marked = [
        index for index in free if index in known or (marks[index] in of_known and texts[index].cell not in in_cells)
    ]
    if known and marked != known:
        yield marked
    if known:
        yield known
    before = [text_before(cell.first, columns.labels) for cell in cells]
    by_place = before if columns.is_by_tool else before[::TOOLS]
    if all(index in free for index in by_place) and {*known} <= {*by_place}:
        yield by_place
    first = [index for index in free if marks[index] is not None and index < cells[0].first]
    if not known and first:
        yield [index for index in free if marks[index] == marks[first[-1]]]


@lru_cache(maxsize=8192)
def _known(text: str, words: PageWords) -> str | None:
    match = words.seat_with_remark.match(text) if 0 < len(text) <= SEAT_MAX else None
    return None if match is None else match["seat"]


def _may_be_seat(texts: Texts, index: int) -> bool:
    text = texts[index].text
    if not 0 < len(text) <= SEAT_MAX or text[-1] in ".!?" or texts.folded[index] in texts.words.column_heads:
        return False
    return texts.words.boilerplate.fullmatch(text) is None and not is_picture(texts, index)


def is_picture(texts: Texts, index: int) -> bool:
    """Whether a text replaces the reviewer's picture: the first letters of the name beside it, `BU` for Builder."""
    text = texts[index].text
    if not 0 < len(text) <= PICTURE_MAX or not text.isalpha() or not text.isupper():
        return False
    if texts.folded[index] in texts.words.seats:
        # `PM` also begins PM.
        return index + 1 < len(texts) and texts[index + 1].text == text
    beside = [texts[other].text for other in (index + 1, index - 1) if 0 <= other < len(texts)]
    return any(
        text != name and text in {name[: len(text)].upper(), "".join(word[0] for word in name.split()).upper()}
        for name in beside
    )


def _mark(block: Block, held: Collection[int]) -> tuple[int | None, bool, int | None] | None:
    """The markup of a text above others: level of a heading, key of a row, column of a table, or None.

    A column with takes (`held`) marks no reviewer.
    """
    column = None if block.cell is None or block.cell.column in held else block.cell.column
    mark = (block.level, block.is_key, column)
    return None if mark == (None, False, None) else mark


def text_before(index: int, labels: Collection[int]) -> int:
    index -= 1
    while index in labels:
        index -= 1
    return index
