"""Where the parts of a comparison page begin and end, found by the site's words. Their order is the page's."""

from collections.abc import Sequence
from dataclasses import dataclass

from extract.model.blocks import Block, fold
from extract.model.errors import PageRejected
from extract.panel.page_words import PERCENT, PageWords
from extract.panel.title import Title, find_title

DECISION_HEAD_REACH = 6
"""How many blocks may stand between the word `Decision` and `Panel verdict`: head, two names, two values."""

CATEGORY_MAX = 60
"""Characters. A category is shorter; descriptions and takes are longer."""


@dataclass(frozen=True, slots=True)
class Sections:
    """Half-open block ranges, and the blocks of the two `Panel ship` in `panels`.

    `decision` is None where the rendering lost the table; `is_ended` says whether one of the page's own closing lines,
    or another section, follows the takes.
    """

    title: Title
    panels: tuple[int, int]
    cards: tuple[range, range]
    decision: range | None
    takes: range
    is_ended: bool


def find_sections(blocks: Sequence[Block], words: PageWords, *, has_category: bool = True) -> Sections:
    """The sections of a comparison page.

    `has_category` says whether a short text before the first card's name is its category; it may also be the last value
    of the section before.

    Raises `PageRejected`: `not_a_comparison`; `truncated` where the page begins as one and then stops;
    `incomplete_card` where it has not two cards with the names of its title.
    """
    folded = [fold(block.text) for block in blocks]
    panels = [index for index, text in enumerate(folded) if text == words.panel_ship]
    labels = words.profile
    begins = words.eyebrow in folded and any(words.title_separator in block.text for block in blocks)
    if not panels and not begins:
        raise PageRejected(
            "not_a_comparison",
            f"nothing on the page says '{labels.card.panel_ship}', so no two tools are set side by side",
        )
    scorecard = next((index for index, text in enumerate(folded) if text == words.scorecard), None)
    if scorecard is None or not panels:
        head = labels.scorecard.head
        raise PageRejected("truncated", f"the page begins as a comparison and stops before its '{head}'")
    if len(panels) != 2:
        raise PageRejected(
            "incomplete_card",
            f"'{labels.card.panel_ship}' stands {len(panels)} times on the page, where two cards have it",
        )
    title = find_title(blocks, (panels[0], panels[1]), words)
    decision = _decision_start(folded, words)
    first = _first_card_start(blocks, title, words) if has_category else title.name_blocks[0]
    starts = [first, _second_card_start(blocks, title, panels[0], words), scorecard]
    if decision is not None:
        starts.append(decision)
    end, is_ended = _scorecard_end(blocks, folded, starts, words)
    after_cards = range(max(panels), len(blocks))
    closing = next((index for index in after_cards if folded[index] in words.closing_lines), len(blocks))
    bounds = sorted({*starts, closing, len(blocks)})

    def section(start: int) -> range:
        return range(start, next(bound for bound in bounds if bound > start))

    return Sections(
        title=title,
        panels=(panels[0], panels[1]),
        cards=(section(starts[0]), section(starts[1])),
        decision=None if decision is None else section(decision),
        takes=range(scorecard + 1, end),
        is_ended=is_ended,
    )


def is_monogram(text: str, name: str) -> bool:
    """The card's picture: the first letter of its name."""
    return len(text) == 1 and text.casefold() == name[:1].casefold()


def _is_category_label(text: str, words: PageWords) -> bool:
    return words.card_labels.get(fold(text)) == "category"


def _first_card_start(blocks: Sequence[Block], title: Title, words: PageWords) -> int:
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


def _second_card_start(blocks: Sequence[Block], title: Title, panel: int, words: PageWords) -> int:
    """Before the second name stand monogram and category, in any order, then the first card's description."""
    start = title.name_blocks[1]
    entry = next((index for index in range(panel + 1, start) if fold(blocks[index].text) == words.entry), panel)
    is_value_first = panel > 0 and PERCENT.fullmatch(blocks[panel - 1].text) is not None
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


def _decision_start(folded: Sequence[str], words: PageWords) -> int | None:
    """`Decision` recurs as a word elsewhere; the head is the last one before the table's own first label."""
    first_row = next((index for index, text in enumerate(folded) if text == words.decision_verdict), None)
    if first_row is None:
        return None
    reach = range(first_row - 1, max(first_row - 1 - DECISION_HEAD_REACH, -1), -1)
    head = next((index for index in reach if folded[index] == words.decision), None)
    return first_row if head is None else head


def _scorecard_end(
    blocks: Sequence[Block], folded: Sequence[str], starts: Sequence[int], words: PageWords
) -> tuple[int, bool]:
    """The scorecard ends at the page's closing lines, at another section, or at a heading no deeper than its own."""
    scorecard = starts[2]
    level = blocks[scorecard].level
    for index in range(scorecard + 1, len(blocks)):
        if folded[index] in words.closing_lines or index in starts:
            return index, True
        heading = blocks[index].level
        is_next_section = level is not None and heading is not None and heading <= level
        if is_next_section and folded[index] != words.no_take and index > scorecard + 1:
            return index, True
    return len(blocks), False
