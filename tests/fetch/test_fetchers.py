"""Fetchers ask a share of the hosts each, and nothing else; one that is killed goes on where it was."""

import os
import subprocess
import time
from collections import Counter, defaultdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders.fault_server import answer, faults, redirect, says
from builders.fetchers import hosts, list_stored, start_fetcher, write_sites
from builders.nights import DAY, FAST, HOST, OTHER, START, crawl_night, page
from verdicts.fetch.model.share import Share
from verdicts.fetch.model.site import Site
from verdicts.fetch.model.snapshot import new_run_id
from verdicts.fetch.objects import open_objects
from verdicts.fetch.run.endings import read_endings, read_reasons
from verdicts.fetch.run.why import reason_lines
from verdicts.fetch.store.store import open_store

UNCOMMITTED_S = 0.5
"""What a fetcher fetched since its last commit is fetched again when it is killed (`crawl.COMMIT_EVERY_S`)."""

NAMES = st.from_regex(r"[a-z0-9-]{1,20}\.example(:[1-9][0-9]{3})?", fullmatch=True)


@given(NAMES, st.integers(1, 40))
def test_a_host_is_of_exactly_one_share_and_moves_only_to_a_new_fetcher(host, total):
    (before,) = [number for number in range(1, total + 1) if Share(number, total).has(host)]
    (after,) = [number for number in range(1, total + 2) if Share(number, total + 1).has(host)]
    assert after in {before, total + 1}


def test_the_share_of_a_host_is_the_highest_hash_on_every_machine():
    # printf '1 a.example' | b2sum -l 64: 526d1cccbcdec529; '2 a.example': fc5641c61c5bec01; 3: 44bf2c938c7507be
    assert [Share(number, 3).has("a.example") for number in (1, 2, 3)] == [False, True, False]
    # printf '1 b.example' | b2sum -l 64: 6e639939f6b39989; '2 b.example': 2950d3a0182e4449; 3: 329437d054ae659e
    assert [Share(number, 3).has("b.example") for number in (1, 2, 3)] == [True, False, False]


def test_shares_of_many_hosts_are_about_equal():
    owners = Counter(next(n for n in range(1, 5) if Share(n, 4).has(f"{host}.example")) for host in range(4_000))
    assert all(900 < count < 1_100 for count in owners.values()), owners


@given(st.integers(1, 256), st.data())
def test_fetchers_that_start_in_the_same_second_have_other_ids(total, data):
    first, second = (data.draw(st.integers(1, total)) for _ in range(2))
    ids = [{new_run_id(START, None, Share(number, total)) for _ in range(20)} for number in (first, second)]
    assert first == second or not ids[0] & ids[1]


def test_hosts_of_one_site_stay_together_and_a_port_counts():
    site = Site(("www.a.example", "a.example", "shop.a.example"), ("http://a.example/", "http://www.a.example:8080/"))
    assert site.home == "www.a.example:8080"
    assert Site(("a.example",), ("https://a.example/",)).home == "a.example"


def sites(port, *names):
    settings = {"allow_private": True, "delay_s": 0, "limits": FAST}
    return [
        Site((name,), (f"http://{name}/",), resolve=dict.fromkeys(names, ("127.0.0.1", port)), **settings)
        for name in names
    ]


async def test_links_and_redirects_to_hosts_of_another_share_are_recorded_and_not_asked(tmp_path):
    plays = {
        f"{HOST}/": page(f"http://{OTHER}/x", "/away", "http://c.example/"),
        f"{HOST}/away": redirect(f"http://{OTHER}/y"),
        f"{OTHER}/": page("/x"),
        f"{OTHER}/x": page(),
    }
    async with faults(plays) as server:
        result = await crawl_night(tmp_path, sites(server.port, HOST, OTHER), lambda: START, share=Share(2, 2))
    assert result.skips == {"other_site": 1, "other_host": 1}
    assert result.outcomes(f"http://{HOST}/away") == ["out_of_scope"]
    asked = {f"http://{HOST}{path}" for path in ("/", "/away", "/robots.txt", "/sitemap.xml")}
    assert {item.url for item in result.log} == asked
    with open_store(tmp_path, command="test", read_only=True) as store:
        lines = reason_lines(read_reasons(store, result.run.crawl_id))
    assert [line for line in lines if OTHER in line and "which no [[site]] names" in line] == []


async def test_a_host_that_passed_to_another_fetcher_is_left_alone_with_its_addresses(tmp_path):
    plays = {"/": page("/b"), "/b": says(answer(b"words"))}
    async with faults(plays) as server:
        known = sites(server.port, HOST, OTHER)
        await crawl_night(tmp_path, known, lambda: START)
        result = await crawl_night(tmp_path, known, lambda: START + 2 * DAY, share=Share(1, 2), everything=True)
    assert {item.url.split("/")[2] for item in result.log} == {OTHER}
    with open_store(tmp_path, command="test", read_only=True) as store:
        endings = {(item.host, item.ending, item.addresses) for item in read_endings(store.state, result.run.crawl_id)}
        lines = reason_lines(read_reasons(store, result.run.crawl_id))
    assert (HOST, "other_site", 2) in endings
    assert [line for line in lines if HOST in line] == []


def until(is_met, seconds=120.0):
    gives_up_at = time.monotonic() + seconds
    while not is_met():
        assert time.monotonic() < gives_up_at
        time.sleep(0.005)


def wait_for_end(process: "subprocess.Popen[str]") -> str:
    said = process.communicate(timeout=120)[0]
    assert process.returncode == 0, said
    return said


@pytest.mark.whole
def test_a_fetcher_that_is_killed_goes_on_and_no_other_asks_its_hosts(tmp_path):
    asked = []
    with hosts([Share(1, 2), Share(2, 2)], 2, 40, asked) as names:
        config = write_sites(tmp_path / "verdicts.toml", names, delay_s=0.02, store=tmp_path / "store")
        own = {f"{n}/2": [name for name in names if Share(n, 2).has(name)] for n in (1, 2)}
        killed, other = own
        running = {share: start_fetcher(config, share, f"fetcher-{share[0]}") for share in own}
        until(lambda: sum(item.fetcher == f"fetcher-{killed[0]}" for item in [*asked]) > 30)
        running[killed].kill()
        killed_at = time.monotonic()
        running[killed].communicate()
        said = {
            killed: wait_for_end(start_fetcher(config, killed, f"fetcher-{killed[0]}")),
            other: wait_for_end(running[other]),
        }
        dry = subprocess.run(
            [*running[killed].args[:-1], tmp_path / "new", "--dry-run"],
            env=os.environ | {"VERDICTS_SHARE": killed},
            capture_output=True,
            text=True,
            check=True,
        )
    by_host = defaultdict(set)
    for item in asked:
        if item.fetcher != "test":
            by_host[item.host].add(item.fetcher)
    assert by_host == {name: {f"fetcher-{share[0]}"} for share, of in own.items() for name in of}
    for share, of in own.items():
        assert f"share {share}: {len(of)} of {len(names)} sites are asked here" in said[share]
        urls = {f"http://{name}{path}" for name in of for path in ("/", *(f"/p/{n}" for n in range(40)))}
        assert list_stored(tmp_path / f"fetcher-{share[0]}") == urls
    assert dry.stdout.startswith(f"share {killed}: ")
    planned = {line.split("/")[2] for line in dry.stdout.splitlines() if line.startswith("fetch ")}
    assert planned == {*own[killed]}
    pages = Counter((item.host, item.path) for item in asked if item.path.startswith("/p/"))
    first = {(item.host, item.path): item for item in sorted(asked)[::-1]}
    again = [first[page] for page, times in pages.items() if times > 1]
    assert [item for item in again if item.fetcher != f"fetcher-{killed[0]}"] == []
    assert [item for item in again if killed_at - item.at > UNCOMMITTED_S + 0.5] == []
    # What each fetched is where a hub builds from.
    segments = {path.name for share in own for path in (tmp_path / f"fetcher-{share[0]}" / "raw").iterdir()}
    assert {name.removeprefix("raw/") for name in open_objects(str(tmp_path / "store")).names("raw/")} == segments
