"""Applies decisions of people about the tool of a review, after all evidence of pages."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping

from verdicts.corpus.enumerations import CorrectionOutcome
from verdicts.normalize.attribution.review_attribution import WEIGHT, Reason, ReviewAttribution
from verdicts.normalize.corrections import Correction, Corrections, Outcome
from verdicts.normalize.dedup.mentions import FoldedText
from verdicts.normalize.identity.ids import KnownTool


def by_review(corrections: Corrections, texts: Mapping[str, FoldedText]) -> Mapping[str, list[Correction]]:
    """The corrections of takes, by the review that has the text now."""
    found: dict[str, list[Correction]] = defaultdict(list)
    for one in corrections.select("review", "reviews"):
        if (text := texts.get(one.target)) is not None:
            found[text.review_id].append(one)
    return found


def overrule(
    reviews: Collection[ReviewAttribution],
    corrections: Corrections,
    tools: Mapping[str, KnownTool],
    aliases: Mapping[str, str],
) -> tuple[set[str], list[Outcome]]:
    """Gives judged reviews to the tools that people name. The ids of those about no tool, and the outcomes.

    The reviews share `texts`. `aliases` maps former ids of tools to present ids.
    """
    outcomes, left_out = list[Outcome](), set[str]()
    decided = by_review(corrections, next((review.texts for review in reviews), {}))
    for review in reviews if decided else ():
        found = decided.get(review.review_id, ())
        if not found:
            continue
        wanted = {None if one.value is None else aliases.get(one.decision, one.decision) for one in found}
        unknown = wanted - tools.keys() - {None}
        is_agreed = wanted == {review.tool_id} and review.kind == "observed"
        pages = tuple(sorted({mention.page_id for mention in review.mentions}))
        name, told = tools[review.tool_id].name, f"{tools[review.tool_id].name} ({review.kind})"
        for one in found:
            outcome: CorrectionOutcome = "agrees" if is_agreed else "applied"
            detail = f"without it: {told}"
            if len(wanted) > 1 or unknown:
                outcome = "gone" if unknown else "contradicts"
                detail = f"there is no tool {', '.join(map(str, unknown))}" if unknown else detail
            elif one.value is None:
                left_out.add(review.review_id)
                detail = f"left out: {review.mentions[-1].take.text}"
            subject = f"{review.mentions[-1].quote} on {name}"
            about = (review.review_id, review.tool_id, *pages)
            outcomes.append(Outcome(one.id, outcome, subject, review.tool_id, detail, about))
        if not unknown and not is_agreed and len(wanted) == 1 and None not in wanted:
            _give(review, review.at_home(wanted.pop() or ""), found, told)
    return left_out, outcomes


def _give(review: ReviewAttribution, tool_id: str, said: Iterable[Correction], told: str) -> None:
    """Evidence for another tool does not count any more."""
    if review.tool_id != tool_id:
        review.evidence.clear()
    for one in said:
        detail = f"a person says so (correction {one.id[:12]}); without it: {told}"
        review.assign(tool_id, "corrected", review.mentions[0].version.page_id, Reason(WEIGHT["corrected"], detail))
