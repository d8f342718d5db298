"""The sightings that a round is about: those that are new or leave, and those of the state that they may change."""

from collections.abc import Collection
from dataclasses import dataclass, field

import msgspec

from normalize.identity.identity import pair_of, place_of
from normalize.identity.ids import ToolPair
from normalize.identity.sightings import Sighting
from normalize.parse.slugs import SlugPair
from normalize.state.relation import Relation, State

Slug = tuple[str, str]
"""A host and a slug on it."""


def address_of(slug: Slug) -> str:
    """A slug on its host as one string, by which relations are found."""
    return f"{slug[0]} {slug[1]}"


class Seen(msgspec.Struct, frozen=True, array_like=True):
    """A sighting with its own slugs and tools, and the address of its page now that pages have moved."""

    sighting: Sighting
    slugs: SlugPair | None
    tool_ids: ToolPair
    page: str | None

    @property
    def place(self) -> str:
        return place_of(self.sighting.location)

    @property
    def source(self) -> str:
        return self.sighting.source

    @property
    def slug_a(self) -> str | None:
        return None if self.slugs is None else address_of((self.sighting.host, self.slugs.a))

    @property
    def slug_b(self) -> str | None:
        return None if self.slugs is None else address_of((self.sighting.host, self.slugs.b))

    @property
    def name_a(self) -> str | None:
        """The name id of A, unless slugs say which tools these are."""
        return None if is_clear(self.slugs) else self.sighting.name_ids[0]

    @property
    def name_b(self) -> str | None:
        """The name id of B, unless slugs say which tools these are."""
        return None if is_clear(self.slugs) else self.sighting.name_ids[1]

    @property
    def dumped(self) -> str | None:
        """The tools of a snapshot without an address."""
        return pair_of(self.tool_ids) if self.page is None else None


SIGHTINGS = Relation("sightings", Seen, ("place", "source", "page", "slug_a", "slug_b", "name_a", "name_b", "dumped"))


class Work(msgspec.Struct, eq=False):
    """A sighting in a round, `before` as the state had it, None for a new one. The rest is as found so far."""

    sighting: Sighting
    place: str
    before: Seen | None
    is_gone: bool
    slugs: SlugPair | None
    tool_ids: ToolPair
    page: str | None

    @property
    def is_recut(self) -> bool:
        """It is new or gone, or its slugs are others than before."""
        return self.before is None or self.is_gone or self.slugs != self.before.slugs

    @property
    def is_changed(self) -> bool:
        """It is new or gone, or anything of it is another than before."""
        before = self.before
        if before is None or self.is_gone:
            return True
        return self.slugs != before.slugs or self.tool_ids != before.tool_ids or self.page != before.page


@dataclass(slots=True)
class Works:
    """Those of a round. Of the state's, only those that were asked for are here."""

    state: State
    every: list[Work] = field(default_factory=list)
    held: dict[str, Work] = field(default_factory=dict)
    """Those of the state by place."""

    def add(self, sighting: Sighting) -> None:
        """A new sighting."""
        place = place_of(sighting.location)
        self.every.append(Work(sighting, place, None, False, None, sighting.name_ids, sighting.url))

    def load(self, key: str, values: Collection[str]) -> None:
        """The state's sightings that are found by a key."""
        for seen in self.state.find(SIGHTINGS, key, values) if values else ():
            place = seen.place
            if place not in self.held:
                work = Work(seen.sighting, place, seen, False, seen.slugs, seen.tool_ids, seen.page)
                self.held[place] = work
                self.every.append(work)

    def standing(self) -> list[Work]:
        """All that are not gone."""
        return [work for work in self.every if not work.is_gone]

    def save(self) -> None:
        """Gives the state what has changed."""
        changed = [work for work in self.every if work.is_changed]
        records = [Seen(work.sighting, work.slugs, work.tool_ids, work.page) for work in changed if not work.is_gone]
        places = {work.place for work in changed}
        self.state.replace(SIGHTINGS, "place", places, records)


def is_clear(slugs: SlugPair | None) -> bool:
    """Whether two slugs say which tools they are."""
    return slugs is not None and not slugs.is_ambiguous
