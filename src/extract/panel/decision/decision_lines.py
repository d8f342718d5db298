"""A Decision table whose cells are lost, as in a text dump or between elements: read by the order of its texts."""

from collections.abc import Iterator, Sequence
from itertools import combinations

from verdicts.extract.model.blocks import Block
from verdicts.extract.panel.decision.decision_rows import TOOLS, Reading, field_of, pair, present, stands_turned
from verdicts.extract.panel.words.page_words import DecisionField, PageWords

HEAD_MAX = 60
"""Characters. A shorter text beside one name before the first row is the name of another tool."""

WIDTH = 1 + TOOLS


def readings(
    blocks: Sequence[Block], section: Sequence[int], names: tuple[str, str], words: PageWords
) -> Iterator[Reading]:
    """Every way to read the table that comes out even."""
    texts = [blocks[index].text for index in section]
    found = [
        *(_by_row(texts, names, label_column, words) for label_column in range(WIDTH)),
        *(
            next(filter(None, (read(texts, names, starts, words) for starts in _name_places(texts, names))), None)
            for read in (_by_tool, _transposed)
        ),
    ]
    for reading in found:
        if reading is not None:
            yield Reading(reading.rows, tuple(section[place] for place in reading.unread))


def _by_row(texts: Sequence[str], names: tuple[str, str], label_column: int, words: PageWords) -> Reading | None:
    """A label and two values, the label first, between or last. A value may read like a label: `Community`."""
    start = next((place for place in _label_places(texts, names, words)), None)
    if start is None or start < label_column:
        return None
    start -= label_column
    head = _head(texts[:start], names)
    if head is None:
        return None
    is_turned, unread = head
    rows: dict[DecisionField, tuple[str | None, str | None]] = {}
    place = start
    pending: list[int] = []
    while place < len(texts):
        row = texts[place : place + WIDTH]
        field = field_of(row[label_column], words) if len(row) == WIDTH else None
        if field is not None:
            if field in rows or len(pending) % WIDTH:
                return None
            first, second = (present(text, words) for column, text in enumerate(row) if column != label_column)
            rows[field] = pair((first, second), is_turned=is_turned)
            unread += pending
            pending = []
            place += WIDTH
        else:
            if field_of(texts[place], words) is not None:
                return None
            pending.append(place)
            place += 1
    return Reading(rows, (*unread, *pending))


def _label_places(texts: Sequence[str], names: tuple[str, str], words: PageWords) -> Iterator[int]:
    """Where labels stand, behind the names: a name may read like a label."""
    head = {place for place in range(len(texts) - 1) if {*texts[place : place + TOOLS]} == {*names}}
    behind = max(min(head) + TOOLS, 0) if head else 0
    for place in range(behind, len(texts)):
        if field_of(texts[place], words) is not None:
            yield place


def _head(texts: Sequence[str], names: tuple[str, str]) -> tuple[bool, list[int]] | None:
    """Whether the names before the rows stand B, A, and what stands beside them. None where another tool does."""
    places = [place for place, text in enumerate(texts) if text in names]
    others = [place for place, text in enumerate(texts) if text and text not in names]
    named = [texts[place] for place in places]
    if {*named} != {*names} and any(len(texts[place]) < HEAD_MAX for place in others):
        return None
    return stands_turned(named, names), others


def _by_tool(
    texts: Sequence[str], names: tuple[str, str], starts: tuple[int, int] | None, words: PageWords
) -> Reading | None:
    """All labels of one tool with their values, then all of the other. Names before them say whose they are."""
    if starts is None:
        if len(texts) % 2:
            return None
        first, second = range(len(texts) // 2), range(len(texts) // 2, len(texts))
    else:
        first, second = range(starts[0] + 1, starts[1]), range(starts[1] + 1, len(texts))
    is_turned = starts is not None and stands_turned([texts[start] for start in starts], names)
    unread = [] if starts is None else [place for place in range(starts[0]) if texts[place]]
    runs = (_pairs(texts, first, words), _pairs(texts, second, words))
    if runs[0] is None or runs[1] is None or [*runs[0][0]] != [*runs[1][0]]:
        return None
    rows = {field: pair((runs[0][0][field], runs[1][0][field]), is_turned=is_turned) for field in runs[0][0]}
    return Reading(rows, (*unread, *runs[0][1], *runs[1][1]))


def _pairs(
    texts: Sequence[str], run: range, words: PageWords
) -> tuple[dict[DecisionField, str | None], list[int]] | None:
    """Label, value, label, value. What stands behind a label that is not known is left over with it."""
    values: dict[DecisionField, str | None] = {}
    unread: list[int] = []
    for place in run[::2]:
        if place + 1 not in run:
            return None
        field = field_of(texts[place], words)
        if field is None:
            unread += [place, place + 1]
        elif field in values:
            return None
        else:
            values[field] = present(texts[place + 1], words)
    return (values, unread) if values else None


def _name_places(texts: Sequence[str], names: tuple[str, str]) -> Iterator[tuple[int, int] | None]:
    """Where the names may stand, one before the values of each tool, the likeliest first; None for nowhere.

    A name may read like a label.
    """
    named = [place for place, text in enumerate(texts) if text in names]
    for first, second in combinations(named, 2):
        if second > first + 1 and {texts[first], texts[second]} == {*names}:
            yield first, second
    yield None


def _transposed(
    texts: Sequence[str], names: tuple[str, str], starts: tuple[int, int] | None, words: PageWords
) -> Reading | None:
    """All labels, then all values of one tool, then all of the other."""
    if starts is None:
        count = len(texts) // WIDTH
        if not count or len(texts) % WIDTH:
            return None
        labels, first, second = range(count), range(count, 2 * count), range(2 * count, 3 * count)
    else:
        count = starts[1] - starts[0] - 1
        if starts[0] < count:
            return None
        labels = range(starts[0] - count, starts[0])
        first, second = range(starts[0] + 1, starts[1]), range(starts[1] + 1, starts[1] + 1 + count)
    if second.stop > len(texts):
        return None
    is_turned = starts is not None and stands_turned([texts[start] for start in starts], names)
    rows: dict[DecisionField, tuple[str | None, str | None]] = {}
    unread = [place for place in (*range(labels.start), *range(second.stop, len(texts))) if texts[place]]
    for label, one, other in zip(labels, first, second, strict=True):
        field = field_of(texts[label], words)
        if field is None:
            unread += [label, one, other]
        elif field in rows:
            return None
        else:
            rows[field] = pair((present(texts[one], words), present(texts[other], words)), is_turned=is_turned)
    return Reading(rows, tuple(unread))
