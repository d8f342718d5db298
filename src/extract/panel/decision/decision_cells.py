"""A Decision table that is a table: read by its cells. Its head says whose a column is. Pure."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from verdicts.extract.model.blocks import Block
from verdicts.extract.model.errors import PageRejected
from verdicts.extract.panel.decision.decision_rows import TOOLS, Reading, field_of, joined_text, present
from verdicts.extract.panel.words.page_words import DecisionField, PageWords

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
