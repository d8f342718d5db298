"""Attribution by intersection: a take is about the one tool that all its pages have in common (intersected)."""

from collections.abc import Mapping

from verdicts.corpus.rows.doubts import DiscrepancyRow
from verdicts.normalize.attribution.confidence import WEIGHT
from verdicts.normalize.attribution.conflicts import page_conflict
from verdicts.normalize.attribution.review_attribution import Reason, ReviewAttribution


def narrow_by_intersection(attribution: ReviewAttribution, names: Mapping[str, str]) -> list[DiscrepancyRow]:
    """Narrows a review without labels to the tools on all its pages, and assigns it where one is left.

    Pages without a common tool are a conflict.
    """
    common = set.intersection(*(set(attribution.tools_on(mention.version)) for mention in attribution.mentions))
    if not common:
        attribution.is_contradicted = True
        attribution.candidate_tools = {
            tool for mention in attribution.mentions for tool in attribution.tools_on(mention.version)
        }
        expected = " or ".join(names[tool] for tool in attribution.mentions[0].version.tool_ids)
        return [page_conflict(attribution.mentions[-1], None, expected, names)]
    attribution.candidate_tools = common
    page_ids = {mention.version.page_id for mention in attribution.mentions}
    if len(common) == 1 and len(page_ids) > 1:
        tool_id = attribution.tool_id
        detail = f"{names[tool_id]} is the only tool on all pages that carry it"
        reason = Reason(WEIGHT["intersected"], detail)
        for page_id in page_ids:
            attribution.assign(tool_id, "intersected", page_id, reason)
    return []
