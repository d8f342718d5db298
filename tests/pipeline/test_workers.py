"""Hostile pages cost themselves: their neighbours are read, the pool goes on, the reason is kept."""

import os
import signal
import threading
from datetime import UTC, datetime
from pathlib import Path

import pytest

from builders.interruptions import break_extractor
from builders.snapshots import keep_pages
from verdicts.demo_site.responses import build_site
from verdicts.extract.model.records import Comparison, Reject
from verdicts.fetch.store.store import open_store
from verdicts.pipeline.logs import FailureLog
from verdicts.pipeline.workers import pool

SITE = "http://demo.verdicts.example"
"""A host with a profile: a page below its `/compare/` is a comparison, or is broken."""

NIGHT = datetime(2026, 11, 1, tzinfo=UTC)
GOOD = [(path, answer.body) for path, answer in build_site().items() if path.startswith("/compare/")][:12]

HOSTILE = {
    "60 MB": b"<html><body><p>" + b"words " * 10_000_000,
    "half a character": b"<html><body>\xff\xfe\xff<p>\xc3(\xa0\xa1",
    "200,000 nested divs": b"<html><body>" + b"<div>" * 200_000,
    "20,000 attributes": b"<html><body><div " + b" ".join(b"a%d=1" % number for number in range(20_000)) + b">x</div>",
    "huge spans": b"<html><body><table><tr><td colspan=9000000000000000>x<td rowspan=100000000>y</table>",
    "50,000 paragraphs": b"<html><body>" + b"<p>A short one.</p>" * 50_000,
    "tables in tables": b"<html><body>" + b"<table><tr><td>" * 20_000,
    "formatting in formatting": b"<html><body>" + b"<b><i>" * 50_000,
    "a line of 20 MB": b"<html><body>" + b"x " * 10_000_000,
    "NULs": b"<html><body>" + bytes(1_000_000),
}  # fmt: skip


def make_rows(data: Path, pages: list[tuple[str, bytes]], count: int = 1, failures: FailureLog | None = None):
    """The rows that workers make of these pages, stored as one crawl."""
    with open_store(data, command="test") as store:
        keep_pages(store, pages, NIGHT)
        entries = [(store.raw / entry.location.segment, entry) for entry in store.index()]
    return pool.read_pages(entries, count, failures or FailureLog())


def read(data: Path, pages: list[tuple[str, bytes]], count: int = 2) -> dict[str, object]:
    pages_read = {}
    for row in make_rows(data, pages, count):
        observation = row.observation
        path = observation.url.removeprefix(SITE)
        assert path not in pages_read
        pages_read[path] = observation.extracted
    return pages_read


def test_hostile_pages_are_done_with_in_time_and_their_neighbours_are_read(tmp_path, monkeypatch, pytestconfig):
    names = [*HOSTILE] if pytestconfig.getoption("--whole") else ["200,000 nested divs", "NULs"]
    monkeypatch.setattr(pool, "PAGE_S", 0.4)
    compared = {f"/compare/evil-vs-{number}": HOSTILE[name] for number, name in enumerate(names)}
    # A page of another kind is read in other ways.
    others = {f"/blog/evil-{number}": HOSTILE[name] for number, name in enumerate(names[::4])}
    neighbours = GOOD[: len(names)]
    in_turn = [page for pair in zip(compared.items(), neighbours, strict=True) for page in pair]
    pages_read = read(tmp_path, [*others.items(), *in_turn], count=1)
    assert {type(pages_read[path]) for path, _ in neighbours} == {Comparison}
    assert {type(pages_read[path]) for path in compared} == {Reject}
    assert Comparison not in {type(pages_read[path]) for path in others}


@pytest.mark.whole
def test_a_page_that_takes_too_much_memory_is_rejected(tmp_path, monkeypatch):
    monkeypatch.setattr(pool, "MEMORY_BYTES", 600_000_000)
    pages_read = read(tmp_path, [GOOD[0], ("/compare/evil-vs-evil", HOSTILE["60 MB"]), GOOD[1]])
    evil = pages_read["/compare/evil-vs-evil"]
    assert isinstance(evil, Reject)
    assert evil.reason in {"too_much_memory", "worker_died"}
    assert [type(pages_read[path]) for path, _ in GOOD[:2]] == [Comparison] * 2


def test_a_worker_killed_from_outside_costs_nothing(tmp_path):
    before = children(os.getpid())
    observations = []
    for row in make_rows(tmp_path, GOOD):
        observations.append(row.observation)
        if len(observations) == 3:
            (victim,) = set(children(os.getpid())) - {*before}
            os.kill(victim, signal.SIGKILL)
    assert sorted(item.url.removeprefix(SITE) for item in observations) == sorted(path for path, _ in GOOD)
    assert all(isinstance(item.extracted, Comparison) for item in observations)
    assert not set(children(os.getpid())) - {*before}


@pytest.mark.whole
def test_a_page_that_waits_for_a_processor_is_not_too_slow(tmp_path, monkeypatch):
    before = children(os.getpid())
    monkeypatch.setattr(pool, "PAGE_S", 0.5)
    rows = make_rows(tmp_path, GOOD[:4])
    read = [next(rows)]
    (waiting,) = set(children(os.getpid())) - {*before}
    os.kill(waiting, signal.SIGSTOP)
    threading.Timer(1.5, os.kill, [waiting, signal.SIGCONT]).start()
    read += rows
    assert [row.kind for row in read] == ["comparison"] * 4


@pytest.mark.whole
def test_a_page_whose_worker_never_gets_on_is_read_again_alone(tmp_path, monkeypatch):
    before = children(os.getpid())
    monkeypatch.setattr(pool, "PAGE_S", 0.2)
    monkeypatch.setattr(pool, "WAIT_S", 1.0)
    rows = make_rows(tmp_path, GOOD[:10])
    read = [next(rows)]
    (stopped,) = set(children(os.getpid())) - {*before}
    os.kill(stopped, signal.SIGSTOP)
    read += rows
    assert [row.kind for row in read] == ["comparison"] * 10
    assert not is_alive(stopped)


@pytest.mark.whole
def test_a_page_that_never_gets_on_ends_by_the_clock(tmp_path, monkeypatch):
    monkeypatch.setattr(pool, "PAGE_S", 1.0)
    monkeypatch.setattr(pool, "WAIT_S", 1.0)
    break_extractor(monkeypatch, tmp_path, GOOD[1][0], "signal.pause()")
    pages_read = read(tmp_path, GOOD[:3])
    rejected = Reject("too_slow", f"the page takes more than {pool.PAGE_S:g} s to read")
    assert pages_read[GOOD[1][0]] == rejected
    assert list(pages_read)[-1] == GOOD[1][0]


def test_a_bug_of_ours_costs_its_page_and_is_told_with_its_traceback(tmp_path, monkeypatch, caplog):
    break_extractor(monkeypatch, tmp_path, GOOD[1][0], r'raise ZeroDivisionError("ours: \ud83d")')
    failures = FailureLog()
    first, second, third = (row.observation.extracted for row in make_rows(tmp_path, GOOD[:3], 1, failures))
    assert (type(first), type(third)) == (Comparison, Comparison)
    assert second == Reject("extractor_failed", "ZeroDivisionError: ours: \\ud83d")
    assert failures.places == [f"{SITE}{GOOD[1][0]}"]
    assert "in broken\n" in caplog.text


def children(pid: int) -> list[int]:
    """The workers that a process has started."""
    tasks = Path(f"/proc/{pid}/task").glob("*/children")
    started = [int(child) for task in tasks for child in task.read_text().split()]
    return [
        child
        for child in started
        if b"verdicts.pipeline.workers.process" in Path(f"/proc/{child}/cmdline").read_bytes()
    ]


def is_alive(pid: int) -> bool:
    try:
        return "(python" in (stat := Path(f"/proc/{pid}/stat").read_text()) and ") Z " not in stat
    except FileNotFoundError:
        return False
