"""The Decision table: a label and a value for each tool, in any orientation.

A table in markup is read by its cells; other elements by each row's element; a table without cells, as in a text dump,
by the order of its texts, in every consistent way.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, groupby, islice
from typing import NamedTuple, TypeAlias

from msgspec import Struct

from verdicts.corpus.enumerations import SIDES
from verdicts.extract.model.blocks import fold, shared_depth
from verdicts.extract.model.records import Decision, Doubt, PageRejected
from verdicts.extract.panel.texts import PERCENT, SHORT_MAX, TOOLS, DecisionField, PageWords, Texts

WIDTH = 1 + TOOLS
"""Texts of a row: a label and a value for each tool."""

Names: TypeAlias = tuple[str, str]
Pair: TypeAlias = tuple[str | None, str | None]
"""The values of A and of B."""


class Reading(Struct, frozen=True):
    """One way to read the table: values by field, and the numbers of texts outside rows and head."""

    rows: Mapping[DecisionField, Pair]
    unread: tuple[int, ...]

    def is_sound(self, words: PageWords, *, needs_verdict: bool) -> bool:
        """Whether verdicts and community votes look like such; a shifted reading fails this test."""
        if not self.rows or (needs_verdict and "verdict" not in self.rows):
            return False
        verdicts = [value for value in self.rows.get("verdict", ()) if value is not None]
        votes = [value for value in self.rows.get("community", ()) if value is not None]
        return all(words.verdict_value.fullmatch(value) for value in verdicts) and all(
            PERCENT.search(value) or any(word in value.casefold() for word in words.community_votes) for value in votes
        )


def read_decision(
    page: Texts, section: range | None, names: Names
) -> tuple[tuple[Decision, ...], Sequence[int], Sequence[Doubt]]:
    """Both columns, A then B, the section's blocks outside its rows, and contradictions of copies.

    Raises `PageRejected` (`incomplete_decision`) if no orientation gives each label one value per tool, or if two do
    and differ: values shifted to the other tool would be worse than a lost page.
    """
    if section is None:
        return (), (), ()
    inner = [index for index in section if page.folded[index] != page.words.decision]
    reading, doubts = _by_cells(page, inner, names) or _by_order(page, inner, names)
    span = page.span(section)
    decisions = (
        Decision(
            side=side,
            name=name,
            span=span,
            **{field: _value(reading, field, column, page.words) for field in page.words.decision_labels.values()},
        )
        for column, (side, name) in enumerate(zip(SIDES, names, strict=True))
    )
    return tuple(decisions), reading.unread, doubts


def _value(reading: Reading, field: DecisionField, column: int, words: PageWords) -> str | None:
    """A tool's value; a price loses the badge after it: `$21/mo Best value`."""
    text = reading.rows.get(field, (None, None))[column]
    if field != "pricing" or text is None:
        return text
    badge = next((badge for badge in words.price_badges if text.casefold().endswith(f" {badge}")), "")
    return text[: len(text) - len(badge)].rstrip(" ·•|-") if badge else text


def panel_votes(decisions: Sequence[Decision], words: PageWords) -> tuple[int | None, int | None]:
    """How many of the panel voted on A and on B by the verdict line; None if it does not say."""
    counts = [words.vote_counts.search(decision.verdict or "") for decision in decisions]
    votes_a, votes_b = [None if count is None else sum(map(int, count.groups())) for count in counts] or (None, None)
    return votes_a, votes_b


def _differences(first: Reading, copy: Reading) -> Iterator[Doubt]:
    for field, values in copy.rows.items():
        for side, value, other in zip(SIDES, first.rows.get(field, (None, None)), values, strict=True):
            if value != other:
                yield Doubt("copies_differ", side, f"{field} {value}", f"{field} {other}")


def _field(page: Texts, index: int) -> DecisionField | None:
    return page.words.decision_labels.get(page.folded[index])


def _joined(page: Texts, numbers: Sequence[int]) -> str:
    return " ".join(text for at in numbers if (text := page[at].text))


Row: TypeAlias = tuple[DecisionField, Sequence[int], Sequence[int]]
"""A field and the texts of both values."""


def _reading(
    page: Texts, rows: Iterable[Row], names: Names, order: Sequence[str], left: Iterable[int]
) -> Reading | None:
    """What rows say, with the names in this `order`; None if a label stands twice.

    Two tools of one name are A, B; a dash and an empty cell are no value.
    """
    is_turned = names[0] != names[1] and tuple(order[:TOOLS]) == names[::-1]
    read: dict[DecisionField, Pair] = {}
    unread = [*left]
    for field, *cells in rows:
        if field in read:
            return None
        texts = (_joined(page, cell) for cell in cells)
        first, second = (None if text in page.words.no_value else text for text in texts)
        read[field] = (second, first) if is_turned else (first, second)
    return Reading(read, tuple(dict.fromkeys(index for index in unread if page[index].text)))


# A table of the markup.


class _Cell(NamedTuple):
    """A cell of the markup: its text, its blocks, and the field that it labels."""

    text: str
    numbers: list[int]
    field: DecisionField | None


_Table: TypeAlias = Mapping[int, Mapping[int, _Cell]]
"""Cells by row and column, turned so that the labels are in a column."""


def _table(page: Texts, numbers: Sequence[int]) -> _Table:
    held: dict[tuple[int, int], list[int]] = {}
    for index in numbers:
        if (cell := page[index].cell) is not None:
            held.setdefault((cell.row, cell.column), []).append(index)
    cells = {}
    for place, inner in held.items():
        text = _joined(page, inner)
        cells[place] = _Cell(text, inner, page.words.decision_labels.get(fold(text)))
    labels = [place for place, cell in cells.items() if cell.field is not None]
    by_row, by_column = (Counter(place[axis] for place in labels) for axis in (0, 1))
    is_turned = bool(labels) and max(by_row.values()) > max(by_column.values())
    rows: dict[int, dict[int, _Cell]] = {}
    for row, column in sorted(place[::-1] if is_turned else place for place in cells):
        rows.setdefault(row, {})[column] = cells[(column, row) if is_turned else (row, column)]
    return rows


def _by_cells(page: Texts, section: Sequence[int], names: Names) -> tuple[Reading, tuple[Doubt, ...]] | None:
    """The first table, and contradictions in its copies. None without a table of two tools."""
    tables: dict[int, list[int]] = {}
    for index in section:
        if (cell := page[index].cell) is not None:
            tables.setdefault(cell.table, []).append(index)
    readings = [(table, _read_cells(page, _table(page, table), names)) for table in tables.values()]
    sound = [
        (table, reading)
        for table, reading in readings
        if reading is not None and reading.is_sound(page.words, needs_verdict=False)
    ]
    if not sound:
        return None
    first = sound[0][1]
    held = {index for table, _ in sound for index in table}
    unread = [index for _, reading in sound for index in reading.unread]
    doubts = tuple(doubt for _, copy in sound[1:] for doubt in _differences(first, copy))
    return Reading(first.rows, (*unread, *(index for index in section if index not in held))), doubts


def _read_cells(page: Texts, table: _Table, names: Names) -> Reading | None:
    """The rows of one table. None without two columns of values.

    Raises `PageRejected`: `incomplete_card` for more than two tools, `incomplete_decision` if its head names other
    tools.
    """
    labels = Counter(at for cells in table.values() for at, cell in cells.items() if cell.field is not None)
    if not labels:
        return None
    label = labels.most_common(1)[0][0]
    labelled = {
        row: field for row, cells in table.items() if label in cells and (field := cells[label].field) is not None
    }
    head = _head_row(table, names, min(labelled))
    # Each label may be alone in a row above its values.
    is_over = all(len(table[row]) == 1 for row in labelled)
    columns = {at for row in labelled for at in table.get(row + is_over, ()) if is_over or at != label}
    if head is None and len(columns) != TOOLS:
        return None
    first, second = sorted(columns) if head is None else head[1]
    read = set() if head is None else {(head[0], at) for at in table[head[0]]}
    rows: list[Row] = []
    for row, field in labelled.items():
        at, said = row + is_over, table.get(row + is_over, {})
        if first not in said or second not in said:
            return None
        # A third column with its own verdict and votes belongs to a third tool.
        others = [cell.text for column, cell in said.items() if column not in {label, first, second}]
        judged = [text for text in others if page.words.verdict_value.fullmatch(text)]
        if field == "verdict" and any(sign.isdigit() for text in judged for sign in text):
            raise PageRejected("incomplete_card", "the Decision table judges three tools or more")
        rows.append((field, said[first].numbers, said[second].numbers))
        read |= {(row, label), (at, first), (at, second)}
    cells = ((row, at, cell) for row, columns in table.items() for at, cell in columns.items())
    left = (index for row, at, cell in cells if (row, at) not in read for index in cell.numbers)
    return _reading(page, rows, names, (), left)


def _head_row(table: _Table, names: Names, first: int) -> tuple[int, tuple[int, int]] | None:
    """The row with both names, and the columns of A and B.

    A row before the `first` label with one of them and another name belongs to another page.
    """
    for row, cells in table.items():
        places = [[column for column, cell in cells.items() if cell.text == name] for name in names]
        if all(places) and row != first:
            # Two tools may have one name.
            return row, (places[0][0], places[1][-1])
        filled = [cell.text for cell in cells.values() if cell.text]
        if row < first and len(filled) >= TOOLS:
            head = f"the head of the Decision table reads {' / '.join(filled)}, not {' / '.join(names)}"
            raise PageRejected("incomplete_decision", head)
    return None


# Elements that are no table, and texts alone.


def _by_order(page: Texts, section: Sequence[int], names: Names) -> tuple[Reading, tuple[Doubt, ...]]:
    reading = _one_by_order(page, section, names)
    if reading is not None:
        return reading, ()
    # For a table and its copy (phone, desktop): the elements around the first repeated label.
    labels = [index for index in section if _field(page, index) is not None]
    same = [index for index in labels if page.folded[index] == page.folded[labels[0]]]
    around = [page.widest_element(label, same) for label in same]
    halves = [[index for index in section if index in part] for part in around if part is not None]
    read = [_one_by_order(page, half, names) for half in halves] if len(halves) == len(same) == TOOLS else []
    if len(read) != TOOLS or (first := read[0]) is None or (copy := read[1]) is None:
        raise PageRejected(
            "incomplete_decision",
            "the labels of the Decision table do not have exactly one value for each tool",
        )
    held = {index for half in halves for index in half}
    unread = (*first.unread, *copy.unread, *(index for index in section if index not in held))
    return Reading(first.rows, unread), tuple(_differences(first, copy))


def _one_by_order(page: Texts, section: Sequence[int], names: Names) -> Reading | None:
    by_element = _by_element(page, section, names)
    if by_element is not None and by_element.is_sound(page.words, needs_verdict=False):
        return by_element
    sound = [one for one in _by_lines(page, section, names) if one.is_sound(page.words, needs_verdict=True)]
    if any(reading.rows != sound[0].rows for reading in sound[1:]):
        raise PageRejected("incomplete_decision", "the Decision table can be read in two ways, which differ")
    return min(sound, key=lambda reading: len(reading.unread), default=None)


def _by_element(page: Texts, section: Sequence[int], names: Names) -> Reading | None:
    """The rows, each an element with a label and two values. None if a label has no such element."""
    labels = [index for index in section if _field(page, index) is not None]
    named = [index for index in section if page[index].text in names]
    order = [page[index].text for index in named if index < min(labels, default=0)]
    if order and {*order} != {*names}:
        return None
    rows: list[Row] = []
    read = {*named}
    for label in labels:
        row = page.widest_element(label, [*labels, *named])
        cells = [] if row is None or label in named else _beside(page, row, label)
        if row is None or len(cells) != TOOLS:
            return None
        first, second = cells
        rows.append((page.words.decision_labels[page.folded[label]], first, second))
        read |= {*row}
    return _reading(page, rows, names, order, (index for index in section if index not in read))


def _beside(page: Texts, row: range, label: int) -> list[list[int]]:
    """The contents of a row beside its label, by its direct child elements."""
    shared = min(shared_depth(page[index].path, page[row.start].path) for index in row)
    depth = min(shared, len(page[label].path))
    keyed = groupby(row, key=lambda index: page[index].path[depth] if len(page[index].path) > depth else -index)
    cells = [[*cell] for _, cell in keyed]
    return [cell for cell in cells if label not in cell]


def _by_lines(page: Texts, section: Sequence[int], names: Names) -> Iterator[Reading]:
    """Every consistent way to read the table."""
    for column in range(WIDTH):
        if (reading := _by_row(page, section, names, column)) is not None:
            yield reading
    yield from islice(_columns_of(page, section, names), 1)


def _by_row(page: Texts, section: Sequence[int], names: Names, label_column: int) -> Reading | None:
    """A label and two values per row, the label first, between or last. A value may look like a label: `Community`."""
    texts = [page[index].text for index in section]
    # Labels come after the names, as a name may look like a label.
    heads = [place for place in range(len(texts) - 1) if {*texts[place : place + TOOLS]} == {*names}]
    behind = heads[0] + TOOLS if heads else 0
    labels = (place for place in range(behind, len(texts)) if _field(page, section[place]) is not None)
    place = next(labels, -1) - label_column
    if place < 0:
        return None
    order = [text for text in texts[:place] if text in names]
    beside = [index for index in section[:place] if page[index].text and page[index].text not in names]
    # A short text beside one name alone names another tool.
    if {*order} != {*names} and any(len(page[index].text) < SHORT_MAX for index in beside):
        return None
    rows: list[Row] = []
    pending = 0
    while place < len(texts):
        row = section[place : place + WIDTH]
        field = _field(page, row[label_column]) if len(row) == WIDTH else None
        if field is None:
            if _field(page, section[place]) is not None:
                return None
            beside.append(section[place])
            pending += 1
            place += 1
            continue
        if pending % WIDTH:
            return None
        first, second = (index for index in row if index != row[label_column])
        rows.append((field, [first], [second]))
        pending = 0
        place += WIDTH
    return _reading(page, rows, names, order, beside)


def _columns_of(page: Texts, section: Sequence[int], names: Names) -> Iterator[Reading]:
    """A tool's name before its values: with the labels among them, or all labels before the first name.

    A name may look like a label.
    """
    named = [place for place, index in enumerate(section) if page[index].text in names]
    for one, other in combinations(named, 2):
        order = [page[section[place]].text for place in (one, other)]
        first, second, count = section[one + 1 : other], section[other + 1 :], other - one - 1
        if not count or {*order} != {*names}:
            continue
        by_tool = [(run[::2], run[1::2]) for run in (first, second)]
        if len(first) % 2 == 0 == len(second) % 2:
            yield from _in_columns(page, names, order, by_tool, section[:one])
        if count <= one and count <= len(second):
            labels, beside = section[one - count : one], [*section[: one - count], *second[count:]]
            yield from _in_columns(page, names, order, [(labels, first), (labels, second[:count])], beside)


def _in_columns(
    page: Texts,
    names: Names,
    order: Sequence[str],
    columns: Sequence[tuple[Sequence[int], Sequence[int]]],
    beside: Sequence[int],
) -> Iterator[Reading]:
    """Labels and values of each tool. A value after an unknown label is left over with it."""
    pairs = [[*zip(labels, said, strict=True)] for labels, said in columns]
    first, second = (
        [(field, value) for label, value in each if (field := _field(page, label)) is not None] for each in pairs
    )
    unknown = [index for each in pairs for pair in each if _field(page, pair[0]) is None for index in pair]
    if [field for field, _ in first] == [field for field, _ in second]:
        rows = ((field, [one], [other]) for (field, one), (_, other) in zip(first, second, strict=True))
        reading = _reading(page, rows, names, order, (*beside, *unknown))
        if reading is not None and reading.is_sound(page.words, needs_verdict=True):
            yield reading
