"""A Decision table made of elements that are no table: a row is what one element holds. Pure."""

from collections.abc import Sequence
from itertools import groupby

from verdicts.extract.model.blocks import Block
from verdicts.extract.panel.decision.decision_rows import (
    TOOLS,
    Reading,
    field_of,
    joined_text,
    pair,
    present,
    stands_turned,
)
from verdicts.extract.panel.layout.elements import widest_element
from verdicts.extract.panel.words.page_words import DecisionField, PageWords


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
