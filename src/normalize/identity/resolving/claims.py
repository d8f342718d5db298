"""Which tool with a slug owns a name and tagline, and with that the tools of every sighting."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field

import msgspec

from normalize.identity.ids import ToolPair, slug_tool_id
from normalize.identity.resolving.slug_table import SlugTable, counted_slugs
from normalize.identity.resolving.works import Slug, Work, Works, is_clear
from normalize.identity.tool_identity import Claim
from normalize.state.relation import Relation, State


class NameClaims(msgspec.Struct, frozen=True, array_like=True):
    """The slugs that were shown with a name and tagline: host, slug, and the first ingest day that showed both."""

    name_id: str
    claims: tuple[tuple[str, str, str], ...]


CLAIMS = Relation("claims", NameClaims, ("name_id",))


@dataclass(slots=True)
class NameTable:
    """The names of a round, with the first day of each slug that claims them."""

    state: State
    before: dict[str, Mapping[Slug, str]] = field(default_factory=dict)
    days: dict[str, dict[Slug, str]] = field(default_factory=dict)
    owners: dict[str, Claim] = field(default_factory=dict)
    """Of names with one owner, after `count_claims`."""

    def load(self, name_ids: Collection[str], table: SlugTable) -> None:
        """What the state knows of names, and of the slugs that claim them."""
        new = {*name_ids} - self.days.keys()
        self.days |= {name_id: {} for name_id in new}
        for record in self.state.find(CLAIMS, "name_id", new) if new else ():
            self.before[record.name_id] = {(host, slug): day for host, slug, day in record.claims}
            self.days[record.name_id] = dict(self.before[record.name_id])
        table.load({slug for name_id in new for slug in self.days[name_id]})

    def save(self) -> None:
        """Gives the state what has changed."""
        changed = [name_id for name_id, days in self.days.items() if days != self.before.get(name_id, {})]
        records = [
            NameClaims(name_id, tuple((*slug, day) for slug, day in self.days[name_id].items()))
            for name_id in changed
            if self.days[name_id]
        ]
        self.state.replace(CLAIMS, "name_id", changed, records)


def count_claims(works: Works, table: SlugTable, names: NameTable, lost: set[Slug], renamed: set[Slug]) -> set[str]:
    """Finds the owner of every name. Gives the names that have another one than before, or since another day."""
    again = [work for work in works.held.values() if work.is_recut or not renamed.isdisjoint(_slugs(work))]
    names.load({name_id for work in again for name_id in work.sighting.name_ids}, table)
    for days in names.days.values() if lost else ():
        for slug in lost & days.keys():
            del days[slug]
    for work in works.standing():
        if work.slugs is None or work.slugs.is_ambiguous:
            continue
        seen, counted = work.sighting, counted_slugs(work, lost)
        for slug, card, name_id in zip(_slugs(work), seen.cards, seen.name_ids, strict=True) if counted else ():
            if card.tagline and slug in counted and name_id in names.days:
                days, day = names.days[name_id], seen.ingest_day
                if days.get(slug, day) >= day:
                    days[slug] = day
    changed = set()
    for name_id, days in names.days.items():
        was = names.before.get(name_id, {})
        owner = _owner(days, table.first_of)
        if owner is not None:
            names.owners[name_id] = owner
        is_touched = days != was or (renamed and not renamed.isdisjoint(days))
        if is_touched and owner != _owner(was, table.first_before):
            changed.add(name_id)
    return changed


def _owner(days: Mapping[Slug, str], first_of: Callable[[Slug], str]) -> Claim | None:
    """The one tool with a slug that shows a name and tagline. Of mirrors, the first host's."""
    if not days:
        return None
    shown = [(day, slug[0], first_of(slug)) for slug, day in days.items()]
    if len(shown) > 1 and len({first for *_, first in shown}) > 1:
        return None
    since, host, first = min(shown)
    return Claim(slug_tool_id(host, first), since)


def find_tools(works: Works, table: SlugTable, names: NameTable, renamed: set[Slug], claimed: set[str]) -> None:
    """The tools of sightings that are new or have other slugs, and of those whose slugs or names are another's now."""
    works.load("name_a", claimed)
    works.load("name_b", claimed)
    if renamed:
        table.load({slug for work in works.held.values() for slug in _slugs(work)})
    for work in works.standing():
        if is_clear(work.slugs):
            slugs = _slugs(work)
            if work.is_recut or (renamed and any(slug in renamed for slug in slugs)):
                a, b = slugs
                work.tool_ids = slug_tool_id(a[0], table.first_of(a)), slug_tool_id(b[0], table.first_of(b))
        else:
            work.tool_ids = _named_tools(work, names)


def _named_tools(work: Work, names: NameTable) -> ToolPair:
    """Names that this round does not know have the owner that they had."""
    known = work.tool_ids if work.before is None else work.before.tool_ids
    first, second = (
        names.owners[name_id].tool_id if name_id in names.owners else name_id if name_id in names.days else tool_id
        for name_id, tool_id in zip(work.sighting.name_ids, known, strict=True)
    )
    return first, second


def _slugs(work: Work) -> tuple[Slug, ...]:
    if work.slugs is None:
        return ()
    return (work.sighting.host, work.slugs.a), (work.sighting.host, work.slugs.b)
