"""Which tools pages show, from all pages at once: what the identity round must give, in whatever parts they come."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TypeAlias
from urllib.parse import urlsplit

from extract.model.records import Card, Comparison
from extract.panel.words.profile import SiteProfile
from normalize.identity.ids import ToolPair, card_name_id, slug_tool_id
from normalize.identity.sides import is_turned
from normalize.identity.tool_identity import RENAMED, Claim, ToolAlias
from normalize.parse.slugs import Cut, SlugPair, best_cut, possible_cuts
from normalize.parse.text import fold_name

Slug: TypeAlias = tuple[str, str]
"""A slug on its host."""

_Sighting: TypeAlias = tuple[Slug, Card]


@dataclass(frozen=True, slots=True)
class UnresolvedPage:
    """A comparison whose tools are not known yet. `url` is None for a page without an address.

    `source` is the snapshot's address. `ingest_day` is the day it came in, sortable. `host` is that of `url`, else
    empty; `cuts` are the ways to cut `url` in two slugs. `name_ids` are the ids by the names of A and B alone.
    """

    source: str
    ingest_day: str
    url: str | None
    host: str
    cuts: Sequence[Cut]
    name_ids: ToolPair
    comparison: Comparison
    profile: SiteProfile


def unresolved_page(
    source: str, ingest_day: str, url: str | None, comparison: Comparison, profile: SiteProfile
) -> UnresolvedPage:
    """A page with all that its address and its names alone say."""
    host = "" if url is None else urlsplit(url).hostname or ""
    cuts = () if url is None else possible_cuts(url, profile)
    first, second = comparison.cards
    name_ids = (card_name_id(first, source), card_name_id(second, source))
    return UnresolvedPage(source, ingest_day, url, host, cuts, name_ids, comparison, profile)


@dataclass(frozen=True, slots=True)
class ResolvedTools:
    """The tools of a page. `name_ids` are the ids that names and taglines alone would give.

    `slugs` is None where the tools are known by name only.
    """

    tool_ids: ToolPair
    name_ids: ToolPair
    slugs: SlugPair | None

    @property
    def has_clear_slugs(self) -> bool:
        """Whether two slugs say which tools they are."""
        return self.slugs is not None and not self.slugs.is_ambiguous


def resolve_tools(
    pages: Sequence[UnresolvedPage], moved_urls: Mapping[str, str] = MappingProxyType({})
) -> tuple[list[ResolvedTools], list[ToolAlias]]:
    """The tools of every page, and the aliases of claimed names. The order of the pages does not matter.

    A name with its tagline belongs to the tool with a slug that showed both. If two slugs did, to neither; if one slug
    did on several hosts, to the tool of the host that did first. A tool whose slug was renamed keeps its id
    (`renamed_slugs`); `moved_urls` are addresses whose page is held under another one.
    """
    slugs_of_host = _slugs_by_host(pages)
    slug_pairs = [_slug_pair(page, slugs_of_host.get(page.host, frozenset())) for page in pages]
    renamed = renamed_slugs(pages, slug_pairs, moved_urls)
    claims = _claims(pages, slug_pairs, renamed)
    resolved = []
    aliases: dict[str, ToolAlias] = {}
    for page, slugs in zip(pages, slug_pairs, strict=True):
        first, second = page.comparison.cards
        if slugs is not None and not slugs.is_ambiguous:
            firsts = [renamed.get((page.host, slug), slug) for slug in (slugs.a, slugs.b)]
            tool_ids = (slug_tool_id(page.host, firsts[0]), slug_tool_id(page.host, firsts[1]))
            for card, slug, first_slug in zip((first, second), (slugs.a, slugs.b), firsts, strict=True):
                if slug != first_slug:
                    own_id, tool_id = slug_tool_id(page.host, slug), slug_tool_id(page.host, first_slug)
                    alias = ToolAlias(own_id, tool_id, card.name, card.tagline, page.ingest_day, RENAMED)
                    _add_alias(aliases, alias)
        else:
            claim_a, claim_b = (claims.get(name_id, Claim(name_id, "")) for name_id in page.name_ids)
            tool_ids = (claim_a.tool_id, claim_b.tool_id)
            for card, name_id, claim in zip((first, second), page.name_ids, (claim_a, claim_b), strict=True):
                if name_id != claim.tool_id:
                    _add_alias(aliases, ToolAlias(name_id, claim.tool_id, card.name, card.tagline, claim.since))
        resolved.append(ResolvedTools(tool_ids, page.name_ids, slugs))
    return resolved, [aliases[name_id] for name_id in sorted(aliases)]


def _add_alias(aliases: dict[str, ToolAlias], alias: ToolAlias) -> None:
    """Spellings of a name that fold to the same id give one alias: the smallest, whatever order they come in."""
    known = aliases.get(alias.alias_id, alias)
    aliases[alias.alias_id] = min(known, alias, key=lambda item: (item.name, item.tagline or "", item.since))


def _slugs_by_host(pages: Sequence[UnresolvedPage]) -> Mapping[str, frozenset[str]]:
    """Known slugs of each host: those on links, and the halves of addresses that can be cut in one place only."""
    slugs: dict[str, set[str]] = defaultdict(set)
    for page in pages:
        if page.url is None:
            continue
        slugs[page.host].update(card.slug for card in page.comparison.cards if card.slug)
        if len(page.cuts) == 1:
            slugs[page.host].update(page.cuts[0])
    return {host: frozenset(known) for host, known in slugs.items()}


def _slug_pair(page: UnresolvedPage, known: frozenset[str]) -> SlugPair | None:
    """The slugs of A and B: those of the address, or of the links where the address gives none or is ambiguous.

    A's is the second of the address where links or names say so. None for a page without an address.
    """
    if page.url is None:
        return None
    cut = best_cut(page.cuts, known)
    if cut is not None and not cut.is_ambiguous:
        return SlugPair(cut.b, cut.a, is_ambiguous=False) if is_turned(page.comparison, page.cuts) else cut
    a, b = (card.slug for card in page.comparison.cards)
    if a and b and (cut is None or (a, b) in page.cuts or (b, a) in page.cuts):
        return SlugPair(a, b, is_ambiguous=False)
    return cut


def _claims(
    pages: Sequence[UnresolvedPage], slug_pairs: Sequence[SlugPair | None], renamed: Mapping[Slug, str]
) -> Mapping[str, Claim]:
    """Name id to the one tool with a slug that shows this name and tagline. Of mirrors, the first host's."""
    claimants: dict[str, dict[tuple[str, str], str]] = defaultdict(dict)
    for page, slugs in zip(pages, slug_pairs, strict=True):
        if slugs is None or slugs.is_ambiguous:
            continue
        for card, name_id, slug in zip(page.comparison.cards, page.name_ids, (slugs.a, slugs.b), strict=True):
            if card.tagline:
                first_days = claimants[name_id]
                address = (renamed.get((page.host, slug), slug), page.host)
                first_days[address] = min(first_days.get(address, page.ingest_day), page.ingest_day)
    return {
        name_id: _first_claim(first_days)
        for name_id, first_days in claimants.items()
        if len({slug for slug, _ in first_days}) == 1
    }


def _first_claim(first_days: Mapping[tuple[str, str], str]) -> Claim:
    """`first_days` are by slug and host."""
    since, host, slug = min((day, host, slug) for (slug, host), day in first_days.items())
    return Claim(slug_tool_id(host, slug), since)


def renamed_slugs(
    pages: Sequence[UnresolvedPage], slug_pairs: Sequence[SlugPair | None], moved_urls: Mapping[str, str]
) -> Mapping[Slug, str]:
    """Host and slug to the slug that the tool had first, for every slug that a tool was renamed to.

    A page leads to another one of its host (`moved_urls`), each has one tool that the other has not, and these two
    share their name and, as far as both ever show one, their tagline, else their description. A successor that took the
    place of a tool has words of its own. The order of the pages does not matter.
    """
    if not moved_urls:
        return {}
    shown = _shown_at(pages, slug_pairs, {*moved_urls, *moved_urls.values()})
    links: dict[Slug, set[Slug]] = defaultdict(set)
    for source, target in moved_urls.items():
        before, after = shown.get(source, ()), shown.get(target, ())
        both = {slug for slug, _ in before} & {slug for slug, _ in after}
        for old, card in before:
            for new, later in after:
                if old[0] == new[0] and not {old, new} & both and _is_same(card, later):
                    links[old].add(new)
                    links[new].add(old)
    if not links:
        return {}
    first_days = _first_days(pages, slug_pairs)
    renamed: dict[Slug, str] = {}
    for slug in links:
        first = min(_connected(slug, links), key=lambda one: (first_days[one], one))
        if first != slug:
            renamed[slug] = first[1]
    return renamed


def _shown_at(
    pages: Iterable[UnresolvedPage], slug_pairs: Iterable[SlugPair | None], urls: set[str]
) -> Mapping[str, Sequence[_Sighting]]:
    """The cards of these addresses, each with its slug."""
    shown: dict[str, list[_Sighting]] = defaultdict(list)
    for page, slugs in zip(pages, slug_pairs, strict=True):
        if page.source in urls and slugs is not None and not slugs.is_ambiguous:
            for card, slug in zip(page.comparison.cards, (slugs.a, slugs.b), strict=True):
                shown[page.source].append(((page.host, slug), card))
    return shown


def _is_same(card: Card, later: Card) -> bool:
    if fold_name(card.name) != fold_name(later.name):
        return False
    if card.tagline and later.tagline:
        return fold_name(card.tagline) == fold_name(later.tagline)
    return card.description is not None and card.description == later.description


def _first_days(pages: Iterable[UnresolvedPage], slug_pairs: Iterable[SlugPair | None]) -> Mapping[Slug, str]:
    days: dict[Slug, str] = {}
    for page, slugs in zip(pages, slug_pairs, strict=True):
        for slug in () if slugs is None else (slugs.a, slugs.b):
            address = (page.host, slug)
            days[address] = min(days.get(address, page.ingest_day), page.ingest_day)
    return days


def _connected(slug: Slug, links: Mapping[Slug, set[Slug]]) -> set[Slug]:
    reached, ahead = {slug}, [slug]
    while ahead:
        new = links[ahead.pop()] - reached
        reached |= new
        ahead += new
    return reached
