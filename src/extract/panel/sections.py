"""Where the parts of a comparison page begin and end, found by its own words. The order of the parts is the page's."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from extract.model.blocks import Block, clean, fold
from extract.model.errors import PageRejected
from extract.panel.labels import (
    AFTER_SCORECARD,
    DECISION,
    DECISION_FIELDS,
    ENTRY,
    INTRO,
    NO_TAKE,
    PANEL_SHIP,
    PERCENT,
    SCORECARD,
    VERSUS,
)

DECISION_HEAD_REACH = 6
"""How many blocks may stand between the word `Decision` and `Panel verdict`: head, two names, two values."""

SHORT = 60
"""A category is shorter; descriptions and takes are longer."""


@dataclass(frozen=True, slots=True)
class Names:
    """The page's `A vs B`, the blocks of the two cards that hold the names, and the names."""

    title: str
    at: tuple[int, int]
    names: tuple[str, str]


@dataclass(frozen=True, slots=True)
class Sections:
    """Half-open block ranges. `decision` is None where the rendering lost the table.

    `is_ended` says whether one of the page's own closing blocks, or another section, follows the takes.
    """

    names: Names
    panels: tuple[int, int]
    cards: tuple[range, range]
    decision: range | None
    takes: range
    is_ended: bool


def find_sections(blocks: Sequence[Block], *, has_category: bool = True) -> Sections:
    """The sections of a comparison page.

    `has_category` says whether a short text before the first card's name is its category; it may also be the last value
    of the section before.

    Raises `PageRejected`: `not_a_comparison`; `truncated` where the page begins as one and then stops;
    `incomplete_card` where it has not two cards with the names of its title.
    """
    folded = [fold(block.text) for block in blocks]
    panels = [index for index, text in enumerate(folded) if text == PANEL_SHIP]
    begins = INTRO in folded and any(VERSUS in block.text for block in blocks)
    if not panels and not begins:
        raise PageRejected(
            "not_a_comparison", "nothing on the page says 'Panel ship', so no two tools are set side by side"
        )
    scorecard = next((index for index, text in enumerate(folded) if text == SCORECARD), None)
    if scorecard is None or not panels:
        raise PageRejected("truncated", "the page begins as a comparison and stops before its 'Reviewer scorecard'")
    if len(panels) != 2:
        raise PageRejected(
            "incomplete_card", f"'Panel ship' stands {len(panels)} times on the page, where two cards have it"
        )
    names = _find_names(blocks, (panels[0], panels[1]))
    decision = _decision_head(folded)
    second = _second_card_start(blocks, names, panels[0])
    first = _first_card_start(blocks, names, scorecard) if has_category else names.at[0]
    starts = [first, second, scorecard]
    if decision is not None:
        starts.append(decision)
    end, is_ended = _scorecard_end(blocks, folded, scorecard, starts)
    closing = next((at for at in range(max(panels), len(blocks)) if folded[at] in AFTER_SCORECARD), len(blocks))
    bounds = sorted({*starts, closing, len(blocks)})

    def section(start: int) -> range:
        return range(start, next(bound for bound in bounds if bound > start))

    return Sections(
        names=names,
        panels=(panels[0], panels[1]),
        cards=(section(starts[0]), section(starts[1])),
        decision=None if decision is None else section(decision),
        takes=range(scorecard + 1, end),
        is_ended=is_ended,
    )


def _find_names(blocks: Sequence[Block], panels: tuple[int, int]) -> Names:
    """The two card blocks x and y for which the page's title reads `x vs y`.

    A name may hold ` vs ` itself, so every way to split a title is tried against the cards.
    """
    for block in blocks:
        if VERSUS not in block.text:
            continue
        title = clean(block.text.removeprefix("Compare/"))
        for first, second in _splits(title):
            at_first = _last(blocks, range(panels[0]), first)
            at_second = _last(blocks, range(panels[0] + 1, panels[1]), second)
            if at_first is not None and at_second is not None:
                return Names(title, (at_first, at_second), (first, second))
    raise PageRejected("incomplete_card", "no 'A vs B' on the page fits the names of its two cards")


def _splits(title: str) -> Iterator[tuple[str, str]]:
    at = title.find(VERSUS)
    while at >= 0:
        yield title[:at], title[at + len(VERSUS) :]
        at = title.find(VERSUS, at + 1)


def _last(blocks: Sequence[Block], among: range, text: str) -> int | None:
    return next((index for index in reversed(among) if blocks[index].text == text), None)


def is_monogram(text: str, name: str) -> bool:
    """The card's picture: the first letter of its name."""
    return len(text) == 1 and text.casefold() == name[:1].casefold()


def _first_card_start(blocks: Sequence[Block], names: Names, scorecard: int) -> int:
    """The category stands before the name, the monogram before the category or behind it."""
    start = names.at[0]
    if start > 0 and is_monogram(blocks[start - 1].text, names.names[0]):
        start -= 1
    is_free = start > 0 and VERSUS not in blocks[start - 1].text and len(blocks[start - 1].text) < SHORT
    if is_free and fold(blocks[start - 1].text) not in {NO_TAKE, SCORECARD} and start - 1 != scorecard:
        start -= 1
        if start > 0 and fold(blocks[start - 1].text) == "category":
            start -= 1
    if start > 0 and is_monogram(blocks[start - 1].text, names.names[0]):
        start -= 1
    return start


def _second_card_start(blocks: Sequence[Block], names: Names, panel: int) -> int:
    """Before the second name stand monogram and category, in any order, then the first card's description."""
    entry = next((at for at in range(panel + 1, names.at[1]) if fold(blocks[at].text) == ENTRY), panel)
    is_value_first = panel > 0 and PERCENT.fullmatch(blocks[panel - 1].text) is not None
    start = names.at[1]
    has_category = False
    while start - 1 > entry + (not is_value_first):
        text = blocks[start - 1].text
        is_label = fold(text) == "category"
        is_category = not has_category and 0 < len(text) < SHORT and not is_label
        if not is_monogram(text, names.names[1]) and not is_category and not is_label:
            break
        has_category = has_category or (is_category and not is_monogram(text, names.names[1]))
        start -= 1
    return start


def _decision_head(folded: Sequence[str]) -> int | None:
    """`Decision` recurs as a word elsewhere; the head is the last one before the table's own first label."""
    verdict_label = next(label for label, field in DECISION_FIELDS.items() if field == "verdict")
    first_row = next((index for index, text in enumerate(folded) if text == verdict_label), None)
    if first_row is None:
        return None
    reach = range(first_row - 1, max(first_row - 1 - DECISION_HEAD_REACH, -1), -1)
    head = next((index for index in reach if folded[index] == DECISION), None)
    return first_row if head is None else head


def _scorecard_end(
    blocks: Sequence[Block], folded: Sequence[str], scorecard: int, starts: Sequence[int]
) -> tuple[int, bool]:
    """The scorecard ends at the page's closing blocks, at another section, or at a heading no deeper than its own."""
    level = blocks[scorecard].level
    for index in range(scorecard + 1, len(blocks)):
        if folded[index] in AFTER_SCORECARD or index in starts:
            return index, True
        heading = blocks[index].level
        is_next_section = level is not None and heading is not None and heading <= level
        if is_next_section and folded[index] != NO_TAKE and index > scorecard + 1:
            return index, True
    return len(blocks), False
