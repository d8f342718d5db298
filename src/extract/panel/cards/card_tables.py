"""Cards set side by side in a table, put one after the other: each value behind its label. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from verdicts.extract.model.blocks import Block, fold
from verdicts.extract.panel.words.page_words import PERCENT, PageWords

Place: TypeAlias = tuple[int, int]
"""Row and column; the lines of a table that has its labels in a row are its columns, so that labels stand in `[1]`."""

Cells: TypeAlias = Mapping[Place, Sequence[Block]]


def card_by_card(table: Sequence[Block], words: PageWords) -> list[Block]:
    """A table that holds `Panel ship` in a cell of its own holds cards: a column or a row for each. Others stay.

    The blocks of each card get a path of their own, as if it was one element, and so does each label with its value.
    """
    cells: dict[Place, list[Block]] = {}
    for block in table:
        if block.cell is not None:
            cells.setdefault((block.cell.row, block.cell.column), []).append(block)
    anchors = [place for place, cell in cells.items() if _label(cell) == words.panel_ship]
    if not anchors or table[0].cell is None:
        return list(table)
    if _is_label_row(cells, anchors[0], words):
        cells = {(column, row): cell for (row, column), cell in cells.items()}
        anchors = [(column, row) for row, column in anchors]
    number = table[0].cell.table
    units = list(_units(cells, anchors))
    read = {place for unit in units for pair in unit.items() for place in pair}
    beside = [block for place, cell in cells.items() if place not in read for block in cell]
    if not units:
        return list(table)
    if len(units) == 1:
        return [*beside, *(block for label, value in _pairs(units[0], cells, words) for block in (*label, *value))]
    return [
        *beside,
        *(
            replace(block, path=_path(number, card, line))
            for card, unit in enumerate(units)
            for line, (label, value) in enumerate(_pairs(unit, cells, words))
            for block in (*label, *value)
        ),
    ]


def _path(table: int, card: int, line: int) -> tuple[int, int, int]:
    """Numbers that no other element has: those of real ones are not negative."""
    whole = -(table + 1) * 10**9
    return whole, whole - (card + 1) * 10**4, whole - (card + 1) * 10**4 - line - 1


_Unit: TypeAlias = Mapping[Place, Place | None]
"""The cells of a card, each with that of its label."""


def _label(cell: Sequence[Block]) -> str | None:
    """The text of a cell that holds one text, folded."""
    texts = [block.text for block in cell if block.text]
    return fold(texts[0]) if len(texts) == 1 else None


def _is_label_row(cells: Cells, anchor: Place, words: PageWords) -> bool:
    labels = [place for place, cell in cells.items() if _label(cell) in words.card_labels]
    in_row = sum(row == anchor[0] for row, _ in labels)
    in_column = sum(column == anchor[1] for _, column in labels)
    if in_row != in_column:
        return in_row > in_column
    return not any(row == anchor[0] and _is_percent(cell) for (row, _), cell in cells.items())


def _is_percent(cell: Sequence[Block]) -> bool:
    return any(PERCENT.fullmatch(block.text) is not None for block in cell)


def _units(cells: Cells, anchors: Sequence[Place]) -> Iterator[_Unit]:
    """Each column with a percentage beside `Panel ship`, or below it where labels stand over their values."""
    row, first_column = anchors[0]
    label_columns = sorted({column for _, column in anchors})
    is_over = [column for at, column in cells if at == row] == [first_column]
    columns = sorted({column for at, column in cells if at == row + is_over and _is_percent(cells[at, column])})
    rows = sorted({at for at, _ in cells})
    for column in columns:
        labels = [at for at in label_columns if at < column] or label_columns
        label_column = labels[-1] if labels[-1] < column else labels[0]
        yield {
            (at, column): label if label in cells else None
            for at in rows
            for label in [(at - is_over, label_column)]
            if (at, column) in cells and not (is_over and _stands_alone(cells, (at, column)))
        }


def _stands_alone(cells: Cells, place: Place) -> bool:
    return [column for row, column in cells if row == place[0]] == [place[1]]


def _pairs(unit: _Unit, cells: Cells, words: PageWords) -> Iterator[tuple[Sequence[Block], Sequence[Block]]]:
    """Labels with their values. The head of the names is none: a name needs no label."""
    for value, label in unit.items():
        head = [] if label is None else cells[label]
        yield [block for block in head if block.text and fold(block.text) not in words.name_labels], cells[value]
