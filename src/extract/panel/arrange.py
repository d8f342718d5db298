"""Blocks put into the order in which a comparison is told: one card after the other, label beside value. Pure.

Two things that a redesign does are undone here, so that one grammar reads them all: cards set side by side in a table,
and a label that shares a text with its value.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from extract.model.blocks import Block, fold
from extract.panel.labels import BADGES, CARD_LABELS, NAME_LABELS, NO_VALUE, PANEL_SHIP, PERCENT, STAT, STAT_LAST, STATS

BADGE_MAX = max(map(len, BADGES)) + 3
STAT_MAX = 60
"""Characters of a text that may be a badge, and of one that may be a label with its value."""


def arrange(blocks: Sequence[Block]) -> tuple[Block, ...]:
    """The blocks of an HTML page, ready for the grammar."""
    arranged: list[Block] = []
    for table, found in groupby(blocks, key=lambda block: None if block.cell is None else block.cell.table):
        group = list(found)
        arranged += group if table is None else _card_by_card(group)
    return tuple(part for block in arranged for part in _parts(block) if not _is_decoration(part))


def _is_decoration(block: Block) -> bool:
    """`★`, `New`: hung beside the facts, none of them."""
    text = block.text
    if not text or len(text) > BADGE_MAX:
        return False
    is_symbol = len(text) <= 3 and not any(character.isalnum() for character in text)
    return fold(text) in BADGES or (is_symbol and text not in NO_VALUE)


def _parts(block: Block) -> Iterator[Block]:
    """`Panel ship: 75%` is a label and a value."""
    if len(block.text) > STAT_MAX:
        yield block
        return
    first = STAT.fullmatch(block.text)
    if first is not None and fold(block.text) not in STATS and _is_stat(first[2], first[3]):
        yield replace(block, text=first[1])
        yield replace(block, text=first[3].strip())
        return
    last = STAT_LAST.fullmatch(block.text)
    if last is not None and PERCENT.fullmatch(last[1].strip()):
        yield replace(block, text=last[1].strip())
        yield replace(block, text=last[2])
        return
    yield block


def _is_stat(joint: str, value: str) -> bool:
    """`Entry: Free`, `EntryFree`, `Panel ship 75%` are; `Entry level`, `Entrypoint`, `Community vs Pricing` are not."""
    is_value = PERCENT.fullmatch(value.strip()) is not None or value.strip() in NO_VALUE
    return is_value or joint.strip() == ":" or (not joint and not value[:1].islower())


def _card_by_card(table: Sequence[Block]) -> list[Block]:
    """A table that holds `Panel ship` holds the cards: a column or a row a tool. Others stay as they are."""
    grid: dict[tuple[int, int], list[Block]] = {}
    for block in table:
        if block.cell is not None:
            grid.setdefault((block.cell.row, block.cell.column), []).append(block)
    place = next((at for at, cell in grid.items() if any(fold(block.text) == PANEL_SHIP for block in cell)), None)
    if place is None:
        return list(table)
    is_head = sum(row == place[0] and _is_label(grid[row, column]) for row, column in grid) >= 2
    lines = max(row for row, _ in grid) + 1
    columns = max(column for _, column in grid) + 1
    if is_head:
        return [
            block
            for row in range(place[0] + 1, lines)
            for column in range(columns)
            for block in (*_head(grid.get((place[0], column), ())), *grid.get((row, column), ()))
        ]
    return [
        block
        for column in range(place[1] + 1, columns)
        for row in range(lines)
        for block in (*_head(grid.get((row, place[1]), ())), *grid.get((row, column), ()))
    ]


def _head(cell: Sequence[Block]) -> Sequence[Block]:
    """A column's head, but not that of the names: a name needs none."""
    return [block for block in cell if block.text and fold(block.text) not in NAME_LABELS]


def _is_label(cell: Sequence[Block]) -> bool:
    return any(fold(block.text) in CARD_LABELS for block in cell)
