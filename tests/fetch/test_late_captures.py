"""Captures that are ingested after newer ones: what was known since an earlier day is stored with that day."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise, permutations

import pytest

from builders.nights import HOST, START, night, page
from verdicts.fetch.model.outcome import Outcome
from verdicts.fetch.run.ingest import Source, ingest
from verdicts.fetch.store.store import open_store

OLD, NEW, OTHER = datetime(2024, 3, 1, tzinfo=UTC), datetime(2024, 5, 1, tzinfo=UTC), datetime(2024, 4, 1, tzinfo=UTC)


def record(at, body):
    http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + body
    head = (
        f"WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: http://{HOST}/p\r\nWARC-Date: {at:%Y-%m-%dT%H:%M:%SZ}\r\n"
    )
    length = f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(http)}\r\n\r\n"
    return (head + length).encode() + http + b"\r\n\r\n"


def bring(folder, *captures):
    """Ingests captures, each with its date and body, one run after the other; the outcomes by date."""
    for number, (at, body) in enumerate(captures):
        path = folder / f"{number}-{at:%Y%m%d}.warc"
        path.write_bytes(record(at, body))
        with open_store(folder / "data", command="test") as store:
            ingest(store, [Source(path, None)], clock=lambda: START)
    with open_store(folder / "data", command="test", read_only=True) as store:
        return sorted((entry.fetched_at, store.read(entry.location).body) for entry in store.index())


@pytest.mark.parametrize("captures", [[(OLD, b"one"), (NEW, b"one")], [(OLD, b"one"), (OTHER, b"two"), (NEW, b"one")]])
def test_a_page_has_the_same_history_in_whatever_order_its_captures_come(tmp_path, captures):
    for number, order in enumerate(permutations(captures)):
        (tmp_path / f"{number}").mkdir()
        stored = bring(tmp_path / f"{number}", *order)
        assert changes(stored) == changes(captures), order


def changes(states):
    return [states[0], *(one for before, one in pairwise(states) if one[1] != before[1])]


def test_the_same_capture_again_stores_nothing(tmp_path):
    captures = [(NEW, b"one"), (OLD, b"one"), (OTHER, b"two")]
    once = bring(tmp_path, *captures)
    assert bring(tmp_path, *captures, *captures[::-1]) == once


async def test_a_capture_between_two_visits_of_one_page_does_not_become_its_present_state(tmp_path):
    site = {"/p": page()}
    starts = (f"http://{HOST}/p",)
    before = await night(tmp_path / "data", site, at=NEW, starts=starts)
    again = await night(tmp_path / "data", site, at=NEW + timedelta(days=9), starts=starts)
    assert again.outcomes("/p") == [Outcome.UNCHANGED]
    stored = bring(tmp_path, (NEW + timedelta(days=4), b"another page"))
    bodies = [body for _, body in stored]
    assert bodies == [before.snapshots[0].body, b"another page", before.snapshots[0].body]
    assert stored[-1][0] >= NEW + timedelta(days=9)
