"""Clocks that are set between and during runs: pages stay due, runs keep their order, a run has one clock."""

from datetime import UTC, datetime, timedelta

import pytest

from builders.nights import START, night, page
from verdicts.fetch.model.snapshot import new_run_id
from verdicts.fetch.run import context
from verdicts.fetch.run.endings import read_reasons
from verdicts.fetch.run.ingest import Source, ingest
from verdicts.fetch.run.why import reason_lines
from verdicts.fetch.store.store import open_store

YEAR = timedelta(days=365)


def text_file(folder):
    path = folder / "dump.txt"
    path.write_text("A dump.")
    return path


@pytest.mark.parametrize("ahead", [timedelta(days=45), YEAR])
async def test_a_night_under_a_clock_that_was_ahead_does_not_stop_the_next_ones(tmp_path, ahead):
    site = {"/page": page("/p"), "/p": page(etag='"one"')}
    await night(tmp_path, site, at=START + ahead)
    after = await night(tmp_path, site, at=START)
    assert after.asked["/p"] == 1
    assert (after.run.fetched, after.run.unchanged) == (0, 2)
    with open_store(tmp_path, command="test", read_only=True) as store:
        assert [run.started_at for run in store.read_crawls()] == [START + ahead, START]
    following = await night(tmp_path, site, at=START + timedelta(hours=1))
    assert following.asked["/p"] == 0


async def test_what_is_read_after_a_clock_was_ahead_is_newer_than_what_was_read_then(tmp_path):
    await night(tmp_path, {"/page": page("/p"), "/p": page("/old")}, at=START + YEAR)
    await night(tmp_path, {"/page": page("/p"), "/p": page("/new")}, at=START)
    with open_store(tmp_path, command="test") as store:
        run = ingest(store, [Source(text_file(tmp_path), None)], clock=lambda: START)
        dated = [(entry.fetched_at, entry.crawl_id) for entry in store.index()]
    assert len({crawl_id for _, crawl_id in dated}) == 3
    assert dated[-1][1] == run.crawl_id
    assert [moment for moment, _ in dated] == sorted(moment for moment, _ in dated)
    assert all(f"{moment:%Y%m%dT%H%M%SZ}" >= crawl_id[:16] for moment, crawl_id in dated)


async def test_a_clock_that_is_set_back_a_day_makes_nothing_due_twice(tmp_path):
    site = {"/page": page("/p"), "/p": page()}
    await night(tmp_path, site, at=START)
    back = await night(tmp_path, site, at=START - timedelta(days=1))
    assert back.asked["/p"] == 0


async def test_a_clock_that_is_set_back_is_named_and_all_is_asked_for_on_demand(tmp_path):
    site = {"/page": page("/p"), "/p": page()}
    await night(tmp_path, site, at=START)
    back = await night(tmp_path, site, at=START - timedelta(days=3))
    with open_store(tmp_path, command="test", read_only=True) as store:
        line, *_ = reason_lines(read_reasons(store, back.run.crawl_id))
        named = "the last run lies 3 days in the future (2026-11-01 01:30 UTC): check this machine's clock"
        assert line == f"{named}; 2 addresses that it asked for are not due, and 'verdicts run --all' asks anyway"
    everything = await night(tmp_path, site, at=START - timedelta(days=3), everything=True)
    assert (everything.asked["/page"], everything.asked["/p"]) == (1, 1)
    with open_store(tmp_path, command="test", read_only=True) as store:
        assert read_reasons(store, everything.run.crawl_id).clock is None


async def test_a_clock_that_runs_on_is_not_named(tmp_path):
    for minutes in (0, -30, 30):
        result = await night(tmp_path, {"/page": page()}, at=START + timedelta(minutes=minutes))
        with open_store(tmp_path, command="test", read_only=True) as store:
            assert "future" not in "".join(reason_lines(read_reasons(store, result.run.crawl_id)))


def test_runs_are_in_order_whatever_the_clock_says():
    first = new_run_id(START + YEAR)
    second = new_run_id(START, first)
    third = new_run_id(START - YEAR, second)
    assert first < second < third
    assert second.startswith(f"{START + YEAR + timedelta(seconds=1):%Y%m%dT%H%M%SZ}-")
    assert new_run_id(START, new_run_id(START)).startswith(f"{START + timedelta(seconds=1):%Y%m%dT%H%M%SZ}-")
    assert new_run_id(START + 2 * YEAR, third).startswith(f"{START + 2 * YEAR:%Y%m%dT%H%M%SZ}-")


def test_a_run_has_one_clock_whatever_becomes_of_the_machines(monkeypatch):
    clock = context.make_steady_clock()
    before = clock()
    monkeypatch.setattr(context, "utc_now", lambda: datetime(2030, 1, 1, tzinfo=UTC))
    assert timedelta() <= clock() - before < timedelta(minutes=1)
