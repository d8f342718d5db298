"""A store that lost bytes: what is damaged is named, its page asked for again, the index made again."""

import sqlite3
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from builders.fault_server import faults
from builders.nights import AGENT, DAY, FAST, HOST, START, URL, night, page
from verdicts.fetch.care import store_verification
from verdicts.fetch.care.store_repair import set_aside
from verdicts.fetch.care.store_verification import (
    EVERYTHING,
    Turn,
    last_verification,
    note_verification,
    turn_for,
    verify_segments,
)
from verdicts.fetch.model.fetch_errors import StorageFailed, StoreDamaged
from verdicts.fetch.model.site import Site
from verdicts.fetch.model.snapshot import Snapshot
from verdicts.fetch.model.url_state import Absence
from verdicts.fetch.run.crawl import crawl
from verdicts.fetch.store import checksums
from verdicts.fetch.store.rebuild import Log, rebuild_state
from verdicts.fetch.store.store import open_store

NIGHT = datetime(2026, 11, 1, 1, 30, tzinfo=UTC)
CRAWL = "20261101T013000Z-aaaa"
PAGES = [
    (f"http://a.example/{number}", f"<p>Words of page {number}. {'More. ' * number}".encode()) for number in range(9)
]


def fill(data):
    """A store with a crawl of nine pages and a revisit; gives the path of its segment."""
    with open_store(data, command="test") as store:
        store.begin(CRAWL, "crawl", NIGHT)
        with store.transaction():
            for url, body in PAGES:
                snapshot = Snapshot(url, url, NIGHT, 200, (("content-type", "text/html"),), body, CRAWL)
                store.keep(snapshot)
            store.keep_revisit(snapshot, snapshot.sha256)
        store.finish(CRAWL, NIGHT)
    (segment,) = (data / "raw").iterdir()
    return segment


@pytest.fixture(scope="module")
def filled(tmp_path_factory):
    data = tmp_path_factory.mktemp("store") / "data"
    return data, fill(data), (next((data / "raw").iterdir())).read_bytes()


def verify_store(data, turn=EVERYTHING):
    with open_store(data, command="verify", read_only=True) as store:
        return verify_segments(store, turn, lambda *_: None)


def flip(path, offset, bit=0):
    content = bytearray(path.read_bytes())
    content[offset] ^= 1 << bit
    path.write_bytes(content)


def unreadable(folder):
    """The offsets of records that cannot be read; every other one has its words."""
    broken = set()
    with open_store(folder, command="test", read_only=True) as store:
        for entry, (_, body) in zip(store.index(), PAGES, strict=True):
            try:
                assert store.read(entry.location).body == body
            except StoreDamaged as error:
                broken.add(error.offset)
    return broken


@given(st.data())
@settings(derandomize=True)
def test_any_bit_that_flips_is_found_in_its_record_and_never_read_as_other_words(filled, data):
    folder, segment, whole = filled
    offset, bit = data.draw(st.integers(0, len(whole) - 1)), data.draw(st.integers(0, 7))
    try:
        flip(segment, offset, bit)
        (damage,) = verify_store(folder).damaged
        assert damage.path == segment
        assert damage.offset <= offset < damage.offset + damage.size
        assert unreadable(folder) <= {damage.offset}
    finally:
        segment.write_bytes(whole)


@pytest.mark.parametrize("length", [0, 1, 700])
def test_a_segment_cut_short_is_found_from_the_record_that_it_cuts(tmp_path, length):
    segment = fill(tmp_path)
    segment.write_bytes(segment.read_bytes()[:length])
    for turn in (EVERYTHING, Turn(0, 30)):
        found = verify_store(tmp_path, turn).damaged
        assert found[0].offset <= length < found[0].offset + found[0].size
        assert {"the file ends before the end of the record"} == {item.why.partition(" (")[0] for item in found}


def test_a_segment_that_is_missing_is_found_whatever_the_turn(tmp_path):
    fill(tmp_path).unlink()
    assert len(verify_store(tmp_path, Turn(3, 30)).damaged) == 11


def test_after_as_many_turns_as_shares_every_record_was_read_once(filled, monkeypatch):
    monkeypatch.setattr(store_verification, "STRETCH", 100)
    counts = [verify_store(filled[0], Turn(number, 4)).records for number in range(4)]
    assert sum(counts) == 11
    assert max(counts) < 11


def test_each_verification_that_is_noted_gives_the_turn_to_the_next_share(tmp_path):
    fill(tmp_path)
    with open_store(tmp_path, command="test") as store:
        assert last_verification(store) is None
        for number in range(3):
            turn = turn_for(store.state, 0.3)
            assert turn == (number, 4)
            note_verification(store, verify_segments(store, turn, lambda *_: None), turn, NIGHT + number * DAY)
        noted = last_verification(store)
    assert (noted.verified_at, noted.share, noted.damaged) == (NIGHT + 2 * DAY, 0.25, 0)


def test_what_the_index_has_no_record_of_is_damage(tmp_path):
    fill(tmp_path)
    with open_store(tmp_path, command="test") as store:
        digests = store.state.execute("SELECT segment_offset, size FROM records").fetchall()
        with store.transaction():
            store.state.execute("DELETE FROM records WHERE segment_offset = ?", (digests[4][0],))
        (damage,) = verify_segments(store, EVERYTHING, lambda *_: None).damaged
    assert (damage.offset, damage.size) == digests[4]


async def test_a_damaged_page_is_asked_for_again_without_conditions_and_stored(tmp_path):
    plays = {"/page": page("/other", etag='"1"'), "/other": page(etag='"2"')}
    await night(tmp_path, plays)
    with open_store(tmp_path, command="repair") as store:
        entry = next(item for item in store.index() if item.url == URL)
        flip(store.raw / entry.location.segment, entry.location.offset + 40)
        (lost,) = set_aside(store, verify_segments(store, EVERYTHING, lambda *_: None).damaged)
        assert f"{URL} is due" in str(lost)
        assert verify_segments(store, EVERYTHING, lambda *_: None).damaged == ()
        assert [item.is_lost for item in store.index()] == [item.url == URL for item in store.index()]
    assert len(list((tmp_path / "damaged").iterdir())) == 1
    soon = START + timedelta(hours=1)
    again = await crawl_outcomes(tmp_path, plays, soon)
    assert again == {URL: "stored"}


async def crawl_outcomes(data, plays, at):
    """The outcomes of a crawl, by address; reads none of what is lost."""
    async with faults(plays) as server:
        resolve = {HOST: ("127.0.0.1", server.port)}
        site = Site((HOST,), (URL,), resolve=resolve, allow_private=True, delay_s=0, limits=FAST)
        with open_store(data, command="test") as store:
            run = await crawl(store, [site], user_agent=AGENT, clock=lambda: at)
            log = [item for item in store.fetches() if item.crawl_id == run.crawl_id]
            return {item.url: item.outcome for item in log if not item.url.endswith((".txt", ".xml"))}


def test_an_earlier_state_of_a_page_is_lost_and_nothing_is_due(tmp_path):
    with open_store(tmp_path, command="test") as store:
        store.begin(CRAWL, "crawl", NIGHT)
        with store.transaction():
            for words in (b"first", b"second"):
                store.keep(Snapshot(URL, URL, NIGHT, 200, (("content-type", "text/html"),), words, CRAWL))
        store.finish(CRAWL, NIGHT)
        first = store.index()[0]
        flip(store.raw / first.location.segment, first.location.offset + 20)
        (lost,) = set_aside(store, verify_segments(store, EVERYTHING, lambda *_: None).damaged)
    assert "an earlier state of" in str(lost)


def test_the_segments_alone_give_the_same_pages_again(tmp_path):
    fill(tmp_path)
    with open_store(tmp_path, command="test") as store:
        before, records = store.index(), store.state.execute("SELECT * FROM records").fetchall()
    for path in tmp_path.glob("state.sqlite*"):
        path.unlink()
    with pytest.raises(StorageFailed, match="'verdicts repair'"), open_store(tmp_path, command="run"):
        pass
    gone = {
        "http://a.example/gone": (Absence(NIGHT),),
        "http://a.example/back": (Absence(NIGHT, NIGHT + timedelta(days=1)),),
    }
    taken = rebuild_state(tmp_path, Log(gone=gone), lambda *_: None)
    assert (taken.pages, taken.damaged) == (9, [])
    with open_store(tmp_path, command="test") as store:
        assert store.index() == before
        assert store.state.execute("SELECT * FROM records").fetchall() == records
        assert store.absences() == gone
        assert [(run.crawl_id, run.kind, run.fetched, run.unchanged) for run in store.crawls()] == [
            (CRAWL, "crawl", 9, 1)
        ]
        due = store.state.execute("SELECT count(*) FROM urls WHERE due_at <= ?", (NIGHT.isoformat(),)).fetchone()
    assert due == (10,)


def test_what_is_damaged_too_when_the_index_is_lost_is_left_out_alone(tmp_path):
    segment = fill(tmp_path)
    with open_store(tmp_path, command="test") as store:
        entries = store.index()
    flip(segment, entries[3].location.offset + 30)
    taken = rebuild_state(tmp_path, Log(), lambda *_: None)
    assert [item.offset for item in taken.damaged] == [entries[3].location.offset]
    with open_store(tmp_path, command="test") as store:
        set_aside(store, taken.damaged)
        assert store.index() == [*entries[:3], *entries[4:]]
        assert verify_segments(store, EVERYTHING, lambda *_: None).damaged == ()


@pytest.mark.parametrize("read_only", [True, False])
def test_a_state_with_any_byte_changed_is_not_opened(tmp_path, read_only):
    fill(tmp_path)
    path = tmp_path / "state.sqlite"
    whole = path.read_bytes()
    for offset in range(0, len(whole), len(whole) // 40):
        flip(path, offset, offset % 8)
        opened = open_store(tmp_path, command="test", read_only=read_only)
        with pytest.raises(StoreDamaged, match=r"state\.sqlite: it is not as verdicts closed it"):
            opened.__enter__()
        path.write_bytes(whole)


def test_a_state_whose_run_was_killed_is_looked_at_by_sqlite(tmp_path):
    fill(tmp_path)
    checksums.forget(tmp_path / "state.sqlite")
    with open_store(tmp_path, command="test") as store:
        assert len(store.index()) == 9
    checksums.forget(tmp_path / "state.sqlite")
    with sqlite3.connect(tmp_path / "state.sqlite") as connection:
        ((root,),) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'snapshots_by_url'")
        size = connection.execute("PRAGMA page_size").fetchone()[0]
    flip(tmp_path / "state.sqlite", (root - 1) * size + 3)
    opened = open_store(tmp_path, command="test")
    with pytest.raises(StoreDamaged, match=r"state\.sqlite"):
        opened.__enter__()


def test_a_run_that_writes_is_no_damage_to_who_reads_meanwhile(tmp_path):
    fill(tmp_path)
    with open_store(tmp_path, command="crawl") as writer:
        writer.begin("20261102T013000Z-bbbb", "crawl", NIGHT + DAY)
        with open_store(tmp_path, command="status", read_only=True) as reader:
            assert len(reader.crawls()) == 2
            reader.state.execute("BEGIN")
            reader.crawls()
    with open_store(tmp_path, command="test") as store:
        assert len(store.crawls()) == 2
    assert checksums.is_as_noted(tmp_path / "state.sqlite") is True
