"""Slugs that the site renamed: it says so itself, by leading the pages of the old slug to those of the new one."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TypeAlias

import msgspec

from normalize.identity.resolving.slug_table import SlugTable
from normalize.identity.resolving.works import Slug, Work, Works, address_of, is_clear
from normalize.identity.sightings import SeenCard
from normalize.parse.text import fold_name
from normalize.state.relation import Relation, State

_Links: TypeAlias = Mapping[Slug, set[Slug]]


class SlugLink(msgspec.Struct, frozen=True, array_like=True):
    """A page of a slug leads to one of another slug of the same tool. `source` is the page's address."""

    source: str
    host: str
    old: str
    new: str

    @property
    def ends(self) -> tuple[Slug, Slug]:
        return (self.host, self.old), (self.host, self.new)

    @property
    def old_address(self) -> str:
        return address_of((self.host, self.old))

    @property
    def new_address(self) -> str:
        return address_of((self.host, self.new))


LINKS = Relation("slug_links", SlugLink, ("source", "old_address", "new_address"))


def moves_to_judge(
    changed: Collection[str], moved: Mapping[str, str], moved_before: Mapping[str, str]
) -> tuple[Mapping[str, str], set[str]]:
    """Of all moves those from or to changed addresses, or new ones; and sources whose move is not as before."""
    others = {source for source, _ in moved.items() ^ moved_before.items()}
    judged = {
        source: target for source, target in moved.items() if source in others or source in changed or target in changed
    }
    return judged, others


def rename(works: Works, table: SlugTable, moved: Mapping[str, str], moved_before: Mapping[str, str]) -> set[Slug]:
    """Finds the slug that each tool had first. Gives those with another than before, their sightings loaded.

    A page leads to another one of its host, each has one tool that the other has not, and these two share their name
    and, as far as both ever show one, their tagline, else their description. A successor that took the place of a tool
    has words of its own.
    """
    touched = {slug for slug in table.first if table.since.get(slug) != table.before[slug].since}
    changed = {work.sighting.source for work in works.every if work.is_recut} if moved or moved_before else set()
    judged, others = moves_to_judge(changed, moved, moved_before)
    if sources := {*judged, *others}:
        works.load("source", {*judged, *judged.values()})
        before = {*works.state.find(LINKS, "source", sources)}
        links = {*_links(works.standing(), judged)}
        works.state.replace(LINKS, "source", sources, links)
        touched |= {slug for link in before ^ links for slug in link.ends}
    if not touched:
        return set()
    linked = _component(works.state, touched)
    table.load(linked)
    for slug in linked:
        ends = linked[slug] and _connected(slug, linked)
        if ends:
            table.first[slug] = min(ends, key=lambda one: (table.since[one], one))[1]
        else:
            table.first.pop(slug, None)
    renamed = {slug for slug in linked if table.first_of(slug) != table.first_before(slug)}
    addresses = [address_of(slug) for slug in renamed]
    works.load("slug_a", addresses)
    works.load("slug_b", addresses)
    return renamed


def _links(works: Iterable[Work], judged: Mapping[str, str]) -> Iterable[SlugLink]:
    shown = _shown_at(works, {*judged, *judged.values()})
    for source, target in judged.items():
        before, after = shown.get(source, ()), shown.get(target, ())
        both = {slug for slug, _ in before} & {slug for slug, _ in after}
        for old, card in before:
            for new, later in after:
                if old[0] == new[0] and not {old, new} & both and _is_same(card, later):
                    yield SlugLink(source, old[0], old[1], new[1])


def _shown_at(works: Iterable[Work], sources: Collection[str]) -> Mapping[str, Sequence[tuple[Slug, SeenCard]]]:
    """The cards of these addresses, each with its slug."""
    shown: dict[str, dict[tuple[Slug, SeenCard], None]] = defaultdict(dict)
    for work in works:
        if work.sighting.source in sources and work.slugs is not None and is_clear(work.slugs):
            for card, slug in zip(work.sighting.cards, work.slugs[:2], strict=True):
                shown[work.sighting.source][(work.sighting.host, slug), card] = None
    return {source: [*cards] for source, cards in shown.items()}


def _is_same(card: SeenCard, later: SeenCard) -> bool:
    if fold_name(card.name) != fold_name(later.name):
        return False
    if card.tagline and later.tagline:
        return fold_name(card.tagline) == fold_name(later.tagline)
    return card.description is not None and card.description == later.description


def _component(state: State, touched: set[Slug]) -> _Links:
    """Slugs linked with these, however far, and those that each is linked with. Few: a tool is not renamed often."""
    links: dict[Slug, set[Slug]] = {}
    ahead = touched
    while ahead:
        links |= {slug: set() for slug in ahead}
        addresses = [address_of(slug) for slug in ahead]
        found = [*state.find(LINKS, "old_address", addresses), *state.find(LINKS, "new_address", addresses)]
        ahead = {slug for link in found for slug in link.ends} - links.keys()
        links |= {slug: set() for slug in ahead}
        for link in found:
            old, new = link.ends
            links[old].add(new)
            links[new].add(old)
    return links


def _connected(slug: Slug, links: _Links) -> set[Slug]:
    reached, ahead = {slug}, [slug]
    while ahead:
        new = links[ahead.pop()] - reached
        reached |= new
        ahead += new
    return reached
