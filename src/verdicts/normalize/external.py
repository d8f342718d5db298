"""Which tools of the panel the pages of other sites name. A name alone is never enough.

The best published matchers reach F1 0.71 to 0.86 on products that they were not made for. So only an equal name in an
equal version with an equal maker merges. The name (`Claude Code by Anthropic`) or the link (to a declared site of the
maker) shows the maker. A link to the maker's site is not enough by itself: `Claude` and `Claude Code` share it.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec
from msgspec.structs import replace
from rapidfuzz import fuzz

from verdicts.corpus.enumerations import CandidateDecision, CandidateReason, MentionEvidence
from verdicts.corpus.rows.pages import MentionRow, PageRow
from verdicts.corpus.rows.tools import ProductCandidateRow
from verdicts.fetch.model.addresses import find_host
from verdicts.normalize.corrections import NO_CORRECTIONS, Correction, Corrections, Outcome
from verdicts.normalize.identity.ids import KnownTool
from verdicts.normalize.parse.names import ComparedName, find_link_vendor, find_vendor, parse_name

MIN_SIMILARITY = 0.95
"""From this ratio of rapidfuzz (0 to 1) on, two different names may be spellings of one. `benchmarks.quality --names`
shows the results of 0.80 to 0.99."""

DECISIONS: Mapping[CandidateReason, CandidateDecision] = {
    "same_name_and_vendor": "merged",
    "same_name": "candidate",
    "similar_name": "candidate",
    "other_vendor": "none",
    "other_version": "none",
    "no_such_name": "none",
    "corrected": "merged",
}
"""Best reason first. A tool that another site names has only its best matches."""

ORDER = tuple(DECISIONS)

EVIDENCE: Mapping[CandidateReason, MentionEvidence] = {
    "corrected": "corrected",
    "same_name_and_vendor": "same_name_and_vendor",
    "same_name": "same_name",
}
"""Reasons that give a mention its tool, if only one tool has them."""


class Match(NamedTuple):
    """A tool of the panel, the similarity of the names (0 to 1), and the reason for or against it."""

    tool_id: str
    similarity: float
    reason: CandidateReason


def find_best_matches(name: str, link: str | None, page: str, tools: Iterable[KnownTool]) -> list[Match]:
    """The best matches, sorted by tool; equally good ones are all kept. Empty if no tool has a similar name.

    `link` is the address that the page at `page` gives for the tool. `tools` has at least those of its block.
    """
    external, linked = parse_name(name), None if link is None else find_link_vendor(link)
    is_own = link is not None and _cut_host(link) == _cut_host(page)
    matches = [match for tool in tools if (match := _match(external, linked, tool, is_own=is_own)) is not None]
    best = min(((ORDER.index(match.reason), -match.similarity) for match in matches), default=None)
    return sorted(match for match in matches if (ORDER.index(match.reason), -match.similarity) == best)


def _match(external: ComparedName, linked: str | None, tool: KnownTool, *, is_own: bool) -> Match | None:
    """`linked` is the vendor that the link leads to, `is_own` where the link stays on the page's host."""
    compared = parse_name(tool.name)
    if external.block is None or compared.block != external.block:
        return None
    is_same, similarity = compared.stem == external.stem, fuzz.ratio(compared.key, external.key) / 100
    if not is_same and similarity < MIN_SIMILARITY:
        return None
    if compared.versions != external.versions:
        return Match(tool.tool_id, similarity, "other_version")
    suggested = find_vendor(tool.name, tool.slug)
    vendor = compared.maker if suggested is None else suggested.name
    makers = {external.maker, linked} - {None}
    if vendor is not None:
        if is_own and linked != vendor:
            # A vendor's page about its rivals links to the vendor's own pages about each of them.
            makers.discard(linked)
        if makers - {vendor}:
            return Match(tool.tool_id, similarity, "other_vendor")
        if is_same and makers:
            return Match(tool.tool_id, similarity, "same_name_and_vendor")
    return Match(tool.tool_id, similarity, "same_name" if is_same else "similar_name")


def _cut_host(url: str) -> str | None:
    return find_host(url).removeprefix("www.") or None


class ExternalTool(msgspec.Struct, frozen=True, array_like=True):
    """A tool that a page of another site mentions, the key of that page, and the block of the tool's name."""

    row: MentionRow
    url: str
    block: str | None


def list_external_tools(mentions: Iterable[MentionRow], pages: Iterable[PageRow]) -> Iterator[ExternalTool]:
    """The tools that pages of other sites mention, with the facts that identify them."""
    urls = {page.page_id: page.url or "" for page in pages}
    for row in mentions:
        yield ExternalTool(row, urls[row.page_id], parse_name(row.name).block)


def identify_mention(mention: MentionRow, candidates: Sequence[ProductCandidateRow]) -> MentionRow:
    """The mention with its tool of the panel, if exactly one tool has an equal name."""
    first = candidates[0]
    known_by = EVIDENCE.get(first.reason)
    if known_by is None or first.tool_id is None or len(candidates) > 1:
        return mention
    return replace(mention, tool_id=first.tool_id, known_by=known_by)


def make_candidate_rows(
    named_tools: Iterable[ExternalTool],
    tools: Sequence[KnownTool],
    aliases: Mapping[str, str],
    corrections: Corrections = NO_CORRECTIONS,
) -> tuple[list[ProductCandidateRow], list[MentionRow], list[Outcome]]:
    """The candidates of each tool of other sites, and the tool with its tool of the panel.

    Candidates are all equally good matches, or one row with the reason why there is none.

    `tools` are tools of the panel, at least those of the same blocks; `aliases` maps their former ids to present ids.
    """
    rows, mentions, outcomes = list[ProductCandidateRow](), list[MentionRow](), list[Outcome]()
    decided: dict[tuple[str, str], list[Correction]] = defaultdict(list)
    for correction in corrections.select("outside", "product_candidates"):
        decided[correction.target, str(correction.key[1][1])].append(correction)
    names = {tool.tool_id: tool.name for tool in tools} if decided else {}
    by_block: dict[str | None, list[KnownTool]] = defaultdict(list)
    for tool in tools:
        by_block[tool.name_block].append(tool)
    for named in named_tools:
        matched = candidates = _list_candidates(named, by_block.get(named.block, ()))
        for correction in decided.get((named.url, named.row.name), ()):
            tool_id = None if correction.value is None else aliases.get(correction.decision, correction.decision)
            before = ", ".join(row.tool_id for row in matched if row.tool_id is not None) or None
            subject = f"{named.row.name} on {named.url}"
            if tool_id is not None and tool_id not in names:
                outcomes.append(Outcome(correction.id, "gone", subject, before, f"there is no tool {tool_id}"))
                continue
            decision: CandidateDecision = "none" if tool_id is None else "merged"
            is_so = matched[0].decision == decision and before == tool_id
            outcomes.append(Outcome(correction.id, "agrees" if is_so else "applied", subject, before))
            if not is_so:
                candidates = [
                    replace(matched[0], tool_id=tool_id, similarity=None, reason="corrected", decision=decision)
                ]
        rows += candidates
        mentions.append(identify_mention(named.row, candidates))
    return rows, mentions, outcomes


def _list_candidates(named: ExternalTool, tools: Iterable[KnownTool]) -> list[ProductCandidateRow]:
    """The rows of a tool of another site."""
    matches = find_best_matches(named.row.name, named.row.tool_url, named.url, tools)
    reason: CandidateReason = matches[0].reason if matches else "no_such_name"
    score = round(matches[0].similarity, 4) if matches else None
    decision = DECISIONS[reason]
    tool_ids = [None] if decision == "none" else [match.tool_id for match in matches]
    return [
        ProductCandidateRow(named.row.page_id, named.row.tool_number, choice, tool_id, score, reason, decision)
        for choice, tool_id in enumerate(tool_ids)
    ]
