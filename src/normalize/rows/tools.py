"""Tools and the tiers of their prices, as last published."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from corpus.rows.tools import PricingTierRow, ToolAliasRow, ToolRow
from normalize.identity.page_versions import View
from normalize.identity.products import Candidate
from normalize.identity.tool_identity import Alias
from normalize.parse.prices import price_tiers
from normalize.rows.history import Period


def candidates(views: Sequence[View], histories: Mapping[str, Sequence[Period]]) -> list[Candidate]:
    """Every tool with its address and what its card says now. Views come oldest first."""
    homes: dict[str, tuple[str | None, str | None]] = {}
    for view in views:
        has_slugs = view.slugs is not None and not view.slugs.is_ambiguous
        slugs = (view.slugs.a, view.slugs.b) if view.slugs is not None and has_slugs else (None, None)
        for tool, slug in zip(view.tools, slugs, strict=True):
            if slug is not None or tool not in homes:
                homes[tool] = (view.host if slug is not None else None, slug)
    now = {tool: _state(states) for tool, states in histories.items()}
    return [
        Candidate(tool, *homes[tool], text["name"] or "", text.get("tagline"), text.get("category"))
        for tool, text in now.items()
    ]


def tool_rows(
    views: Sequence[View],
    histories: Mapping[str, Sequence[Period]],
    known: Sequence[Candidate],
) -> Iterator[ToolRow]:
    """A row a tool. Its product is its own name until it is loaded beside the others."""
    times: dict[str, list[datetime]] = defaultdict(list)
    for view in views:
        for tool in view.tools:
            times[tool].append(view.fetched_at)
    for item in known:
        tool = item.tool_id
        text = _state(histories[tool])
        yield ToolRow(
            tool_id=tool,
            host=item.host,
            slug=item.slug,
            name=item.name,
            tagline=text.get("tagline"),
            description=text.get("description"),
            category=text.get("category"),
            entry=text.get("entry"),
            product=item.name,
            first_seen_at=min(times[tool]),
            last_seen_at=max(times[tool]),
        )


def _state(states: Sequence[Period]) -> Mapping[str, str | None]:
    return {name: None if value is None else str(value) for name, value in states[-1].state.items()}


def tool_alias_rows(aliases: Sequence[Alias]) -> Iterator[ToolAliasRow]:
    """A row an id that a tool had before a page with a slug claimed it."""
    for alias in aliases:
        reason = "one tool with a slug shows this name and tagline"
        yield ToolAliasRow(alias.alias_id, alias.tool_id, alias.name, alias.tagline, reason)


def pricing_tier_rows(prices: Mapping[str, Sequence[Period]]) -> Iterator[PricingTierRow]:
    """A row a tier of each tool's newest pricing string."""
    for tool, states in prices.items():
        for position, tier in enumerate(price_tiers(str(states[-1].state["pricing"]))):
            yield PricingTierRow(tool, position, *tier)
