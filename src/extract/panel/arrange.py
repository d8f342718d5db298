"""Blocks put into the order in which the grammar reads them: one card after the other, label beside value. Pure.

Two things that a redesign does are undone here, so that one grammar reads them all: cards set side by side in a table,
and a label that shares a text with its value.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from extract.model.blocks import Block, fold
from extract.panel.furniture import is_decoration
from extract.panel.page_words import PERCENT, PageWords

STAT_MAX = 60
"""Characters of a text that may be a label with its value."""


def arrange(blocks: Sequence[Block], words: PageWords) -> tuple[Block, ...]:
    """The blocks of an HTML page, ready for the grammar."""
    arranged: list[Block] = []
    for table, grouped in groupby(blocks, key=lambda block: None if block.cell is None else block.cell.table):
        group = list(grouped)
        arranged += group if table is None else _card_by_card(group, words)
    return tuple(part for block in arranged for part in _parts(block, words) if not is_decoration(part, words))


def _parts(block: Block, words: PageWords) -> Iterator[Block]:
    """`Panel ship: 75%` is a label and a value."""
    if len(block.text) > STAT_MAX:
        yield block
        return
    match = words.label_and_value.fullmatch(block.text)
    if match is not None and fold(block.text) not in words.stats and _is_stat(match[2], match[3], words):
        yield replace(block, text=match[1])
        yield replace(block, text=match[3].strip())
        return
    match = words.value_and_label.fullmatch(block.text)
    if match is not None and PERCENT.fullmatch(match[1].strip()):
        yield replace(block, text=match[1].strip())
        yield replace(block, text=match[2])
        return
    yield block


def _is_stat(joint: str, value: str, words: PageWords) -> bool:
    """`Entry: Free`, `EntryFree`, `Panel ship 75%` are; `Entry level`, `Entrypoint`, `Community vs Pricing` are not."""
    is_value = PERCENT.fullmatch(value.strip()) is not None or value.strip() in words.no_value
    return is_value or joint.strip() == ":" or (not joint and not value[:1].islower())


def _card_by_card(table: Sequence[Block], words: PageWords) -> list[Block]:
    """A table that holds `Panel ship` holds the cards: a column or a row for each tool. Others stay as they are."""
    cells: dict[tuple[int, int], list[Block]] = {}
    for block in table:
        if block.cell is not None:
            cells.setdefault((block.cell.row, block.cell.column), []).append(block)
    anchor = next((place for place, cell in cells.items() if _has_panel_ship(cell, words)), None)
    if anchor is None:
        return list(table)
    anchor_row, anchor_column = anchor
    is_head = sum(row == anchor_row and _is_label(cells[row, column], words) for row, column in cells) >= 2
    rows = max(row for row, _ in cells) + 1
    columns = max(column for _, column in cells) + 1
    if is_head:
        return [
            block
            for row in range(anchor_row + 1, rows)
            for column in range(columns)
            for block in (*_head(cells.get((anchor_row, column), ()), words), *cells.get((row, column), ()))
        ]
    return [
        block
        for column in range(anchor_column + 1, columns)
        for row in range(rows)
        for block in (*_head(cells.get((row, anchor_column), ()), words), *cells.get((row, column), ()))
    ]


def _has_panel_ship(cell: Sequence[Block], words: PageWords) -> bool:
    return any(fold(block.text) == words.panel_ship for block in cell)


def _head(cell: Sequence[Block], words: PageWords) -> Sequence[Block]:
    """A column's head, but not that of the names: a name needs none."""
    return [block for block in cell if block.text and fold(block.text) not in words.name_labels]


def _is_label(cell: Sequence[Block], words: PageWords) -> bool:
    return any(fold(block.text) in words.card_labels for block in cell)
