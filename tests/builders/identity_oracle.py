"""Identities of all observations at once: what the identity round must give, in whatever parts they come."""

from collections.abc import Collection, Mapping

from builders.batch_pages import (
    as_unresolved,
    at_new_addresses,
    page_identities,
    same_tools_per_url,
    slugs_of,
)
from builders.batch_tools import resolve_tools
from extract.model.records import Comparison, Observation
from extract.panel.words.profile_files import SHIPPED
from fetch.model.snapshot import Location
from normalize.identity.identity import Identity
from normalize.identity.page_versions import observation_order
from normalize.identity.tool_identity import ToolAlias, known_as


def all_identities(
    observations: Collection[Observation], moved: Mapping[str, str]
) -> tuple[dict[Location, Identity], dict[str, ToolAlias]]:
    """Every identity by location, and every alias by its id."""
    ordered = sorted(observations, key=observation_order)
    pages = [
        as_unresolved(item, extracted, SHIPPED[extracted.profile])
        for item in ordered
        if isinstance(extracted := item.extracted, Comparison)
    ]
    resolved, aliases = resolve_tools(pages, moved)
    pages = at_new_addresses(pages, resolved, moved)
    shown, resolved = resolved, same_tools_per_url(pages, resolved)
    of_pages = page_identities(pages, resolved)
    found = {}
    for item, page, own, tools in zip(ordered, pages, shown, resolved, strict=True):
        other_way = own.tool_ids[0] != own.tool_ids[1] and own.tool_ids == tools.tool_ids[::-1]
        identity = of_pages[page.url or tools.tool_ids]
        slugs = slugs_of(own, identity.slugs, is_turned=other_way)
        found[item.location] = Identity(
            item.location, identity.page_id, identity.url, tools.tool_ids, tools.name_ids, slugs, other_way
        )
    return found, {alias.alias_id: alias for alias in aliases}


def pages_that_differ(
    before: tuple[Mapping[Location, Identity], Mapping[str, ToolAlias]],
    now: tuple[Mapping[Location, Identity], Mapping[str, ToolAlias]],
    days: Mapping[Location, str],
) -> set[str]:
    """Ids of pages whose identities differ, or whose tools were known by other ids on a day of the page."""
    pages = _by_page(before[0]), _by_page(now[0])
    differ = {
        page_id for page_id in pages[0].keys() | pages[1].keys() if pages[0].get(page_id) != pages[1].get(page_id)
    }
    for page_id, identities in pages[1].items():
        for day in {days[item.location] for item in identities}:
            for item in identities:
                for pair in zip(item.name_ids, item.tool_ids, strict=True):
                    if known_as(before[1], *pair, day) != known_as(now[1], *pair, day):
                        differ.add(page_id)
    return differ


def _by_page(identities: Mapping[Location, Identity]) -> dict[str, set[Identity]]:
    pages: dict[str, set[Identity]] = {}
    for item in identities.values():
        pages.setdefault(item.page_id, set()).add(item)
    return pages
