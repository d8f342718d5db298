"""Four fetchers share a frontier, one is killed, one stopped past its lease: nothing twice, nothing lost."""

import json
import os
import signal
import time
from collections import Counter, defaultdict
from itertools import pairwise
from random import Random

import psycopg
import pytest

from builders.fetchers import site, start_fetcher, stored
from builders.postgres import new_database
from verdicts.fetch.model.errors import LeaseLost, StorageFailed
from verdicts.fetch.run.shared_frontier import SharedFrontier, acquire
from verdicts.fetch.store.store import open_store

HOSTS = [f"host{number}.example" for number in range(8)]
PAGES = 60
DELAY_S, LEASE_S = 0.04, 2.0
TOLERANCE_S = 0.015
"""A server's thread notes a request some time after it was sent: on a machine with other work, one in a hundred much
later. Where a host passes from one fetcher to another no gap is short; of all gaps, nineteen in twenty are not."""

UNCOMMITTED_S = 0.5
"""What a fetcher fetched since its last commit is fetched again when it is killed (`crawl.COMMIT_EVERY_S`)."""


def until(met, seconds=60.0):
    gives_up_at = time.monotonic() + seconds
    while not met():
        assert time.monotonic() < gives_up_at
        time.sleep(0.005)


@pytest.mark.parametrize("seed", [1])
def test_four_fetchers_of_which_one_is_killed_and_one_stopped(tmp_path, postgres_server, seed):
    chance = Random(seed)
    address = new_database(postgres_server, f"fetchers{seed}")
    names = [f"fetcher{number}" for number in range(4)]
    with site(PAGES) as server:
        running = {name: start_fetcher(address, tmp_path, name, server, HOSTS, DELAY_S, LEASE_S) for name in names}
        until(lambda: all(server.of(name) for name in names))
        killed, stopped = chance.sample(names, 2)
        more = len(server.of(killed)) + chance.randrange(3, 12)
        until(lambda: len(server.of(killed)) >= more)
        running[killed].kill()
        killed_at = time.monotonic()
        more = len(server.of(stopped)) + chance.randrange(3, 12)
        until(lambda: len(server.of(stopped)) >= more)
        os.kill(running[stopped].pid, signal.SIGSTOP)
        stopped_at = time.monotonic()
        others = {name: process for name, process in running.items() if name not in {killed, stopped}}
        said = {name: process.communicate(timeout=120)[0].strip() for name, process in others.items()}
        goes_on_at = time.monotonic()
        os.kill(running[stopped].pid, signal.SIGCONT)
        said[stopped] = running[stopped].communicate(timeout=120)[0].strip()
        asked = [*server.asked]
    assert set(said.values()) <= {"done", "partial"}, said
    assert said | {stopped: "done"} == dict.fromkeys(said, "done")
    assert goes_on_at - stopped_at > LEASE_S

    urls = {f"http://{host}{path}" for host in HOSTS for path in ("/", *(f"/p/{number}" for number in range(PAGES)))}
    with psycopg.connect(address) as database:
        rows = database.execute("SELECT key, content FROM known WHERE relation = 'urls'").fetchall()
    assert {url for url, content in rows if "held" in json.loads(content)} == urls
    assert set().union(*(stored(tmp_path / name) for name in names)) == urls

    by_host = defaultdict(list)
    for request in sorted(asked):
        by_host[request.host].append(request)
    pairs = [pair for of in by_host.values() for pair in pairwise(of)]
    handed_over = [pair for pair in pairs if pair[0].fetcher != pair[1].fetcher]
    assert [pair for pair in handed_over if pair[1].at - pair[0].at < DELAY_S - TOLERANCE_S] == []
    gaps = sorted(later.at - earlier.at for earlier, later in pairs)
    assert gaps[len(gaps) // 20] > DELAY_S - TOLERANCE_S, gaps[:10]

    pages = Counter(f"{request.host}{request.path}" for request in asked if request.path.startswith("/p/"))
    again = {page for page, times in pages.items() if times > 1}
    first = {f"{request.host}{request.path}": request for request in sorted(asked)[::-1]}
    lost = {page: first[page] for page in again}
    ended_at = {killed: killed_at, stopped: stopped_at}
    for page, request in lost.items():
        assert request.fetcher in ended_at, (page, request)
        assert ended_at[request.fetcher] - request.at < UNCOMMITTED_S + 0.5, (page, request)
    assert [request for request in asked if request.fetcher == stopped and request.at > goes_on_at + 0.5] == []
    assert max(pages.values()) <= 3


def test_a_build_knows_what_other_fetchers_found_gone(tmp_path, postgres_server):
    address = new_database(postgres_server, "refreshed")
    shared = SharedFrontier(address)
    with open_store(tmp_path / "fetcher", command="test") as store, shared.opened(store) as frontier:
        lease = acquire(frontier.database, ["a.example"], "fetcher", 0, LEASE_S)
        frontier.held.append(lease)
        with store.transaction():
            store.state.execute(
                "INSERT INTO urls (url, host, due_at, is_gone, discovered_in, discovered_from, url_status)"
                " VALUES ('http://a.example/gone', 'a.example', '0001', 1, 'x', 'start', 'absent')"
            )
        frontier.give()
    with open_store(tmp_path / "hub", command="test") as store:
        assert store.gone_urls() == frozenset()
        shared.refresh(store)
        assert {*store.gone_urls()} == {"http://a.example/gone"}


def test_a_frontier_that_cannot_be_reached_is_told_without_its_password(tmp_path):
    shared = SharedFrontier("postgresql://me:secret@127.0.0.1:1/frontier")
    with (
        open_store(tmp_path, command="test") as store,
        pytest.raises(StorageFailed, match="cannot be used") as failed,
        shared.opened(store),
    ):
        pass
    assert "secret" not in str(failed.value)


def test_a_lease_that_passed_to_another_fetcher_writes_nothing(tmp_path, postgres_server):
    address = new_database(postgres_server, "fenced")
    with open_store(tmp_path, command="test") as store, SharedFrontier(address).opened(store) as frontier:
        lost = acquire(frontier.database, ["a.example"], "first", 0, 0.001)
        frontier.held.append(lost)
        with psycopg.connect(address, autocommit=True) as other:
            until(lambda: acquire(other, ["a.example"], "second", 0, LEASE_S) is not None)
        with store.transaction():
            store.state.execute(
                "INSERT INTO urls (url, host, due_at, discovered_in, discovered_from)"
                " VALUES ('http://a.example/', 'a.example', '0001', 'x', 'start')"
            )
        frontier.give()
        assert frontier.database.execute("SELECT count(*) FROM known").fetchall() == [(0,)]
        with pytest.raises(LeaseLost):
            lost.check()
