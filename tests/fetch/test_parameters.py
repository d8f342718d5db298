"""Parameters that change nothing are learned and left out; one that changes a page is never."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders.made_sites import ROOT, Made, made_night
from verdicts.fetch.model.canonical_url import canonicalize
from verdicts.fetch.parse.parameters import Lessons, parameters_of, without
from verdicts.fetch.run.context import SAMPLES_A_NIGHT

pytestmark = pytest.mark.once

START = datetime(2026, 11, 1, 1, 30, tzinfo=UTC)
DAY = timedelta(days=1)


def sessions(text="alpha", path="/a", name="sid", count=52, home=()):
    """A page under many addresses, with and without a parameter."""
    addresses = [f"{path}?{name}={number}" for number in range(count)]
    site = {"/": Made(text="home", links=(*home, *addresses))}
    return site | {address: Made(text=text, has_etag=True) for address in (path, *addresses)}


async def nights(data, *sites, days=1, **changes):
    return [await made_night(data, site, START + number * days * DAY, **changes) for number, site in enumerate(sites)]


def asked(night, name="?sid="):
    return sum(count for path, count in night.asked.items() if name in path)


@pytest.mark.parametrize("home", [(), ("/a",)])
async def test_a_session_in_the_address_is_learned_and_left_out(tmp_path, home, caplog):
    first, *_, last = await nights(tmp_path, *[sessions(home=home)] * 4)
    assert first.dropped == {"sid"}
    assert "a.example: parameter 'sid' changes nothing" in caplog.text
    assert ("parameter" in first.skips) is bool(home)
    assert last.standing["/a"] == "held"
    assert {standing for path, standing in last.standing.items() if "sid" in path} == {"alias"}
    assert set(last.moved.values()) == {f"{ROOT}/a"}
    assert asked(last) <= 2
    # New sessions every night: a few are asked for.
    fresh = {path.replace("sid=", "sid=new"): answer for path, answer in sessions().items()}
    fresh["/"] = Made(text="home", links=tuple(path for path in fresh if "sid" in path))
    (later,) = [await made_night(tmp_path, fresh, START + 20 * DAY)]
    assert asked(later, "sid=new") <= SAMPLES_A_NIGHT
    assert later.holds("/a", "alpha")


async def test_a_session_that_the_page_itself_hands_out_is_learned_in_a_few_visits(tmp_path):
    site = {"/": Made(text="alpha", links=("/?sid=0",))}
    site |= {f"/?sid={number}": Made(text="alpha", links=(f"/?sid={number + 1}",)) for number in range(100)}
    (night,) = await nights(tmp_path, site)
    assert night.dropped == {"sid"}
    assert asked(night) < 12


def test_parameters_stand_in_the_query_and_in_the_path():
    url = canonicalize("http://a.example/x;v=1;w/y;v=2?b=2&a=1&a=3")
    assert parameters_of(url) == {";v": "2", ";w": "", "a": "3", "b": "2"}
    assert without(url, ";v") == "http://a.example/x;w/y?a=1&a=3&b=2"
    assert without(url, "a") == "http://a.example/x;v=1;w/y;v=2?b=2"
    assert without("http://a.example/x?a=1", "a") == "http://a.example/x"


async def test_a_session_in_the_path_is_learned_too(tmp_path):
    addresses = [f"/a;s={number}" for number in range(12)]
    site = {"/": Made(text="home", links=("/a", *addresses))} | {
        path: Made(text="alpha") for path in ("/a", *addresses)
    }
    (night,) = await nights(tmp_path, site)
    assert night.dropped == {";s"}


KEPT = {
    "an id": {f"/a?id={number}": f"page-{number}" for number in range(10)},
    "a page of a list, the first shown without it": {
        **{f"/l{number}?id=1": f"list-{number}" for number in range(9)},
        **{f"/l{number}?id=2": f"second-{number}" for number in range(9)},
    },
    "one value on every page": {f"/p{number}?id=1": f"page-{number}" for number in range(9)},
    "one page that differs": {f"/a?id={number}": "same" for number in range(9)} | {"/b?id=1": "x", "/b?id=2": "y"},
    "a page without it that says something else": {f"/a?id={number}": "same" for number in range(9)},
    "a page without it that is not there": {f"/a?id={number}": "same" for number in range(9)},
}


@pytest.mark.parametrize("kind", KEPT)
async def test_a_parameter_that_may_change_a_page_is_kept(tmp_path, kind):
    pages = {path: Made(text=text) for path, text in KEPT[kind].items()}
    bare = {path.partition("?")[0]: answer for path, answer in pages.items() if "=1" in path}
    if "something else" in kind:
        bare = {"/a": Made(text="else")}
    elif "not there" in kind:
        bare = {"/a": Made(status=404)}
    site = {"/": Made(text="home", links=(*bare, *pages))} | bare | pages
    for night in await nights(tmp_path, *[site] * 3, days=16):
        assert night.dropped == set()
        for path, text in KEPT[kind].items():
            assert night.holds(path, text)


async def test_a_parameter_that_changes_a_page_after_all_is_unlearned_and_nothing_stays_lost(tmp_path, caplog):
    """A first night of maintenance shows the same on every address. Later links were left out by then."""
    ids = [f"/a?id={number}" for number in range(30)]
    links = {"/": Made(text="home", links=("/a", *ids[:10], "/more"), has_etag=True)}
    links |= {"/more": Made(text="more", links=tuple(ids), has_etag=True)}
    closed = links | dict.fromkeys(["/a", *ids], Made(text="maintenance"))
    opened = links | {"/a": Made(text="list")} | {path: Made(text=f"page-{path[6:]}") for path in ids}
    results = await nights(tmp_path, closed, opened, opened, opened)
    assert [night.dropped for night in results] == [{"id"}, set(), set(), set()]
    assert "changes a page after all" in caplog.text
    for path in ids:
        assert results[2].holds(path, f"page-{path[6:]}")
    assert results[3].status == "done"


async def test_a_value_that_changes_the_page_is_found_though_five_did_not(tmp_path):
    """An id that is unknown shows the list itself, as the list without an id does."""
    unknown = dict.fromkeys(["/a", *(f"/a?id={number}" for number in range(6))], Made(text="list", has_etag=True))
    known = {f"/a?id=tool-{number}": Made(text=f"tool-{number}") for number in range(8)}
    before = unknown | {"/": Made(text="home", links=tuple(unknown))}
    after = unknown | known | {"/": Made(text="home", links=(*unknown, *known))}
    results = await nights(tmp_path, before, *[after] * 3)
    assert results[0].dropped == {"id"}
    assert all(results[3].holds(path, path[6:]) for path in known)


async def test_what_leans_on_a_page_is_asked_for_once_that_page_fails(tmp_path):
    site = sessions(home=("/a",), count=10)
    first, second, third = await nights(
        tmp_path, site, site | {"/a": Made(status=410)}, site | {"/a": Made(status=410)}
    )
    assert first.dropped == {"sid"}
    assert asked(second) + asked(third) >= 1
    assert any(standing == "held" for path, standing in third.standing.items() if "sid" in path)


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("xy"), st.sampled_from("123456")), max_size=60))
def test_nothing_is_the_same_that_ever_differed_and_nothing_is_enough_before_five_values(seen):
    """Pages a, b, c with the parameter x or y: words follow from the page and from y, never from x."""
    lessons = Lessons()
    for bare in "abc":
        lessons.note(bare, "x", bare)
    for bare, name, value in seen:
        said = bare if name == "x" else bare + value
        is_same = lessons.note(bare, name, said, f"{bare}?{name}={value}", value)
        assert is_same or name == "y"
    values = {
        value
        for bare in "abc"
        if len(of_page := {value for page, name, value in seen if (page, name) == (bare, "x")}) >= 2
        for value in of_page
    }
    assert bool(lessons.same("x")) == (len(values) >= 5)
    assert lessons.same("y") == {}
