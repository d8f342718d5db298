"""The words of a page that say where its parts are: the labels `Panel ship`, the heads of table and scorecard. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from verdicts.extract.model.blocks import Block, fold
from verdicts.extract.model.errors import PageRejected
from verdicts.extract.panel.layout.elements import widest_element
from verdicts.extract.panel.scorecard.take_heads import says_score
from verdicts.extract.panel.words.page_words import PERCENT, PageWords


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
    if len(panels) > 2:
        panels = _beside_percentages(blocks, panels)
    labels = words.profile
    begins = words.eyebrow in folded and any(words.title_separator in block.text for block in blocks)
    if not panels and not begins:
        raise PageRejected(
            "not_a_comparison",
            f"nothing on the page says '{labels.card.panel_ship}', so no two tools are set side by side",
        )
    heads = [index for index, text in enumerate(folded) if text == words.scorecard]
    scorecards = _scorecards(blocks, folded, heads, words)
    if not scorecards:
        raise _without_scorecard(folded, heads, words)
    if not panels:
        raise PageRejected("incomplete_card", f"the page begins as a comparison and has no '{labels.card.panel_ship}'")
    decisions = _decisions(folded, (*panels, *scorecards), words)
    return Anchors(folded, tuple(panels), tuple(decisions), tuple(scorecards))


def _beside_percentages(blocks: Sequence[Block], panels: list[int]) -> list[int]:
    """The labels with a number beside them, where these are two at least: a tool may be called like the label."""
    beside = [
        panel
        for panel in panels
        if any(PERCENT.fullmatch(block.text) for block in blocks[max(panel - 1, 0) : panel + 2])
    ]
    return beside if len(beside) >= 2 else panels


def _without_scorecard(folded: Sequence[str], heads: Sequence[int], words: PageWords) -> PageRejected:
    head = words.profile.scorecard.head
    if heads:
        return PageRejected("incomplete_scorecard", f"'{head}' stands over no take")
    if any(text in words.closing_lines for text in folded):
        return PageRejected("incomplete_scorecard", f"the page is whole and has no '{head}'")
    return PageRejected("truncated", f"the page begins as a comparison and stops before its '{head}'")


def _scorecards(blocks: Sequence[Block], folded: Sequence[str], heads: Sequence[int], words: PageWords) -> list[int]:
    """The heads over takes. A list of contents or of tabs has the word, too; where all takes are lost, a head remains.

    Takes in an element of their own need none: then the text before it counts as one.
    """
    links = [head for head in heads if blocks[head].is_control or (blocks[head].href or "").startswith("#")]
    if len(heads) == 1 and not links:
        return [*heads]
    openings = [index for index, block in enumerate(blocks) if opens_take(block, folded[index], words)]
    others = [index for index, text in enumerate(folded) if text in {words.panel_ship, words.decision_verdict}]
    bounds = sorted((*others, *heads, len(blocks)))
    over_takes = [head for head in heads if any(index in _section(head, bounds) for index in openings)]
    if over_takes:
        return over_takes
    if openings:
        around = widest_element(blocks, openings[0], others)
        if around is not None and around.start > 0 and openings[-1] in around:
            return [around.start - 1]
    return [head for head in heads if head not in links][:1]


def _decisions(folded: Sequence[str], others: Sequence[int], words: PageWords) -> list[int]:
    """The heads over labels; without one the table's first label."""
    heads = [index for index, text in enumerate(folded) if text == words.decision]
    bounds = sorted((*others, *heads, len(folded)))
    over_labels = [
        head for head in heads if any(folded[index] in words.decision_labels for index in _section(head, bounds))
    ]
    if over_labels:
        return over_labels
    headless = _headless_table(folded, words)
    return [] if headless is None else [headless]


def _section(head: int, bounds: Sequence[int]) -> range:
    return range(head + 1, next(bound for bound in bounds if bound > head))


def opens_take(block: Block, folded: str, words: PageWords) -> bool:
    """`88/100 · ship`, `No panel take`, or a quotation mark."""
    if not block.text:
        return False
    return block.text[0] in words.opening_marks or folded == words.no_take or says_score(block.text, words)


def _headless_table(folded: Sequence[str], words: PageWords) -> int | None:
    """The table's first label. The same word before one chip alone is a label on a card."""
    for index, text in enumerate(folded):
        if text == words.decision_verdict:
            behind = [following in words.chips for following in folded[index + 1 : index + 3]]
            if behind[:1] != [True] or behind == [True, True]:
                return index
    return None
