"""Tools and their pricing tiers, as last published."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from verdicts.corpus.rows.tools import PricingTierRow, ToolAliasRow, ToolRow
from verdicts.normalize.identity.identity import ToolAddress, ToolAlias
from verdicts.normalize.identity.products import ToolListing
from verdicts.normalize.parse.categories import category_group
from verdicts.normalize.parse.prices import price_tiers
from verdicts.normalize.parse.pricing.free_tiers import is_free
from verdicts.normalize.parse.vendors import vendor_of
from verdicts.normalize.rows.history import Period


def tool_listings(
    addresses: Mapping[str, ToolAddress], periods_of_tool: Mapping[str, Sequence[Period]]
) -> list[ToolListing]:
    """Every tool with its address and its current name, tagline and category."""
    listings = []
    for tool_id, periods in periods_of_tool.items():
        state = _current_state(periods)
        address = addresses.get(tool_id)
        host, slug = (None, None) if address is None else address
        name, tagline, category = state["name"] or "", state.get("tagline"), state.get("category")
        listings.append(ToolListing(tool_id, host, slug, name, tagline, category))
    return listings


class Seen(NamedTuple):
    """When the oldest and the newest version that shows a tool were fetched."""

    first_at: datetime
    last_at: datetime


def tool_rows(
    seen: Mapping[str, Seen],
    periods_of_tool: Mapping[str, Sequence[Period]],
    listings: Iterable[ToolListing],
) -> Iterator[ToolRow]:
    """One row per tool. Its product is its own name until it is loaded with all other tools."""
    for listing in listings:
        tool_id = listing.tool_id
        state = _current_state(periods_of_tool[tool_id])
        vendor = vendor_of(listing.name, listing.slug)
        yield ToolRow(
            tool_id=tool_id,
            host=listing.host,
            slug=listing.slug,
            name=listing.name,
            tagline=state.get("tagline"),
            description=state.get("description"),
            category=state.get("category"),
            category_group=category_group(state.get("category")),
            entry=state.get("entry"),
            product=listing.name,
            vendor=vendor and vendor.name,
            vendor_evidence=vendor and vendor.evidence,
            first_seen_at=seen[tool_id].first_at,
            last_seen_at=seen[tool_id].last_at,
        )


def _current_state(periods: Sequence[Period]) -> Mapping[str, str | None]:
    return {name: None if value is None else str(value) for name, value in periods[-1].state.items()}


def tool_alias_rows(aliases: Sequence[ToolAlias]) -> Iterator[ToolAliasRow]:
    """One row per id that a tool had before a page with a slug, or its tool's first slug, claimed it."""
    for alias in aliases:
        yield ToolAliasRow(alias.alias_id, alias.tool_id, alias.name, alias.tagline, alias.reason)


def pricing_tier_rows(price_periods_of_tool: Mapping[str, Sequence[Period]]) -> Iterator[PricingTierRow]:
    """One row per tier of each tool's newest pricing string."""
    for tool_id, periods in price_periods_of_tool.items():
        for position, tier in enumerate(price_tiers(str(periods[-1].state["pricing"]))):
            yield PricingTierRow(
                tool_id=tool_id,
                position=position,
                plan=tier.plan,
                kind=tier.kind,
                is_free=is_free(tier.kind, tier.amount, tier.raw),
                amount=tier.amount,
                amount_max=tier.amount_max,
                is_from=tier.is_from,
                currency=tier.currency,
                period=tier.period,
                unit=tier.unit,
                billing=tier.billing,
                license=tier.license,
                raw=tier.raw,
            )
