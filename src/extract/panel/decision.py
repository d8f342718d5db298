"""The Decision table: a label and a value for each tool, however the table is turned."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, groupby
from typing import TypeAlias

from verdicts.corpus.enumerations import SIDES
from verdicts.extract.model.blocks import Block, fold, widest_element
from verdicts.extract.model.records import Decision, Doubt, PageRejected, Span
from verdicts.extract.panel.page_words import PERCENT, DecisionField, PageWords

TOOLS = len(SIDES)

Rows: TypeAlias = Mapping[DecisionField, tuple[str | None, str | None]]
"""Field to the values of A and of B."""


@dataclass(frozen=True, slots=True)
class Reading:
    """The rows of the table, and the numbers of the blocks that are neither in one of them nor a head."""

    rows: Rows
    unread: tuple[int, ...]


def is_sound(rows: Rows, words: PageWords, *, needs_verdict: bool) -> bool:
    """Verdicts read like verdicts and community votes like votes: what tells a right reading from a shifted one."""
    if not rows or (needs_verdict and "verdict" not in rows):
        return False
    verdicts = [value for value in rows.get("verdict", ()) if value is not None]
    votes = [value for value in rows.get("community", ()) if value is not None]
    return all(words.verdict_value.fullmatch(value) for value in verdicts) and all(
        PERCENT.search(value) or any(word in value.casefold() for word in words.community_votes) for value in votes
    )


def field_of(text: str, words: PageWords) -> DecisionField | None:
    """The field that a label names."""
    return words.decision_labels.get(fold(text))


def present(text: str, words: PageWords) -> str | None:
    """A value; None for a dash and an empty cell."""
    return None if text in words.no_value else text


def joined_text(blocks: Sequence[Block], indices: Sequence[int]) -> str:
    """The text of a cell, of one block or several."""
    return " ".join(blocks[index].text for index in indices if blocks[index].text)


def pair(values: Sequence[str | None], *, is_turned: bool) -> tuple[str | None, str | None]:
    """Two values as A's and B's. `is_turned` where B's come first."""
    first, second = values
    return (second, first) if is_turned else (first, second)


def stands_turned(order: Sequence[str], names: tuple[str, str]) -> bool:
    """Whether names stand B, A. Two tools may have one name; then they stand A, B."""
    return names[0] != names[1] and tuple(order[:TOOLS]) == names[::-1]


Place = tuple[int, int]
"""Row and column."""


@dataclass(frozen=True, slots=True)
class _Grid:
    """The cells of one table; `turned` ones have their rows and columns exchanged, so that labels stand in a column."""

    cells: Mapping[Place, tuple[int, ...]]
    texts: Mapping[Place, str]
    columns: Mapping[int, list[int]]
    """Each row, in order, to the columns that have a cell in it, in order."""

    def row(self, number: int) -> list[int]:
        """The columns that have a cell in a row."""
        return self.columns.get(number, [])

    @property
    def rows(self) -> list[int]:
        return list(self.columns)


def read_cells(
    blocks: Sequence[Block], table: Sequence[int], names: tuple[str, str], words: PageWords
) -> Reading | None:
    """The rows of one table, whose blocks are given. None where it has not two columns of values.

    Raises `PageRejected`: `incomplete_card` where it compares more than two tools, `incomplete_decision` where its head
    names other tools.
    """
    grid = _upright(_grid(blocks, table), words)
    labels = [place for place, text in grid.texts.items() if field_of(text, words) is not None]
    if not labels:
        return None
    ((column, _),) = Counter(column for _, column in labels).most_common(1)
    first = min(row for row, at in labels if at == column)
    head = _head(grid, names, first)
    spanning = _labels_span(grid, column, words)
    columns = head.columns if head is not None else _value_columns(grid, column, spanning=spanning, words=words)
    if columns is None:
        return None
    rows: dict[DecisionField, tuple[str | None, str | None]] = {}
    read: set[Place] = {(head.row, at) for at in grid.row(head.row)} if head is not None else set()
    for row in grid.rows:
        field = field_of(grid.texts.get((row, column), ""), words)
        places = [(row + spanning, at) for at in columns]
        if field is None or not all(place in grid.cells for place in places):
            if field is not None:
                return None
            continue
        if field in rows:
            return None
        _refuse_third_tool(grid, places, column, field, words)
        first_value, second_value = (present(grid.texts[place], words) for place in places)
        rows[field] = (first_value, second_value)
        read |= {(row, column), *places}
    return Reading(rows, tuple(index for place, cell in grid.cells.items() if place not in read for index in cell))


@dataclass(frozen=True, slots=True)
class _Head:
    """The row of the names, and the columns of A and B."""

    row: int
    columns: tuple[int, int]


def _grid(blocks: Sequence[Block], table: Sequence[int]) -> _Grid:
    cells: dict[Place, tuple[int, ...]] = {}
    for index in table:
        cell = blocks[index].cell
        if cell is not None:
            place = (cell.row, cell.column)
            cells[place] = (*cells.get(place, ()), index)
    return _made(cells, {place: joined_text(blocks, cell) for place, cell in cells.items()})


def _made(cells: Mapping[Place, tuple[int, ...]], texts: Mapping[Place, str]) -> _Grid:
    columns: dict[int, list[int]] = {}
    for row, column in sorted(cells):
        columns.setdefault(row, []).append(column)
    return _Grid(cells, texts, columns)


def _upright(grid: _Grid, words: PageWords) -> _Grid:
    """The grid with its labels below each other."""
    labels = [place for place, text in grid.texts.items() if field_of(text, words) is not None]
    by_row, by_column = Counter(row for row, _ in labels), Counter(column for _, column in labels)
    if not labels or max(by_row.values()) <= max(by_column.values()):
        return grid
    return _made(
        {(column, row): cell for (row, column), cell in grid.cells.items()},
        {(column, row): text for (row, column), text in grid.texts.items()},
    )


def _labels_span(grid: _Grid, column: int, words: PageWords) -> bool:
    """Whether each label stands alone in a row, over its values."""
    rows = [row for row in grid.rows if field_of(grid.texts.get((row, column), ""), words) is not None]
    return all(grid.row(row) == [column] for row in rows)


def _head(grid: _Grid, names: tuple[str, str], first: int) -> _Head | None:
    """The row with both names. A row before the labels that names one of them and something else is another page's."""
    for row in grid.rows:
        texts = {column: grid.texts[row, column] for column in grid.row(row)}
        places = [[column for column, text in texts.items() if text == name] for name in names]
        if all(places) and row != first:
            # Two tools may have one name.
            return _Head(row, (places[0][0], places[1][-1]))
        filled = [text for text in texts.values() if text]
        if row < first and len(filled) >= TOOLS:
            raise PageRejected(
                "incomplete_decision",
                f"the head of the Decision table reads {' / '.join(filled)}, not {' / '.join(names)}",
            )
    return None


def _value_columns(grid: _Grid, label: int, *, spanning: bool, words: PageWords) -> tuple[int, int] | None:
    rows = [row for row in grid.rows if field_of(grid.texts.get((row, label), ""), words) is not None]
    columns = {at for row in rows for at in grid.row(row + spanning) if spanning or at != label}
    if len(columns) != TOOLS:
        return None
    first, second = sorted(columns)
    return first, second


def _refuse_third_tool(
    grid: _Grid, places: Sequence[Place], label: int, field: DecisionField, words: PageWords
) -> None:
    """A third column with a verdict and votes of its own is a third tool's."""
    row = places[0][0]
    others = [grid.texts[row, at] for at in grid.row(row) if at != label and (row, at) not in places]
    if field == "verdict" and any(
        any(sign.isdigit() for sign in text) for text in others if words.verdict_value.fullmatch(text)
    ):
        raise PageRejected("incomplete_card", "the Decision table judges three tools or more")


def read_elements(
    blocks: Sequence[Block], section: Sequence[int], names: tuple[str, str], words: PageWords
) -> Reading | None:
    """The rows, each an element with a label and two values. None where a label has no such element."""
    labels = [index for index in section if field_of(blocks[index].text, words) is not None]
    named = [index for index in section if blocks[index].text in names]
    rows: dict[DecisionField, tuple[str | None, str | None]] = {}
    read: set[int] = set()
    first_label = min(labels, default=0)
    order = [blocks[index].text for index in named if index < first_label]
    if order and {*order} != {*names}:
        return None
    for label in labels:
        field = field_of(blocks[label].text, words)
        row = widest_element(blocks, label, [*(other for other in labels if other != label), *named])
        if row is None or field is None or field in rows:
            return None
        cells = _cells(blocks, row, label)
        if len(cells) != TOOLS:
            return None
        first, second = (present(joined_text(blocks, cell), words) for cell in cells)
        rows[field] = pair((first, second), is_turned=stands_turned(order, names))
        read |= set(row)
    return Reading(rows, tuple(index for index in section if index not in read and index not in named))


def _cells(blocks: Sequence[Block], row: range, label: int) -> list[list[int]]:
    """What the row holds beside its label, by the elements directly within it."""
    depth = min(_shared(blocks, row), len(blocks[label].path))
    keyed = groupby(row, key=lambda index: blocks[index].path[depth] if len(blocks[index].path) > depth else -index)
    cells = [[*cell] for _, cell in keyed]
    return [cell for cell in cells if label not in cell]


def _shared(blocks: Sequence[Block], row: range) -> int:
    paths = [blocks[index].path for index in row]
    depth = 0
    while all(len(path) > depth and path[depth] == paths[0][depth] for path in paths):
        depth += 1
    return depth


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
    head = _line_head(texts[:start], names)
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


def _line_head(texts: Sequence[str], names: tuple[str, str]) -> tuple[bool, list[int]] | None:
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


@dataclass(frozen=True, slots=True)
class DecisionTable:
    """Both columns, A then B, the blocks of the section that are none of its rows, and what copies say otherwise."""

    decisions: tuple[Decision, Decision]
    unread: tuple[int, ...]
    doubts: tuple[Doubt, ...] = ()


def read_decision(blocks: Sequence[Block], section: range, names: tuple[str, str], words: PageWords) -> DecisionTable:
    """The two columns.

    Raises `PageRejected` (`incomplete_decision`) where no way of turning the table gives each label one value a tool,
    or where two ways do that differ: shifting the values of one tool to the other would be worse than losing the page.
    """
    inner = [index for index in section if fold(blocks[index].text) != words.decision]
    reading, doubts = _by_cells(blocks, inner, names, words) or _by_order(blocks, inner, names, words)
    rows = reading.rows
    span = Span(section.start, section.stop - 1)
    first, second = (
        Decision(
            side=side,
            name=names[index],
            span=span,
            **{field: _value(rows, field, index, words) for field in words.decision_labels.values()},
        )
        for index, side in enumerate(SIDES)
    )
    return DecisionTable((first, second), reading.unread, doubts)


def _value(rows: Rows, field: DecisionField, index: int, words: PageWords) -> str | None:
    """A tool's value; of a price without the badge behind it: `$21/mo Best value`."""
    text = rows[field][index] if field in rows else None
    if field != "pricing" or text is None:
        return text
    badge = next((badge for badge in words.price_badges if fold(text).endswith(f" {badge}")), "")
    return text[: len(text) - len(badge)].rstrip(" ·•|-") if badge else text


def _by_cells(
    blocks: Sequence[Block], section: Sequence[int], names: tuple[str, str], words: PageWords
) -> tuple[Reading, tuple[Doubt, ...]] | None:
    """What the first table says, and where a copy of it says something else. None without a table of two tools."""
    tables: dict[int, list[int]] = {}
    for index in section:
        cell = blocks[index].cell
        if cell is not None:
            tables.setdefault(cell.table, []).append(index)
    found = [
        (table, reading)
        for table in tables.values()
        if (reading := read_cells(blocks, table, names, words)) is not None
        and is_sound(reading.rows, words, needs_verdict=False)
    ]
    if not found:
        return None
    first = found[0][1]
    held = {index for table, _ in found for index in table}
    beside = [index for index in section if index not in held]
    unread = [index for _, reading in found for index in reading.unread]
    doubts = tuple(doubt for _, copy in found[1:] for doubt in _differences(first, copy))
    return Reading(first.rows, (*unread, *beside)), doubts


def _differences(first: Reading, copy: Reading) -> Iterator[Doubt]:
    for field, values in copy.rows.items():
        for side, value, other in zip(SIDES, first.rows.get(field, (None, None)), values, strict=True):
            if value != other:
                yield Doubt("copies_differ", side, f"{field} {value}", f"{field} {other}")


def _by_order(
    blocks: Sequence[Block], section: Sequence[int], names: tuple[str, str], words: PageWords
) -> tuple[Reading, tuple[Doubt, ...]]:
    reading = _one_by_order(blocks, section, names, words)
    if reading is not None:
        return reading, ()
    parts = _halves(blocks, section, words)
    found = [_one_by_order(blocks, part, names, words) for part in parts]
    read = [reading for reading in found if reading is not None]
    if len(read) != TOOLS:
        raise PageRejected(
            "incomplete_decision",
            "the labels of the Decision table have not exactly one value for each of the two tools",
        )
    first, copy = read
    held = {index for part in parts for index in part}
    unread = [*first.unread, *copy.unread, *(index for index in section if index not in held)]
    return Reading(first.rows, tuple(unread)), tuple(_differences(first, copy))


def _halves(blocks: Sequence[Block], section: Sequence[int], words: PageWords) -> list[list[int]]:
    """A table and its copy, for phone and desktop: the elements around the first label that stands twice."""
    labels = [index for index in section if field_of(blocks[index].text, words) is not None]
    same = [index for index in labels if fold(blocks[index].text) == fold(blocks[labels[0]].text)]
    if len(same) != TOOLS:
        return []
    around = [widest_element(blocks, label, [other for other in same if other != label]) for label in same]
    return [[index for index in section if index in part] for part in around if part is not None]


def _one_by_order(
    blocks: Sequence[Block], section: Sequence[int], names: tuple[str, str], words: PageWords
) -> Reading | None:
    by_element = read_elements(blocks, section, names, words)
    if by_element is not None and is_sound(by_element.rows, words, needs_verdict=False):
        return by_element
    sound = [
        reading
        for reading in readings(blocks, section, names, words)
        if is_sound(reading.rows, words, needs_verdict=True)
    ]
    if any(reading.rows != sound[0].rows for reading in sound[1:]):
        raise PageRejected("incomplete_decision", "the Decision table can be read in two ways, which differ")
    return min(sound, key=lambda reading: len(reading.unread), default=None)


def panel_votes(decisions: Sequence[Decision], words: PageWords) -> tuple[int | None, int | None]:
    """How many of the panel voted on A and on B, as the verdict line says; None where it does not."""
    counts = [words.vote_counts.search(decision.verdict or "") for decision in decisions]
    of_a, of_b = [None if found is None else sum(map(int, found.groups())) for found in counts] or (None, None)
    return of_a, of_b
