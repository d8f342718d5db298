"""Applies decisions of people about the tool of a review, after all evidence of pages."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping

from verdicts.corpus.enumerations import CorrectionOutcome
from verdicts.normalize.attribution.review_attribution import WEIGHT, Reason, ReviewAttribution
from verdicts.normalize.corrections import Correction, Corrections, Outcome
from verdicts.normalize.dedup.mentions import FoldedText
from verdicts.normalize.identity.ids import KnownTool


def group_by_review(corrections: Corrections, texts: Mapping[str, FoldedText]) -> Mapping[str, list[Correction]]:
    """The corrections of takes, by the review that has the text now."""
    decided: dict[str, list[Correction]] = defaultdict(list)
    for correction in corrections.select("review", "reviews"):
        if (text := texts.get(correction.target)) is not None:
            decided[text.review_id].append(correction)
    return decided


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
    decided = group_by_review(corrections, next((review.texts for review in reviews), {}))
    for review in reviews if decided else ():
        of_review = decided.get(review.review_id, ())
        if not of_review:
            continue
        wanted = {
            None if correction.value is None else aliases.get(correction.decision, correction.decision)
            for correction in of_review
        }
        unknown = wanted - tools.keys() - {None}
        is_agreed = wanted == {review.tool_id} and review.kind == "observed"
        pages = tuple(sorted({mention.page_id for mention in review.mentions}))
        name, finding = tools[review.tool_id].name, f"{tools[review.tool_id].name} ({review.kind})"
        for correction in of_review:
            outcome: CorrectionOutcome = "agrees" if is_agreed else "applied"
            detail = f"without it: {finding}"
            if len(wanted) > 1 or unknown:
                outcome = "gone" if unknown else "contradicts"
                detail = f"there is no tool {', '.join(map(str, unknown))}" if unknown else detail
            elif correction.value is None:
                left_out.add(review.review_id)
                detail = f"left out: {review.mentions[-1].take.text}"
            subject = f"{review.mentions[-1].quote} on {name}"
            about = (review.review_id, review.tool_id, *pages)
            outcomes.append(Outcome(correction.id, outcome, subject, review.tool_id, detail, about))
        if not unknown and not is_agreed and len(wanted) == 1 and None not in wanted:
            _give(review, review.find_at_home(wanted.pop() or ""), of_review, finding)
    return left_out, outcomes


def _give(review: ReviewAttribution, tool_id: str, corrections: Iterable[Correction], finding: str) -> None:
    """Evidence for another tool does not count any more."""
    if review.tool_id != tool_id:
        review.evidence.clear()
    for correction in corrections:
        detail = f"a person says so (correction {correction.id[:12]}); without it: {finding}"
        review.assign(tool_id, "corrected", review.mentions[0].version.page_id, Reason(WEIGHT["corrected"], detail))
