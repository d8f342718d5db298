"""The identity round: night after night it knows what resolving everything at once would say."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from random import Random
from types import MappingProxyType

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from builders.identity_oracle import all_identities, pages_that_differ
from builders.small_nights import SmallNights, small_nights
from extract.model.records import Card, Comparison, Observation, Span
from extract.panel.words.profile_files import SHIPPED
from fetch.model.snapshot import Location
from normalize.identity.identity import IDENTITIES
from normalize.identity.identity_round import IdentityDelta, identity_round
from normalize.identity.page_versions import ingest_day_of
from normalize.identity.resolving.works import SIGHTINGS, Seen
from normalize.identity.sightings import sighting
from normalize.identity.tool_identity import ALIASES
from normalize.state.memory import MemoryState

SLUGS = ("ant", "bee", "cat", "ant-vs-bee", "bee-vs-cat", "dog")
NAMES = (("Ant", "Digs."), ("ANT", "digs."), ("Bee", "Flies."), ("Cat", "Sleeps."), ("Dog", None), ("Dog", "Barks."))
NOTHING: Mapping[str, str] = MappingProxyType({})
START = datetime(2026, 11, 1, 1, 30, tzinfo=UTC)


@dataclass(frozen=True)
class World:
    """The state of a round after some nights, beside everything that it was told."""

    state: MemoryState
    seen: dict[Location, Observation]
    moved: dict[str, str]

    def night(
        self, new: Sequence[Observation], removed: Sequence[Location] = (), moved: Mapping[str, str] = NOTHING
    ) -> tuple[IdentityDelta, set[str]]:
        """A night, after which the state is what everything at once gives, and the delta has all that differs."""
        days = {place: ingest_day_of(item) for place, item in self.seen.items()}
        before = all_identities(self.seen.values(), self.moved)
        sightings = [sighting(item, SHIPPED) for item in new]
        delta = identity_round(self.state, sightings, removed, dict(moved), dict(self.moved))
        for place in removed:
            del self.seen[place]
        self.seen.update((item.location, item) for item in new)
        self.moved.clear()
        self.moved.update(moved)
        days |= {place: ingest_day_of(item) for place, item in self.seen.items()}
        now = all_identities(self.seen.values(), moved)
        assert {item.location: item for item in self.state.all(IDENTITIES)} == now[0]
        assert {item.alias_id: item for item in self.state.all(ALIASES)} == now[1]
        assert {item.sighting.location for item in self.state.all(SIGHTINGS)} == self.seen.keys()
        assert delta.aliases == {key for key in {*before[1], *now[1]} if before[1].get(key) != now[1].get(key)}
        differ = pages_that_differ(before, now, days)
        assert delta.pages >= differ
        return delta, differ


def world() -> World:
    return World(MemoryState(), {}, {})


def address(pair: tuple[str, str], host: str = "one.example") -> str:
    return f"https://{host}/compare/{pair[0]}-vs-{pair[1]}"


def seen(
    number: int,
    url: str | None,
    a: tuple[str, str | None],
    b: tuple[str, str | None],
    *,
    slugs: tuple[str | None, str | None] = (None, None),
    day: int = 0,
    age: int = 0,
    said: str | None = None,
    canonical: str | None = None,
) -> Observation:
    at = START + timedelta(days=day)
    digest = sha256(f"{number}".encode()).hexdigest()
    first, second = (
        Card(side, name, slug, tagline, None, None, None, None, None, said, Span(0, 1))
        for side, (name, tagline), slug in zip("ab", (a, b), slugs, strict=True)
    )
    return Observation(
        url=url or f"urn:sha256:{digest}",
        fetched_at=at - timedelta(days=age) + timedelta(seconds=number),
        crawl_id=f"{at:%Y%m%dT%H%M%SZ}-0001",
        location=Location("segment.warc.zst", number),
        sha256=digest,
        extracted=Comparison("shiporskip", "html", "A vs B", canonical, (first, second), (), (), ()),
    )


def random_page(chance: Random, number: int) -> Observation:
    slugs = chance.choice(SLUGS), chance.choice(SLUGS)
    host = chance.choice(("one.example", "one.example", "two.example"))
    url = chance.choice((address(slugs, host), address(slugs, host), f"https://{host}/tools/{number % 4}", None))
    links = chance.choice(((None, None), slugs, slugs[::-1], (chance.choice(SLUGS), None)))
    canonical = chance.choice((None, None, None, address(("ant", "cat"), host)))
    return seen(
        number,
        url,
        chance.choice(NAMES),
        chance.choice(NAMES),
        slugs=links,
        day=chance.randrange(6),
        age=chance.choice((0, 0, 0, 1, 3)),
        said=chance.choice((None, "Of animals.")),
        canonical=canonical,
    )


def random_moves(chance: Random, urls: Sequence[str]) -> dict[str, str]:
    return {chance.choice(urls): chance.choice(urls) for _ in range(chance.randrange(4))} if urls else {}


def play(seed: int, nights: int = 6) -> None:
    chance = Random(seed)
    here = world()
    number = 0
    for _ in range(nights):
        new = [random_page(chance, number + index) for index in range(chance.randrange(5))]
        number += len(new)
        removed = [place for place in here.seen if chance.random() < 0.1]
        new += [random_page(chance, place.offset) for place in removed if chance.random() < 0.3]
        urls = sorted({item.url for item in (*here.seen.values(), *new) if item.url.startswith("https")})
        moved = random_moves(chance, urls) if chance.random() < 0.5 else here.moved.copy()
        here.night(new, removed, moved)


@settings(max_examples=80, deadline=None)
@given(st.integers(min_value=0))
def test_nights_of_anything_give_what_everything_at_once_gives(seed):
    play(seed)


def test_a_page_whose_one_slug_loses_its_rename_keeps_that_of_the_other():
    play(5486)


@pytest.mark.parametrize("seed", [1, 2])
def test_an_ordinary_night_changes_the_pages_that_it_shows_and_those_they_decide(seed):
    here = world()
    for night in small_nights(SmallNights(seed=seed, appearances=1500, nights=8, pages=(5, 30))):
        delta, differ = here.night(night.observations, (), night.moved)
        assert delta.pages == differ


def test_a_sighting_is_the_same_when_it_comes_from_a_file():
    here = world()
    here.night([random_page(Random(1), number) for number in range(60)])
    for record in here.state.all(SIGHTINGS):
        assert msgspec.msgpack.decode(msgspec.msgpack.encode(record), type=Seen) == record


ANT, BEE, CAT = ("Ant", "Digs."), ("Bee", "Flies."), ("Cat", "Sleeps.")


def test_a_dump_is_a_rendering_of_its_page_whichever_comes_first():
    here = world()
    dump, page = seen(0, None, ANT, BEE), seen(1, address(("ant", "bee")), ANT, BEE, day=1)
    here.night([dump])
    delta, _ = here.night([page])
    pages = {item.location: item.page_id for item in here.state.all(IDENTITIES)}
    assert pages[dump.location] == pages[page.location]
    assert len(delta.pages) == 2
    delta, _ = here.night([seen(2, None, ANT, BEE, day=2)])
    assert delta.pages == {pages[page.location]}


def test_a_dump_is_on_its_own_once_two_addresses_compare_its_tools():
    here = world()
    dump, page = seen(0, None, ANT, BEE), seen(1, address(("ant", "bee")), ANT, BEE)
    mirror = seen(2, f"{address(('ant', 'bee'))}?copy=1", ANT, BEE, day=1)
    here.night([dump, page])
    here.night([mirror])
    assert next(item.url for item in here.state.all(IDENTITIES) if item.location == dump.location) is None
    here.night([], [mirror.location])
    assert next(item.url for item in here.state.all(IDENTITIES) if item.location == dump.location) == page.url


def test_a_rename_reaches_every_page_of_the_slug_and_is_taken_back_with_the_move():
    here = world()
    old, new = address(("ant", "bee")), address(("ant2", "bee"))
    here.night(
        [seen(0, old, ANT, BEE), seen(1, address(("ant2", "cat")), ANT, CAT, day=1), seen(2, new, ANT, BEE, day=1)]
    )
    delta, _ = here.night([], moved={old: new})
    assert len(delta.pages) == 3
    assert len(delta.aliases) == 1
    delta, _ = here.night([])
    assert len(delta.pages) == 3
    assert len(delta.aliases) == 1


def test_a_move_to_other_tools_joins_nothing():
    here = world()
    old, new = address(("ant", "bee")), address(("cat", "dog"))
    here.night([seen(0, old, ANT, BEE), seen(1, new, CAT, ("Dog", "Barks."), day=1)])
    delta, _ = here.night([], moved={old: new})
    assert delta == IdentityDelta(frozenset(), frozenset())


def test_an_ambiguous_address_is_cut_once_its_slugs_are_known():
    here = world()
    page = seen(0, "https://one.example/compare/zoo-vs-bee-vs-ant", ("Zoo", "Old."), ANT)
    here.night([page])
    assert [item.slugs.is_ambiguous for item in here.state.all(IDENTITIES) if item.slugs] == [True]
    tool = seen(1, "https://one.example/tools/1", BEE, CAT, slugs=("bee-vs-ant", "zoo"))
    delta, _ = here.night([tool])
    assert len(delta.pages) == 2


class _Counting(MemoryState):
    """Notes how much a round reads."""

    def __init__(self) -> None:
        super().__init__()
        self.finds = self.found = 0

    def find(self, relation, key, values):
        records = super().find(relation, key, values)
        self.finds += 1
        self.found += len(records)
        return records


def test_an_ordinary_page_of_a_popular_tool_does_not_read_the_others_of_it():
    state = _Counting()
    here = World(state, {}, {})
    others = [(f"tool{number}", (f"Tool {number}", f"Number {number}.")) for number in range(300)]
    here.night(
        [seen(number, address(("ant", slug)), ANT, name) for number, (slug, name) in enumerate(others)]
        + [seen(number + 1000, None, ANT, others[number][1]) for number in range(100)]
    )
    state.finds = state.found = 0
    sixty = [(f"new{number}", (f"New {number}", f"Newer {number}.")) for number in range(20)]
    pages = [seen(2000 + number, address(("ant", slug)), ANT, name, day=1) for number, (slug, name) in enumerate(sixty)]
    again = [seen(3000 + number, address(("ant", others[number][0])), ANT, others[number][1]) for number in range(20)]
    dumps = [seen(4000 + number, None, ANT, name, day=1) for number, (_, name) in enumerate(sixty)]
    here.night([*pages, *again, *dumps])
    assert state.found < 4 * 60
    assert state.finds < 20
