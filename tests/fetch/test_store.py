"""The raw store: readable by any WARC reader, held by one run; a commit is atomic, and the index agrees with it."""

import gzip
import os
import signal
import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from fastwarc.warc import ArchiveIterator, WarcRecordType

from builders.fault_server import answer, faults
from verdicts.fetch.model.fetch_errors import StoreLocked
from verdicts.fetch.model.site import Site
from verdicts.fetch.model.snapshot import Snapshot
from verdicts.fetch.run.crawl import crawl
from verdicts.fetch.run.ingest import Source, ingest
from verdicts.fetch.store import segments
from verdicts.fetch.store.frontier import add
from verdicts.fetch.store.store import open_store

NIGHT = datetime(2026, 11, 1, tzinfo=UTC)
CRAWL = "20261101T013000Z-aaaa"


class Interrupted(Exception):
    pass


def page(number):
    url = f"http://a.example/{number}"
    return Snapshot(url, url, NIGHT, 200, (("content-type", "text/html"),), b"page %d" % number * 50, CRAWL)


def interrupt(store):
    with store.transaction():
        store.keep(page(2))
        raise Interrupted


def bodies(store):
    return [store.read(entry.location).body for entry in store.index()]


def records(store):
    return [
        record.headers["WARC-Target-URI"]
        for path in sorted(store.raw.iterdir())
        for record in ArchiveIterator(path.open("rb"), record_types=WarcRecordType.response)
    ]


def test_what_went_wrong_first_is_raised_though_the_state_cannot_be_closed_then(tmp_path):
    """A query of the failed body is still open, and SQLite says of the file: database table is locked."""

    def fail(store):
        rows = store.state.execute("SELECT * FROM urls")
        raise Interrupted(next(rows))

    with open_store(tmp_path, command="test") as store:
        pages = [(url, url) for url in ("http://a.example/1", "http://a.example/2")]
        add(store.state, pages, crawl_id=CRAWL, source="test")
        store.state.commit()
    with pytest.raises(Interrupted) as raised, open_store(tmp_path, command="test") as store:
        fail(store)
    assert "cleaning up failed too" in raised.value.__notes__[0]
    with open_store(tmp_path, command="test") as store:
        assert store.state.execute("SELECT count(*) FROM urls").fetchone() == (2,)


def test_a_record_of_a_broken_transaction_is_neither_indexed_nor_in_the_way(tmp_path):
    with open_store(tmp_path, command="test") as store:
        store.begin(CRAWL, "crawl", NIGHT)
        with store.transaction():
            store.keep(page(1))
        with pytest.raises(Interrupted):
            interrupt(store)
        with store.transaction():
            store.keep(page(3))
        assert bodies(store) == [page(1).body, page(3).body]
    with open_store(tmp_path, command="test") as store:
        assert bodies(store) == [page(1).body, page(3).body]
        assert records(store) == [page(1).url, page(3).url]


def test_a_broken_transaction_takes_no_other_of_its_group_with_it(tmp_path, monkeypatch):
    with open_store(tmp_path, command="test") as store:
        store.begin(CRAWL, "crawl", NIGHT)
        with store.group_commits():
            for number in (1, 3):
                with store.transaction():
                    store.keep(page(number))
                with pytest.raises(Interrupted):
                    interrupt(store)
            # One that begins a segment of its own leaves none of it behind either.
            monkeypatch.setattr(segments, "SEGMENT_BYTES", 1)
            with pytest.raises(Interrupted):
                interrupt(store)
            with store.transaction():
                store.keep(page(4))
    with open_store(tmp_path, command="test") as store:
        assert bodies(store) == [page(number).body for number in (1, 3, 4)]
        assert records(store) == [page(number).url for number in (1, 3, 4)]


def test_a_head_too_long_to_be_read_again_loses_its_longest_headers_and_not_the_page(tmp_path):
    headers = (("set-cookie", "c" * 20_000), ("content-type", "text/html"), ("x-policy", "p" * 15_000), ("etag", '"1"'))
    with open_store(tmp_path, command="test") as store:
        store.begin(CRAWL, "crawl", NIGHT)
        with store.transaction():
            location = store.keep(replace(page(1), headers=headers))
        read = store.read(location)
    assert read.body == page(1).body
    assert [name for name, _ in read.headers] == ["content-type", "x-policy", "etag", "x-archive-dropped"]


def test_a_segment_is_rolled_at_its_size_and_each_begins_with_who_wrote_it(tmp_path, monkeypatch):
    monkeypatch.setattr(segments, "SEGMENT_BYTES", 1_500)
    with open_store(tmp_path, command="test") as store:
        store.begin(CRAWL, "crawl", NIGHT)
        with store.transaction():
            for number in range(6):
                store.keep(page(number))
    with open_store(tmp_path, command="test") as store:
        assert bodies(store) == [page(number).body for number in range(6)]
        written = sorted(store.raw.iterdir())
    assert len(written) > 1
    assert all(next(iter(ArchiveIterator(path.open("rb")))).record_type == WarcRecordType.warcinfo for path in written)


async def test_a_304_leaves_a_revisit_record_that_names_what_it_stands_for(tmp_path):
    async def answer_tagged(request, writer):
        is_known = request.headers.get("if-none-match") == '"one"'
        writer.write(answer(b"", "304 Not Modified", etag='"one"') if is_known else answer(b"whole", etag='"one"'))

    url = "http://a.example/"
    async with faults({"/": answer_tagged}) as server:
        site = Site(
            ("a.example",), (url,), resolve={"a.example": ("127.0.0.1", server.port)}, allow_private=True, delay_s=0
        )
        for moment in (NIGHT, NIGHT + timedelta(days=1)):
            with open_store(tmp_path, command="test") as store:
                await crawl(store, [site], user_agent="test", clock=lambda now=moment: now)
    with open_store(tmp_path, command="test", read_only=True) as store:
        (entry,) = store.index()
        last = store.read_fetches()[-1]
        assert (last.outcome, last.body_sha256) == ("unchanged", entry.sha256)
        with (store.raw / last.segment).open("rb") as file:
            file.seek(last.segment_offset)
            revisit = next(iter(ArchiveIterator(file)))
    assert revisit.record_type == WarcRecordType.revisit
    assert revisit.headers["WARC-Profile"].endswith("server-not-modified")
    assert revisit.headers["WARC-Refers-To-Target-URI"] == url
    assert revisit.headers["WARC-Payload-Digest"] == f"sha256:{entry.sha256}"


def clock():
    return datetime(2026, 11, 1, tzinfo=UTC)


@pytest.fixture
def files(tmp_path):
    paths = [tmp_path / f"{name}.txt" for name in ("one", "two", "three")]
    for path in paths:
        path.write_text(f"The words of {path.stem}.")
    return [Source(path, None) for path in paths]


def fill(data, sources):
    with open_store(data, command="ingest") as store:
        return ingest(store, sources, clock=clock)


def test_each_file_is_read_back_as_it_was_by_any_warc_reader_too(tmp_path, files):
    fill(tmp_path / "data", files)
    with open_store(tmp_path / "data", command="test", read_only=True) as store:
        snapshots = [store.read(entry.location) for entry in store.index()]
    assert [snapshot.body for snapshot in snapshots] == [source.path.read_bytes() for source in files]
    assert {snapshot.header("content-type") for snapshot in snapshots} == {"text/plain"}
    (segment,) = (tmp_path / "data" / "raw").iterdir()
    with segment.open("rb") as file:
        bodies = [record.reader.read() for record in ArchiveIterator(file)]
    assert bodies[1:] == [snapshot.body for snapshot in snapshots]


def test_what_a_crash_left_behind_the_last_commit_is_cut_off(tmp_path, files):
    data = tmp_path / "data"
    fill(data, files)
    (segment,) = (data / "raw").iterdir()
    size = segment.stat().st_size
    with segment.open("ab") as file:
        file.write(b"half a record")
    with open_store(data, command="test") as store:
        assert len(store.index()) == 3
    assert [(path.name, path.stat().st_size) for path in (data / "raw").iterdir()] == [(segment.name, size)]


KILLED = """
import os, signal, sys
from pathlib import Path
from fetch.test_store import CRAWL, NIGHT, page
from verdicts.fetch.store.store import open_store

def write_half(file, content, write=os.write):
    write(file, content[: len(content) // 2])
    os.kill(os.getpid(), signal.SIGKILL)

with open_store(Path(sys.argv[1]), command="crawl") as store:
    store.begin(CRAWL, "crawl", NIGHT)
    with store.transaction():
        store.keep(page(1))
    os.write = write_half
    store.keep(page(2))
"""


def test_a_member_torn_by_a_kill_is_cut_off_and_any_reader_reads_the_segment(tmp_path):
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[1])}
    done = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path)], env=environment, check=False)
    assert done.returncode == -signal.SIGKILL
    (segment,) = (tmp_path / "raw").iterdir()
    with pytest.raises(EOFError):
        gzip.decompress(segment.read_bytes())
    with open_store(tmp_path, command="crawl") as store:
        assert bodies(store) == [page(1).body]
        assert gzip.decompress(segment.read_bytes()).count(b"WARC/1.1\r\n") == 2
        store.begin(CRAWL, "crawl", NIGHT)
        with store.transaction():
            store.keep(page(2))
        assert bodies(store) == [page(1).body, page(2).body]
    with open_store(tmp_path, command="test", read_only=True) as store:
        assert records(store) == [page(1).url, page(2).url]


def test_a_second_run_is_refused_with_the_name_of_the_holder(tmp_path):
    second = open_store(tmp_path, command="run")
    with open_store(tmp_path, command="crawl"), pytest.raises(StoreLocked, match=r"'verdicts crawl' \(process \d+"):
        second.__enter__()


def test_a_page_that_returns_to_earlier_content_is_stored_again(tmp_path):
    path = tmp_path / "page.txt"
    outcomes = []
    for words in ("one", "two", "one", "one"):
        path.write_text(words)
        outcomes.append(fill(tmp_path / "data", [Source(path, "http://a.example/page")]).fetched)
    assert outcomes == [1, 1, 1, 0]
