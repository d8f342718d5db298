"""The words of a page that say where its parts are: the labels `Panel ship`, the heads of table and scorecard. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from extract.model.blocks import Block, fold
from extract.model.errors import PageRejected
from extract.panel.elements import widest_element
from extract.panel.page_words import PageWords


@dataclass(frozen=True, slots=True)
class Anchors:
    """Block numbers. `folded` are the texts of all blocks, folded.

    `decisions` are the heads of Decision tables, or without a head their first label, `scorecards` the heads of
    scorecards. A head over nothing, as in a list of contents, is none.
    """

    folded: Sequence[str]
    panels: tuple[int, ...]
    decisions: tuple[int, ...]
    scorecards: tuple[int, ...]

    @property
    def decision(self) -> int | None:
        """The page's own Decision table."""
        return self.decisions[0] if self.decisions else None

    @property
    def scorecard(self) -> int:
        """The page's own scorecard."""
        return self.scorecards[0]


def find_anchors(blocks: Sequence[Block], words: PageWords) -> Anchors:
    """The anchors of a page that holds a comparison: at least one card and one scorecard.

    Raises `PageRejected`: `not_a_comparison`; where the page begins as one, `truncated` if it stops before its closing
    lines, else `incomplete_card` or `incomplete_scorecard`.
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
    scorecards = [index for index, text in enumerate(folded) if text == words.scorecard]
    is_whole = any(text in words.closing_lines for text in folded)
    if not scorecards:
        head = labels.scorecard.head
        if is_whole:
            raise PageRejected("incomplete_scorecard", f"the page is whole and has no '{head}'")
        raise PageRejected("truncated", f"the page begins as a comparison and stops before its '{head}'")
    if not panels:
        raise PageRejected("incomplete_card", f"the page begins as a comparison and has no '{labels.card.panel_ship}'")
    heads = [index for index, text in enumerate(folded) if text == words.decision]
    bounds = sorted({*panels, *scorecards, *heads, len(blocks)})
    decisions = [head for head in heads if _first_label(folded, _section(head, bounds), words) is not None]
    scorecards = _scorecards(blocks, folded, scorecards, bounds, words)
    if not scorecards:
        raise PageRejected("incomplete_scorecard", f"'{labels.scorecard.head}' stands over no take")
    if not decisions:
        headless = _headless_table(folded, words)
        decisions = [] if headless is None else [headless]
    return Anchors(folded, tuple(panels), tuple(decisions), tuple(scorecards))


def _section(head: int, bounds: Sequence[int]) -> range:
    return range(head + 1, next(bound for bound in bounds if bound > head))


def _first_label(folded: Sequence[str], section: range, words: PageWords) -> int | None:
    return next((index for index in section if folded[index] in words.decision_labels), None)


def _scorecards(
    blocks: Sequence[Block], folded: Sequence[str], heads: Sequence[int], bounds: Sequence[int], words: PageWords
) -> list[int]:
    """The heads over takes. A list of contents or of tabs has the word, too; where all takes are lost, a head remains.

    Takes in an element of their own need none: then the text before it counts as one.
    """
    openings = [index for index, block in enumerate(blocks) if opens_take(block, folded[index], words)]
    over_takes = [head for head in heads if any(index in _section(head, bounds) for index in openings)]
    if over_takes:
        return over_takes
    of_section = [
        head for head in heads if not blocks[head].is_control and not (blocks[head].href or "").startswith("#")
    ]
    if openings:
        others = [index for index, text in enumerate(folded) if text in {words.panel_ship, words.decision_verdict}]
        around = widest_element(blocks, openings[0], others)
        if around is not None and around.start > 0 and openings[-1] in around:
            return [around.start - 1]
    return of_section[:1]


def opens_take(block: Block, folded: str, words: PageWords) -> bool:
    """`88/100 · ship`, `No panel take`, or a quotation mark."""
    if not block.text:
        return False
    match = words.take_head.match(block.text) if block.text[0].isdigit() else None
    return block.text[0] in words.opening_marks or folded == words.no_take or bool(match and match["score"])


def _headless_table(folded: Sequence[str], words: PageWords) -> int | None:
    """The table's first label. The same word before one chip alone is a label on a card."""
    for index, text in enumerate(folded):
        if text == words.decision_verdict:
            behind = [following in words.chips for following in folded[index + 1 : index + 3]]
            if behind[:1] != [True] or behind == [True, True]:
                return index
    return None
