"""Which tools of the panel the pages of other sites name. The order of pages and tools does not matter."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from verdicts.corpus.enumerations import CandidateDecision, CandidateReason, Claim
from verdicts.corpus.rows.other_sites import ComparedToolRow
from verdicts.corpus.rows.tools import ProductCandidateRow
from verdicts.normalize.identity.identity import KnownTool
from verdicts.normalize.outside.matching import best_matches
from verdicts.normalize.parse.compared_names import compared_name

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
