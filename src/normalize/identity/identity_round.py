"""The identity round: the page and the tools of every sighting, from those that are new or leave.

Gives what resolving all sightings at once would give, in whatever order and parts they came.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from fetch.model.snapshot import Location
from normalize.identity.identity import place_of
from normalize.identity.resolving.aliases import find_aliases
from normalize.identity.resolving.claims import NameTable, count_claims, find_tools
from normalize.identity.resolving.early_names import keep_early_names, renamed_early
from normalize.identity.resolving.pages import judge_pages, move_pages
from normalize.identity.resolving.renames import rename
from normalize.identity.resolving.slug_table import SlugTable, count_days, cut_addresses
from normalize.identity.resolving.works import Works
from normalize.identity.sightings import Sighting
from normalize.state.relation import State


class IdentityDelta(NamedTuple):
    """Ids of what a round changed.

    `pages` have other identities than before, or their tools were known by other ids on an ingest day. `aliases` have
    another alias than before.
    """

    pages: frozenset[str]
    aliases: frozenset[str]


def identity_round(
    state: State,
    new: Sequence[Sighting],
    removed: Collection[Location],
    moved: Mapping[str, str],
    moved_before: Mapping[str, str],
) -> IdentityDelta:
    """Resolves new sightings, and of all others those whose page or tools may be others without the removed ones.

    `removed` are at locations that the state holds, and with another reading of a snapshot its location is one of them.
    `moved` are all addresses whose page is held under another one, `moved_before` those of the last round.
    """
    works, table = Works(state), SlugTable(state)
    names = NameTable(state)
    works.load("place", {place_of(location) for location in removed})
    for work in works.every:
        work.is_gone = True
    for sighting in new:
        works.add(sighting)
    names.load({name_id for work in works.every for name_id in work.sighting.name_ids}, table)
    cut_addresses(works, table)
    lost = count_days(works, table)
    renamed = rename(works, table, moved, moved_before)
    claimed = count_claims(works, table, names, lost, renamed)
    find_tools(works, table, names, renamed, claimed)
    aliases = find_aliases(works, table, names, lost=lost, renamed=renamed, claimed=claimed)
    move_pages(works, moved, moved_before)
    judged = judge_pages(works)
    keep_early_names(works, judged)
    early = renamed_early(works, aliases)
    for part in (works, table, names):
        part.save()
    return IdentityDelta(frozenset(judged.changed.union(early)), frozenset(aliases))
