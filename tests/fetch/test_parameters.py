"""Parameters that the config names make no address of their own."""

from datetime import UTC, datetime, timedelta

from builders.made_sites import ROOT, Made, made_night
from verdicts.fetch.model.site import Site

START = datetime(2026, 11, 1, 1, 30, tzinfo=UTC)
SESSIONS = {
    "/": Made(text="home", links=("/a?sid=1", "/a?b=2&sid=2", "/a?sid=3&b=2", "/a?sid=", "/b;sid=1")),
    "/a": Made(text="alpha"),
    "/a?b=2": Made(text="beta"),
    "/b;sid=1": Made(text="its path is its own"),
}


async def test_addresses_are_asked_for_without_them(tmp_path):
    night = await made_night(tmp_path, SESSIONS, START, ignore_parameters=("sid",))
    assert {path for path in night.asked if not path.endswith((".txt", ".xml"))} == set(SESSIONS)
    assert set(night.asked.values()) == {1}


async def test_a_redirect_that_adds_one_is_another_spelling_of_the_page(tmp_path):
    site = {"/": Made(status=302, location="/?sid=1"), "/?sid=1": Made(text="home")}
    night = await made_night(tmp_path, site, START, ignore_parameters=("sid",))
    assert night.run.status == "done"
    assert night.holds("/", "home")


async def test_addresses_that_were_known_with_one_are_asked_for_no_more_and_said_to_be_skipped(tmp_path):
    known = SESSIONS | {path: Made(text="alpha") for path in ("/a?sid=1", "/a?b=2&sid=2", "/a?b=2&sid=3", "/a?sid=")}
    await made_night(tmp_path, known, START)
    night = await made_night(tmp_path, SESSIONS, START + timedelta(days=1), ignore_parameters=("sid",))
    assert not [path for path in night.asked if "sid" in path and "b;" not in path]
    assert night.skips["parameter"] == 4


def test_a_name_is_written_as_in_the_page_and_not_as_in_the_address():
    site = Site(("a.example",), (f"{ROOT}/",), ignore_parameters=("the id", "é"))
    assert site.preferred_address(f"{ROOT}/x?%C3%A9=1&b=(2)&a&the+id=3&the%20id=4") == f"{ROOT}/x?b=(2)&a"
    assert site.preferred_address("http://b.example/x?%C3%A9=1") == "http://b.example/x?%C3%A9=1"
