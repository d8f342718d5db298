"""Finds the tool of each review: every page narrows the candidates, and the strongest evidence decides.

The evidence uses one fact: the takes of a tool are the same on all its pages. Contradictions are reported, never
averaged. A review's own mentions come first: the label on its page (observed) or on another page (matched), then the
only tool on all its pages (intersected). Other pages decide the rest (`exclusion`, `row_order`).
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from verdicts.corpus.rows.runs import DiscrepancyRow
from verdicts.normalize.attribution.review_attribution import WEIGHT, Reason, ReviewAttribution
from verdicts.normalize.dedup.mentions import Mention
from verdicts.normalize.identity.ids import KnownTool


def describe_page_conflict(
    mention: Mention, tool_id: str | None, expected: str, names: Mapping[str, str]
) -> DiscrepancyRow:
    """A take on a page without the tools that it should be about. `expected` names these tools."""
    version = mention.version
    found = f"is on a page of {names[version.tool_ids[0]]} and {names[version.tool_ids[1]]}"
    return DiscrepancyRow(version.page_id, tool_id, "attribution_conflict", f"{expected}: {mention.quote}", found)


def assign_by_label(attribution: ReviewAttribution, names: Mapping[str, str]) -> list[DiscrepancyRow]:
    """Assigns a review with a label on any page to the tool of its earliest label that is still valid.

    Present labels of other tools and present pages without the tool are conflicts. Past ones are not, because a site
    may correct the tool of a take. `names` has the tools' names for the reasons.
    """
    labelled = [mention for mention in attribution.mentions if mention.label is not None]
    if not labelled:
        return []
    valid = _select_valid_labels(attribution, labelled)
    tools = {attribution.find_labelled_tool(mention) for mention in valid}
    first = next(mention for mention in labelled if attribution.find_labelled_tool(mention) in tools)
    tool_id = attribution.find_labelled_tool(first) or ""
    # Pages may label the same words with two tools. The share that agrees with the first label is its weight.
    labels = {(mention.version.page_id, attribution.find_labelled_tool(mention)) for mention in valid}
    agreement = sum(1 for _, label in labels if label == tool_id) / len(labels)
    _observe(attribution, labelled, tool_id, agreement)
    conflicts = [
        _describe_conflict(item, tool_id, names) for item in valid if attribution.find_labelled_tool(item) != tool_id
    ]
    detail = f"labelled {print_label(first)} on '{first.version.title}'"
    reason = Reason(agreement * WEIGHT["matched"], detail)
    for mention in attribution.mentions:
        page_id = mention.version.page_id
        if mention.label is None and tool_id not in attribution.list_tools(mention.version):
            if mention.version.is_standing:
                conflicts.append(describe_page_conflict(mention, tool_id, names[tool_id], names))
        elif mention.label is None and ("observed", page_id) not in attribution.evidence:
            attribution.evidence.setdefault(("matched", page_id), reason)
    return conflicts


def _select_valid_labels(attribution: ReviewAttribution, labelled: Sequence[Mention]) -> Sequence[Mention]:
    """The valid labels: present ones on the home host, else present ones of mirrors, else the last ones."""
    standing = [mention for mention in labelled if mention.version.is_standing]
    if not standing:
        last_day = max(mention.version.crawl_day for mention in labelled)
        return [mention for mention in labelled if mention.version.crawl_day == last_day]
    return [mention for mention in standing if mention.label not in attribution.counterparts] or standing


def _observe(attribution: ReviewAttribution, labelled: Sequence[Mention], tool_id: str, agreement: float) -> None:
    reasons: dict[str, Reason] = {}
    for mention in labelled:
        if attribution.find_labelled_tool(mention) == tool_id:
            label = print_label(mention)
            if label not in reasons:
                detail = f"labelled {label} on this page"
                reasons[label] = Reason(agreement * WEIGHT["observed"], detail)
            attribution.assign(tool_id, "observed", mention.version.page_id, reasons[label])


def _describe_conflict(mention: Mention, tool_id: str, names: Mapping[str, str]) -> DiscrepancyRow:
    expected = f"{names[tool_id]}: {mention.quote}"
    found = f"labelled {print_label(mention)} of {names[mention.label or '']}"
    return DiscrepancyRow(mention.version.page_id, mention.label, "review_tool_conflict", expected, found)


def print_label(mention: Mention) -> str:
    """The label of a take, for reasons."""
    take = mention.take
    score = None if take.score is None else f"{take.score}/100"
    return " ".join(part for part in (take.reviewer, score, take.verdict) if part) or "with its tool"


def narrow_by_intersection(attribution: ReviewAttribution, names: Mapping[str, str]) -> list[DiscrepancyRow]:
    """Narrows a review without labels to the tools on all its pages, and assigns it if one tool is left.

    Pages without a common tool are a conflict.
    """
    common = set.intersection(*(set(attribution.list_tools(mention.version)) for mention in attribution.mentions))
    if not common:
        attribution.is_contradicted = True
        attribution.candidate_tools = {
            tool for mention in attribution.mentions for tool in attribution.list_tools(mention.version)
        }
        expected = " or ".join(names[tool] for tool in attribution.mentions[0].version.tool_ids)
        return [describe_page_conflict(attribution.mentions[-1], None, expected, names)]
    attribution.candidate_tools = common
    page_ids = {mention.version.page_id for mention in attribution.mentions}
    if len(common) == 1 and len(page_ids) > 1:
        tool_id = attribution.tool_id
        detail = f"{names[tool_id]} is the only tool on all pages that show it"
        reason = Reason(WEIGHT["intersected"], detail)
        for page_id in page_ids:
            attribution.assign(tool_id, "intersected", page_id, reason)
    return []


def find_counterparts(mentions: Sequence[Mention], tools: Mapping[str, KnownTool]) -> Mapping[str, str]:
    """Maps tools of other hosts to the same tool on the review's home host. Empty for a review on one host.

    Each host has its own tools, so each host's copy of a take has another tool. This is not a conflict if these tools
    have the same slug. Home is the host of the first crawl day; of several hosts on that day, the first in
    alphabetical order.
    """
    first_days: dict[str, str] = {}
    tools_of: dict[str, dict[str, KnownTool]] = defaultdict(dict)
    for mention in mentions:
        for tool_id in mention.version.tool_ids:
            host, day = tools[tool_id].host, mention.version.crawl_day
            if host is not None:
                first_days[host] = min(first_days.get(host, day), day)
                tools_of[host][tool_id] = tools[tool_id]
    if len(first_days) < 2:
        return {}
    home = min(first_days, key=lambda host: (first_days[host], host))
    by_slug = {tool.slug: tool.tool_id for tool in tools_of.pop(home).values()}
    elsewhere = (tool for of_host in tools_of.values() for tool in of_host.values())
    return {tool.tool_id: by_slug[tool.slug] for tool in elsewhere if tool.slug in by_slug}


def attribute_by_own(
    reviews: Iterable[ReviewAttribution], tools: Mapping[str, KnownTool]
) -> Mapping[str, Sequence[DiscrepancyRow]]:
    """Finds the tools of reviews by their own mentions: labels, or the only tool on all their pages.

    Returns the contradictions by review.
    """
    conflicts: dict[str, list[DiscrepancyRow]] = defaultdict(list)
    names = {tool_id: tool.name for tool_id, tool in tools.items()}
    has_mirrors = len({tool.host for tool in tools.values()} - {None}) > 1
    for review in reviews:
        if has_mirrors:
            review.counterparts = find_counterparts(review.mentions, tools)
        contradictions = assign_by_label(review, names)
        if review.kind is None:
            contradictions += narrow_by_intersection(review, names)
        if contradictions:
            conflicts[review.review_id] += contradictions
    return conflicts
