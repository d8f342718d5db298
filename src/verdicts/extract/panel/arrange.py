"""Arranges blocks for the grammar: one card after the other, each label beside its value. Pure.

It undoes redesigns, so that one grammar reads them all: cards side by side in a table, a label in one text with its
value, a value in several elements.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from typing import TypeAlias

from msgspec.structs import replace

from verdicts.extract.model.blocks import Block, fold
from verdicts.extract.panel.texts import PERCENT, SHORT_MAX, TOOLS, PageWords, Texts, is_decoration

JOINTS = " ·•|,;:/"
"""Separators between stats in one text."""

BULLETED_SHARE = 0.6
"""From this share of lines on, bullets are everywhere in the dump and mean nothing."""

SPELLED_MIN, SPELLED_SHARE = 8, 0.9
"""From so many inline elements on, of which this share is single words, they are one text."""

_MARKED = re.compile(r"^#{1,6} |\*\*")
"""Headings and bold words of Markdown."""

_BULLET = re.compile(r"[-*•–>]\s+")


def arrange(blocks: Sequence[Block], words: PageWords, *, at_breaks: bool = False) -> Texts:
    """The blocks of an HTML page for the grammar. With `at_breaks` every forced line break ends a block."""
    lines: list[Block] = []
    for block in blocks:
        lines += _lines(block, words, at_breaks=at_breaks) if block.lines else (block,)
    arranged: list[Block] = []
    for table, grouped in groupby(_joined(lines, words), key=lambda block: block.cell and block.cell.table):
        group = list(grouped)
        arranged += group if table is None else _card_by_card(group, table, words)
    texts = [part for block in arranged for part in _parts(block, words) if not is_decoration(part.text, words)]
    return Texts(texts, words)


def dump_lines(lines: Sequence[Block], words: PageWords) -> Texts:
    """The texts of a dump in order, numbered by line.

    A line may hold several: the cells of a table row, a label with its value.
    """
    is_markdown = sum(line.text.startswith("## ") for line in lines) >= TOOLS
    is_bulleted = sum(_BULLET.match(line.text) is not None for line in lines) > BULLETED_SHARE * len(lines)
    texts: list[Block] = []
    numbers: list[int] = []
    for number, line in enumerate(lines):
        plain = _BULLET.sub("", line.text, count=1) if is_bulleted else line.text
        if is_markdown:
            plain = _MARKED.sub("", plain).strip()
        for cell in _cells(plain, words):
            parts = _parts(Block(cell), words)
            texts += parts
            numbers += [number] * len(parts)
    return Texts(texts, words, numbers)


def _cells(line: str, words: PageWords) -> Sequence[str]:
    """`| Pricing | Free | $9/mo |` is a row of three cells."""
    cells = [cell.strip() for cell in line.strip("|").split("|")] if "|" in line else []
    if len(cells) > 1 and (fold(cells[0]) in words.decision_labels or line.startswith("|")):
        return [cell for cell in cells if cell and not {*cell} <= {*":- "}]
    return (line,)


def _lines(block: Block, words: PageWords, *, at_breaks: bool) -> Sequence[Block]:
    """`75%<br>Panel ship` is two texts; a description with a line break is one."""
    if not at_breaks and not any(PERCENT.fullmatch(text) or fold(text) in words.labels for text in block.lines):
        return (block,)
    return [*map(block.with_text, block.lines)]


def _joined(blocks: Sequence[Block], words: PageWords) -> list[Block]:
    """Inline elements side by side that are one text, as their neighbours show.

    `<b>75</b><i>%</i>`, an odometer's digits, `<b>Panel</b> <i>ship</i>`, and the words of an animation.
    """
    joined: list[Block] = []
    for _, run in groupby(blocks, key=lambda block: block.is_inline and block.path):
        group = [*run]
        if len(group) >= SPELLED_MIN and sum(" " not in block.text for block in group) > SPELLED_SHARE * len(group):
            joined.append(group[0].with_text(" ".join(block.text for block in group)))
            continue
        for block in group:
            whole = _whole(joined[-1], block, words) if joined else None
            if whole is None:
                joined.append(block)
            else:
                joined[-1] = joined[-1].with_text(whole)
    return joined


def _whole(before: Block, block: Block, words: PageWords) -> str | None:
    """Two texts as one; None if they are two."""
    is_beside = block.is_inline and before.is_inline and before.path == block.path
    if before.text.isdecimal() and (block.text == "%" or (is_beside and len(block.text) == 1 and block.text.isdigit())):
        return f"{before.text}{block.text}"
    spaced = f"{before.text} {block.text}"
    return spaced if is_beside and fold(spaced) in words.labels else None


def _parts(block: Block, words: PageWords) -> Sequence[Block]:
    """`Panel ship: 75%` is a label and a value; `75% Panel ship · Free Entry` two of each."""
    texts = _stats(block.text, words) if len(block.text) <= SHORT_MAX else ()
    return (block,) if len(texts) < 2 else [*map(block.with_text, texts)]


@lru_cache(maxsize=4096)
def _stats(text: str, words: PageWords) -> Sequence[str]:
    folded = text.casefold()
    if not any(label in folded for label in words.stats):
        return (text,)
    several = words.stats_in_a_row.split(text)
    if len(several) > 3 and words.panel_ship in map(fold, several):
        return tuple(stat for part in several if (stat := part.strip(JOINTS)))
    match = words.label_and_value.fullmatch(text)
    if match is not None and fold(text) not in words.stats and _is_stat(match[2], match[3], words):
        return (match[1], match[3].strip())
    match = words.value_and_label.fullmatch(text)
    if match is not None and _may_stand_before(match[1].strip(), match[2], words):
        return (match[1].strip(), match[2])
    return (text,)


def _may_stand_before(value: str, label: str, words: PageWords) -> bool:
    """`75% Panel ship`, `— Community` and `Free Entry` are values with their labels; `Free-form Entry` is not."""
    if fold(label) == words.entry:
        return fold(value) in words.entries
    return PERCENT.fullmatch(value) is not None or (bool(value) and value in words.no_value)


def _is_stat(joint: str, value: str, words: PageWords) -> bool:
    """`Entry: Free`, `EntryFree`, `Panel ship 75%` are; `Entry level`, `Entrypoint`, `Community vs Pricing` are not."""
    is_value = PERCENT.fullmatch(value.strip()) is not None or value.strip() in words.no_value
    return is_value or joint.strip() == ":" or (not joint and not value[:1].islower())


# Cards set side by side in a table.

Place: TypeAlias = tuple[int, int]
"""Row and column; a table with labels in a row is turned, so that labels are in column `[1]`."""

Cells: TypeAlias = Mapping[Place, Sequence[Block]]


def _card_by_card(table: Sequence[Block], number: int, words: PageWords) -> Sequence[Block]:
    """Splits a table with `Panel ship` in a cell of its own into cards: one per column or row.

    Each card, and each label with its value, gets a path as if it were an element.
    """
    cells: dict[Place, list[Block]] = {}
    for block in table:
        if block.cell is not None:
            cells.setdefault((block.cell.row, block.cell.column), []).append(block)
    anchors = [place for place, cell in cells.items() if _label(cell) == words.panel_ship]
    if not anchors:
        return table
    if _is_label_row(cells, anchors[0], words):
        cells = {(column, row): cell for (row, column), cell in cells.items()}
        anchors = [(column, row) for row, column in anchors]
    units = list(_units(cells, anchors))
    if not units:
        return table
    read = {place for unit in units for pair in unit.items() for place in pair}
    arranged = [block for place, cell in cells.items() if place not in read for block in cell]
    for card, unit in enumerate(units):
        for line, (value, label) in enumerate(unit.items()):
            # A name needs no label.
            head = [] if label is None else cells[label]
            pair = [block for block in head if block.text and fold(block.text) not in words.name_labels]
            path = _path(number, card, line)
            pair += cells[value]
            arranged += pair if len(units) == 1 else [replace(block, path=path) for block in pair]
    return arranged


def _path(table: int, card: int, line: int) -> tuple[int, int, int]:
    """Numbers that real elements, which are not negative, never have."""
    whole = -(table + 1) * 10**9
    return whole, whole - (card + 1) * 10**4, whole - (card + 1) * 10**4 - line - 1


def _label(cell: Sequence[Block]) -> str | None:
    """The folded text of a cell, if it holds only one."""
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


def _units(cells: Cells, anchors: Sequence[Place]) -> Iterator[Mapping[Place, Place | None]]:
    """The cells of each card, each with its label's cell.

    A card is a column with a percentage beside `Panel ship`, or below it if labels are above their values.
    """
    row, first_column = anchors[0]
    label_columns = sorted({column for _, column in anchors})
    columns_of: dict[int, list[int]] = {}
    for at, column in cells:
        columns_of.setdefault(at, []).append(column)
    is_over = columns_of[row] == [first_column]
    for column in sorted(columns_of.get(row + is_over, ())):
        if not _is_percent(cells[row + is_over, column]):
            continue
        labels = [at for at in label_columns if at < column] or label_columns
        label_column = labels[-1] if labels[-1] < column else labels[0]
        yield {
            (at, column): (at - is_over, label_column) if (at - is_over, label_column) in cells else None
            for at in sorted(columns_of)
            if (at, column) in cells and not (is_over and columns_of[at] == [column])
        }
