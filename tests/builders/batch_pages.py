"""Page versions and rows from all observations at once: what the rounds must give, in whatever parts they come."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from operator import attrgetter
from types import MappingProxyType
from typing import Any
from urllib.parse import urlsplit

from builders.batch_tools import ResolvedTools, UnresolvedPage, resolve_tools, unresolved_page
from corpus.enumerations import SIDES, Side
from extract.model.records import Comparison, Observation
from extract.panel.words.profile import Profiles, SiteProfile
from extract.panel.words.profile_files import SHIPPED
from normalize.identity.ids import ToolPair, address_page_id, pair_page_id
from normalize.identity.page_identity import page_url
from normalize.identity.page_versions import (
    PageVersion,
    _without_unchanged,
    effective_crawl,
    ingest_day_of,
    observation_order,
)
from normalize.identity.sides import turned
from normalize.identity.tool_addresses import ToolAddress
from normalize.identity.tool_identity import ToolAlias
from normalize.parse.corpus_words import in_corpus_words
from normalize.parse.slugs import SlugPair
from normalize.rows.history import TOOL_FIELDS, Period, StateReport, state_periods
from normalize.rows.merged_pages import MergedPage, merged_page
from normalize.rows.ranges import discrepancies_beyond, fitting, rejects_beyond
from normalize.rows.tools import Seen


@dataclass(frozen=True, slots=True)
class PageIdentity:
    """The page that a snapshot shows. A dump of an addressed page gets that page's address and slugs."""

    page_id: str
    url: str | None
    slugs: SlugPair | None


def at_new_addresses(
    pages: Sequence[UnresolvedPage], resolved: Sequence[ResolvedTools], moved_urls: Mapping[str, str]
) -> list[UnresolvedPage]:
    """Pages that moved, at the address that they moved to, where that compares the same tools.

    A page that moved to something else, such as a notice of maintenance, stays the page it was.
    """
    compared = {page.source: (page.url, frozenset(tools.tool_ids)) for page, tools in zip(pages, resolved, strict=True)}
    moved = []
    for page, tools in zip(pages, resolved, strict=True):
        target, tool_ids = compared.get(moved_urls.get(page.source, ""), (None, frozenset()))
        is_same = target is not None and tool_ids == frozenset(tools.tool_ids)
        moved.append(
            unresolved_page(page.source, page.ingest_day, target, page.comparison, page.profile) if is_same else page
        )
    return moved


def same_tools_per_url(pages: Sequence[UnresolvedPage], resolved: Sequence[ResolvedTools]) -> list[ResolvedTools]:
    """One pair of tools per address: the oldest with clear slugs, else the oldest. A new tagline changes no tool."""
    by_url: dict[str, ResolvedTools] = {}
    for page, tools in zip(pages, resolved, strict=True):
        if page.url is not None:
            earlier = by_url.get(page.url, tools)
            by_url[page.url] = tools if tools.has_clear_slugs and not earlier.has_clear_slugs else earlier
    return [by_url[page.url] if page.url else tools for page, tools in zip(pages, resolved, strict=True)]


def page_identities(
    pages: Sequence[UnresolvedPage], resolved: Sequence[ResolvedTools]
) -> Mapping[str | ToolPair, PageIdentity]:
    """The page by address or, for a snapshot without one, by its two tools.

    A snapshot without an address is a rendering of the one addressed page that compares the same tools in the same
    order, if there is exactly one.
    """
    identities: dict[str | ToolPair, PageIdentity] = {}
    urls_of_pair: dict[ToolPair, set[str]] = defaultdict(set)
    for page, tools in zip(pages, resolved, strict=True):
        if page.url is not None:
            urls_of_pair[tools.tool_ids].add(page.url)
            identities[page.url] = PageIdentity(address_page_id(page.url), page.url, tools.slugs)
    for page, tools in zip(pages, resolved, strict=True):
        if page.url is None and tools.tool_ids not in identities:
            urls = urls_of_pair.get(tools.tool_ids, set())
            # The oldest dump gives the page its id by names alone, so a later claim of a tool does not change the id.
            by_names = PageIdentity(pair_page_id(*tools.name_ids), None, None)
            identities[tools.tool_ids] = identities[next(iter(urls))] if len(urls) == 1 else by_names
    return identities


def read_page_versions(
    observations: Iterable[Observation],
    profiles: Profiles = SHIPPED,
    moved_urls: Mapping[str, str] = MappingProxyType({}),
) -> tuple[list[PageVersion], list[ToolAlias]]:
    """Gives every comparison its page and its tools. Versions come oldest first, in whatever order the input came.

    `moved_urls` are addresses whose page is held under another one.
    """
    comparisons = [
        (item, in_corpus_words(item.extracted, profiles[item.extracted.profile]))
        for item in observations
        if isinstance(item.extracted, Comparison)
    ]
    comparisons.sort(key=lambda pair: observation_order(pair[0]))
    pages = [as_unresolved(item, comparison, profiles[comparison.profile]) for item, comparison in comparisons]
    resolved, aliases = resolve_tools(pages, moved_urls)
    pages = at_new_addresses(pages, resolved, moved_urls)
    shown, resolved = resolved, same_tools_per_url(pages, resolved)
    identities = page_identities(pages, resolved)
    versions = []
    for (item, comparison), page, own, tools in zip(comparisons, pages, shown, resolved, strict=True):
        is_other_way = own.tool_ids[0] != own.tool_ids[1] and own.tool_ids == tools.tool_ids[::-1]
        identity = identities[page.url or tools.tool_ids]
        versions.append(
            PageVersion(
                page_id=identity.page_id,
                source=item.url,
                url=identity.url,
                host=None if identity.url is None else urlsplit(identity.url).hostname,
                tool_ids=tools.tool_ids,
                name_ids=tools.name_ids,
                slugs=slugs_of(own, identity.slugs, is_turned=is_other_way),
                comparison=turned(comparison) if is_other_way else comparison,
                profile=page.profile,
                crawl=effective_crawl(item),
                ingest_day=page.ingest_day,
                fetched_at=item.fetched_at,
                sha256=item.sha256,
                location=item.location,
            )
        )
    versions.sort(key=lambda version: version.freshness)
    return _without_unchanged(versions), aliases


def slugs_of(own: ResolvedTools, of_page: SlugPair | None, *, is_turned: bool) -> SlugPair | None:
    """The slugs as this version has them: a tool may have been renamed since the page was first seen."""
    if own.slugs is None or own.slugs.is_ambiguous:
        return of_page
    return SlugPair(own.slugs.b, own.slugs.a, is_ambiguous=False) if is_turned else own.slugs


def standing_versions(versions: Sequence[PageVersion], gone_urls: Collection[str]) -> frozenset[int]:
    """The numbers of the versions that stand: the newest of each page and rendering, unless the page is gone."""
    newest = {(version.page_id, version.comparison.rendering): number for number, version in enumerate(versions)}
    return frozenset(number for number in newest.values() if versions[number].url not in gone_urls)


def as_unresolved(observation: Observation, comparison: Comparison, profile: SiteProfile) -> UnresolvedPage:
    url = page_url(observation.url, comparison, profile)
    return unresolved_page(observation.url, ingest_day_of(observation), url, comparison, profile)


def tool_addresses(versions: Sequence[PageVersion]) -> Mapping[str, ToolAddress]:
    """By tool id, with the slug of the newest version. Tools that are known from text dumps only have none."""
    addresses: dict[str, ToolAddress] = {}
    for version in versions:
        slugs = version.slugs
        if slugs is None or slugs.is_ambiguous or version.host is None:
            continue
        for tool_id, slug in zip(version.tool_ids, (slugs.a, slugs.b), strict=True):
            addresses[tool_id] = ToolAddress(version.host, slug)
    return addresses


def merged_pages(versions: Sequence[PageVersion]) -> list[MergedPage]:
    """Every page of versions that come oldest first."""
    pages: dict[str, list[PageVersion]] = defaultdict(list)
    for version in reversed(versions):
        pages[version.page_id].append(version)
    return [merged_page(of_page) for of_page in pages.values()]


_TOOL_STATE = attrgetter(*TOOL_FIELDS)


def tool_periods(versions: Sequence[PageVersion]) -> dict[str, list[Period]]:
    """Every tool's states by tool id. Versions come oldest first."""
    reports: dict[str, list[StateReport]] = defaultdict(list)
    last_shown: dict[tuple[str, Side, str], dict[str, str]] = {}
    for version in versions:
        for side, tool_id, card in zip(SIDES, version.tool_ids, version.comparison.cards, strict=True):
            previous = last_shown.setdefault((version.page_id, side, version.comparison.rendering), {})
            shown = zip(TOOL_FIELDS, _TOOL_STATE(card), strict=True)
            changed = {name: value for name, value in shown if value is not None and previous.get(name) != value}
            previous |= changed
            reports[tool_id].append(StateReport(version.crawl_day, version.fetched_at, changed))
    return {tool_id: state_periods(of_tool) for tool_id, of_tool in reports.items()}


def price_periods(versions: Sequence[PageVersion]) -> dict[str, list[Period]]:
    """Every tool's pricings by tool id. Versions come oldest first."""
    reports: dict[str, list[StateReport]] = defaultdict(list)
    last_shown: dict[tuple[str, Side], str] = {}
    for version in versions:
        for side, decision in zip(SIDES, version.comparison.decisions, strict=False):
            pricing = decision.pricing
            if pricing is not None and last_shown.get((version.page_id, side)) != pricing:
                last_shown[version.page_id, side] = pricing
                report = StateReport(version.crawl_day, version.fetched_at, {"pricing": pricing})
                reports[version.tool(side)].append(report)
    return {tool_id: state_periods(of_tool) for tool_id, of_tool in reports.items()}


def in_range(rows: Mapping[str, Iterable[Any]], observations: Sequence[Observation]) -> dict[str, list[Any]]:
    """The rows of a whole corpus without the numbers that do not fit, and a row for each of these.

    It is told of the page that shows it; a price or a review of the first page, by id, that shows the tool.
    """
    kept, beyond = fitting(rows)
    if beyond:
        first_page: dict[str, str] = {}
        for card in kept["tool_cards"]:
            first_page[card.tool_id] = min(card.page_id, first_page.get(card.tool_id, card.page_id))
        kept["discrepancies"] += discrepancies_beyond(beyond, first_page)
        kept["rejects"] += rejects_beyond(beyond, observations)
    return kept


def times_seen(versions: Sequence[PageVersion]) -> dict[str, Seen]:
    """By tool id."""
    fetch_times: dict[str, list[datetime]] = defaultdict(list)
    for version in versions:
        for tool_id in version.tool_ids:
            fetch_times[tool_id].append(version.fetched_at)
    return {tool_id: Seen(min(times), max(times)) for tool_id, times in fetch_times.items()}
