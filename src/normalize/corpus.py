"""All of normalization, in order: page versions, deduplication, attribution, rows."""

from collections.abc import Collection, Iterable, Mapping
from operator import attrgetter
from types import MappingProxyType
from typing import Any, TypeAlias

from corpus.tables import CORPUS_TABLES, TABLES
from extract.model.records import Observation
from extract.panel.words.profile import Profiles
from extract.panel.words.profile_files import SHIPPED
from normalize.attribution.attribute import attribute
from normalize.collector import without_collector
from normalize.dedup.mentions import read_mentions
from normalize.identity.page_versions import read_page_versions, standing_versions
from normalize.identity.products import ToolListing, product_rows
from normalize.identity.tool_addresses import tool_addresses
from normalize.rows.aliases import lookalike_rows, review_alias_rows
from normalize.rows.consistency import discrepancy_rows
from normalize.rows.documents import compared_tool_rows, comparison_row_rows, document_rows, outside_review_rows
from normalize.rows.history import (
    price_history_rows,
    price_periods,
    tool_history_rows,
    tool_periods,
    verdict_history_rows,
)
from normalize.rows.merged_pages import merged_pages
from normalize.rows.pages import card_rows, page_rows, verdict_rows
from normalize.rows.ranges import in_range
from normalize.rows.rejects import reject_rows
from normalize.rows.reviews import (
    appearance_rows,
    evidence_rows,
    review_rows,
    seat_conflict_rows,
)
from normalize.rows.tools import pricing_tier_rows, tool_alias_rows, tool_listings, tool_rows

NORMALIZER_VERSION = "10"
"""Raised with every change of the rules: rows made by another version are made anew."""

Corpus: TypeAlias = Mapping[str, tuple[Any, ...]]
"""Table name to its rows, each of the class that its table declares, sorted by key."""


@without_collector()
def normalize(
    observations: Iterable[Observation],
    *,
    gone_urls: Collection[str] = (),
    moved_urls: Mapping[str, str] = MappingProxyType({}),
    other_tools: Collection[ToolListing] = (),
    profiles: Profiles = SHIPPED,
) -> Corpus:
    """All rows of the corpus, from every observation ever made or from all that depend on each other.

    Which depend on each other, `incremental.dependencies` says. `gone_urls` are addresses that are gone for good
    (tombstones), `moved_urls` those whose page is held under another one. `other_tools` are the tools that the
    observations do not show, or show in part, for finding products.
    `profiles` are those that the observations were read with. The order of the observations does not matter, and one
    that is given twice counts once.
    """
    observed = list({item.location: item for item in observations}.values())
    versions, aliases = read_page_versions(observed, profiles, moved_urls)
    addresses = tool_addresses(versions)
    mentions, clusters = read_mentions(versions, aliases, addresses)
    tool_states = tool_periods(versions)
    prices = price_periods(versions)
    names = {tool_id: str(periods[-1].state["name"]) for tool_id, periods in tool_states.items()}
    attributed = attribute(mentions, names, addresses, standing_versions(versions, gone_urls))
    pages = merged_pages(versions)
    listings = tool_listings(addresses, tool_states)
    rows: dict[str, Iterable[Any]] = {
        "pages": page_rows(pages, gone_urls),
        "documents": document_rows(observed),
        "compared_tools": compared_tool_rows(observed),
        "comparison_rows": comparison_row_rows(observed),
        "outside_reviews": outside_review_rows(observed),
        "tools": tool_rows(versions, tool_states, listings),
        "tool_aliases": tool_alias_rows(aliases),
        "products": product_rows(list({item.tool_id: item for item in (*listings, *other_tools)}.values())),
        "tool_cards": card_rows(pages),
        "verdicts": verdict_rows(pages),
        "pricing_tiers": pricing_tier_rows(prices),
        "reviews": review_rows(attributed),
        "review_aliases": review_alias_rows(clusters),
        "lookalikes": lookalike_rows(clusters),
        "appearances": appearance_rows(attributed),
        "attribution_evidence": evidence_rows(attributed),
        "tool_history": tool_history_rows(tool_states),
        "price_history": price_history_rows(prices),
        "verdict_history": verdict_history_rows(versions),
        "discrepancies": [*discrepancy_rows(pages), *attributed.conflicts, *seat_conflict_rows(attributed)],
        "rejects": reject_rows(observed, profiles),
    }
    fitting = in_range(rows, observed)
    return {table: _sorted(table, fitting[table]) for table in CORPUS_TABLES}


def _sorted(table: str, rows: Iterable[Any]) -> tuple[Any, ...]:
    """One row per key, sorted; of several (a contradiction met twice on a page) the first one made."""
    key = attrgetter(*TABLES[table].key)
    by_key: dict[Any, Any] = {}
    for row in rows:
        by_key.setdefault(key(row), row)
    return tuple(by_key[of_row] for of_row in sorted(by_key))
