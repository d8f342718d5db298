"""Which page and which tools a snapshot shows."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from types import MappingProxyType

from verdicts.extract.model.records import Card, Comparison, Observation, Span
from verdicts.extract.panel.profile import SHIPPED
from verdicts.fetch.model.snapshot import Location
from verdicts.normalize.identity.ids import Identity, ToolAlias, slug_tool_id
from verdicts.normalize.identity.resolving import resolve
from verdicts.normalize.identity.sightings import sighting

NOTHING: Mapping[str, str] = MappingProxyType({})
START = datetime(2026, 11, 1, 1, 30, tzinfo=UTC)
HOST = "one.example"
ANT, BEE, CAT, DOG = ("Ant", "Digs."), ("Bee", "Flies."), ("Cat", "Sleeps."), ("Dog", "Barks.")


def address(a: str, b: str, host: str = HOST) -> str:
    return f"https://{host}/compare/{a}-vs-{b}"


def seen(
    number: int,
    url: str | None,
    a: tuple[str, str | None],
    b: tuple[str, str | None],
    *,
    slugs: tuple[str | None, str | None] = (None, None),
    day: int = 0,
) -> Observation:
    at = START + timedelta(days=day)
    digest = sha256(f"{number}".encode()).hexdigest()
    first, second = (
        Card(side, name, slug, tagline, None, None, None, None, None, None, Span(0, 1))
        for side, (name, tagline), slug in zip("ab", (a, b), slugs, strict=True)
    )
    return Observation(
        url=url or f"urn:sha256:{digest}",
        fetched_at=at + timedelta(seconds=number),
        crawl_id=f"{at:%Y%m%dT%H%M%SZ}-0001",
        location=Location("segment.warc.zst", number),
        sha256=digest,
        extracted=Comparison("shiporskip", "html", "A vs B", None, (first, second), (), (), ()),
    )


def found(
    observations: Sequence[Observation], moved: Mapping[str, str] = NOTHING
) -> tuple[list[Identity], list[ToolAlias]]:
    """The identities in the order of the observations, and the aliases."""
    resolved = resolve([sighting(item, SHIPPED) for item in observations], moved)
    assert resolve([sighting(item, SHIPPED) for item in observations[::-1]], moved).aliases == resolved.aliases
    of_place = {identity.location: identity for identity in resolved.identities}
    return [of_place[item.location] for item in observations], resolved.aliases


def test_a_dump_is_a_rendering_of_the_one_page_that_compares_its_tools() -> None:
    dump, at = seen(0, None, ANT, BEE), seen(1, address("ant", "bee"), ANT, BEE, day=1)
    (alone,), _ = found([dump])
    (of_dump, of_page), aliases = found([dump, at])
    assert alone.url is None
    assert of_dump.page_id == of_page.page_id != alone.page_id
    assert [alias.alias_id for alias in aliases] == sorted(alone.tool_ids)
    mirror = seen(2, f"{address('ant', 'bee')}?copy=1", ANT, BEE, day=1)
    (of_dump, *_), _ = found([dump, at, mirror])
    assert of_dump.url is None


def test_a_rename_reaches_every_page_of_the_slug() -> None:
    old, new = address("ant", "bee"), address("ant2", "bee")
    shown = [seen(0, old, ANT, BEE), seen(1, address("ant2", "cat"), ANT, CAT, day=1), seen(2, new, ANT, BEE, day=1)]
    apart, _ = found(shown)
    assert len({identity.tool_ids[0] for identity in apart}) == 2
    together, aliases = found(shown, {old: new})
    assert {identity.tool_ids[0] for identity in together} == {slug_tool_id(HOST, "ant")}
    assert [(alias.alias_id, alias.tool_id) for alias in aliases] == [
        (slug_tool_id(HOST, "ant2"), slug_tool_id(HOST, "ant"))
    ]
    assert [identity.url for identity in together] == [new, address("ant2", "cat"), new]


def test_a_move_to_other_tools_joins_nothing() -> None:
    old, new = address("ant", "bee"), address("cat", "dog")
    shown = [seen(0, old, ANT, BEE), seen(1, new, CAT, DOG, day=1)]
    assert found(shown, {old: new}) == found(shown)


def test_an_ambiguous_address_is_cut_once_its_slugs_are_known() -> None:
    at = seen(0, f"https://{HOST}/compare/zoo-vs-bee-vs-ant", ("Zoo", "Old."), ANT)
    (alone,), _ = found([at])
    assert alone.slugs is not None
    assert alone.slugs.is_ambiguous
    (known, _), _ = found([at, seen(1, f"https://{HOST}/tools/1", BEE, CAT, slugs=("bee-vs-ant", "zoo"))])
    assert known.slugs is not None
    assert {known.slugs.a, known.slugs.b} == {"zoo", "bee-vs-ant"}
    assert not known.slugs.is_ambiguous


def test_a_name_that_two_slugs_show_is_no_ones() -> None:
    dump = seen(0, None, ANT, BEE)
    one, other = seen(1, address("ant", "cat"), ANT, CAT), seen(2, address("emmet", "cat"), ANT, CAT)
    (claimed, _), _ = found([dump, one])
    assert claimed.tool_ids[0] == slug_tool_id(HOST, "ant")
    (unclaimed, *_), _ = found([dump, one, other])
    assert unclaimed.tool_ids[0] == unclaimed.name_ids[0]


def test_a_name_on_mirrors_is_of_the_host_that_showed_it_first() -> None:
    dump = seen(0, None, ANT, BEE)
    first, mirror = (
        seen(1, address("ant", "cat"), ANT, CAT, day=1),
        seen(2, address("ant", "cat", "two.example"), ANT, CAT),
    )
    (claimed, *_), _ = found([dump, first, mirror])
    assert claimed.tool_ids[0] == slug_tool_id("two.example", "ant")


def test_a_page_keeps_the_tools_that_it_showed_first() -> None:
    at = address("ant", "bee")
    identities, _ = found([seen(0, at, ANT, BEE), seen(1, at, ("Ant", "Digs deeper."), BEE, day=3)])
    assert identities[0].tool_ids == identities[1].tool_ids
    assert identities[0].name_ids == identities[1].name_ids
