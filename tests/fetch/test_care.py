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
from verdicts.fetch.care.store_verification import verify_segments
from verdicts.fetch.model.fetch_errors import StorageFailed, StoreDamaged
from verdicts.fetch.model.site import Site
from verdicts.fetch.model.snapshot import Snapshot
from verdicts.fetch.model.url_state import Absence
from verdicts.fetch.run.crawl import crawl
from verdicts.fetch.store import checksums
from verdicts.fetch.store.erase import erase
from verdicts.fetch.store.forgotten import Forgotten, make_entry
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


def verify_records(store, night=None):
    return verify_segments(store, lambda *_: None, night)


def verify_store(data):
    with open_store(data, command="verify", read_only=True) as store:
        return verify_records(store)


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
        # A bit of the date in the head of gzip changes nothing.
        for damage in verify_store(folder).damaged:
            assert damage.path == segment
            assert damage.offset <= offset < damage.offset + damage.size
        assert unreadable(folder) <= {damage.offset for damage in verify_store(folder).damaged}
    finally:
        segment.write_bytes(whole)


@pytest.mark.parametrize("length", [0, 1, 700])
def test_a_segment_cut_short_is_found_from_the_record_that_it_cuts(tmp_path, length):
    segment = fill(tmp_path)
    segment.write_bytes(segment.read_bytes()[:length])
    (damage,) = verify_store(tmp_path).damaged
    assert damage.offset <= length < damage.offset + damage.size
    assert damage.why.startswith("the file ends before the end of the record")


def test_a_missing_segment_is_found_in_any_night_and_all_its_pages_are_due(tmp_path):
    fill(tmp_path).unlink()
    with open_store(tmp_path, command="test") as store:
        for day in (0, 1):
            (damage,) = verify_records(store, NIGHT + day * DAY).damaged
            assert damage.why.startswith("the segment is missing")
        assert len(set_aside(store, [damage])) == len(PAGES)
        assert verify_records(store).damaged == ()
        assert all(item.is_lost for item in store.index())
        erase(store, Forgotten({make_entry("page", PAGES[0][0]): "2026-11-01"}), {})
        assert PAGES[0][0] not in {item.url for item in store.index()}


@pytest.mark.parametrize("shares", [3, 28])
def test_each_night_reads_another_share_of_the_segments_and_at_least_one(tmp_path, monkeypatch, shares):
    monkeypatch.setattr(store_verification, "SHARES", shares)
    with open_store(tmp_path, command="test") as store:
        for number in range(3):
            night = NIGHT + number * DAY
            run = store.begin(f"{night:%Y%m%dT%H%M%SZ}-aaaa", "crawl", night).crawl_id
            with store.transaction():
                for _ in range(number + 1):
                    store.keep(Snapshot(URL, URL, night, 200, (("content-type", "text/html"),), b"words", run))
            store.finish(run, night)
        counts = [verify_records(store, NIGHT + number * DAY).records for number in range(3)]
    # With the record of the software in each.
    assert sorted(counts) == [2, 3, 4]


async def test_a_damaged_page_is_asked_for_again_without_conditions_and_stored(tmp_path):
    plays = {"/page": page("/other", etag='"1"'), "/other": page(etag='"2"')}
    await night(tmp_path, plays)
    with open_store(tmp_path, command="repair") as store:
        entry = next(item for item in store.index() if item.url == URL)
        flip(store.raw / entry.location.segment, entry.location.offset + 40)
        (lost,) = set_aside(store, verify_records(store).damaged)
        assert f"{URL} is due" in str(lost)
        assert verify_records(store).damaged == ()
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
            log = [item for item in store.read_fetches() if item.crawl_id == run.crawl_id]
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
        (lost,) = set_aside(store, verify_records(store).damaged)
    assert "an earlier state of" in str(lost)


def test_the_segments_alone_give_the_same_pages_again(tmp_path):
    fill(tmp_path)
    with open_store(tmp_path, command="test") as store:
        before = store.index()
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
        assert store.read_absences() == gone
        assert [(run.crawl_id, run.kind, run.fetched, run.unchanged) for run in store.read_crawls()] == [
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
        assert verify_records(store).damaged == ()


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
            assert len(reader.read_crawls()) == 2
            reader.state.execute("BEGIN")
            reader.read_crawls()
    with open_store(tmp_path, command="test") as store:
        assert len(store.read_crawls()) == 2
    assert checksums.is_as_noted(tmp_path / "state.sqlite") is True
