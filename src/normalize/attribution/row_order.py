"""Attribution by row order: a page's rows put a take on side A or B, around the takes that are known (ordered)."""

from collections.abc import Mapping
from typing import NamedTuple

from verdicts.normalize.attribution.confidence import ordered_weight
from verdicts.normalize.attribution.page_takes import PageTakes, PageTakesIndex
from verdicts.normalize.attribution.panel_sizes import page_panel_sizes
from verdicts.normalize.attribution.review_attribution import Reason, ReviewAttribution
from verdicts.normalize.attribution.row_alignment import align


class RowOrderGuess(NamedTuple):
    """Where row order puts a take, and the share (0 to 1) of the best alignments that agree."""

    share: float
    tool_id: str
    page_id: str
    side: str


def assign_by_row_order(attributions: Mapping[str, ReviewAttribution], index: PageTakesIndex) -> None:
    """Assigns every review that is still undecided."""
    for review_id, guess in guess_by_row_order(attributions, index).items():
        share = f", as in {guess.share:.0%} of the ways to fill the rows best" if guess.share < 1 else ""
        reason = Reason(ordered_weight(guess.share), f"row order puts it on side {guess.side}{share}")
        attributions[review_id].assign(guess.tool_id, "ordered", guess.page_id, reason)


def guess_by_row_order(
    attributions: Mapping[str, ReviewAttribution], index: PageTakesIndex
) -> Mapping[str, RowOrderGuess]:
    """Review id to its guess with the largest share, for every undecided review; of equals the newest page's."""
    guesses: dict[str, RowOrderGuess] = {}
    for page in reversed(index.pages):
        if all(attributions[review_id].kind is not None for review_id in page.review_ids):
            continue
        known_sides = [
            _known_side(attributions[review_id], label, page)
            for review_id, label in zip(page.review_ids, page.labels, strict=True)
        ]
        placements = align(known_sides, page_panel_sizes(page, index))
        for review_id, (side, share) in zip(page.review_ids, placements, strict=True):
            attribution = attributions[review_id]
            is_surer = review_id not in guesses or share > guesses[review_id].share
            if attribution.kind is None and is_surer:
                tool_id = attribution.tools_on(page.version)[side]
                guesses[review_id] = RowOrderGuess(share, tool_id, page.version.page_id, "AB"[side])
    return guesses


def _known_side(attribution: ReviewAttribution, label: str | None, page: PageTakes) -> int | None:
    if label is not None:
        return page.version.tool_ids.index(label)
    tools = attribution.tools_on(page.version)
    tool_id = attribution.tool_id if len(attribution.candidate_tools) == 1 else None
    return tools.index(tool_id) if tool_id in tools else None
