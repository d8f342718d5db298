"""Whether a tool that another site names is one of the panel's: a name alone never says so.

The best published matchers reach F1 0.71 to 0.86 on products that they were not made for, so none merges by itself.
What merges is an equal name in an equal version with an equal maker, which the name (`Claude Code by Anthropic`) or the
link (to a declared site of the maker) says. A maker's site alone does not: `Claude` and `Claude Code` share theirs.
"""

from collections.abc import Iterable
from typing import NamedTuple

from rapidfuzz import fuzz

from verdicts.corpus.enumerations import CandidateReason
from verdicts.fetch.model.addresses.web_address import host_of
from verdicts.normalize.identity.identity import KnownTool
from verdicts.normalize.parse.compared_names import ComparedName, compared_name
from verdicts.normalize.parse.vendor_sites import vendor_of_link
from verdicts.normalize.parse.vendors import vendor_of

MIN_SIMILARITY = 0.95
"""From this ratio of rapidfuzz (0 to 1) on two names that are not equal may be one, spelled twice.

Measured with `benchmarks.quality --names`, which prints what 0.80 to 0.99 would give.
"""

ORDER: tuple[CandidateReason, ...] = (
    "same_name_and_vendor",
    "same_name",
    "similar_name",
    "other_vendor",
    "other_version",
)
"""Best first: a tool that is named outside has the reason of its best matches, and those alone."""


class Match(NamedTuple):
    """A tool of the panel, how alike the names are (0 to 1), and what speaks for or against it."""

    tool_id: str
    similarity: float
    reason: CandidateReason


def best_matches(name: str, link: str | None, page: str, tools: Iterable[KnownTool]) -> list[Match]:
    """The matches that are best and equally good, by tool. None where no tool's name comes near.

    `link` is what the page at the address `page` gives for the tool, `tools` are those of its block at least.
    """
    outside, linked = compared_name(name), None if link is None else vendor_of_link(link)
    is_own = link is not None and _host(link) == _host(page)
    found = [match for tool in tools if (match := _match(outside, linked, tool, is_own=is_own)) is not None]
    best = min(((ORDER.index(match.reason), -match.similarity) for match in found), default=None)
    return sorted(match for match in found if (ORDER.index(match.reason), -match.similarity) == best)


def _match(outside: ComparedName, linked: str | None, tool: KnownTool, *, is_own: bool) -> Match | None:
    """`linked` is the vendor that the link leads to, `is_own` where the link stays on the page's host."""
    own = compared_name(tool.name)
    if outside.block is None or own.block != outside.block:
        return None
    is_same, similarity = own.stem == outside.stem, fuzz.ratio(own.key, outside.key) / 100
    if not is_same and similarity < MIN_SIMILARITY:
        return None
    if own.versions != outside.versions:
        return Match(tool.tool_id, similarity, "other_version")
    suggested = vendor_of(tool.name, tool.slug)
    vendor = own.maker if suggested is None else suggested.name
    makers = {outside.maker, linked} - {None}
    if vendor is not None:
        if is_own and linked != vendor:
            # A vendor's page about its rivals links to its own words on each.
            makers.discard(linked)
        if makers - {vendor}:
            return Match(tool.tool_id, similarity, "other_vendor")
        if is_same and makers:
            return Match(tool.tool_id, similarity, "same_name_and_vendor")
    return Match(tool.tool_id, similarity, "same_name" if is_same else "similar_name")


def _host(url: str) -> str | None:
    return host_of(url).removeprefix("www.") or None
