"""Where a comparison page's sections begin and end, found by its own words."""

from collections.abc import Sequence
from dataclasses import dataclass

from extract.blocks import Block, fold
from extract.errors import PageRejected
from extract.labels import (
    AFTER_SCORECARD,
    DECISION,
    DECISION_FIELDS,
    INTRO,
    NO_TAKE,
    PANEL_SHIP,
    SCORECARD,
    VERSUS,
)

DECISION_HEAD_REACH = 6
"""How many blocks may stand between the word `Decision` and `Panel verdict`: head, two names, a repeated head."""


@dataclass(frozen=True, slots=True)
class Sections:
    """Half-open block ranges. `decision` is None where the rendering lost the table."""

    cards: range
    decision: range | None
    takes: range
    is_ended: bool
    """Whether one of the page's own closing blocks follows the takes."""


def find_sections(blocks: Sequence[Block]) -> Sections:
    """The sections of a comparison page.

    Raises `PageRejected`: `not_a_comparison`, or `truncated` where the page begins as one and then stops.
    """
    folded = [fold(block.text) for block in blocks]
    panels = [index for index, text in enumerate(folded) if PANEL_SHIP in text and len(text) <= len(PANEL_SHIP) + 8]
    begins = INTRO in folded and any(VERSUS in block.text for block in blocks)
    if not panels and not begins:
        raise PageRejected(
            "not_a_comparison", "nothing on the page says 'Panel ship', so no two tools are set side by side"
        )
    scorecard = next((index for index, text in enumerate(folded) if text == SCORECARD), None)
    if scorecard is None or not panels:
        raise PageRejected("truncated", "the page begins as a comparison and stops before its 'Reviewer scorecard'")
    decision = _decision_head(folded, scorecard)
    if decision is not None and decision > scorecard:
        raise PageRejected("incomplete_decision", "the Decision table follows the scorecard, which no known page does")
    end, is_ended = _scorecard_end(blocks, folded, scorecard)
    return Sections(
        cards=range(scorecard if decision is None else decision),
        decision=None if decision is None else range(decision, scorecard),
        takes=range(scorecard + 1, end),
        is_ended=is_ended,
    )


def _decision_head(folded: Sequence[str], scorecard: int) -> int | None:
    """`Decision` recurs as a word elsewhere; the head is the last one before the table's own first label."""
    verdict_label = next((label for label, field in DECISION_FIELDS.items() if field == "verdict"))
    first_row = next((index for index, text in enumerate(folded[:scorecard]) if text == verdict_label), None)
    if first_row is None:
        return None
    reach = range(first_row - 1, max(first_row - 1 - DECISION_HEAD_REACH, -1), -1)
    head = next((index for index in reach if folded[index] == DECISION), None)
    return first_row if head is None else head


def _scorecard_end(blocks: Sequence[Block], folded: Sequence[str], scorecard: int) -> tuple[int, bool]:
    """The scorecard ends at the page's closing blocks, or at a heading no deeper than its own."""
    level = blocks[scorecard].level
    for index in range(scorecard + 1, len(blocks)):
        if folded[index] in AFTER_SCORECARD:
            return index, True
        heading = blocks[index].level
        is_next_section = level is not None and heading is not None and heading <= level
        if is_next_section and folded[index] != NO_TAKE and index > scorecard + 1:
            return index, True
    return len(blocks), False
