"""The Decision table: a label and a value for each tool, in any orientation.

A table in markup is read by its cells; other elements by each row's element; a table without cells, as in a text dump,
by the order of its texts, in every consistent way.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, groupby
from typing import TypeAlias

from verdicts.corpus.enumerations import SIDES
from verdicts.extract.model.blocks import fold, shared_depth
from verdicts.extract.model.records import Decision, Doubt, PageRejected
from verdicts.extract.panel.texts import PERCENT, DecisionField, PageWords, Texts

TOOLS = len(SIDES)
WIDTH = 1 + TOOLS

HEAD_MAX = 60
"""A shorter text beside one name before the first row names another tool."""

Pair: TypeAlias = tuple[str | None, str | None]
"""The values of A and of B."""


@dataclass(frozen=True, slots=True)
class DecisionTable:
    """Both columns, A then B, the section's blocks outside its rows, and contradictions of copies."""

    decisions: tuple[Decision, Decision]
    unread: tuple[int, ...]
    doubts: tuple[Doubt, ...] = ()


@dataclass(frozen=True, slots=True)
class Reading:
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


def read_decision(page: Texts, section: range, names: tuple[str, str]) -> DecisionTable:
    """Reads both columns.

    Raises `PageRejected` (`incomplete_decision`) if no orientation gives each label one value per tool, or if two do
    and differ: values shifted to the other tool would be worse than a lost page.
    """
    inner = [index for index in section if page.folded[index] != page.words.decision]
    reading, doubts = _by_cells(page, inner, names) or _by_order(page, inner, names)
    span = page.span(section)
    first, second = (
        Decision(
            side=side,
            name=name,
            span=span,
            **{field: _value(reading, field, column, page.words) for field in page.words.decision_labels.values()},
        )
        for column, (side, name) in enumerate(zip(SIDES, names, strict=True))
    )
    return DecisionTable((first, second), reading.unread, doubts)


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


def _present(text: str, words: PageWords) -> str | None:
    """A value; None for a dash and an empty cell."""
    return None if text in words.no_value else text


def _joined(page: Texts, numbers: Sequence[int]) -> str:
    return " ".join(page[index].text for index in numbers if page[index].text)


def _in_order(first: str | None, second: str | None, order: Sequence[str], names: tuple[str, str]) -> Pair:
    """Two values as A's and B's, by the `order` of the names. Two tools of one name are A, B."""
    is_turned = names[0] != names[1] and tuple(order[:TOOLS]) == names[::-1]
    return (second, first) if is_turned else (first, second)


# A table of the markup.


Place: TypeAlias = tuple[int, int]
"""Row and column."""


class _Grid:
    """The cells of one table, turned so that the labels are in a column."""

    def __init__(self, page: Texts, table: Sequence[int]) -> None:
        cells: dict[Place, list[int]] = {}
        for index in table:
            if (cell := page[index].cell) is not None:
                cells.setdefault((cell.row, cell.column), []).append(index)
        texts = {place: fold(_joined(page, numbers)) for place, numbers in cells.items()}
        labels = [place for place, text in texts.items() if text in page.words.decision_labels]
        by_row, by_column = (Counter(place[axis] for place in labels) for axis in (0, 1))
        if labels and max(by_row.values()) > max(by_column.values()):
            cells = {(column, row): numbers for (row, column), numbers in cells.items()}
        self.cells = dict(sorted(cells.items()))
        self.texts = {place: _joined(page, numbers) for place, numbers in cells.items()}
        self.fields = {
            place: field
            for place, text in self.texts.items()
            if (field := page.words.decision_labels.get(fold(text))) is not None
        }
        self.rows: dict[int, list[int]] = {}
        for row, column in self.cells:
            self.rows.setdefault(row, []).append(column)


def _by_cells(page: Texts, section: Sequence[int], names: tuple[str, str]) -> tuple[Reading, tuple[Doubt, ...]] | None:
    """The first table, and contradictions in its copies. None without a table of two tools."""
    tables: dict[int, list[int]] = {}
    for index in section:
        if (cell := page[index].cell) is not None:
            tables.setdefault(cell.table, []).append(index)
    readings = [(table, _read_cells(page, _Grid(page, table), names)) for table in tables.values()]
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


def _read_cells(page: Texts, grid: _Grid, names: tuple[str, str]) -> Reading | None:
    """The rows of one table. None without two columns of values.

    Raises `PageRejected`: `incomplete_card` for more than two tools, `incomplete_decision` if its head names other
    tools.
    """
    if not grid.fields:
        return None
    ((label, _),) = Counter(column for _, column in grid.fields).most_common(1)
    fields = {row: grid.fields[row, label] for row in grid.rows if (row, label) in grid.fields}
    head = _head_row(grid, names, min(fields))
    # Each label may be alone in a row above its values.
    is_over = all(grid.rows[row] == [label] for row in fields)
    columns = {at for row in fields for at in grid.rows.get(row + is_over, ()) if is_over or at != label}
    if (head is None and len(columns) != TOOLS) or len({*fields.values()}) < len(fields):
        return None
    first, second = sorted(columns) if head is None else head[1]
    read = {(head[0], at) for at in grid.rows[head[0]]} if head is not None else set()
    rows: dict[DecisionField, Pair] = {}
    for row, field in fields.items():
        one, other = (row + is_over, first), (row + is_over, second)
        if one not in grid.cells or other not in grid.cells:
            return None
        # A third column with its own verdict and votes belongs to a third tool.
        others = [grid.texts[one[0], at] for at in grid.rows[one[0]] if at not in {label, first, second}]
        judged = [text for text in others if page.words.verdict_value.fullmatch(text)]
        if field == "verdict" and any(sign.isdigit() for text in judged for sign in text):
            raise PageRejected("incomplete_card", "the Decision table judges three tools or more")
        rows[field] = (_present(grid.texts[one], page.words), _present(grid.texts[other], page.words))
        read |= {(row, label), one, other}
    return Reading(rows, tuple(index for place, cell in grid.cells.items() if place not in read for index in cell))


def _head_row(grid: _Grid, names: tuple[str, str], first: int) -> tuple[int, tuple[int, int]] | None:
    """The row with both names, and the columns of A and B.

    A row before the `first` label with one of them and another name belongs to another page.
    """
    for row, columns in grid.rows.items():
        places = [[column for column in columns if grid.texts[row, column] == name] for name in names]
        if all(places) and row != first:
            # Two tools may have one name.
            return row, (places[0][0], places[1][-1])
        filled = [grid.texts[row, column] for column in columns if grid.texts[row, column]]
        if row < first and len(filled) >= TOOLS:
            head = f"the head of the Decision table reads {' / '.join(filled)}, not {' / '.join(names)}"
            raise PageRejected("incomplete_decision", head)
    return None


# Elements that are no table, and texts alone.


def _by_order(page: Texts, section: Sequence[int], names: tuple[str, str]) -> tuple[Reading, tuple[Doubt, ...]]:
    reading = _one_by_order(page, section, names)
    if reading is not None:
        return reading, ()
    # For a table and its copy (phone, desktop): the elements around the first repeated label.
    labels = [index for index in section if _field(page, index) is not None]
    same = [index for index in labels if page.folded[index] == page.folded[labels[0]]]
    around = [page.widest_element(label, [other for other in same if other != label]) for label in same]
    halves = [[index for index in section if index in part] for part in around if part is not None]
    read = [_one_by_order(page, half, names) for half in halves] if len(halves) == len(same) == TOOLS else []
    if len(read) != TOOLS or (first := read[0]) is None or (copy := read[1]) is None:
        raise PageRejected(
            "incomplete_decision",
            "the labels of the Decision table have not exactly one value for each of the two tools",
        )
    held = {index for half in halves for index in half}
    unread = (*first.unread, *copy.unread, *(index for index in section if index not in held))
    return Reading(first.rows, unread), tuple(_differences(first, copy))


def _one_by_order(page: Texts, section: Sequence[int], names: tuple[str, str]) -> Reading | None:
    by_element = _by_element(page, section, names)
    if by_element is not None and by_element.is_sound(page.words, needs_verdict=False):
        return by_element
    sound = [one for one in _by_lines(page, section, names) if one.is_sound(page.words, needs_verdict=True)]
    if any(reading.rows != sound[0].rows for reading in sound[1:]):
        raise PageRejected("incomplete_decision", "the Decision table can be read in two ways, which differ")
    return min(sound, key=lambda reading: len(reading.unread), default=None)


def _by_element(page: Texts, section: Sequence[int], names: tuple[str, str]) -> Reading | None:
    """The rows, each an element with a label and two values. None if a label has no such element."""
    labels = [index for index in section if _field(page, index) is not None]
    named = [index for index in section if page[index].text in names]
    order = [page[index].text for index in named if index < min(labels, default=0)]
    if order and {*order} != {*names}:
        return None
    rows: dict[DecisionField, Pair] = {}
    read: set[int] = set()
    for label in labels:
        field = _field(page, label)
        row = page.widest_element(label, [*(other for other in labels if other != label), *named])
        if row is None or field is None or field in rows:
            return None
        cells = _beside(page, row, label)
        if len(cells) != TOOLS:
            return None
        first, second = (_present(_joined(page, cell), page.words) for cell in cells)
        rows[field] = _in_order(first, second, order, names)
        read |= {*row}
    return Reading(rows, tuple(index for index in section if index not in read and index not in named))


def _beside(page: Texts, row: range, label: int) -> list[list[int]]:
    """The contents of a row beside its label, by its direct child elements."""
    shared = min(shared_depth(page[index].path, page[row.start].path) for index in row)
    depth = min(shared, len(page[label].path))
    keyed = groupby(row, key=lambda index: page[index].path[depth] if len(page[index].path) > depth else -index)
    cells = [[*cell] for _, cell in keyed]
    return [cell for cell in cells if label not in cell]


def _by_lines(page: Texts, section: Sequence[int], names: tuple[str, str]) -> Iterator[Reading]:
    """Every consistent way to read the table."""
    lines = page.part(section)
    by_tool = (reading for starts in _name_places(lines, names) if (reading := _by_tool(lines, names, starts)))
    turned = (reading for starts in _name_places(lines, names) if (reading := _transposed(lines, names, starts)))
    by_row = [_by_row(lines, names, column) for column in range(WIDTH)]
    for reading in (*by_row, next(by_tool, None), next(turned, None)):
        if reading is not None:
            yield Reading(reading.rows, tuple(section[place] for place in reading.unread))


def _by_row(lines: Texts, names: tuple[str, str], label_column: int) -> Reading | None:
    """A label and two values per row, the label first, between or last. A value may look like a label: `Community`."""
    texts = [block.text for block in lines]
    # Labels come after the names, as a name may look like a label.
    heads = [place for place in range(len(texts) - 1) if {*texts[place : place + TOOLS]} == {*names}]
    behind = heads[0] + TOOLS if heads else 0
    start = next((place for place in range(behind, len(texts)) if _field(lines, place) is not None), -1) - label_column
    if start < 0:
        return None
    order = [text for text in texts[:start] if text in names]
    beside = [place for place in range(start) if texts[place] and texts[place] not in names]
    if {*order} != {*names} and any(len(texts[place]) < HEAD_MAX for place in beside):
        return None
    rows: dict[DecisionField, Pair] = {}
    unread, pending = beside, list[int]()
    place = start
    while place < len(texts):
        row = range(place, place + WIDTH)
        field = _field(lines, row[label_column]) if row.stop <= len(texts) else None
        if field is None:
            if _field(lines, place) is not None:
                return None
            pending.append(place)
            place += 1
            continue
        if field in rows or len(pending) % WIDTH:
            return None
        first, second = (_present(texts[at], lines.words) for at in row if at != row[label_column])
        rows[field] = _in_order(first, second, order, names)
        unread, pending = [*unread, *pending], []
        place += WIDTH
    return Reading(rows, (*unread, *pending))


def _name_places(lines: Texts, names: tuple[str, str]) -> Iterator[tuple[int, int] | None]:
    """Possible positions of the names, one before each tool's values, the likeliest first; None for no names.

    A name may look like a label.
    """
    named = [place for place, block in enumerate(lines) if block.text in names]
    for first, second in combinations(named, 2):
        if second > first + 1 and {lines[first].text, lines[second].text} == {*names}:
            yield first, second
    yield None


def _by_tool(lines: Texts, names: tuple[str, str], starts: tuple[int, int] | None) -> Reading | None:
    """All labels of one tool with their values, then those of the other. Names before them identify the tools."""
    half = len(lines) // 2
    before = range(0 if starts is None else starts[0])
    first = range(half) if starts is None else range(starts[0] + 1, starts[1])
    second = range(half if starts is None else starts[1] + 1, len(lines))
    if len(first) % 2 or len(second) % 2 or (starts is None and len(first) != len(second)):
        return None
    return _in_columns(lines, names, starts, [(run[::2], run[1::2]) for run in (first, second)], before)


def _transposed(lines: Texts, names: tuple[str, str], starts: tuple[int, int] | None) -> Reading | None:
    """All labels, then all values of one tool, then all of the other."""
    if starts is None:
        count, rest = divmod(len(lines), WIDTH)
        begins = (0, count, 2 * count)
    else:
        count, rest = starts[1] - starts[0] - 1, 0
        begins = (starts[0] - count, starts[0] + 1, starts[1] + 1)
    labels, first, second = (range(begin, begin + count) for begin in begins)
    if rest or not count or labels.start < 0 or second.stop > len(lines):
        return None
    beside = (*range(labels.start), *range(second.stop, len(lines)))
    return _in_columns(lines, names, starts, [(labels, first), (labels, second)], beside)


def _in_columns(
    lines: Texts,
    names: tuple[str, str],
    starts: tuple[int, int] | None,
    columns: Sequence[tuple[range, range]],
    beside: Sequence[int],
) -> Reading | None:
    """Labels and values of each tool. A value after an unknown label is left over with it."""
    order = () if starts is None else [lines[start].text for start in starts]
    unread = [place for place in beside if lines[place].text]
    values: list[dict[DecisionField, str | None]] = []
    for labels, said in columns:
        values.append({})
        for label, value in zip(labels, said, strict=True):
            field = _field(lines, label)
            if field in values[-1]:
                return None
            if field is None:
                unread += [label, value]
            else:
                values[-1][field] = _present(lines[value].text, lines.words)
    first, second = values
    if not first or [*first] != [*second]:
        return None
    rows = {field: _in_order(first[field], second[field], order, names) for field in first}
    return Reading(rows, tuple(dict.fromkeys(unread)))
