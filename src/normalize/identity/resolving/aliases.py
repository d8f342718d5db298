"""Aliases: ids that are a tool's no more, since its name was claimed or its slug was renamed."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from normalize.identity.ids import slug_tool_id
from normalize.identity.resolving.claims import NameTable
from normalize.identity.resolving.slug_table import SlugTable
from normalize.identity.resolving.works import Slug, Work, Works, is_clear
from normalize.identity.tool_identity import ALIASES, RENAMED, ToolAlias
from normalize.parse.slugs import SlugPair


@dataclass(frozen=True, slots=True)
class _Stale:
    """Ids whose alias is made anew of all sightings that show them, which are all loaded."""

    names: set[str]
    slugs: set[Slug]


def find_aliases(
    works: Works,
    table: SlugTable,
    names: NameTable,
    *,
    lost: set[Slug],
    renamed: set[Slug],
    claimed: set[str],
) -> Mapping[str, tuple[ToolAlias | None, ToolAlias | None]]:
    """Aliases that are others than before, each with the one that it was. Gives the state what has changed.

    An addition is compared with the alias that was there; where an alias lost a sighting, or is another tool's now, all
    sightings are.
    """
    unnamed = {name_id for work in works.every if _is_unnamed(work) for name_id in work.sighting.name_ids}
    works.load("name_a", unnamed)
    works.load("name_b", unnamed)
    stale = _Stale(unnamed | claimed, lost | renamed)
    shown = [item for work in works.standing() for item in _aliases(work, table, names, stale)]
    ids = {item.alias_id for item in shown} | stale.names | {slug_tool_id(*slug) for slug in stale.slugs}
    before = {item.alias_id: item for item in works.state.find(ALIASES, "alias_id", ids)} if ids else {}
    made_anew = stale.names | {slug_tool_id(*slug) for slug in stale.slugs}
    now = {alias_id: alias for alias_id, alias in before.items() if alias_id not in made_anew}
    for item in shown:
        known = now.get(item.alias_id, item)
        now[item.alias_id] = min(known, item, key=lambda one: (one.name, one.tagline or "", one.since))
    changed = {alias_id: (before.get(alias_id), now.get(alias_id)) for alias_id in ids}
    changed = {alias_id: both for alias_id, both in changed.items() if both[0] != both[1]}
    works.state.replace(ALIASES, "alias_id", changed, [alias for _, alias in changed.values() if alias is not None])
    return changed


def _is_unnamed(work: Work) -> bool:
    """Whether its names were shown without clear slugs by it and, as far as it goes, are no more."""
    return work.before is not None and work.is_recut and not is_clear(work.before.slugs)


def _aliases(work: Work, table: SlugTable, names: NameTable, stale: _Stale) -> Iterator[ToolAlias]:
    """What a sighting says of ids that are not a tool's: one that is new or changed, else of those made anew only."""
    seen, slugs = work.sighting, work.slugs
    if slugs is not None and not slugs.is_ambiguous:
        if table.first:
            yield from _renamed_slugs(work, slugs, table, stale)
        return
    for card, name_id in zip(seen.cards, seen.name_ids, strict=True):
        owner = names.owners.get(name_id)
        if owner is not None and (work.is_recut or name_id in stale.names):
            yield ToolAlias(name_id, owner.tool_id, card.name, card.tagline, owner.since)


def _renamed_slugs(work: Work, slugs: SlugPair, table: SlugTable, stale: _Stale) -> Iterator[ToolAlias]:
    host = work.sighting.host
    for card, slug in zip(work.sighting.cards, slugs[:2], strict=True):
        first = table.first_of((host, slug))
        if first != slug and (work.is_recut or (host, slug) in stale.slugs):
            own_id, tool_id = slug_tool_id(host, slug), slug_tool_id(host, first)
            yield ToolAlias(own_id, tool_id, card.name, card.tagline, work.sighting.ingest_day, RENAMED)
