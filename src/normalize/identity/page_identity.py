"""Which page a snapshot shows: by its address, or for a snapshot without one by the tools it compares."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from extract.model.records import Comparison
from extract.panel.words.profile import SiteProfile
from fetch.model.canonical_url import BadUrl, canonicalize
from fetch.model.snapshot import has_address
from normalize.identity.ids import address_page_id, pair_page_id
from normalize.identity.tool_identity import ResolvedTools
from normalize.identity.unresolved_page import ToolPair, UnresolvedPage, unresolved_page
from normalize.parse.slugs import SlugPair


@dataclass(frozen=True, slots=True)
class PageIdentity:
    """The page that a snapshot shows. A dump of an addressed page gets that page's address and slugs."""

    page_id: str
    url: str | None
    slugs: SlugPair | None


def page_url(source: str, comparison: Comparison, profile: SiteProfile) -> str | None:
    """The page's address, None without one. `rel=canonical` is trusted only within the host that serves the page."""
    if not has_address(source):
        return None
    if comparison.canonical_url is None:
        return source
    try:
        canonical = canonicalize(comparison.canonical_url, source)
    except BadUrl:
        return source
    ours, theirs = urlsplit(source), urlsplit(canonical)
    is_same_host = (ours.scheme, ours.netloc) == (theirs.scheme, theirs.netloc)
    is_comparison = theirs.path.startswith(profile.addresses.comparison_path)
    return canonical if is_same_host and is_comparison else source


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
