"""The tool round: rows of the tools of which pages say something else now, and the products that follow."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from typing import Any, NamedTuple

from msgspec.structs import astuple

from corpus.rows.tools import ProductRow
from normalize.identity.known_tool import TOOLS, KnownTool
from normalize.identity.products import ToolListing, block_of, product_rows
from normalize.identity.tool_addresses import ToolAddress
from normalize.judged_reviews import DOUBTS, Doubt
from normalize.parse.compared_names import compared_name
from normalize.rows.history import price_history_rows, tool_history_rows
from normalize.rows.ranges import discrepancies_beyond, fitting
from normalize.rows.tool_reports import TOOL_STATES, ToolReport, ToolStates, tool_states
from normalize.rows.tools import Seen, pricing_tier_rows, tool_listings, tool_rows
from normalize.state.relation import State


class ToolDelta(NamedTuple):
    """Rows by table: all of the given tools, and of `products` the rows of that table; unsorted.

    `renamed` are tools that are new or gone, or whose name or address is another now. `products` are tools whose
    product was sought. `doubted` are pages whose discrepancies are others now. `name_blocks` are those of the names
    that renamed tools have and had.
    """

    rows: dict[str, list[Any]]
    renamed: frozenset[str]
    products: frozenset[str]
    doubted: frozenset[str]
    name_blocks: frozenset[str]


def tool_round(state: State, tools: Collection[str]) -> ToolDelta:
    """Makes tools anew. Reads TOOL_STATES; writes TOOLS and the DOUBTS of tools. One that no page shows disappears."""
    days: dict[str, list[ToolReport]] = defaultdict(list)
    for day in state.find(TOOL_STATES, "tool_id", tools):
        days[day.tool_id].append(day)
    states = {tool_id: tool_states(of_tool) for tool_id, of_tool in days.items()}
    addresses = {
        tool_id: ToolAddress(tool.host, tool.slug)
        for tool_id, tool in states.items()
        if tool.host is not None and tool.slug is not None
    }
    listings = tool_listings(addresses, {tool_id: tool.states for tool_id, tool in states.items()})
    before = {tool.tool_id: tool for tool in state.find(TOOLS, "tool_id", tools)}
    known = {listing.tool_id: _known(listing, states[listing.tool_id].first_page) for listing in listings}
    state.replace(TOOLS, "tool_id", tools, known.values())
    rows = _rows(states, listings)
    products, rows["products"] = _products(state, before, known)
    renamed = frozenset(
        tool_id for tool_id in before.keys() | known.keys() if _named(before, tool_id) != _named(known, tool_id)
    )
    named = (tools.get(tool_id) for tool_id in renamed for tools in (before, known))
    return ToolDelta(
        rows=rows,
        renamed=renamed,
        products=products,
        doubted=_note_doubts(state, tools, rows),
        name_blocks=frozenset(tool.name_block for tool in named if tool is not None and tool.name_block is not None),
    )


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


def _named(tools: Mapping[str, KnownTool], tool_id: str) -> tuple[str | None, ...] | None:
    tool = tools.get(tool_id)
    return None if tool is None else (tool.name, tool.host, tool.slug)


def _rows(states: Mapping[str, ToolStates], listings: Collection[ToolListing]) -> dict[str, list[Any]]:
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


def _note_doubts(state: State, tools: Collection[str], rows: Mapping[str, list[Any]]) -> frozenset[str]:
    """Writes the contradictions of tools; gives the pages that have others than before."""
    before = {*state.find(DOUBTS, "source", tools)}
    now = {Doubt(str(row.tool_id), *astuple(row)) for row in rows["discrepancies"]}
    if before != now:
        state.replace(DOUBTS, "source", tools, now)
    return frozenset(doubt.page_id for doubt in before ^ now)


def _products(
    state: State, before: Mapping[str, KnownTool], known: Mapping[str, KnownTool]
) -> tuple[frozenset[str], list[ProductRow]]:
    """The tools of the blocks that changed, of which each is by itself, and their products."""
    changed = {
        tool_id
        for tool_id in before.keys() | known.keys()
        if _listed(before.get(tool_id)) != _listed(known.get(tool_id))
    }
    tools = [tool for tool_id in changed for tool in (before.get(tool_id), known.get(tool_id)) if tool is not None]
    blocks = {tool.block for tool in tools if tool.block is not None}
    beside = state.find(TOOLS, "block", blocks)
    return frozenset(changed).union(tool.tool_id for tool in beside), products_of(beside)


def products_of(tools: Iterable[KnownTool]) -> list[ProductRow]:
    """The products of tools; all of a block are among them, or none."""
    return [*product_rows([ToolListing(*_listed(tool)) for tool in tools if tool.block is not None])]


def _listed(tool: KnownTool | None) -> tuple[Any, ...]:
    if tool is None:
        return ()
    return (tool.tool_id, tool.host, tool.slug, tool.name, tool.tagline, tool.category)
