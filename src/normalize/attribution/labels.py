"""Attribution by label: the page itself names the tool of a take (observed), or another page does (matched)."""

from collections.abc import Mapping, Sequence

from verdicts.corpus.rows.doubts import DiscrepancyRow
from verdicts.normalize.attribution.confidence import WEIGHT
from verdicts.normalize.attribution.conflicts import page_conflict
from verdicts.normalize.attribution.review_attribution import Reason, ReviewAttribution
from verdicts.normalize.dedup.mentions import Mention


def assign_by_label(attribution: ReviewAttribution, names: Mapping[str, str]) -> list[DiscrepancyRow]:
    """Assigns a review that is labelled anywhere to the tool of its earliest label that was not taken back.

    Labels of other tools, and pages without the tool, are conflicts where they still stand: a site that puts a take
    right leads it from one tool to another. `names` gives the tools' names for the reasons.
    """
    labelled = [mention for mention in attribution.mentions if mention.label is not None]
    if not labelled:
        return []
    valid = _valid(attribution, labelled)
    tools = {attribution.label_of(mention) for mention in valid}
    first = next(mention for mention in labelled if attribution.label_of(mention) in tools)
    tool_id = attribution.label_of(first) or ""
    # Pages may label the same words with two tools: the share that agrees with the first label is the trust in it.
    labels = {(mention.version.page_id, attribution.label_of(mention)) for mention in valid}
    agreement = sum(1 for _, label in labels if label == tool_id) / len(labels)
    _observe(attribution, labelled, tool_id, agreement)
    conflicts = [_conflict(item, tool_id, names) for item in valid if attribution.label_of(item) != tool_id]
    detail = f"stands labelled {label_of(first)} on '{first.version.title}'"
    reason = Reason(agreement * WEIGHT["matched"], detail)
    for mention in attribution.mentions:
        page_id = mention.version.page_id
        if mention.label is None and tool_id not in attribution.tools_on(mention.version):
            if mention.version.is_standing:
                conflicts.append(page_conflict(mention, tool_id, names[tool_id], names))
        elif mention.label is None and ("observed", page_id) not in attribution.evidence:
            attribution.evidence.setdefault(("matched", page_id), reason)
    return conflicts


def _valid(attribution: ReviewAttribution, labelled: Sequence[Mention]) -> Sequence[Mention]:
    """The labels that count: those that stand, at home before those of mirrors; where none does, the last ones."""
    now = [mention for mention in labelled if mention.version.is_standing]
    if not now:
        last_day = max(mention.version.crawl_day for mention in labelled)
        return [mention for mention in labelled if mention.version.crawl_day == last_day]
    return [mention for mention in now if mention.label not in attribution.counterparts] or now


def _observe(attribution: ReviewAttribution, labelled: Sequence[Mention], tool_id: str, agreement: float) -> None:
    reasons: dict[str, Reason] = {}
    for mention in labelled:
        if attribution.label_of(mention) == tool_id:
            label = label_of(mention)
            if label not in reasons:
                detail = f"stands labelled {label} on this page"
                reasons[label] = Reason(agreement * WEIGHT["observed"], detail)
            attribution.assign(tool_id, "observed", mention.version.page_id, reasons[label])


def _conflict(mention: Mention, tool_id: str, names: Mapping[str, str]) -> DiscrepancyRow:
    expected = f"{names[tool_id]}: {mention.quote}"
    found = f"stands labelled {label_of(mention)} of {names[mention.label or '']}"
    return DiscrepancyRow(mention.version.page_id, mention.label, "take_tool_conflict", expected, found)


def label_of(mention: Mention) -> str:
    """What the label of a take says, as reasons quote it."""
    take = mention.take
    return " ".join(part for part in (take.seat, take.score, take.verdict) if part) or "with its tool"
