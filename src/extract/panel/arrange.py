"""Blocks put into the form in which the grammar reads them: one card after the other, label beside value. Pure.

What a redesign does is undone here, so that one grammar reads them all: cards set side by side in a table, a label that
shares a text with its value, a value in several elements.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import chain, groupby, pairwise
from typing import TypeAlias

from verdicts.extract.model.blocks import Block, fold
from verdicts.extract.panel.boilerplate import is_decoration
from verdicts.extract.panel.page_words import PERCENT, PageWords

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


STAT_MAX = 60
"""Characters of a text that may be a label with its value."""

JOINTS = " ·•|,;:/"
"""What stands between stats in one text."""


def arrange(blocks: Sequence[Block], words: PageWords, *, at_breaks: bool = False) -> tuple[Block, ...]:
    """The blocks of an HTML page, ready for the grammar. With `at_breaks` every forced line break ends a block."""
    lines = (_lines(block, words, at_breaks=at_breaks) if block.breaks else (block,) for block in blocks)
    whole = _joined(list(chain.from_iterable(lines)), words)
    arranged: list[Block] = []
    for table, grouped in groupby(whole, key=lambda block: None if block.cell is None else block.cell.table):
        group = list(grouped)
        arranged += group if table is None else card_by_card(group, words)
    whole_parts = (parts(block, words) if _may_hold_stats(block.text, words) else (block,) for block in arranged)
    return tuple(part for part in chain.from_iterable(whole_parts) if not is_decoration(part, words))


def _lines(block: Block, words: PageWords, *, at_breaks: bool) -> Sequence[Block]:
    """`75%<br>Panel ship` is two texts; a description with a line break is one."""
    texts = [block.text[start:stop].strip() for start, stop in pairwise((0, *block.breaks, len(block.text)))]
    if not at_breaks and not any(PERCENT.fullmatch(text) or fold(text) in words.labels for text in texts):
        return (block,)
    return [replace(block, text=text, breaks=()) for text in texts if text]


def _joined(blocks: Sequence[Block], words: PageWords) -> list[Block]:
    """`<b>75</b><i>%</i>` and `<b>Panel</b> <i>ship</i>` are one text each."""
    joined: list[Block] = []
    for block in blocks:
        before = joined[-1] if joined else None
        if before is not None and (
            (block.text == "%" and before.text.isdecimal())
            or (
                block.is_inline
                and before.is_inline
                and before.path == block.path
                and fold(f"{before.text} {block.text}") in words.labels
            )
        ):
            joint = "" if block.text == "%" else " "
            joined[-1] = replace(before, text=f"{before.text}{joint}{block.text}")
        else:
            joined.append(block)
    return joined


def parts(block: Block, words: PageWords) -> Iterator[Block]:
    """`Panel ship: 75%` is a label and a value; `75% Panel ship · Free Entry` two of each."""
    if not _may_hold_stats(block.text, words):
        yield block
        return
    several = words.stats_in_a_row.split(block.text)
    if len(several) > 3 and words.panel_ship in map(fold, several):
        texts = [part.strip(JOINTS) for part in several]
        yield from (replace(block, text=text) for text in texts if text)
        return
    match = words.label_and_value.fullmatch(block.text)
    if match is not None and fold(block.text) not in words.stats and _is_stat(match[2], match[3], words):
        yield replace(block, text=match[1])
        yield replace(block, text=match[3].strip())
        return
    match = words.value_and_label.fullmatch(block.text)
    if match is not None and _may_stand_before(match[1].strip(), match[2], words):
        yield replace(block, text=match[1].strip())
        yield replace(block, text=match[2])
        return
    yield block


def _may_hold_stats(text: str, words: PageWords) -> bool:
    return len(text) <= STAT_MAX and _holds_label(text, words)


@lru_cache(maxsize=4096)
def _holds_label(text: str, words: PageWords) -> bool:
    folded = text.casefold()
    return any(label in folded for label in words.stats)


def _may_stand_before(value: str, label: str, words: PageWords) -> bool:
    """`75% Panel ship`, `— Community` and `Free Entry` are values with their labels; `Free-form Entry` is not."""
    if fold(label) == words.entry:
        return fold(value) in words.entries
    return PERCENT.fullmatch(value) is not None or (bool(value) and value in words.no_value)


def _is_stat(joint: str, value: str, words: PageWords) -> bool:
    """`Entry: Free`, `EntryFree`, `Panel ship 75%` are; `Entry level`, `Entrypoint`, `Community vs Pricing` are not."""
    is_value = PERCENT.fullmatch(value.strip()) is not None or value.strip() in words.no_value
    return is_value or joint.strip() == ":" or (not joint and not value[:1].islower())


_BULLET = re.compile(r"[-*•–>]\s+")
BULLETED_SHARE = 0.6
"""Share of lines with a bullet from which on the dump has them everywhere, and they say nothing."""


def dump_lines(lines: Sequence[Block], words: PageWords) -> tuple[list[Block], list[int]]:
    """The texts in order, and for each the number of the line it stands on."""
    is_bulleted = sum(_BULLET.match(line.text) is not None for line in lines) > BULLETED_SHARE * len(lines)
    texts: list[Block] = []
    numbers: list[int] = []
    for number, line in enumerate(lines):
        plain = replace(line, text=_BULLET.sub("", line.text, count=1)) if is_bulleted else line
        for cell in _cells(plain, words):
            for part in parts(cell, words):
                texts.append(part)
                numbers.append(number)
    return texts, numbers


def _cells(line: Block, words: PageWords) -> Iterator[Block]:
    """`| Pricing | Free | $9/mo |` is a row of three cells."""
    cells = [cell.strip() for cell in line.text.strip("|").split("|")] if "|" in line.text else []
    if len(cells) > 1 and (fold(cells[0]) in words.decision_labels or line.text.startswith("|")):
        yield from (Block(cell) for cell in cells if cell and not set(cell) <= set(":- "))
    else:
        yield line
