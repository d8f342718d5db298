"""Page and tool rounds night after night, beside what batches of everything give."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from operator import attrgetter
from typing import Any

from builders.batch_pages import (
    in_range,
    merged_pages,
    price_periods,
    read_page_versions,
    times_seen,
    tool_addresses,
    tool_periods,
)
from builders.identity_oracle import all_identities
from corpus.tables import TABLES
from extract.model.records import Observation
from extract.panel.words.profile_files import SHIPPED
from fetch.model.snapshot import Location
from normalize.identity.identity import IDENTITIES, Identity
from normalize.identity.products import product_rows
from normalize.identity.tool_identity import ALIASES, ToolAlias
from normalize.rows.consistency import discrepancy_rows
from normalize.rows.documents import (
    compared_grid_rows,
    compared_tool_rows,
    comparison_fact_rows,
    comparison_row_rows,
    described_tool_rows,
    document_rows,
    outside_review_rows,
)
from normalize.rows.history import (
    price_history_rows,
    tool_history_rows,
    verdict_history_rows,
)
from normalize.rows.page_round import page_round
from normalize.rows.pages import card_rows, page_rows, verdict_rows
from normalize.rows.rejects import reject_rows
from normalize.rows.tool_round import tool_round
from normalize.rows.tools import pricing_tier_rows, tool_listings, tool_rows
from normalize.state.memory import MemoryState

Rows = Mapping[str, Iterable[Any]]
BY_PAGE = ("pages", "tool_cards", "verdicts", "verdict_history")
BY_TOOL = ("tools", "tool_history", "price_history", "pricing_tiers")


def batch_rows(observations: Iterable[Observation], gone: Collection[str], moved: Mapping[str, str]) -> Rows:
    """The rows of pages, tools and addresses by the rules of batches."""
    observed = list({item.location: item for item in observations}.values())
    versions, _ = read_page_versions(observed, SHIPPED, moved)
    states, prices, pages = tool_periods(versions), price_periods(versions), merged_pages(versions)
    listings = tool_listings(tool_addresses(versions), states)
    rows = in_range(
        {
            "pages": page_rows(pages, gone),
            "documents": document_rows(observed),
            "compared_tools": compared_tool_rows(observed),
            "described_tools": described_tool_rows(observed),
            "comparison_rows": comparison_row_rows(observed),
            "comparison_facts": comparison_fact_rows(observed),
            "compared_grids": compared_grid_rows(observed),
            "outside_reviews": outside_review_rows(observed),
            "tools": tool_rows(times_seen(versions), states, listings),
            "products": product_rows(listings),
            "tool_cards": card_rows(pages),
            "verdicts": verdict_rows(pages),
            "pricing_tiers": pricing_tier_rows(prices),
            "tool_history": tool_history_rows(states),
            "price_history": price_history_rows(prices),
            "verdict_history": verdict_history_rows(versions),
            "discrepancies": discrepancy_rows(pages),
            "rejects": reject_rows(observed, SHIPPED),
        },
        observed,
    )
    return {table: of_table for table, of_table in rows.items() if of_table}


class Rounds:
    """A state, and the rows that nights have made so far."""

    def __init__(self) -> None:
        self.state = MemoryState()
        self.observed: dict[Location, Observation] = {}
        self.rows: dict[str, dict[Any, Any]] = {}
        self._gone: frozenset[str] = frozenset()
        self._identities: list[Identity] = []
        self._aliases: list[ToolAlias] = []

    def night(self, observations: Sequence[Observation], gone: Collection[str], moved: Mapping[str, str]) -> None:
        """One night: its pages and tools are made anew, all others stay."""
        self.observed |= {item.location: item for item in observations}
        pages = self._resolve(moved) | self._gone_or_back(gone)
        delta = page_round(self.state, pages, self._at, gone)
        tools = tool_round(self.state, delta.tools)
        self._replace(BY_PAGE, "page_id", pages, delta.rows)
        self._replace(BY_TOOL, "tool_id", delta.tools, tools.rows)
        self._replace(("products",), "tool_id", tools.products, tools.rows)
        self.pages, self.delta, self.tools = pages, delta, tools

    def _at(self, places: Collection[Location]) -> list[Observation]:
        return [self.observed[place] for place in places]

    def _resolve(self, moved: Mapping[str, str]) -> set[str]:
        before, aliases = self._identities, {*self._aliases}
        identities, by_id = all_identities(self.observed.values(), moved)
        self._identities, self._aliases = [*identities.values()], [*by_id.values()]
        renamed = {alias.alias_id for alias in aliases ^ {*self._aliases}}
        pages = {one.page_id for one in {*before} ^ {*self._identities}}
        pages |= {one.page_id for one in self._identities if not renamed.isdisjoint(one.name_ids)}
        of_pages = [one for one in self._identities if one.page_id in pages]
        self.state.replace(IDENTITIES, "page_id", pages, of_pages)
        self.state.replace(ALIASES, "alias_id", renamed, [one for one in self._aliases if one.alias_id in renamed])
        return pages

    def _gone_or_back(self, gone: Collection[str]) -> set[str]:
        urls = self._gone ^ frozenset(gone)
        self._gone = frozenset(gone)
        return {one.page_id for one in self._identities if one.url in urls}

    def _replace(self, tables: Sequence[str], column: str, decided: Collection[str], rows: Rows) -> None:
        for table in tables:
            key, kept = attrgetter(*TABLES[table].key), self.rows.setdefault(table, {})
            for known in [known for known, row in kept.items() if getattr(row, column) in decided]:
                del kept[known]
            for row in rows[table]:
                assert getattr(row, column) in decided
                kept[key(row)] = row


def keyed(table: str, rows: Iterable[Any]) -> dict[Any, Any]:
    """Rows by key; of several the first one made."""
    key = attrgetter(*TABLES[table].key)
    found: dict[Any, Any] = {}
    for row in rows:
        found.setdefault(key(row), row)
    return found
