"""The scorecard: a seat, then a cell for each tool; or, the reviewers lost, takes in quotation marks."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from verdicts.corpus.enumerations import SIDES
from verdicts.corpus.unicode_text import is_visible
from verdicts.extract.model.blocks import Block, Cell, fold, shared_depth
from verdicts.extract.model.records import Doubt, MissingTake, PageRejected, Span, Take
from verdicts.extract.panel.boilerplate import (
    hangs_on_take,
    own_words,
    recurring_forms,
    repeated_texts,
    shared_endings,
    without_hung_adverts,
)
from verdicts.extract.panel.page_words import PageWords
from verdicts.extract.panel.take_heads import Opening, Parts, openings, take_parts
from verdicts.extract.panel.take_rows import (
    Columns,
    PanelVotes,
    Rows,
    SeatedCell,
    column_readings,
    is_picture,
    is_seat_with_words,
    read_rows,
)

_BULLET = re.compile(r"^(?:[-*•>–]|\d{1,3}[.)])\s")
"""What dumps put before the items of a list."""


def read_quoted(blocks: Sequence[Block], section: range, marks: Sequence[tuple[str, str]]) -> Iterator[Take]:
    """The takes in quotation marks, which may run over several lines. `marks` are pairs, opening and closing.

    Raises `PageRejected` where a mark is never closed (`truncated`) or nothing stands between two of them.
    """
    position = 0
    index = section.start
    while index < section.stop:
        start = _BULLET.sub("", blocks[index].text)
        pair = next((pair for pair in marks if start.startswith(pair[0])), None)
        if pair is None:
            index += 1
            continue
        last = index
        while not (blocks[last].text.endswith(pair[1]) and (last > index or len(blocks[last].text) > 1)):
            last += 1
            if last >= section.stop:
                raise PageRejected("truncated", f"the take that begins {blocks[index].text[:60]!r} is cut off")
        text = " ".join([start, *(block.text for block in blocks[index + 1 : last + 1])])[1:-1].strip()
        if not is_visible(text):
            raise PageRejected("incomplete_scorecard", "two quotation marks hold no words")
        yield Take(
            position=position,
            row=None,
            side=None,
            seat=None,
            score=None,
            verdict=None,
            text=text,
            span=Span(index, last),
        )
        position += 1
        index = last + 1


def without_quotation_marks(text: str, marks: Sequence[tuple[str, str]]) -> str:
    """A take without the marks around it. Marks that belong to its first and last words stay."""
    for opening, closing in marks:
        if text.startswith(opening) and text.endswith(closing) and text.count(opening) + text.count(closing) in {2, 4}:
            inner = text[1:-1]
            return inner if opening not in inner and closing not in inner else text
    return text


PROSE_MIN = 60
"""Characters of a text that is no label, no seat and no furniture."""


@dataclass(frozen=True, slots=True)
class CellTexts:
    """`own` are the texts of each cell, by the first text of its head; `outside` those of its region that are no part.

    `unbounded` are the cells that no element holds alone.
    """

    own: Mapping[int, list[int]]
    outside: tuple[int, ...]
    unbounded: frozenset[int]


def cell_paths(blocks: Sequence[Block], cells: Sequence[SeatedCell]) -> dict[int, tuple[int, ...]]:
    """For the head of each cell the path of the element that holds this cell alone; empty where there is none.

    Keys are the numbers of the heads' first texts. Raises `PageRejected` (`incomplete_scorecard`) where the element
    holds other words than those that the order of the page gives to the cell: they are those of another.
    """
    heads = {cell.opening.first: _common(blocks, range(cell.opening.first, cell.opening.last + 1)) for cell in cells}
    numbers = sorted(heads)
    found: dict[int, tuple[int, ...]] = {}
    for cell in cells:
        number = cell.opening.first
        place = numbers.index(number)
        near = [numbers[other] for other in (place - 1, place + 1) if 0 <= other < len(numbers)]
        within = [index for index in cell.region if blocks[index].text and index != cell.opening.closing]
        own = _alone(blocks, heads[number], near)
        if own and within and not any(blocks[index].is_within(own) for index in within):
            if any(len(blocks[index].text) > PROSE_MIN for index in _held(blocks, own, cell)):
                raise PageRejected("incomplete_scorecard", f"the words beside a score of {cell.seat} are not its own")
            nearest = within[0] if cell.region.start > cell.opening.last else within[-1]
            own = _alone(blocks, _common(blocks, [number, nearest]), near)
        found[number] = own
    return found


def _held(blocks: Sequence[Block], path: tuple[int, ...], cell: SeatedCell) -> list[int]:
    """Texts that an element holds besides the head of a cell."""
    inside = range(cell.opening.first, cell.opening.last + 1)
    return [index for index, block in enumerate(blocks) if index not in inside and block.is_within(path)]


def _alone(blocks: Sequence[Block], path: tuple[int, ...], others: Sequence[int]) -> tuple[int, ...]:
    """The outermost of these elements that does not hold the others, too."""
    shared = max((shared_depth(path, blocks[other].path) for other in others), default=0)
    return path[: shared + 1] if shared < len(path) else ()


def _common(blocks: Sequence[Block], texts: Sequence[int]) -> tuple[int, ...]:
    path = blocks[texts[0]].path
    for index in texts:
        path = path[: shared_depth(path, blocks[index].path)]
    return path


def cell_texts(blocks: Sequence[Block], cells: Sequence[SeatedCell], words: PageWords) -> CellTexts:
    """The texts of each take.

    Paragraphs, lists, quotations and folded parts all belong to the take that they stand with. What is named
    furniture, or is a button, a link or a count that ends half of the takes, does not.
    """
    paths = cell_paths(blocks, cells)
    found: dict[int, list[int]] = {}
    outside: list[int] = []
    for cell in cells:
        opening, path = cell.opening, paths[cell.opening.first]
        within = [index for index in cell.region if blocks[index].text and index != opening.closing]
        own = [index for index in within if blocks[index].is_within(path)]
        own = without_hung_adverts(blocks, _of_one_cell(blocks, own), words)
        outside += [index for index in within if index not in own]
        found[opening.first] = own
    trailing = _behind_the_last(found, cells, paths)
    outside += trailing
    takes = {first: [index for index in texts if index not in trailing] for first, texts in found.items()}
    recurring = recurring_forms(blocks, [texts for texts in takes.values() if texts])
    kept = {first: own_words(blocks, texts, recurring, words) for first, texts in takes.items()}
    return CellTexts(kept, tuple(outside), frozenset(first for first, path in paths.items() if not path))


def _behind_the_last(
    found: Mapping[int, list[int]], cells: Sequence[SeatedCell], paths: Mapping[int, tuple[int, ...]]
) -> list[int]:
    """What stands behind the last take where no element holds it, and all other takes are one text: a footer."""
    unbounded = [cell.opening.first for cell in cells if cell.opening.is_take and not paths[cell.opening.first]]
    if len(unbounded) < 2 or any(len(found[first]) != 1 for first in sorted(unbounded)[:-1]):
        return []
    return found[max(unbounded)][1:]


def _of_one_cell(blocks: Sequence[Block], texts: list[int]) -> list[int]:
    """In a table with a column for more than head and take (a date, a count), the texts of the longest cell alone."""
    if len(texts) < 2 or len({blocks[index].cell for index in texts}) < 2:
        return texts
    lengths: Counter[Cell | None] = Counter()
    for index in texts:
        lengths[blocks[index].cell] += len(blocks[index].text)
    longest = lengths.most_common(1)[0][0]
    return [index for index in texts if blocks[index].cell == longest]


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
