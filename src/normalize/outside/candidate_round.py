"""The candidate round: which tools of the panel the pages of other sites name.

It is decided anew for the addresses of a night, and for those that name a tool as one is called that is new, gone or
called otherwise. The order of pages and tools does not matter.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from corpus.enumerations import CandidateDecision, CandidateReason, Claim
from corpus.rows.other_sites import ComparedToolRow
from corpus.rows.tools import ProductCandidateRow
from normalize.identity.known_tool import TOOLS, KnownTool
from normalize.outside.matching import best_matches
from normalize.parse.compared_names import compared_name
from normalize.state.relation import Relation, State

DECISIONS: Mapping[CandidateReason, CandidateDecision] = {
    "same_name_and_vendor": "merged",
    "same_name": "candidate",
    "similar_name": "candidate",
    "other_vendor": "none",
    "other_version": "none",
    "no_such_name": "none",
}


class OutsideTool(msgspec.Struct, frozen=True, array_like=True):
    """A tool that a page of another site names, and what tells which one it is. `block` is that of its name."""

    url: str
    position: int
    name: str
    link: str | None
    block: str | None
    claim: Claim


OUTSIDE_TOOLS = Relation("outside_tools", OutsideTool, ("url", "block"))


class CandidateDelta(NamedTuple):
    """Rows of the addresses `urls`: all of them, unsorted."""

    urls: frozenset[str]
    rows: list[ProductCandidateRow]


def candidate_round(
    state: State, urls: Collection[str], named: Iterable[OutsideTool], blocks: Collection[str]
) -> CandidateDelta:
    """Makes candidates anew. `named` are all tools of the addresses `urls`, `blocks` those of tools that changed.

    Reads TOOLS, writes OUTSIDE_TOOLS.
    """
    state.replace(OUTSIDE_TOOLS, "url", urls, named)
    matched = frozenset(urls).union(tool.url for tool in state.find(OUTSIDE_TOOLS, "block", blocks))
    tools = state.find(OUTSIDE_TOOLS, "url", matched)
    asked = {tool.block for tool in tools if tool.block is not None}
    return CandidateDelta(matched, [*candidate_rows(tools, state.find(TOOLS, "name_block", asked))])


def outside_tools(rows: Mapping[str, Sequence[Any]]) -> Iterator[OutsideTool]:
    """The tools of pages, compared and described, by what tells which ones they are."""
    claims: tuple[tuple[str, Claim], ...] = (("compared_tools", "compares"), ("described_tools", "describes"))
    for table, claim in claims:
        row: ComparedToolRow
        for row in rows[table]:
            block = compared_name(row.name).block
            yield OutsideTool(row.url, row.position, row.name, row.tool_url, block, claim)


def candidate_rows(outside: Iterable[OutsideTool], tools: Iterable[KnownTool]) -> Iterator[ProductCandidateRow]:
    """The rows of tools of other sites. `tools` are those of the panel, at least of their blocks."""
    by_block: dict[str | None, list[KnownTool]] = defaultdict(list)
    for tool in tools:
        by_block[tool.name_block].append(tool)
    for named in outside:
        yield from _rows(named, by_block.get(named.block, ()) if named.block is not None else ())


def _rows(named: OutsideTool, tools: Sequence[KnownTool]) -> Iterator[ProductCandidateRow]:
    matches = best_matches(named.name, named.link, named.url, tools)
    decision = DECISIONS[matches[0].reason] if matches else "none"
    if decision == "none":
        reason = matches[0].reason if matches else "no_such_name"
        similarity = round(matches[0].similarity, 4) if matches else None
        yield ProductCandidateRow(named.url, named.position, 0, None, similarity, reason, decision, named.claim)
        return
    for choice, match in enumerate(matches):
        score = round(match.similarity, 4)
        found = (match.tool_id, score, match.reason, decision)
        yield ProductCandidateRow(named.url, named.position, choice, *found, named.claim)
