"""What a host may ask of a crawler: robots.txt, delays, pauses, robots directives."""

import time
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders.fault_server import answer, says
from builders.nights import DAY, FAST, HOST, OTHER, START, URL, night, page
from verdicts.fetch.http.pace import Throttle, draw_backoff_s, parse_retry_after_s
from verdicts.fetch.model.site import Limits, Site, is_trap
from verdicts.fetch.run.endings import read_reasons
from verdicts.fetch.run.why import reason_lines
from verdicts.fetch.store.store import open_store


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
    assert (result.outcomes(), result.snapshots, result.asked["/page"]) == ([], [], 0)
    assert (result.run.status, result.skips) == ("partial", {"robots_unread": 1})
    again = await night(tmp_path, {"/page": page()}, at=START + DAY)
    assert again.outcomes() == ["stored"]


async def test_a_site_that_closes_its_doors_is_left_and_its_pages_are_kept(tmp_path):
    await night(tmp_path, {"/page": page()})
    result = await night(
        tmp_path, {"/robots.txt": robots("User-agent: *\nDisallow: /"), "/page": page()}, at=START + DAY
    )
    assert (result.outcomes(), result.asked["/page"], len(result.snapshots)) == (["robots_denied"], 0, 1)


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

    def note_moments(name, play):
        async def note(request, writer):
            moments[f"{name} {request.before}"] = time.monotonic()
            await play(request, writer)

        return note

    pause = says(answer(b"", "429 Slow down", retry_after="1"), answer(b"<p>words"))
    plays = {
        "/page": note_moments("paused", pause),
        "/a": note_moments("a", page("/b")),
        "/b": note_moments("b", page()),
    }
    starts, hosts = (URL, f"http://{OTHER}/a"), (HOST, OTHER)
    result = await night(tmp_path, plays, starts=starts, hosts=hosts, limits=Limits(attempts=2, backoff_s=0))
    assert result.outcomes() == ["throttled", "stored"]
    assert moments["paused 1"] - moments["paused 0"] >= 1
    assert moments["b 0"] < moments["paused 1"]


def links(count):
    return tuple(f"/p{number}" for number in range(count))


def limit_rate(every_s, status, count):
    """A site of `count` pages that serves a request every `every_s` and refuses all others."""
    last = [0.0]

    def answer_in_time(body):
        async def play(_, writer):
            is_refused = time.monotonic() - last[0] < every_s
            last[0] = last[0] if is_refused else time.monotonic()
            writer.write(answer(b"", status) if is_refused else answer(body))

        return play

    anchors = "".join(f'<a href="{path}">link</a>' for path in links(count)).encode()
    return {"/page": answer_in_time(anchors)} | {path: answer_in_time(path.encode()) for path in links(count)}


@pytest.mark.parametrize("status", ["429 Slow down", "503 Busy"])
async def test_every_page_of_a_host_that_refuses_fast_requests_is_read(tmp_path, status):
    plays = limit_rate(0.2, status, 12)
    result = await night(tmp_path, plays, delay_s=0.02, limits=Limits(attempts=2, backoff_s=0.02))
    assert [result.outcomes(path)[-1] for path in links(12)] == ["stored"] * 12
    assert sum(result.asked[path] for path in plays) < 13 + 10
    assert result.run.status == "done"
    (line,) = reason_lines(read_lines(tmp_path, result))
    assert line.startswith(f"{HOST}: it slowed us down: ")
    assert f" ({status[:3]}), the delay grew to " in line


def read_lines(data, result):
    with open_store(data, command="test", read_only=True) as store:
        return read_reasons(store, result.run.crawl_id)


async def test_refusals_of_requests_that_were_on_their_way_slow_a_host_down_once():
    throttle = Throttle(0.01, Limits(backoff_s=0.02))
    moments = [await throttle.wait_for_turn() for _ in range(8)]
    for number, sent_at in enumerate(moments):
        throttle.record_refusal(f"/{number}", sent_at)
    assert (throttle.slowest_s, throttle.is_tripped) == (0.02, False)


async def test_walls_between_pages_that_are_answered_slow_a_host_down_once():
    throttle = Throttle(0.001, Limits(backoff_s=0.002))
    for number in range(7):
        for _ in range(3):
            await throttle.wait_for_turn()
            throttle.record_success(0)
        throttle.record_refusal(f"/{number}", await throttle.wait_for_turn(), is_wall=True)
    assert throttle.slowest_s == 0.002
    throttle.record_refusal("/7", await throttle.wait_for_turn(), is_wall=True)
    assert throttle.slowest_s > 0.002


async def test_a_delay_comes_down_slowly_and_not_below_the_configured():
    throttle = Throttle(0.001, Limits(backoff_s=0.002))
    throttle.record_refusal("/", await throttle.wait_for_turn())
    turns = []
    for _ in range(200):
        turns.append(await throttle.wait_for_turn())
        throttle.record_success(0)
    assert throttle.slowest_s == 0.002
    gaps = sorted(later - earlier for earlier, later in zip(turns[-20:], turns[-19:], strict=False))
    assert 0.001 <= gaps[0] < 0.002


async def test_a_page_that_is_always_refused_costs_itself_alone(tmp_path):
    plays = {"/page": page(*links(8))} | {path: page() for path in links(8)} | {"/p3": says(answer(b"", "429 No"))}
    result = await night(tmp_path, plays, limits=Limits(backoff_s=0.01))
    assert (result.asked["/p3"], result.run.fetched, result.run.status) == (4, 8, "partial")


@pytest.mark.parametrize("asked_first", ["/page", "/robots.txt", "/sitemap.xml"])
async def test_a_host_that_asks_for_an_hour_gets_it(tmp_path, asked_first):
    plays = {"/page": page(*links(8))} | {path: page() for path in links(8)}
    for play in ({asked_first: says(answer(b"", "503 Down", retry_after="3600"))}, {}):
        result = await night(tmp_path, plays | play, at=START + timedelta(minutes=20 * (not play)))
        assert result.asked[asked_first] == bool(play)
        assert result.asked["/p1"] == 0
        (line,) = reason_lines(read_lines(tmp_path, result))
        until = "it asks for a pause until 2026-11-01 02:30 UTC (Retry-After); a run after that asks again"
        assert ("asks for a pause of 3,600 s" if play and asked_first == "/page" else until) in line
    assert result.asked.total() == 0
    later = await night(tmp_path, plays, at=START + timedelta(minutes=61))
    assert (later.run.fetched, later.run.status) == (9, "done")


async def test_a_pause_that_a_clock_ahead_wrote_down_does_not_close_a_host(tmp_path):
    hour = {"/page": says(answer(b"", "503 Down", retry_after="3600"))}
    await night(tmp_path, hour, at=START + timedelta(days=300))
    assert (await night(tmp_path, {"/page": page()}, at=START)).outcomes() == ["stored"]


@pytest.mark.parametrize("ahead", [timedelta(hours=2), -timedelta(days=1)])
async def test_a_date_in_retry_after_counts_by_the_clock_of_the_host(tmp_path, ahead):
    theirs = datetime.now(UTC) + ahead
    wait = {"date": theirs, "retry_after": theirs + timedelta(seconds=1)}
    busy = answer(b"", "503 Busy", **{name: format_datetime(moment, usegmt=True) for name, moment in wait.items()})
    began = time.monotonic()
    result = await night(tmp_path, {"/page": says(busy, answer(b"words"))})
    assert (result.outcomes(), time.monotonic() - began >= 0.9) == (["server_error", "stored"], True)


async def test_a_crawl_delay_beyond_what_a_run_waits_brings_one_page_a_night(tmp_path):
    plays = {"/robots.txt": robots("User-agent: *\nCrawl-delay: 86400"), "/page": page("/p0")}
    result = await night(tmp_path, plays)
    assert (result.asked, result.outcomes()) == ({"/robots.txt": 1, "/page": 1}, ["stored"])
    (line,) = reason_lines(read_lines(tmp_path, result))
    assert "its robots.txt asks for 86,400 s between two requests (Crawl-delay)" in line


@pytest.mark.parametrize(
    ("broken", "breaker"), [(answer(b"", "500 Oops"), 5), (answer(b"", "429 Slow down", retry_after="0"), 4)]
)
async def test_a_host_that_keeps_failing_is_not_asked_again(tmp_path, broken, breaker):
    plays = {f"/p{number}": says(broken) for number in range(50)}
    limits = Limits(attempts=1, backoff_s=0, breaker=breaker)
    result = await night(tmp_path, {"/page": page(*plays), **plays}, connections=1, limits=limits)
    assert sum(result.asked[path] for path in plays) == breaker
    assert (result.run.status, result.skips["host_down"]) == ("partial", 50 - breaker)


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
    assert len(result.snapshots) == 3


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
    assert site.prefer_address("http://www.a.example/x/") == "https://a.example/x/"
    assert not site.covers("https://blog.a.example/x")
    assert not Site(("a.example",), ("https://a.example/",)).covers("https://www.a.example/x")


async def test_pages_of_the_other_name_are_asked_for_once(tmp_path):
    hosts = (HOST, f"www.{HOST}")
    plays = {"/page": page(f"http://www.{HOST}/page", f"http://www.{HOST}/x", "/x"), "/x": page()}
    result = await night(tmp_path, plays, hosts=hosts)
    assert (result.asked["/page"], result.asked["/x"]) == (1, 1)


NOW = datetime(2026, 11, 1, 12, 0, 0, tzinfo=UTC)


@given(st.integers(1, 12), st.floats(0, 60))
def test_a_back_off_lies_between_half_and_all_of_its_doubling_bound(attempt, base_s):
    longest = base_s * 2 ** (attempt - 1)
    assert longest / 2 <= draw_backoff_s(attempt, base_s) <= longest


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
        ("2.0", 2),
        ("0", None),
        ("\u00b2", None),
        ("soon", None),
        (None, None),
    ],
)
def test_both_forms_of_retry_after_are_read(value, seconds):
    assert parse_retry_after_s(value, NOW) == seconds


@given(st.text(max_size=40))
def test_no_text_in_retry_after_makes_it_raise_or_negative(value):
    wait = parse_retry_after_s(value, NOW)
    assert wait is None or wait > 0
