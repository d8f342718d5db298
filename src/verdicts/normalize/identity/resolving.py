"""Finds the page and the tools of each snapshot, from all snapshots at once in any order.

A slug on a host is a tool. A name with its tagline belongs to the only tool with a slug that showed both; a name alone
belongs to no tool. A tool with a renamed slug keeps the id of its first slug.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from verdicts.normalize.components import join_pairs
from verdicts.normalize.identity.ids import (
    RENAMED,
    Identity,
    ToolAlias,
    ToolPair,
    make_address_id,
    make_pair_id,
    make_slug_id,
)
from verdicts.normalize.identity.page_addresses import SlugPair, choose_cut
from verdicts.normalize.identity.sightings import SeenCard, Sighting
from verdicts.normalize.parse.match_keys import fold_name

Slug: TypeAlias = tuple[str, str]
"""A host and a slug on it."""


Pair: TypeAlias = frozenset[str]
"""The ids of two tools."""


class Resolved(NamedTuple):
    """The identity of every sighting, and the former ids of tools, sorted.

    `kept_apart` are the pairs that would be one tool if no person had declared them different.
    """

    identities: list[Identity]
    aliases: list[ToolAlias]
    kept_apart: frozenset[Pair] = frozenset()


class _Tools(NamedTuple):
    """The tools of one sighting from its own slugs or names."""

    tool_ids: ToolPair
    slugs: SlugPair | None

    @property
    def is_clear(self) -> bool:
        return self.slugs is not None and not self.slugs.is_ambiguous


def resolve(sightings: Iterable[Sighting], moved: Mapping[str, str], apart: Collection[Pair] = frozenset()) -> Resolved:
    """The page and tools of every sighting.

    `moved` maps an address to the new address of its page. `apart` are pairs of tools that must stay different.
    """
    seen = sorted(sightings, key=lambda sighting: sighting.order)
    slugs_by_host = _list_slugs(seen)
    slugs = [_choose_slugs(sighting, slugs_by_host) for sighting in seen]
    renames = {pair: _make_ids(pair) for pair in _find_renames(seen, slugs, moved)}
    firsts = _find_first_slugs(seen, slugs, [pair for pair, ids in renames.items() if ids not in apart])
    claimed = _find_claims(seen, slugs, firsts)
    claims = {name_id: tool_id for name_id, tool_id in claimed.items() if frozenset((name_id, tool_id)) not in apart}
    refused = {frozenset((name_id, tool_id)) for name_id, tool_id in claimed.items() if name_id not in claims}
    tools = [_identify_tools(sighting, pair, firsts, claims) for sighting, pair in zip(seen, slugs, strict=True)]
    urls = _find_page_urls(seen, tools, moved)
    kept_apart = frozenset(refused | {*renames.values()}).intersection(apart)
    return Resolved([*_make_identities(seen, tools, urls)], _list_aliases(seen, tools, firsts, claims), kept_apart)


def _list_slugs(seen: Iterable[Sighting]) -> Mapping[str, Collection[str]]:
    """The slugs of each host: those in links, and the halves of addresses with only one cut."""
    slugs_by_host: dict[str, set[str]] = defaultdict(set)
    for sighting in seen:
        if sighting.url is not None:
            slugs_by_host[sighting.host].update(card.slug for card in sighting.cards if card.slug)
            if len(sighting.cuts) == 1:
                slugs_by_host[sighting.host].update(sighting.cuts[0])
    return slugs_by_host


def _choose_slugs(sighting: Sighting, slugs_by_host: Mapping[str, Collection[str]]) -> SlugPair | None:
    """The slugs of A and B from the address, or from the links if the address has no slugs or is ambiguous.

    None for a page without an address.
    """
    if sighting.url is None:
        return None
    cut = choose_cut(sighting.cuts, slugs_by_host.get(sighting.host, ()))
    if cut is not None and not cut.is_ambiguous:
        return SlugPair(cut.b, cut.a, is_ambiguous=False) if sighting.is_turned else cut
    a, b = (card.slug for card in sighting.cards)
    if a and b and (cut is None or (a, b) in sighting.cuts or (b, a) in sighting.cuts):
        return SlugPair(a, b, is_ambiguous=False)
    return cut


def _add_host(sighting: Sighting, slugs: SlugPair | None) -> tuple[Slug, ...]:
    return () if slugs is None else ((sighting.host, slugs.a), (sighting.host, slugs.b))


def _make_ids(renamed: tuple[Slug, Slug]) -> Pair:
    return frozenset(make_slug_id(*slug) for slug in renamed)


def _find_renames(
    seen: Sequence[Sighting], slugs: Sequence[SlugPair | None], moved: Mapping[str, str]
) -> list[tuple[Slug, Slug]]:
    """Old and new slugs of renamed tools.

    A renaming: a page leads to another page of its host, each has one tool that the other lacks, and these two tools
    have the same name and tagline (without taglines: the same description). A successor of a tool has other words.
    """
    if not moved:
        return []
    cards = _list_cards(seen, slugs, {*moved, *moved.values()})
    renames: list[tuple[Slug, Slug]] = []
    for source, target in moved.items():
        before, after = cards.get(source, ()), cards.get(target, ())
        shared = {slug for slug, _ in before} & {slug for slug, _ in after}
        for old, card in before:
            for new, later in after:
                if old[0] == new[0] and not {old, new} & shared and _is_same(card, later):
                    renames.append((old, new))
    return renames


def _find_first_slugs(
    seen: Sequence[Sighting], slugs: Sequence[SlugPair | None], renames: Sequence[tuple[Slug, Slug]]
) -> Mapping[Slug, str]:
    """For every new slug of a renamed tool, the first slug of the tool."""
    days: dict[Slug, str] = {}
    for sighting, pair in zip(seen, slugs, strict=True) if renames else ():
        for slug in _add_host(sighting, pair):
            days[slug] = min(days.get(slug, sighting.day), sighting.day)
    of_tool = join_pairs(renames)
    firsts: dict[Slug, Slug] = {}
    for slug, tool in of_tool.items():
        firsts[tool] = min(firsts.get(tool, slug), slug, key=lambda choice: (days[choice], choice))
    return {slug: firsts[tool][1] for slug, tool in of_tool.items() if firsts[tool][1] != slug[1]}


def _list_cards(
    seen: Iterable[Sighting], slugs: Iterable[SlugPair | None], sources: Collection[str]
) -> Mapping[str, Collection[tuple[Slug, SeenCard]]]:
    """The cards at these addresses with their slugs, if the slugs are not ambiguous."""
    cards: dict[str, dict[tuple[Slug, SeenCard], None]] = defaultdict(dict)
    for sighting, pair in zip(seen, slugs, strict=True):
        if sighting.source in sources and pair is not None and not pair.is_ambiguous:
            cards[sighting.source] |= dict.fromkeys(zip(_add_host(sighting, pair), sighting.cards, strict=True))
    return cards


def _is_same(card: SeenCard, later: SeenCard) -> bool:
    if fold_name(card.name) != fold_name(later.name):
        return False
    if card.tagline and later.tagline:
        return fold_name(card.tagline) == fold_name(later.tagline)
    return card.description is not None and card.description == later.description


def _find_claims(
    seen: Sequence[Sighting], slugs: Sequence[SlugPair | None], firsts: Mapping[Slug, str]
) -> Mapping[str, str]:
    """The owner of each name and tagline that only one slug shows; among mirrors, the tool of the first host."""
    days: dict[str, dict[tuple[str, str], str]] = defaultdict(dict)
    for sighting, pair in zip(seen, slugs, strict=True):
        if pair is None or pair.is_ambiguous:
            continue
        for slug, card, name_id in zip(_add_host(sighting, pair), sighting.cards, sighting.name_ids, strict=True):
            if card.tagline:
                claimant = (slug[0], firsts.get(slug, slug[1]))
                days[name_id][claimant] = min(days[name_id].get(claimant, sighting.day), sighting.day)
    claims = {}
    for name_id, of_name in days.items():
        if len({slug for _, slug in of_name}) == 1:
            _, host, first = min((day, *claimant) for claimant, day in of_name.items())
            claims[name_id] = make_slug_id(host, first)
    return claims


def _identify_tools(
    sighting: Sighting, slugs: SlugPair | None, firsts: Mapping[Slug, str], claims: Mapping[str, str]
) -> _Tools:
    if slugs is not None and not slugs.is_ambiguous:
        a, b = (make_slug_id(slug[0], firsts.get(slug, slug[1])) for slug in _add_host(sighting, slugs))
    else:
        a, b = (claims.get(name_id, name_id) for name_id in sighting.name_ids)
    return _Tools((a, b), slugs)


def _list_aliases(
    seen: Sequence[Sighting], tools: Sequence[_Tools], firsts: Mapping[Slug, str], claims: Mapping[str, str]
) -> list[ToolAlias]:
    """One alias for each id. If spellings of a name fold to the same id, the smallest counts."""
    aliases: dict[str, ToolAlias] = {}
    for sighting, of_sighting in zip(seen, tools, strict=True):
        for alias in _find_aliases(sighting, of_sighting, firsts, claims):
            earlier = aliases.get(alias.alias_id, alias)
            aliases[alias.alias_id] = min(earlier, alias, key=lambda choice: (choice.name, choice.tagline or ""))
    return [aliases[alias_id] for alias_id in sorted(aliases)]


def _find_aliases(
    sighting: Sighting, tools: _Tools, firsts: Mapping[Slug, str], claims: Mapping[str, str]
) -> Iterator[ToolAlias]:
    if not tools.is_clear:
        for card, name_id in zip(sighting.cards, sighting.name_ids, strict=True):
            if tool_id := claims.get(name_id):
                yield ToolAlias(name_id, tool_id, card.name, card.tagline)
    elif firsts:
        for card, slug in zip(sighting.cards, _add_host(sighting, tools.slugs), strict=True):
            if first := firsts.get(slug):
                ids = make_slug_id(*slug), make_slug_id(slug[0], first)
                yield ToolAlias(*ids, card.name, card.tagline, RENAMED)


def _find_page_urls(seen: Sequence[Sighting], tools: Sequence[_Tools], moved: Mapping[str, str]) -> list[str | None]:
    """The address of each sighting's page: the new address if the page there compares the same tools.

    A page that moved to something else, such as a notice of maintenance, keeps its address.
    """
    urls = [sighting.url for sighting in seen]
    if not moved:
        return urls
    newest = {
        sighting.source: (sighting.url, {*of_sighting.tool_ids})
        for sighting, of_sighting in zip(seen, tools, strict=True)
    }
    for number, (sighting, of_sighting) in enumerate(zip(seen, tools, strict=True)):
        url, tool_ids = newest.get(moved.get(sighting.source, ""), (None, set()))
        if url is not None and tool_ids == {*of_sighting.tool_ids}:
            urls[number] = url
    return urls


def _make_identities(
    seen: Sequence[Sighting], tools: Sequence[_Tools], urls: Sequence[str | None]
) -> Iterator[Identity]:
    """A page has the tools of its oldest sighting with clear slugs, else of its oldest: a new tagline changes no tool.

    A snapshot without an address belongs to the page with an address that compares the same tools in the same order, if
    there is exactly one. Otherwise the names in the oldest such snapshot give the page its id. So a later claim of a
    tool does not change the id.
    """
    heads: dict[str, tuple[Sighting, _Tools]] = {}
    for sighting, of_sighting, url in zip(seen, tools, urls, strict=True):
        if url is not None and (url not in heads or (of_sighting.is_clear and not heads[url][1].is_clear)):
            heads[url] = (sighting, of_sighting)
    urls_of_pair: dict[ToolPair, list[str]] = defaultdict(list)
    for url, (_, of_sighting) in heads.items():
        urls_of_pair[of_sighting.tool_ids].append(url)
    page_of_pair: dict[ToolPair, str] = {}
    for sighting, of_sighting, url in zip(seen, tools, urls, strict=True):
        if url is not None:
            _, of_page = heads[url]
            is_other_way = (
                of_sighting.tool_ids[0] != of_sighting.tool_ids[1] and of_sighting.tool_ids == of_page.tool_ids[::-1]
            )
            slugs = _choose_own_slugs(of_sighting, of_page, is_turned=is_other_way)
            printed = sighting.printed_ids[::-1] if is_other_way else sighting.printed_ids
            page_id = make_address_id(url)
            yield Identity(sighting.location, page_id, url, of_page.tool_ids, printed, slugs, is_other_way)
            continue
        addressed = urls_of_pair.get(of_sighting.tool_ids, ())
        ids = of_sighting.tool_ids, sighting.printed_ids
        if len(addressed) == 1:
            (url,) = addressed
            yield Identity(sighting.location, make_address_id(url), url, *ids, heads[url][1].slugs, False)
        else:
            page_id = page_of_pair.setdefault(of_sighting.tool_ids, make_pair_id(*sighting.name_ids))
            yield Identity(sighting.location, page_id, None, *ids, None, False)


def _choose_own_slugs(of_sighting: _Tools, of_page: _Tools, *, is_turned: bool) -> SlugPair | None:
    """The slugs of this sighting: a tool may have been renamed since the page was first seen."""
    if of_sighting.slugs is None or of_sighting.slugs.is_ambiguous:
        return of_page.slugs
    return SlugPair(of_sighting.slugs.b, of_sighting.slugs.a, is_ambiguous=False) if is_turned else of_sighting.slugs
