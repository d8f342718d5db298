"""Where the parts of a comparison page begin and end, found by the site's words. Their order is the page's."""

from collections.abc import Sequence
from dataclasses import dataclass

from verdicts.extract.model.blocks import Block
from verdicts.extract.model.errors import PageRejected
from verdicts.extract.panel.layout.anchors import Anchors
from verdicts.extract.panel.layout.card_starts import first_card_start, second_card_start
from verdicts.extract.panel.layout.elements import widest_element
from verdicts.extract.panel.layout.title import Title, find_title
from verdicts.extract.panel.words.page_words import PageWords


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

    def between(self) -> list[int]:
        """The blocks between the first part of the page and the end of its last one that are in no part."""
        parts = [*self.cards, self.takes, *([] if self.decision is None else [self.decision])]
        held = {index for part in parts for index in part} | {self.takes.start - 1}
        first, last = min(part.start for part in self.cards), max(part.stop for part in parts)
        return [index for index in range(first, last) if index not in held]


def find_sections(
    blocks: Sequence[Block], anchors: Anchors, words: PageWords, *, has_category: bool = True
) -> Sections:
    """The sections of a comparison page with two cards.

    `has_category` says whether a short text before the first card's name is its category; it may also be the last value
    of the section before.

    Raises `PageRejected` (`incomplete_card`) where it has not two cards with the names of its title.
    """
    if len(anchors.panels) != 2:
        raise PageRejected(
            "incomplete_card",
            f"'{words.profile.card.panel_ship}' stands {len(anchors.panels)} times on the page, "
            "where two cards have it",
        )
    panels = (anchors.panels[0], anchors.panels[1])
    title, cards = _cards(blocks, anchors, panels, words, has_category=has_category)
    scorecard, decision = anchors.scorecard, anchors.decision
    starts = [cards[0].start, cards[1].start, scorecard]
    if decision is not None:
        starts.append(decision)
    end, is_ended = _scorecard_end(blocks, anchors, starts, words)
    after_cards = range(max(panels), len(blocks))
    closing = next((index for index in after_cards if anchors.folded[index] in words.closing_lines), len(blocks))
    bounds = sorted({*starts, closing, len(blocks)})

    def section(start: int) -> range:
        return range(start, next(bound for bound in bounds if bound > start))

    def card(found: range) -> range:
        return found if len(found) > 1 else section(found.start)

    return Sections(
        title=title,
        panels=panels,
        cards=(card(cards[0]), card(cards[1])),
        decision=None if decision is None else _decision(blocks, anchors, section(decision), words),
        takes=range(scorecard + 1, end),
        is_ended=is_ended,
    )


def _cards(
    blocks: Sequence[Block], anchors: Anchors, panels: tuple[int, int], words: PageWords, *, has_category: bool
) -> tuple[Title, tuple[range, range]]:
    """The title and the two cards: each an element of its own, or else where it begins, as a range of one block."""
    heads = [anchors.scorecard, *([] if anchors.decision is None else [anchors.decision])]
    elements = [widest_element(blocks, panel, [other, *heads]) for panel, other in (panels, panels[::-1])]
    first, second = elements
    if first is not None and second is not None:
        try:
            title = find_title(blocks, (_names_first(first, panels[0]), _names_first(second, panels[1])), words)
        except PageRejected:
            # The elements around the labels hold no names: the cards are no elements.
            pass
        else:
            return title, (first, second)
    title = find_title(blocks, (range(panels[0] - 1, -1, -1), range(panels[1] - 1, panels[0], -1)), words)
    start = first_card_start(blocks, title, words) if has_category else title.name_blocks[0]
    second_start = second_card_start(blocks, title, panels[0], words)
    return title, (range(start, start + 1), range(second_start, second_start + 1))


def _names_first(card: range, panel: int) -> list[int]:
    """The blocks before the numbers, the nearest first, then those behind."""
    return [*range(panel - 1, card.start - 1, -1), *range(panel + 1, card.stop)]


def _decision(blocks: Sequence[Block], anchors: Anchors, flat: range, words: PageWords) -> range:
    """The Decision table: from its head to where the last element ends that holds one of its labels and no other part.

    Where labels have no such element, it ends where the next part begins.
    """
    labels = [index for index in flat if anchors.folded[index] in words.decision_labels]
    whole = widest_element(blocks, labels[0], [*anchors.panels, anchors.scorecard]) if labels else None
    if whole is not None and labels[-1] in whole:
        return range(flat.start, min(whole.stop, flat.stop))
    rows = [widest_element(blocks, label, [*anchors.panels, anchors.scorecard]) for label in labels]
    ends = [row.stop for row in rows if row is not None]
    return range(flat.start, min(max(ends), flat.stop)) if ends and len(ends) == len(labels) else flat


def _scorecard_end(
    blocks: Sequence[Block], anchors: Anchors, starts: Sequence[int], words: PageWords
) -> tuple[int, bool]:
    """The scorecard ends at the page's closing lines, at another section, or at a heading no deeper than its own."""
    scorecard = anchors.scorecard
    level = blocks[scorecard].level
    for index in range(scorecard + 1, len(blocks)):
        folded = anchors.folded[index]
        if folded in words.closing_lines or index in starts:
            return index, True
        heading = blocks[index].level
        is_next_section = level is not None and heading is not None and heading <= level
        if is_next_section and folded != words.no_take and index > scorecard + 1:
            return index, True
    return len(blocks), False
