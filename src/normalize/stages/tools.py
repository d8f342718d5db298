"""From what pages say to tools: `tools`, `products`, `candidates`."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from verdicts.normalize.external import candidate_rows
from verdicts.normalize.identity.ids import KnownTool, ToolAddress
from verdicts.normalize.identity.products import ToolListing, block_of, product_rows
from verdicts.normalize.parse.names import compared_name
from verdicts.normalize.rows.doubts import discrepancies_beyond, fitting
from verdicts.normalize.rows.tools import (
    Seen,
    ToolReport,
    ToolStates,
    merged,
    price_history_rows,
    pricing_tier_rows,
    tool_history_rows,
    tool_listings,
    tool_rows,
    tool_states,
)
from verdicts.normalize.stages import relations as rel
from verdicts.normalize.work import Rows, Work


def tools(work: Work) -> Rows:
    """Rows of tools, their history and prices; sends every tool with its current name."""
    by_day: dict[str, list[ToolReport]] = defaultdict(list)
    for report in work.read(rel.REPORTS):
        by_day[report.tool_day].append(report)
    by_tool: dict[str, list[ToolReport]] = defaultdict(list)
    for day in map(merged, by_day.values()):
        by_tool[day.tool_id].append(day)
    states = {tool_id: tool_states(days) for tool_id, days in by_tool.items()}
    addresses = {
        tool_id: ToolAddress(tool.host, tool.slug)
        for tool_id, tool in states.items()
        if tool.host is not None and tool.slug is not None
    }
    listings = tool_listings(addresses, {tool_id: tool.states for tool_id, tool in states.items()})
    work.send(rel.TOOLS, (_known(listing, states[listing.tool_id].first_page) for listing in listings))
    rows = _rows(states, listings)
    work.send(rel.DOUBTS, [rel.doubt_of(row.tool_id, row) for row in rows.pop("discrepancies")])
    return rows


def _known(listing: ToolListing, first_page: str) -> KnownTool:
    return KnownTool(
        tool_id=listing.tool_id,
        name=listing.name,
        host=listing.host,
        slug=listing.slug,
        tagline=listing.tagline,
        category=listing.category,
        block=block_of(listing.host, listing.name),
        first_page=first_page,
        name_block=compared_name(listing.name).block,
    )


def _rows(states: Mapping[str, ToolStates], listings: Iterable[ToolListing]) -> dict[str, list[Any]]:
    periods = {tool_id: tool.states for tool_id, tool in states.items()}
    prices = {tool_id: tool.prices for tool_id, tool in states.items() if tool.prices}
    seen = {tool_id: Seen(tool.first_at, tool.last_at) for tool_id, tool in states.items()}
    rows, beyond = fitting(
        {
            "tools": tool_rows(seen, periods, listings),
            "tool_history": tool_history_rows(periods),
            "price_history": price_history_rows(prices),
            "pricing_tiers": pricing_tier_rows(prices),
        }
    )
    first_page = {tool_id: tool.first_page for tool_id, tool in states.items()}
    rows["discrepancies"] = [*dict.fromkeys(discrepancies_beyond(beyond, first_page))]
    return rows


def products(work: Work) -> Rows:
    """Which tools seem to be entries of one product."""
    listings = [
        ToolListing(tool.tool_id, tool.host, tool.slug, tool.name, tool.tagline, tool.category)
        for tool in work.read(rel.TOOLS)
        if tool.block is not None
    ]
    return {"products": [*product_rows(listings)]}


def candidates(work: Work) -> Rows:
    """Which tools of the panel the pages of other sites name."""
    return {"product_candidates": [*candidate_rows(work.read(rel.EXTERNAL_TOOLS), work.read(rel.TOOLS))]}
