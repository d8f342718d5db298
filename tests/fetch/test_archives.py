"""WARC files of other origin: a record that is damaged, or says nonsense of itself, costs itself alone."""

import gzip
import random
from base64 import b32encode
from datetime import UTC, datetime
from hashlib import md5, sha1, sha256

import pytest

from verdicts.fetch.archives.archive_pages import SIZE_LIMIT, Unreadable, read_pages
from verdicts.fetch.archives.archive_records import ArchiveFile, zstd
from verdicts.fetch.model.fetch_errors import StorageFailed
from verdicts.fetch.run.ingest import BATCH, Source, ingest
from verdicts.fetch.store.store import open_store

NIGHT = datetime(2026, 11, 1, tzinfo=UTC)
PACKED = {"": bytes, ".gz": gzip.compress, ".zst": zstd.compress}
PAGE = b"<p>A page out of an archive.</p>"
RESPONSE = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + PAGE
NEVER = b"no such header"


def record(name, content=RESPONSE, version=b"WARC/1.1", **headers):
    named = {
        b"WARC-Type": b"response",
        b"WARC-Target-URI": b"http://a.example/" + name,
        b"WARC-Date": b"2024-05-01T10:00:00Z",
        b"Content-Type": b"application/http; msgtype=response",
        b"Content-Length": b"%d" % len(content),
    } | {key.replace("_", "-").encode(): value for key, value in headers.items()}
    lines = [version, *(key + b": " + value for key, value in named.items() if value != NEVER)]
    return b"\r\n".join(lines) + b"\r\n\r\n" + content + b"\r\n\r\n"


def http(head, body=b"<p>A page.</p>"):
    return head + b"\r\n\r\n" + body


def read(path, parts, packed=bytes):
    path.write_bytes(b"".join(map(packed, parts)))
    found = [*read_pages(ArchiveFile(path), NIGHT)]
    pages = [item.url.rpartition("/")[2] for item in found if not isinstance(item, Unreadable)]
    return pages, [item for item in found if isinstance(item, Unreadable)]


BROKEN = {
    "a date beyond the year 9999": record(b"x", WARC_Date=b"10000-01-01T00:00:00Z"),
    "an offset of days": record(b"x", WARC_Date=b"2024-05-01T10:00:00+99:99"),
    "a date of bytes": record(b"x", WARC_Date=b"\xff\xfe"),
    "no length": record(b"x", Content_Length=NEVER),
    "a length below zero": record(b"x", Content_Length=b"-5"),
    "a length of 2^63": record(b"x", Content_Length=b"9223372036854775807"),
    "a length too small": record(b"x", Content_Length=b"%d" % (len(RESPONSE) - 3)),
    "a length too large": record(b"x", Content_Length=b"%d" % (len(RESPONSE) + 30)),
    "no address": record(b"x", WARC_Target_URI=NEVER),
    "bytes in its address": record(b"x\xe9"),
    "half a surrogate pair in its address": record(b"x\xed\xa0\x80"),
    "a NUL in its address": record(b"x\0"),
    "no type": record(b"x", WARC_Type=NEVER),
    "no HTTP head": record(b"x", b"<p>A page.</p>"),
    "no content": record(b"x", b""),
    "the status 0": record(b"x", http(b"HTTP/1.1 0 OK\r\nContent-Type: text/html")),
    "the status 99999": record(b"x", http(b"HTTP/1.1 99999 OK\r\nContent-Type: text/html")),
    "a chunk of no size": record(
        b"x", http(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked", b"3\r\n<p>\r\nzz\r\n<p>")
    ),
    "cut short by its writer": record(b"x", WARC_Truncated=b"length"),
    "one part of several": record(b"x", WARC_Segment_Number=b"1"),
    "another block": record(b"x", WARC_Block_Digest=b"sha1:" + b"A" * 32),
    "another payload": record(b"x", WARC_Payload_Digest=b"sha256:" + b"0" * 64),
    "half of a page": record(b"x", http(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 99")),
    "lines that end by LF alone": record(b"x").partition(b"HTTP")[0].replace(b"\r", b"") + RESPONSE + b"\r\n" * 2,
    "an unknown version": record(b"x", version=b"WARC/9.9"),
    "a header of a megabyte": record(b"x", X_Long=b"x" * 1_000_000),
    "no record at all": b"\0\xff" * 500,
}


@pytest.mark.parametrize("suffix", PACKED)
def test_a_broken_record_is_named_with_its_place_and_its_neighbours_are_taken(tmp_path, suffix):
    for why, broken in BROKEN.items():
        parts = [record(b"before"), broken, record(b"after")]
        pages, unread = read(tmp_path / f"a.warc{suffix}", parts, PACKED[suffix])
        place = len(PACKED[suffix](parts[0]))
        assert (pages, len(unread)) == (["before", "after"], 1), why
        assert f"the record at byte {place:,}: " in unread[0].detail, why


OK = b"HTTP/1.1 200 OK\r\nContent-Type: text/html"
GZIP = OK + b"\r\nContent-Encoding: gzip"
PAGES = {
    "strange HTTP headers": record(
        b"x", http(b"HTTP/1.1 200 Tr\xe8s bien\r\nContent-Type: text/html\r\nX-\xe9: \xed\xa0\x80\0\r\nno colon")
    ),
    "strange headers of its own": record(b"x", X_Bytes=b"\xfe\0", WARC_Final_URI=b"\xff", X_Folded=b"one\r\n two"),
    "a part of a second in its date": record(b"x", WARC_Date=b"2024-05-01T10:00:00.123456789Z"),
    "packed twice": record(b"x", http(GZIP + b", gzip", gzip.compress(gzip.compress(b"<p>A page.</p>")))),
    "a resource": record(b"x", b"<p>A page.</p>", WARC_Type=b"resource", Content_Type=b"text/html"),
    "a conversion": record(b"x", b"Words.", WARC_Type=b"conversion", Content_Type=b"text/plain"),
}
NO_PAGES = {
    **{f"a {kind.decode()} record": record(b"x", WARC_Type=kind) for kind in (b"request", b"metadata", b"future")},
    "a picture": record(b"x", http(b"HTTP/1.1 200 OK\r\nContent-Type: image/png")),
    "404": record(b"x", http(OK.replace(b"200 OK", b"404 No"))),
    "a part of a page": record(b"x", http(OK.replace(b"200 OK", b"206 Partial Content"))),
    "a body cut off": record(b"x", http(GZIP, gzip.compress(b"<p>A page.</p>" * 99)[:-20])),
    "a bomb": record(b"x", http(GZIP, gzip.compress(bytes(60_000_000)))),
}


@pytest.mark.parametrize("name", [*PAGES, *NO_PAGES])
def test_a_strange_record_is_a_page_or_none_and_costs_nobody_else(tmp_path, name):
    odd = (PAGES | NO_PAGES)[name]
    pages, _ = read(tmp_path / "a.warc", [record(b"before"), odd, record(b"after")])
    assert pages == ["before", *["x"] * (name in PAGES), "after"]


@pytest.mark.parametrize("name", ["a.warc", "a.warc.gz", "a.warc.zst"])
def test_bytes_and_not_names_say_what_an_archive_is(tmp_path, name):
    for content in (b"", RESPONSE, bytes(range(256)) * 400, bytes(10_000)):
        assert read(tmp_path / name, [content])[0] == []
    for packed in PACKED.values():
        assert read(tmp_path / name, [record(b"x")], packed) == (["x"], [])
    assert read(tmp_path / name, [gzip.compress(record(b"x") + record(b"y"))]) == (["x", "y"], [])
    assert read(tmp_path / name, [gzip.compress(record(b"x")) + b"junk"])[0] == ["x"]


@pytest.mark.parametrize("ends", [b"", b"\0" * 3, b"x"])
def test_records_behind_an_empty_member_are_read(tmp_path, ends):
    """bgzip ends a file with one, and files are put together with cat."""
    parts = [record(b"one"), b"", record(b"two"), b"", b"", record(b"three"), b""]
    pages, unread = read(tmp_path / "a.warc.gz", [*map(gzip.compress, parts), ends])
    assert pages == ["one", "two", "three"]
    assert len(unread) <= bool(ends)


@pytest.mark.parametrize("suffix", PACKED)
def test_a_file_that_is_cut_anywhere_in_its_last_record_says_so(tmp_path, suffix):
    whole, last = PACKED[suffix](record(b"whole")), PACKED[suffix](record(b"last"))
    for length in [1, 2, 3, 9, 10, 11, *range(16, len(last) - 12, 16)]:
        pages, (unread,) = read(tmp_path / f"a.warc{suffix}", [whole + last[:length]])
        # Of three bytes of a zstd frame the end of the file is named.
        place = len(whole) + (length if suffix == ".zst" and length <= 3 else 0)
        assert (pages, f"the record at byte {place:,}: " in unread.detail) == (["whole"], True), length


def test_digests_in_any_form_hold_and_unknown_ones_are_passed_over(tmp_path):
    body = b"<p>A page.</p>"
    packed = gzip.compress(body)
    sent = http(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip", packed)
    parts = [
        record(b"a", sent, WARC_Block_Digest=b"sha1:" + b32encode(sha1(sent).digest())),
        record(b"b", sent, WARC_Payload_Digest=b"SHA-256:" + sha256(packed).hexdigest().encode()),
        record(b"c", sent, WARC_Payload_Digest=b"md5:" + md5(body).hexdigest().upper().encode()),
        record(b"d", sent, WARC_Block_Digest=b"xxh3:00", WARC_Payload_Digest=b"\xff"),
    ]
    assert read(tmp_path / "a.warc", parts) == (["a", "b", "c", "d"], [])


def test_a_record_above_the_limit_is_named_and_the_next_one_is_read(tmp_path):
    parts = [record(b"large", RESPONSE + b" " * SIZE_LIMIT), record(b"after")]
    pages, (unread,) = read(tmp_path / "a.warc.gz", parts, gzip.compress)
    assert (pages, unread.url) == (["after"], "http://a.example/large")


def test_a_date_without_an_offset_is_in_utc(tmp_path, monkeypatch):
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    (tmp_path / "a.warc").write_bytes(record(b"x", WARC_Date=b"2024-05-01T10:00:00"))
    (page,) = read_pages(ArchiveFile(tmp_path / "a.warc"), NIGHT)
    assert page.fetched_at == datetime(2024, 5, 1, 10, tzinfo=UTC)


@pytest.mark.parametrize("suffix", PACKED)
def test_damage_anywhere_costs_the_record_it_hits_and_at_most_the_next(tmp_path, suffix):
    for seed in range(25):
        chance = random.Random(seed)
        bodies = [RESPONSE + chance.randbytes(200) for _ in range(8)]
        parts = [PACKED[suffix](record(b"%d" % number, body)) for number, body in enumerate(bodies)]
        spot = chance.randrange(sum(map(len, parts)))
        hit = next(n for n in range(8) if spot < sum(map(len, parts[: n + 1])))
        data = bytearray(b"".join(parts))
        width = chance.randrange(1, 40)
        data[spot : spot + width] = chance.choice([b"", bytes(width), chance.randbytes(width + 20)])
        pages, _ = read(tmp_path / f"a.warc{suffix}", [bytes(data)])
        assert {str(n) for n in range(8)} - {*pages} <= {str(hit), str(hit + 1)}, seed


def archive(path, *records):
    path.write_bytes(b"".join(map(gzip.compress, records)))
    return Source(path, None)


def take_in(data, *sources):
    with open_store(data, command="ingest") as store:
        run = ingest(store, sources, clock=lambda: NIGHT)
        return run, [store.read(entry.location) for entry in store.index()], store.read_fetches()


def test_pages_of_an_archive_come_decoded_and_with_their_own_date(tmp_path):
    chunks = http(OK + b"\r\nTransfer-Encoding: chunked", b"%x\r\n%s\r\n0\r\n\r\n" % (len(PAGE), PAGE))
    parts = [record(b"zip/", http(GZIP, gzip.compress(PAGE))), record(b"y", http(GZIP, PAGE)), record(b"z", chunks)]
    run, stored, _ = take_in(tmp_path / "data", archive(tmp_path / "a.warc.gz", *parts))
    assert (run.fetched, run.status) == (3, "done")
    assert stored[0].url == "http://a.example/zip"
    assert {snapshot.body for snapshot in stored} == {PAGE}
    assert {snapshot.fetched_at for snapshot in stored} == {datetime(2024, 5, 1, 10, tzinfo=UTC)}


def test_an_archive_whose_reading_was_stopped_is_stored_whole_by_the_next_run_and_no_page_twice(tmp_path):
    source = archive(tmp_path / "a.warc.gz", *(record(b"%d" % number) for number in range(2 * BATCH + 50)))
    calls = iter([NIGHT] * (BATCH + 50))
    with pytest.raises(StopIteration), open_store(tmp_path / "data", command="ingest") as store:
        ingest(store, [source], clock=lambda: next(calls))
    with open_store(tmp_path / "data", command="test") as store:
        assert len(store.index()) == BATCH
    run, stored, _ = take_in(tmp_path / "data", source)
    assert (run.fetched, run.unchanged) == (BATCH + 50, BATCH)
    assert len({snapshot.url for snapshot in stored}) == len(stored) == 2 * BATCH + 50


@pytest.mark.parametrize(
    ("date", "why"),
    [
        ("9999-12-31T23:59:59Z", "its date, 9999-12-31, is more than a day ahead of the clock"),
        ("2026-11-02T00:00:01Z", "its date, 2026-11-02, is more than a day ahead of the clock"),
        ("2026-11-02T00:00:00Z", None),
        ("1970-01-01T00:00:00Z", None),
        ("1969-12-31T23:59:59Z", "its date, 1969-12-31, is before 1970"),
        ("0001-01-01T00:00:00+14:00", "its WARC-Date is not a date: '0001-01-01T00:00:00+14:00'"),
        ("yesterday", "its WARC-Date is not a date: 'yesterday'"),
    ],
)
def test_a_record_whose_date_cannot_be_is_told_and_hides_no_other(tmp_path, date, why):
    source = archive(tmp_path / "a.warc.gz", record(b"p", WARC_Date=date.encode()))
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
        ("http://a.example:99999/", None),
        ("some words", None),
        ("http://a.example/" + "x" * 3_000, None),
        ("urn:" + "x" * 3_000, None),
    ],
)
def test_a_record_about_what_is_no_address_is_told(tmp_path, target, kept):
    source = archive(tmp_path / "a.warc.gz", record(b"", WARC_Target_URI=target.encode()))
    _, stored, fetches = take_in(tmp_path / "data", source)
    assert [snapshot.url for snapshot in stored] == ([] if kept is None else [kept])
    assert [fetch.outcome for fetch in fetches] == ["unreadable" if kept is None else "stored"]
    assert [fetch.url for fetch in fetches] == [source.address if kept is None else kept]


def test_a_state_of_another_version_is_refused_and_not_changed(tmp_path):
    with open_store(tmp_path, command="test") as store:
        store.state.execute("PRAGMA user_version = 99")
    with pytest.raises(StorageFailed, match="version 99"), open_store(tmp_path, command="test"):
        pass
