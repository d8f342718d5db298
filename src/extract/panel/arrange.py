"""Blocks put into the form in which the grammar reads them: one card after the other, label beside value. Pure.

What a redesign does is undone here, so that one grammar reads them all: cards set side by side in a table, a label that
shares a text with its value, a value in several elements.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import chain, groupby, pairwise

from verdicts.extract.model.blocks import Block, fold
from verdicts.extract.panel.cards.card_tables import card_by_card
from verdicts.extract.panel.layout.furniture import is_decoration
from verdicts.extract.panel.words.page_words import PERCENT, PageWords

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
