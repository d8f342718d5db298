"""Where a card begins that is no element of its own: at the category and the picture before its name."""

from collections.abc import Sequence

from verdicts.extract.model.blocks import Block, fold
from verdicts.extract.panel.layout.furniture import is_monogram, is_percent
from verdicts.extract.panel.layout.title import Title
from verdicts.extract.panel.words.page_words import PageWords

CATEGORY_MAX = 60
"""Characters. A category is shorter; descriptions and takes are longer."""


def first_card_start(blocks: Sequence[Block], title: Title, words: PageWords) -> int:
    """The category stands before the name, the monogram before the category or behind it."""
    start = title.name_blocks[0]
    name = title.names[0]
    if start > 0 and is_monogram(blocks[start - 1].text, name):
        start -= 1
    before = blocks[start - 1].text if start > 0 else None
    is_free = before is not None and words.title_separator not in before and len(before) < CATEGORY_MAX
    if before is not None and is_free and fold(before) not in {words.no_take, words.scorecard}:
        start -= 1
        if start > 0 and _is_category_label(blocks[start - 1].text, words):
            start -= 1
    if start > 0 and is_monogram(blocks[start - 1].text, name):
        start -= 1
    return start


def second_card_start(blocks: Sequence[Block], title: Title, panel: int, words: PageWords) -> int:
    """Before the second name stand monogram and category, in any order, then the first card's description."""
    start = title.name_blocks[1]
    entry = next((index for index in range(panel + 1, start) if fold(blocks[index].text) == words.entry), panel)
    is_value_first = panel > 0 and is_percent(blocks[panel - 1].text)
    has_category = False
    while start - 1 > entry + (not is_value_first):
        text = blocks[start - 1].text
        is_label = _is_category_label(text, words)
        is_category = not has_category and 0 < len(text) < CATEGORY_MAX and not is_label
        if not is_monogram(text, title.names[1]) and not is_category and not is_label:
            break
        has_category = has_category or (is_category and not is_monogram(text, title.names[1]))
        start -= 1
    return start


def _is_category_label(text: str, words: PageWords) -> bool:
    return words.card_labels.get(fold(text)) == "category"
