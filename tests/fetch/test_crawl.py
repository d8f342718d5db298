"""A crawl over real sockets: redirects, retries, budgets, resumption."""

from datetime import timedelta

import pytest

from builders import nights
from builders.fault_server import answer, page, redirect, says
from builders.nights import HOST, OTHER, START
from verdicts.fetch.model.fetch_errors import ContactMissing
from verdicts.fetch.model.site import Limits, Site
from verdicts.fetch.model.url_state import Absence
from verdicts.fetch.run.crawl import crawl
from verdicts.fetch.store.store import open_store

FAST = Limits(connect_s=1, read_s=0.5, total_s=1, attempts=3, backoff_s=0)


async def night(data, plays, **changes):
    """One crawl, by default from the front page. Returns the run, its log and the number of requests by path."""
    result = await nights.night(data, plays, **{"starts": (f"http://{HOST}/",), "limits": FAST} | changes)
    return result.run, result.log, result.asked


def outcomes(log, path):
    return [item.outcome for item in log if item.url == f"http://{HOST}{path}"]


def index(data):
    with open_store(data, command="test", read_only=True) as store:
        return {entry.url: entry.final_url for entry in store.index()}


async def test_a_chain_of_redirects_ends_at_the_limit(tmp_path):
    plays = {"/": page("/r0")} | {f"/r{number}": redirect(f"/r{number + 1}") for number in range(25)}
    run, log, asked = await night(tmp_path, plays)
    assert [item.outcome for item in log].count("redirect_limit") == 1
    assert asked["/r20"] == 0
    assert run.status == "partial"


async def test_a_redirect_from_spelling_to_spelling_ends_too(tmp_path):
    plays = {"/": page("/dir"), "/dir": redirect("/dir/"), "/dir/": redirect("/dir")}
    _, log, _ = await night(tmp_path, plays)
    assert outcomes(log, "/dir") == ["redirected", "redirect_limit"]


@pytest.mark.parametrize("length", [2, 3])
async def test_redirects_from_address_to_address_and_back_are_a_failure(tmp_path, length):
    plays = {"/": page(*(f"/r{number}" for number in range(length)))}
    plays |= {f"/r{number}": redirect(f"/r{(number + 1) % length}") for number in range(length)}
    run, log, asked = await night(tmp_path, plays)
    found = [outcome for number in range(length) for outcome in outcomes(log, f"/r{number}")]
    assert sorted(found) == ["redirect_limit"] + ["redirected"] * (length - 1)
    assert (run.status, run.failed) == ("partial", 1)
    assert all(asked[f"/r{number}"] == 1 for number in range(length))


async def test_a_page_that_is_kept_closes_no_circle(tmp_path):
    """It sends its readers on after a while, to an address that sends them back: there is a page to be had."""
    text = " ".join(f"word{number}" for number in range(2_000))
    body = f'<html><head><meta http-equiv="refresh" content="0;url=/q"></head><body><p>{text}</p></body></html>'
    run, log, _ = await night(tmp_path, {"/": page("/p"), "/p": says(answer(body.encode())), "/q": redirect("/p")})
    assert (outcomes(log, "/p"), outcomes(log, "/q"), run.status) == (["stored"], ["redirected"], "done")


async def test_a_circle_of_redirects_is_seen_by_the_crawl_that_goes_on_after_a_kill(tmp_path):
    with open_store(tmp_path, command="test") as store:
        crawl_id = store.begin("20261101T013000Z-dead", "crawl", START).crawl_id
        with store.transaction():
            rows = [(f"http://{HOST}/a", crawl_id), (f"http://{HOST}/b", None)]
            store.state.executemany(
                "INSERT INTO urls (url, address, host, due_at, handled_in, discovered_in, discovered_from)"
                " VALUES (?1, ?1, 'a.example', '0001', ?2, 'x', 'start')",
                rows,
            )
            store.state.execute(
                "INSERT INTO fetches VALUES (?, ?, ?, 'redirected', 301, 1, ?, 0, 0, NULL, NULL, NULL, ?)",
                (f"{crawl_id}.0000001", crawl_id, rows[0][0], START.isoformat(), rows[1][0]),
            )
    run, log, _ = await night(tmp_path, {"/": page(), "/b": redirect("/a")})
    assert run.crawl_id == crawl_id
    assert outcomes(log, "/b") == ["redirect_limit"]


async def test_a_redirect_is_followed_byte_for_byte_and_without_its_password(tmp_path):
    seen = []

    async def target(request, writer):
        seen.append(request)
        writer.write(answer(b"words"))

    spelled = answer(b"", "301 Moved", location=f"http://me:secret@{HOST}/caf\xe9/").replace("é".encode(), b"\xe9")
    plays = {"/": page("/caf%E9"), "/caf%E9": says(spelled), "/caf%E9/": target}
    _, log, _ = await night(tmp_path, plays)
    assert outcomes(log, "/caf%E9") == ["redirected", "stored"]
    assert "authorization" not in seen[0].headers
    assert index(tmp_path)[f"http://{HOST}/caf%E9"] == f"http://{HOST}/caf%E9/"


async def test_robots_txt_in_a_circle_of_redirects_is_told_and_allows(tmp_path):
    plays = {"/": page(), "/robots.txt": redirect("/rules"), "/rules": redirect("/robots.txt")}
    run, log, asked = await night(tmp_path, plays)
    assert outcomes(log, "/rules") == ["redirect_limit"]
    assert (asked["/"], asked["/robots.txt"], run.status) == (1, 1, "partial")


async def test_a_page_that_one_host_finds_on_another_is_fetched_the_same_night(tmp_path):
    target = f"http://{OTHER}/there"
    plays = {"/": page("/x"), "/x": page("/y"), "/y": page(target), "/there": page()}
    starts = (f"http://{HOST}/", f"http://{OTHER}/nothing")
    await night(tmp_path, plays, hosts=(HOST, OTHER), starts=starts)
    assert target in index(tmp_path)


async def test_the_log_says_which_attempt_brought_the_page(tmp_path):
    busy = answer(b"", "503 Busy")
    _, log, _ = await night(tmp_path, {"/": says(busy, busy, answer(b"whole"))})
    assert [(item.outcome, item.attempt) for item in log if item.url == f"http://{HOST}/"] == [
        ("server_error", 1),
        ("server_error", 2),
        ("stored", 3),
    ]


async def test_a_budget_goes_around_the_whole_site_night_after_night(tmp_path):
    plays = {"/": page("/p1", "/p2", "/p3", "/p4")} | {f"/p{number}": page() for number in range(1, 5)}
    for days in range(3):
        run, _, _ = await night(tmp_path, plays, at=START + timedelta(days=days), max_pages=2, connections=1)
        assert run.fetched + run.unchanged == 2
    assert len(index(tmp_path)) == 5


async def test_a_page_is_a_tombstone_after_three_days_of_404_and_not_after_three_runs(tmp_path):
    plays = {"/": page("/p")}
    for _ in range(4):
        await night(tmp_path, plays)
    with open_store(tmp_path, command="test", read_only=True) as store:
        assert store.read_absences() == {}
    for days in (1, 2):
        await night(tmp_path, plays, at=START + timedelta(days=days))
    with open_store(tmp_path, command="test", read_only=True) as store:
        assert store.read_absences() == {f"http://{HOST}/p": (Absence(START + timedelta(days=2)),)}


async def test_a_tombstone_that_comes_back_is_found_again(tmp_path):
    await night(tmp_path, {"/": page("/p"), "/p": says(answer(b"", "410 Gone"))})
    back_at = START + timedelta(days=31)
    await night(tmp_path, {"/": page("/p"), "/p": page()}, at=back_at)
    with open_store(tmp_path, command="test", read_only=True) as store:
        assert store.read_absences() == {f"http://{HOST}/p": (Absence(START, back_at),)}
        assert f"http://{HOST}/p" in {entry.url for entry in store.index()}


async def test_a_start_address_is_fetched_whatever_the_patterns_say(tmp_path):
    run, _, asked = await night(tmp_path, {"/": page("/in", "/out"), "/in": page(), "/out": page()}, include=("^/in",))
    assert run.fetched == 2
    assert asked["/out"] == 0


@pytest.mark.parametrize(("hours", "is_same"), [(2, True), (30, False)])
async def test_a_crawl_cut_short_goes_on_the_same_night_and_is_over_on_the_next(tmp_path, hours, is_same):
    with open_store(tmp_path, command="test") as store:
        dead = store.begin("20261101T013000Z-dead", "crawl", START).crawl_id
    run, _, _ = await night(tmp_path, {"/": page("/b"), "/b": page()}, at=START + timedelta(hours=hours))
    assert (run.crawl_id == dead) is is_same
    with open_store(tmp_path, command="test", read_only=True) as store:
        assert [crawl.status for crawl in store.read_crawls()] == (["done"] if is_same else ["interrupted", "done"])


async def test_a_live_crawl_needs_a_contact(tmp_path):
    with open_store(tmp_path, command="test") as store:
        with pytest.raises(ContactMissing, match="names no contact"):
            await crawl(store, [Site((HOST,), (f"http://{HOST}/",))], user_agent="verdicts")
        assert store.read_crawls() == []
