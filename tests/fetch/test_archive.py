"""WARC files of other origin, and a raw store whose state was lost."""

import gzip
import io
from datetime import UTC, datetime

import pytest
from fastwarc.stream_io import GzipWriter
from fastwarc.warc import WarcRecord, WarcRecordType

from verdicts.fetch.model.errors import StorageFailed
from verdicts.fetch.run.ingest import Source, ingest
from verdicts.fetch.store.store import open_store

NIGHT = datetime(2026, 11, 1, tzinfo=UTC)
PAGE = b"<p>A page out of an archive.</p>"


def record(url, body, *, status="200 OK", date="2024-05-01T10:00:00Z", **headers):
    made = WarcRecord()
    made.init_headers(WarcRecordType.response)
    made.is_http = True
    made.headers["WARC-Target-URI"] = url
    made.headers["WARC-Date"] = date
    named = {"content-type": "text/html"} | {name.replace("_", "-"): value for name, value in headers.items()}
    head = "\r\n".join([f"HTTP/1.1 {status}", *(f"{name}: {value}" for name, value in named.items())])
    made.set_bytes_content(head.encode() + b"\r\n\r\n" + body)
    return made


def archive(path, *records):
    file = io.BytesIO()
    for made in records:
        writer = GzipWriter(file)
        made.write(writer)
        writer.finish()
    path.write_bytes(file.getvalue())
    return Source(path, None)


def take_in(data, *sources):
    with open_store(data, command="ingest") as store:
        run = ingest(store, sources, clock=lambda: NIGHT)
        return run, [store.read(entry.location) for entry in store.index()], store.fetches()


def test_pages_of_an_archive_come_decoded_and_with_their_own_date(tmp_path):
    source = archive(
        tmp_path / "a.warc.gz",
        record("http://a.example/zip/", gzip.compress(PAGE), content_encoding="gzip"),
        record("http://a.example/plain", PAGE, content_encoding="gzip"),
        record("http://a.example/chunks", b"%x\r\n%s\r\n0\r\n\r\n" % (len(PAGE), PAGE), transfer_encoding="chunked"),
    )
    run, stored, _ = take_in(tmp_path / "data", source)
    assert (run.fetched, run.status) == (3, "done")
    assert stored[0].url == "http://a.example/zip"
    assert {snapshot.body for snapshot in stored} == {PAGE}
    assert {snapshot.fetched_at for snapshot in stored} == {datetime(2024, 5, 1, 10, tzinfo=UTC)}


@pytest.mark.parametrize(
    ("date", "why"),
    [
        ("9999-12-31T23:59:59Z", "its date, 9999-12-31, lies more than a day ahead of the clock"),
        ("2026-11-02T00:00:01Z", "its date, 2026-11-02, lies more than a day ahead of the clock"),
        ("2026-11-02T00:00:00Z", None),
        ("2026-11-02T09:00:00+14:00", None),
        ("1970-01-01T00:00:00Z", None),
        ("1969-12-31T23:59:59Z", "its date, 1969-12-31, is of no clock: it lies before 1970"),
        ("0001-01-01T00:00:00Z", "its date, 0001-01-01, is of no clock: it lies before 1970"),
        ("0001-01-01T00:00:00+14:00", "its WARC-Date is no date: '0001-01-01T00:00:00+14:00'"),
        ("yesterday", "its WARC-Date is no date: 'yesterday'"),
    ],
)
def test_a_record_whose_date_cannot_be_is_told_and_hides_no_other(tmp_path, date, why):
    source = archive(tmp_path / "a.warc.gz", record("http://a.example/p", PAGE, date=date))
    _, stored, fetches = take_in(tmp_path / "data", source)
    assert [fetch.detail.partition(": the record at byte 0: ")[2] or None for fetch in fetches] == [why]
    assert len(stored) == (why is None)


@pytest.mark.parametrize(
    ("target", "kept"),
    [
        ("HTTP://A.Example/p", "http://a.example/p"),
        ("<http://a.example/p>", "http://a.example/p"),
        ("urn:uuid:1-2", "urn:uuid:1-2"),
        ("http://[::1]/", "http://[::1]/"),
        ("http://[::1", None),
        ("http://a]b/", None),
        ("http://a.example:99999/", None),
        ("//a.example/p", None),
        ("some words", None),
        ("http://a.example/" + "x" * 3_000, None),
        ("urn:" + "x" * 3_000, None),
    ],
)
def test_a_record_about_what_is_no_address_is_told(tmp_path, target, kept):
    source = archive(tmp_path / "a.warc.gz", record(target, PAGE))
    _, stored, fetches = take_in(tmp_path / "data", source)
    assert [snapshot.url for snapshot in stored] == ([] if kept is None else [kept])
    assert [fetch.outcome for fetch in fetches] == ["unreadable" if kept is None else "stored"]
    assert [fetch.url for fetch in fetches] == [source.address if kept is None else kept]


def test_a_state_that_does_not_know_a_segment_moves_it_aside_and_ingest_takes_it_in_again(tmp_path):
    data = tmp_path / "data"
    with open_store(data, command="test"):
        pass
    before = (data / "state.sqlite").read_bytes()
    take_in(data, archive(tmp_path / "a.warc.gz", record("http://a.example/x", PAGE)))
    (data / "state.sqlite").write_bytes(before)
    (data / "state.sqlite.sha256").unlink()
    with open_store(data, command="test") as store:
        assert store.index() == []
    (segment,) = (data / "raw-unknown").iterdir()
    _, stored, _ = take_in(data, Source(segment, None))
    assert [(snapshot.url, snapshot.body) for snapshot in stored] == [("http://a.example/x", PAGE)]


def test_a_state_of_another_version_is_refused_and_not_changed(tmp_path):
    with open_store(tmp_path, command="test") as store:
        store.state.execute("PRAGMA user_version = 99")
    with pytest.raises(StorageFailed, match="version 99"), open_store(tmp_path, command="test"):
        pass
