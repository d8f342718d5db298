"""Attribution by label: the page itself names the tool of a take (observed), or another page does (matched)."""

from collections.abc import Mapping, Sequence

from corpus.rows.doubts import DiscrepancyRow
from normalize.attribution.confidence import WEIGHT
from normalize.attribution.conflicts import page_conflict
from normalize.attribution.review_attribution import Reason, ReviewAttribution
from normalize.dedup.mentions import TakeMention


def assign_by_label(attribution: ReviewAttribution, names: Mapping[str, str]) -> list[DiscrepancyRow]:
    """Assigns a review that is labelled anywhere to the tool of its earliest label.

    Labels of other tools, and pages without the tool, are conflicts. `names` gives the tools' names for the reasons.
    """
    labelled = [mention for mention in attribution.mentions if mention.tool_id is not None]
    if not labelled:
        return []
    tool_id = attribution.label_of(labelled[0]) or ""
    # Pages may label the same words with two tools: the share that agrees with the first label is the trust in it.
    labels = {(mention.version.page_id, attribution.label_of(mention)) for mention in labelled}
    agreement = sum(1 for _, label in labels if label == tool_id) / len(labels)
    conflicts = _observe(attribution, labelled, tool_id, agreement, names)
    detail = f"stands labelled {_label(labelled[0])} on '{labelled[0].version.comparison.title}'"
    reason = Reason(agreement * WEIGHT["matched"], detail)
    for mention in attribution.mentions:
        page_id = mention.version.page_id
        if mention.tool_id is None and tool_id not in attribution.tools_on(mention.version):
            conflicts.append(page_conflict(mention, tool_id, names[tool_id], names))
        elif mention.tool_id is None and ("observed", page_id) not in attribution.evidence:
            attribution.evidence.setdefault(("matched", page_id), reason)
    return conflicts


def _observe(
    attribution: ReviewAttribution,
    labelled: Sequence[TakeMention],
    tool_id: str,
    agreement: float,
    names: Mapping[str, str],
) -> list[DiscrepancyRow]:
    conflicts = []
    for mention in labelled:
        page_id = mention.version.page_id
        if attribution.label_of(mention) == tool_id:
            detail = f"stands labelled {_label(mention)} on this page"
            attribution.assign(tool_id, "observed", page_id, Reason(agreement * WEIGHT["observed"], detail))
        else:
            expected = f"{names[tool_id]}: {mention.quote}"
            found = f"stands labelled {_label(mention)} of {names[mention.tool_id or '']}"
            conflicts.append(DiscrepancyRow(page_id, mention.tool_id, "take_tool_conflict", expected, found))
    return conflicts


def _label(mention: TakeMention) -> str:
    take = mention.take
    return " ".join(part for part in (take.seat, take.score, take.verdict) if part) or "with its tool"
