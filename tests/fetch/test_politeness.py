"""What a host may ask of a crawler: robots.txt, delays, pauses, robots directives."""

import asyncio
import time
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders.fault_server import answer, says
from builders.nights import DAY, FAST, HOST, OTHER, START, URL, night, page
from verdicts.fetch.http.pace import Throttle, backoff_s, retry_after_s
from verdicts.fetch.model.site import Limits, Site, is_trap


def robots(text, **headers):
    return says(answer(text if isinstance(text, bytes) else text.encode(), content_type="text/plain", **headers))


@pytest.mark.parametrize(
    "play",
    [
        says(answer(b"", "500 Oops")),
        says(answer(b"", "429 Slow down")),
    ],
)
async def test_a_robots_txt_that_cannot_be_read_forbids_the_host_for_this_run(tmp_path, play):
    result = await night(tmp_path, {"/robots.txt": play, "/page": page()})
    assert (result.outcomes(), result.stored, result.asked["/page"]) == ([], [], 0)
    assert (result.run.status, result.skips) == ("partial", {"robots_unread": 1})
    again = await night(tmp_path, {"/page": page()}, at=START + DAY)
    assert again.outcomes() == ["stored"]


async def test_a_site_that_closes_its_doors_is_left_and_its_pages_are_kept(tmp_path):
    await night(tmp_path, {"/page": page()})
    result = await night(
        tmp_path, {"/robots.txt": robots("User-agent: *\nDisallow: /"), "/page": page()}, at=START + DAY
    )
    assert (result.outcomes(), result.asked["/page"], len(result.stored)) == (["robots_denied"], 0, 1)


@pytest.mark.parametrize(("wish", "delay_s", "least"), [("0.3", 0, 0.3), ("0.01", 0.2, 0.2)])
async def test_a_crawl_delay_is_kept_but_never_one_below_the_configured(tmp_path, wish, delay_s, least):
    asked = []

    async def play(request, writer):
        asked.append(time.monotonic())
        await page("/x")(request, writer)

    plays = {"/robots.txt": robots(f"User-agent: *\nCrawl-delay: {wish}"), "/page": play, "/x": play}
    await night(tmp_path, plays, sitemaps=(URL,), delay_s=delay_s)
    # A request reaches the host some milliseconds after it was sent.
    assert asked[-1] - asked[0] > least * (len(asked) - 1) - 0.1 > 0


async def test_a_slow_host_is_asked_as_slowly_as_it_answers():
    throttle = Throttle(0.01, FAST)
    await throttle.wait_for_turn()
    throttle.record_success(0.3)
    began = time.monotonic()
    await throttle.wait_for_turn()
    assert time.monotonic() - began > 0.25


async def test_a_host_that_asks_for_a_pause_gets_it_while_others_go_on(tmp_path):
    moments = {}

    def noted(name, play):
        async def noting(request, writer):
            moments[f"{name} {request.before}"] = time.monotonic()
            await play(request, writer)

        return noting

    pause = says(answer(b"", "429 Slow down", retry_after="1"), answer(b"<p>words"))
    plays = {"/page": noted("paused", pause), "/a": noted("a", page("/b")), "/b": noted("b", page())}
    starts, hosts = (URL, f"http://{OTHER}/a"), (HOST, OTHER)
    result = await night(tmp_path, plays, starts=starts, hosts=hosts, limits=Limits(attempts=2, backoff_s=0))
    assert result.outcomes() == ["throttled", "stored"]
    assert moments["paused 1"] - moments["paused 0"] >= 1
    assert moments["b 0"] < moments["paused 1"]


async def test_a_pause_of_ten_years_is_cut_to_the_limit():
    throttle = Throttle(0, Limits(retry_after_max_s=0.2))
    throttle.record_failure(315_360_000, is_of_host=True)
    began = time.monotonic()
    await asyncio.wait_for(throttle.wait_for_turn(), timeout=60)
    assert time.monotonic() - began > 0.15


async def test_the_waits_between_attempts_are_drawn_from_the_injected_random(tmp_path):
    class Noting(Random):
        def uniform(self, low, high):
            drawn.append((low, high))
            return low

    drawn = []
    plays = {"/page": says(answer(b"", "503 Busy"))}
    await night(tmp_path, plays, limits=Limits(attempts=3, backoff_s=0.01), random=Noting())
    assert drawn == [(0, 0.005), (0, 0.01), (0, 0.02)]


@pytest.mark.parametrize(
    ("broken", "attempts", "breaker"),
    [(answer(b"", "500 Oops"), 1, 5), (answer(b"", "429 Slow down", retry_after="0"), 2, 4)],
)
async def test_a_host_that_keeps_failing_is_not_asked_again(tmp_path, broken, attempts, breaker):
    plays = {f"/p{number}": says(broken) for number in range(50)}
    limits = Limits(attempts=attempts, backoff_s=0, breaker=breaker)
    result = await night(tmp_path, {"/page": page(*plays), **plays}, connections=1, limits=limits)
    assert sum(result.asked[path] for path in plays) == breaker
    assert (result.run.status, result.skips["host_down"]) == ("partial", 50 - breaker // attempts)


@pytest.mark.parametrize(
    ("play", "outcome", "follows"),
    [
        (page("/next", head='<meta name="robots" content="noindex">'), "noindex", True),
        (page("/next", head='<meta name="robots" content="nofollow">'), "stored", False),
        (page("/next", x_robots_tag="none"), "noindex", False),
        (page("/next", x_robots_tag="verdicts-test: noindex"), "noindex", True),
        (page("/next", x_robots_tag="otherbot: none"), "stored", True),
    ],
)
async def test_a_page_says_whether_it_may_be_kept_and_its_links_followed(tmp_path, play, outcome, follows):
    result = await night(tmp_path, {"/page": play, "/next": page()})
    assert result.outcomes() == [outcome]
    assert result.outcomes("/next") == (["stored"] if follows else [])
    assert result.skips.get("nofollow", 0) == (0 if follows else 1)


async def test_what_is_skipped_is_counted_with_its_reason(tmp_path):
    anchors = b'<a href="/in/x">x</a><a href="/out">x</a><a href="/in/no">x</a><a href="http://c.example/in/">x</a>'
    loops = b'<a href="/in/a/a/a">x</a><a rel=nofollow href="/in/y">x</a>'
    plays = {"/page": says(answer(anchors + loops)), "/in/x": page("/in/z"), "/in/z": page("/in/deep")}
    result = await night(tmp_path, plays, include=("^/in/",), exclude=("/no$",), max_depth=2)
    assert result.skips == dict.fromkeys(("other_host", "excluded", "not_included", "trap", "nofollow", "too_deep"), 1)
    assert result.asked["/in/z"] == 1


async def test_a_spent_budget_is_counted_as_a_reason(tmp_path):
    plays = {"/page": page("/1", "/2", "/3")} | {f"/{number}": page() for number in range(1, 4)}
    result = await night(tmp_path, plays, max_pages=2, connections=1)
    assert (result.run.fetched, result.skips) == (2, {"budget": 2})
    again = await night(tmp_path, plays, at=START + timedelta(hours=1), max_bytes=1, connections=1)
    assert (again.run.fetched, again.skips) == (1, {"budget": 1, "not_due": 2})


async def test_a_narrowed_config_leaves_what_was_known(tmp_path):
    plays = {"/page": page("/a", "/b"), "/a": page(), "/b": page()}
    await night(tmp_path, plays)
    result = await night(tmp_path, plays, at=START + DAY, include=("^/a",))
    assert (result.asked["/a"], result.asked["/b"], result.skips["not_included"]) == (1, 0, 2)
    assert len(result.stored) == 3


@pytest.mark.parametrize(
    ("path", "is_one"),
    [
        ("/compare/x-vs-y", False),
        ("/a/b/a/b", False),
        ("/a/b/a/b/a/b", True),
        ("/" + "/".join("abcdefghijklmnopq"), True),
        ("/?a=1&b=2&c=3&d=4&e=5&f=6&g=7", True),
        ("/?a=1&b=2", False),
    ],
)
def test_a_trap_is_known_by_its_shape(path, is_one):
    assert is_trap(f"http://a.example{path}") is is_one


def test_the_two_names_of_a_site_are_one():
    site = Site(("a.example", "www.a.example"), ("https://a.example/",))
    assert site.preferred_address("http://www.a.example/x/") == "https://a.example/x/"
    assert not site.covers("https://blog.a.example/x")
    assert not Site(("a.example",), ("https://a.example/",)).covers("https://www.a.example/x")


async def test_pages_of_the_other_name_are_asked_for_once(tmp_path):
    hosts = (HOST, f"www.{HOST}")
    plays = {"/page": page(f"http://www.{HOST}/page", f"http://www.{HOST}/x", "/x"), "/x": page()}
    result = await night(tmp_path, plays, hosts=hosts)
    assert (result.asked["/page"], result.asked["/x"]) == (1, 1)


NOW = datetime(2026, 11, 1, 12, 0, 0, tzinfo=UTC)


@given(st.integers(1, 12), st.floats(0, 60), st.integers())
def test_a_back_off_lies_between_half_and_all_of_its_doubling_bound(attempt, base_s, seed):
    longest = base_s * 2 ** (attempt - 1)
    assert longest / 2 <= backoff_s(attempt, base_s, Random(seed)) <= longest


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("7", 7),
        (" 7 ", 7),
        (format_datetime(NOW + timedelta(seconds=7), usegmt=True), 7),
        ("Sun, 01 Nov 2026 12:00:07 -0000", 7),
        ("Sunday, 01-Nov-26 12:00:07 GMT", 7),
        (format_datetime(NOW - timedelta(seconds=7), usegmt=True), None),
        ("-7", None),
        ("1.5", None),
        ("\u00b2", None),
        ("soon", None),
        (None, None),
    ],
)
def test_both_forms_of_retry_after_are_read(value, seconds):
    assert retry_after_s(value, NOW) == seconds


@given(st.text(max_size=40))
def test_no_text_in_retry_after_makes_it_raise_or_negative(value):
    wait = retry_after_s(value, NOW)
    assert wait is None or wait >= 0
