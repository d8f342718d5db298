"""Parameters that the config names make no address of their own."""

from datetime import UTC, datetime, timedelta

import pytest

from builders.fault_server import answer
from builders.made_sites import ROOT, Made, crawl_made_site
from builders.nights import night
from verdicts.fetch.model.site import Site
from verdicts.fetch.run.endings import read_reasons
from verdicts.fetch.run.why import reason_lines
from verdicts.fetch.store.store import open_store

START = datetime(2026, 11, 1, 1, 30, tzinfo=UTC)
SESSIONS = {
    "/": Made(text="home", links=("/a?sid=1", "/a?b=2&sid=2", "/a?sid=3&b=2", "/a?sid=", "/b;sid=1")),
    "/a": Made(text="alpha"),
    "/a?b=2": Made(text="beta"),
    "/b;sid=1": Made(text="its path is its own"),
}


async def test_addresses_are_asked_for_without_them(tmp_path):
    night = await crawl_made_site(tmp_path, SESSIONS, START, ignore_parameters=("sid",))
    assert {path for path in night.asked if not path.endswith((".txt", ".xml"))} == set(SESSIONS)
    assert set(night.asked.values()) == {1}


async def test_a_redirect_that_adds_one_is_another_spelling_of_the_page(tmp_path):
    site = {
        "/": Made(status=302, location="/?sid=1"),
        "/?sid=1": Made(text="home", links=("/a",)),
        "/a": Made(text="a"),
    }
    night = await crawl_made_site(tmp_path, site, START, ignore_parameters=("sid",))
    assert night.run.status == "done"
    assert night.holds("/", "home")


async def test_addresses_that_were_known_with_one_are_asked_for_no_more_and_said_to_be_skipped(tmp_path):
    known = SESSIONS | {path: Made(text="alpha") for path in ("/a?sid=1", "/a?b=2&sid=2", "/a?b=2&sid=3", "/a?sid=")}
    await crawl_made_site(tmp_path, known, START)
    night = await crawl_made_site(tmp_path, SESSIONS, START + timedelta(days=1), ignore_parameters=("sid",))
    assert not [path for path in night.asked if "sid" in path and "b;" not in path]
    assert night.skips["parameter"] == 4


def test_a_name_is_written_as_in_the_page_and_not_as_in_the_address():
    site = Site(("a.example",), (f"{ROOT}/",), ignore_parameters=("the id", "é"))
    assert site.prefer_address(f"{ROOT}/x?%C3%A9=1&b=(2)&a&the+id=3&the%20id=4") == f"{ROOT}/x?b=(2)&a"
    assert site.prefer_address("http://b.example/x?%C3%A9=1") == "http://b.example/x?%C3%A9=1"


@pytest.mark.parametrize(("name", "is_named"), [("sid", True), ("number", False)])
async def test_a_parameter_that_makes_thousands_of_addresses_is_named(tmp_path, name, is_named):
    """A session id in every link makes five pages endless; ten lists of twelve pages do not."""

    async def play(request, writer):
        links = "".join(
            f'<a href="/page?p={p}&{name}={request.before * 220 + n}">x</a>' for p in range(5) for n in range(220)
        )
        few = "".join(f'<a href="/page?list={p}&{name}={n}">x</a>' for p in range(10) for n in range(12))
        writer.write(answer(f"<p>words {links if is_named else few}</p>".encode()))

    result = await night(tmp_path, {"/page": play}, max_pages=1)
    with open_store(tmp_path, command="test", read_only=True) as store:
        (line,) = reason_lines(read_reasons(store, result.run.crawl_id))
    assert "max_pages = 1" in line
    assert ("1,100 addresses differ only in 'sid'" in line) is is_named
    assert ("ignore_parameters" in line) is is_named
