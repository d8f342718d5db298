"""Slugs of hosts: which are known, since when pages have them, and the slug that their tool had first."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

import msgspec

from normalize.identity.resolving.works import Slug, Work, Works, address_of
from normalize.identity.sightings import Sighting
from normalize.parse.slugs import SlugPair, best_cut
from normalize.state.relation import Relation, State


class SeenSlug(msgspec.Struct, frozen=True, array_like=True):
    """A slug of a host, and what sightings say of it.

    `count` of them make it known: by a link, or by an address that can be cut in one place only. `since` is the first
    ingest day of a page whose tools have it. `first` is the slug that its tool had first, None where no page of it was
    led to one of another slug, or from there.
    """

    host: str
    slug: str
    count: int
    since: str | None
    first: str | None

    @property
    def address(self) -> str:
        return address_of((self.host, self.slug))


SLUGS = Relation("slugs", SeenSlug, ("address",))


class AmbiguousAddress(msgspec.Struct, frozen=True, array_like=True):
    """A sighting whose address can be cut in several places, one of them beside this slug."""

    address: str
    place: str


AMBIGUOUS = Relation("ambiguous_addresses", AmbiguousAddress, ("address", "place"))


@dataclass(slots=True)
class SlugTable:
    """The slugs of a round. Those that nothing is known of are in none of these."""

    state: State
    before: dict[Slug, SeenSlug] = field(default_factory=dict)
    counts: dict[Slug, int] = field(default_factory=dict)
    since: dict[Slug, str] = field(default_factory=dict)
    first: dict[Slug, str] = field(default_factory=dict)
    asked: set[Slug] = field(default_factory=set)

    def load(self, slugs: Collection[Slug]) -> None:
        """What the state knows of slugs."""
        new = {*slugs} - self.asked
        self.asked |= new
        for record in self.state.find(SLUGS, "address", [address_of(slug) for slug in new]) if new else ():
            slug = (record.host, record.slug)
            self.before[slug] = record
            self.counts[slug] = record.count
            if record.since is not None:
                self.since[slug] = record.since
            if record.first is not None:
                self.first[slug] = record.first

    def first_of(self, slug: Slug) -> str:
        """The slug that the tool of a slug had first."""
        return self.first.get(slug, slug[1])

    def first_before(self, slug: Slug) -> str:
        """The same as it was before the round."""
        record = self.before.get(slug)
        return slug[1] if record is None or record.first is None else record.first

    def save(self) -> None:
        """Gives the state what has changed."""
        changed, records = [], []
        for slug in self.asked:
            count, since = self.counts.get(slug, 0), self.since.get(slug)
            now = SeenSlug(*slug, count, since, self.first.get(slug))
            before = self.before.get(slug)
            if now != before and (before or count or since):
                changed.append(now.address)
                if count or since:
                    records.append(now)
        self.state.replace(SLUGS, "address", changed, records)


def cut_addresses(works: Works, table: SlugTable) -> None:
    """Gives new sightings their slugs, and anew those whose address may now be cut in another place."""
    made_known = [(-1 if work.is_gone else 1, _made_known(work.sighting)) for work in works.every]
    several = [work.sighting for work in works.every if len(work.sighting.cuts) > 1]
    table.load({slug for _, slugs in made_known for slug in slugs}.union(*map(_in_cuts, several)))
    counts = table.counts
    for step, slugs in made_known:
        for slug in slugs:
            counts[slug] = counts.get(slug, 0) + step
    turned = [slug for slug, count in table.counts.items() if (count > 0) != _was_known(table, slug)]
    found = works.state.find(AMBIGUOUS, "address", [address_of(slug) for slug in turned]) if turned else []
    works.load("place", {record.place for record in found})
    if found:
        table.load({slug for work in works.held.values() for slug in _in_cuts(work.sighting)})
    _keep_ambiguous(works)
    for work in works.standing():
        if work.before is None or len(work.sighting.cuts) > 1:
            work.slugs = _slug_pair(work.sighting, table)


def _keep_ambiguous(works: Works) -> None:
    """Notes addresses that can be cut in several places, of sightings that are new, and forgets those that are gone."""
    several = [work for work in works.every if len(work.sighting.cuts) > 1 and (work.is_gone or work.before is None)]
    if several:
        records = [
            AmbiguousAddress(address_of(slug), work.place)
            for work in several
            if not work.is_gone
            for slug in _in_cuts(work.sighting)
        ]
        works.state.replace(AMBIGUOUS, "place", {work.place for work in several}, records)


def count_days(works: Works, table: SlugTable) -> set[Slug]:
    """The first day of every slug. Gives those that a sighting has no more; all sightings of these are loaded then."""
    lost = {
        (work.sighting.host, slug)
        for work in works.every
        if work.before is not None and work.before.slugs is not None and work.is_recut
        for slug in work.before.slugs[:2]
    }
    addresses = [address_of(slug) for slug in lost]
    works.load("slug_a", addresses)
    works.load("slug_b", addresses)
    table.load(lost)
    for slug in lost:
        table.since.pop(slug, None)
    since = table.since
    for work in works.standing():
        day = work.sighting.ingest_day
        for slug in counted_slugs(work, lost):
            if since.get(slug, day) >= day:
                since[slug] = day
    return lost


def counted_slugs(work: Work, lost: Collection[Slug]) -> Iterable[Slug]:
    """The slugs of a sighting that is new or has others than before; of all others, those lost somewhere."""
    if work.slugs is None:
        return ()
    both = ((work.sighting.host, work.slugs.a), (work.sighting.host, work.slugs.b))
    return both if work.is_recut else [slug for slug in both if slug in lost]


def _in_cuts(sighting: Sighting) -> set[Slug]:
    return {(sighting.host, slug) for cut in sighting.cuts for slug in cut}


def _made_known(sighting: Sighting) -> set[Slug]:
    if sighting.url is None:
        return set()
    host, (first, second) = sighting.host, sighting.cards
    known = {(host, slug) for slug in sighting.cuts[0]} if len(sighting.cuts) == 1 else set()
    if first.slug:
        known.add((host, first.slug))
    if second.slug:
        known.add((host, second.slug))
    return known


def _was_known(table: SlugTable, slug: Slug) -> bool:
    record = table.before.get(slug)
    return record is not None and record.count > 0


def _slug_pair(sighting: Sighting, table: SlugTable) -> SlugPair | None:
    """The slugs of A and B: those of the address, or of the links where the address gives none or is ambiguous.

    A's is the second of the address where links or names say so. None for a page without an address.
    """
    if sighting.url is None:
        return None
    cuts = sighting.cuts
    known = [slug for _, slug in filter(table.counts.get, _in_cuts(sighting))] if len(cuts) > 1 else ()
    cut = best_cut(cuts, known)
    if cut is not None and not cut.is_ambiguous:
        return SlugPair(cut.b, cut.a, is_ambiguous=False) if sighting.is_turned else cut
    a, b = (card.slug for card in sighting.cards)
    if a and b and (cut is None or (a, b) in cuts or (b, a) in cuts):
        return SlugPair(a, b, is_ambiguous=False)
    return cut
