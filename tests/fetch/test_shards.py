"""Shards of a public crawl are read where they lie: their pages are those of the same files taken in, or are told."""

import gzip
import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import count, groupby
from pathlib import Path

import pytest
import zstandard

from builders.public_crawl import CrawledPage, crawled_pages, packed, warc, wet
from builders.s3_server import BUCKET, s3_server
from verdicts.fetch.care.cdxj import cdx_records
from verdicts.fetch.care.rebuild import Log, rebuild_state
from verdicts.fetch.intake.ingest import ingest
from verdicts.fetch.intake.sources import Shard, Source
from verdicts.fetch.model.addresses.patterns import address_pattern
from verdicts.fetch.model.errors import ShardChanged, StorageFailed
from verdicts.fetch.objects.ranged import BLOCK_BYTES
from verdicts.fetch.store.store import open_store
from verdicts.fetch.store.warc import ORIGINAL, read_segment

NIGHT = datetime(2026, 11, 1, tzinfo=UTC)

PAGES = crawled_pages(40)
KINDS = {
    "a.warc.gz": packed(warc(PAGES)),
    "a.wet.gz": packed(wet(PAGES)),
    "a.warc": b"".join(warc(PAGES)),
    "a.warc.zst": b"".join(map(zstandard.compress, warc(PAGES))),
}


class Folder:
    """Shards as files below a folder."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def put(self, name: str, content: bytes) -> Shard:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        return Shard(f"file://{path}")

    def remove(self, name: str) -> None:
        (self.root / name).unlink()


class Bucket:
    """Shards as objects of a bucket on loopback."""

    def __init__(self, server) -> None:
        self.server = server

    def put(self, name: str, content: bytes) -> Shard:
        self.server.objects[f"{BUCKET}/crawl/{name}"] = content
        return Shard(f"s3://{BUCKET}/crawl/{name}")

    def remove(self, name: str) -> None:
        del self.server.objects[f"{BUCKET}/crawl/{name}"]


@pytest.fixture
def bucket(monkeypatch):
    with s3_server() as server:
        for name, value in server.environment.items():
            monkeypatch.setenv(name, value)
        yield Bucket(server)


@pytest.fixture(params=["folder", "bucket"])
def place(request, tmp_path):
    return Folder(tmp_path / "crawl") if request.param == "folder" else request.getfixturevalue("bucket")


def take_in(data, *sources, clock=lambda: NIGHT, include=None):
    with open_store(data, command="ingest") as store:
        return ingest(store, sources, clock=clock, include=include)


def held(data):
    """Everything of each page but where it lies and whose run took it in; its headers as they were sent."""
    with open_store(data, command="test", read_only=True) as store:
        entries = store.index()
        by_segment = groupby(entries, key=lambda entry: entry.location.segment)
        offsets = [(segment, [entry.location.offset for entry in group]) for segment, group in by_segment]
        pages = [page for segment, places in offsets for _, page in read_segment(store.raw / segment, places)]
    assert [page.crawl_id for page in pages] == [entry.crawl_id for entry in entries]
    return [
        (replace(page, crawl_id="", headers=sent(page)), replace(entry, crawl_id="", location=None))
        for page, entry in zip(pages, entries, strict=True)
    ]


def sent(page):
    return tuple((name.removeprefix(ORIGINAL), value) for name, value in page.headers)


def log(data):
    with open_store(data, command="test", read_only=True) as store:
        return [(row.url, row.outcome, row.bytes, row.body_sha256) for row in store.fetches()]


def as_file(tmp_path, name, content):
    (tmp_path / "files").mkdir(exist_ok=True)
    path = tmp_path / "files" / name
    path.write_bytes(content)
    return Source(path, None)


def raw_bytes(data):
    return sum(path.stat().st_size for path in (data / "raw").iterdir())


@pytest.mark.parametrize("name", KINDS)
def test_the_pages_of_a_shard_are_those_of_the_same_file_taken_in(place, tmp_path, name):
    take_in(tmp_path / "copied", as_file(tmp_path, name, KINDS[name]))
    run = take_in(tmp_path / "data", place.put(name, KINDS[name]))
    assert run.status == "done"
    assert run.fetched == len(held(tmp_path / "data")) >= 40
    assert held(tmp_path / "data") == held(tmp_path / "copied")
    assert log(tmp_path / "data") == log(tmp_path / "copied")


def test_a_shard_of_many_megabytes_is_read_once_and_not_copied(bucket, tmp_path):
    content = packed(warc(crawled_pages(300, size=150_000)))
    assert len(content) > 4 * BLOCK_BYTES
    shard = bucket.put("large.warc.gz", content)
    take_in(tmp_path / "data", shard)
    assert bucket.server.requests["GET"] == -(-len(content) // BLOCK_BYTES)
    assert raw_bytes(tmp_path / "data") < len(content) / 50
    assert len(held(tmp_path / "data")) == 300


def test_a_shard_whose_pages_are_known_is_not_read_again(bucket, tmp_path):
    shard = bucket.put("a.warc.gz", KINDS["a.warc.gz"])
    take_in(tmp_path / "data", shard)
    before, bucket.server.requests["GET"] = held(tmp_path / "data"), 0
    assert take_in(tmp_path / "data", shard).fetched == 0
    assert bucket.server.requests["GET"] == 0
    assert held(tmp_path / "data") == before


@pytest.mark.parametrize("after", [1, 60, 100, 139])
@pytest.mark.share(3)
def test_an_index_that_was_killed_is_gone_on_with(place, tmp_path, after):
    class Killed(BaseException):
        pass

    calls = count()

    def clock():
        if next(calls) == after:
            raise Killed
        return NIGHT

    shard = place.put("a.warc.gz", packed(warc(crawled_pages(140, size=300))))
    with pytest.raises(Killed):
        take_in(tmp_path / "data", shard, clock=clock)
    take_in(tmp_path / "data", shard, clock=lambda: NIGHT + timedelta(hours=1))
    take_in(tmp_path / "whole", shard)
    bodies = [[page.body for page, _ in held(tmp_path / name)] for name in ("data", "whole")]
    assert bodies[0] == bodies[1]


def test_a_shard_that_goes_away_while_it_is_read_is_told_and_gone_on_with(place, tmp_path):
    content = packed(warc(crawled_pages(150, size=100_000)))
    assert len(content) > 2 * BLOCK_BYTES
    shard, calls = place.put("a.warc.gz", content), count()

    def clock():
        if next(calls) == 30:
            place.remove("a.warc.gz")
        return NIGHT

    run = take_in(tmp_path / "data", shard, clock=clock)
    assert (0 < run.fetched < 150, run.failed, run.status) == (True, 1, "partial")
    place.put("a.warc.gz", content)
    assert take_in(tmp_path / "data", shard, clock=lambda: NIGHT + timedelta(hours=1)).status == "done"
    assert len(held(tmp_path / "data")) == 150


def test_requests_that_fail_are_made_again(tmp_path, monkeypatch):
    with s3_server(one_in=4, seed=3) as server:
        for name, value in server.environment.items():
            monkeypatch.setenv(name, value)
        shard = Bucket(server).put("a.warc.gz", KINDS["a.warc.gz"])
        assert take_in(tmp_path / "data", shard).status == "done"
        take_in(tmp_path / "copied", as_file(tmp_path, "a.warc.gz", KINDS["a.warc.gz"]))
        assert held(tmp_path / "data") == held(tmp_path / "copied")
        assert server.failed.total()


def changed(content: bytes) -> dict[str, bytes | None]:
    other = packed(warc([replace(page, body=page.body.replace(b"Page", b"Cage")) for page in PAGES]))
    return {
        "other pages of the same lengths": other,
        "cut short": content[: len(content) // 2],
        "a record more at its beginning": packed(warc(PAGES[:1])) + content,
        "empty": b"",
    }


@pytest.mark.parametrize("how", changed(b""))
def test_a_shard_that_has_changed_since_is_told_and_never_read_as_something_else(place, tmp_path, how):
    shard = place.put("a.warc.gz", KINDS["a.warc.gz"])
    take_in(tmp_path / "data", shard)
    before = {page.url: page.body for page, _ in held(tmp_path / "data")}
    place.put("a.warc.gz", changed(KINDS["a.warc.gz"])[how])
    with open_store(tmp_path / "data", command="test", read_only=True) as store:
        read = [(entry.url, read_or_told(store, entry.location)) for entry in store.index()]
    told = [item for _, item in read if isinstance(item, ShardChanged)]
    assert all(item.body == before[url] for url, item in read if item not in told)
    assert len(told) >= len(before) / 3
    assert all(shard.address in str(item) for item in told)


def read_or_told(store, location):
    try:
        return store.read(location)
    except ShardChanged as error:
        return error


def test_a_shard_that_has_changed_is_indexed_again(place, tmp_path):
    take_in(tmp_path / "data", place.put("a.warc.gz", packed(warc(PAGES))))
    other = [replace(page, body=page.body.replace(b"Page", b"Cage")) for page in PAGES]
    take_in(tmp_path / "data", place.put("a.warc.gz", packed(warc(other))))
    take_in(tmp_path / "copied", as_file(tmp_path, "a.warc.gz", packed(warc(other))))
    with open_store(tmp_path / "data", command="test", read_only=True) as store:
        assert [store.newest_body(page.url) for page, _ in held(tmp_path / "copied")] == [
            page.body for page, _ in held(tmp_path / "copied")
        ]


def test_a_shard_that_is_gone_is_named(place, tmp_path):
    shard = place.put("a.warc.gz", KINDS["a.warc.gz"])
    take_in(tmp_path / "data", shard)
    place.remove("a.warc.gz")
    with pytest.raises(StorageFailed, match=re.escape(shard.address)):
        held(tmp_path / "data")
    assert take_in(tmp_path / "data", shard).status == "partial"


@pytest.mark.parametrize("name", ["a.warc.gz", "a.wet.gz"])
def test_a_damaged_record_costs_itself_alone_and_is_told(place, tmp_path, name):
    records = (warc if name == "a.warc.gz" else wet)(PAGES)
    members = [packed([record]) for record in records]
    hurt = next(number for number, record in enumerate(records) if b"/page/17" in record and b"Page 17" in record)
    middle = len(members[hurt]) // 2
    members[hurt] = members[hurt][:middle] + bytes(64) + members[hurt][middle + 64 :]
    content = b"".join(members)
    take_in(tmp_path / "copied", as_file(tmp_path, name, content))
    run = take_in(tmp_path / "data", place.put(name, content))
    assert run.status == "partial"
    assert held(tmp_path / "data") == held(tmp_path / "copied")
    urls = {page.url for page, _ in held(tmp_path / "data")}
    whole = {page.url for page in PAGES if page.status == "200 OK" and "png" not in page.url}
    assert whole - urls == {"https://site3.example/page/17"}
    with open_store(tmp_path / "data", command="test", read_only=True) as store:
        told = [row.detail for row in store.fetches() if row.outcome == "unreadable"]
    assert len(told) == 1
    assert f"{name}: the record at byte " in told[0]


def test_what_was_cut_short_when_it_was_crawled_is_told(place, tmp_path):
    cut = CrawledPage("https://a.example/long", b"<p>half", headers=(("WARC-Truncated", "length"),))
    run = take_in(tmp_path / "data", place.put("a.warc.gz", packed(warc([*PAGES[:3], cut, *PAGES[3:6]]))))
    assert run.status == "partial"
    (told,) = [row for row in log(tmp_path / "data") if row[1] == "unreadable"]
    assert told[0] == "https://a.example/long"


def test_a_shard_that_is_packed_as_a_whole_is_told_page_by_page(place, tmp_path):
    run = take_in(tmp_path / "data", place.put("a.warc.gz", gzip.compress(b"".join(warc(PAGES)))))
    assert (run.fetched, run.status) == (0, "partial")
    assert {outcome for _, outcome, *_ in log(tmp_path / "data")} == {"unreadable"}


def test_pages_may_be_chosen_by_their_address(place, tmp_path):
    shard = place.put("a.warc.gz", KINDS["a.warc.gz"])
    take_in(tmp_path / "data", shard, include=address_pattern("site3"))
    assert {page.url for page, _ in held(tmp_path / "data")} == {page.url for page in PAGES if "site3" in page.url}
    take_in(tmp_path / "data", shard, include=address_pattern(r"site[34]"))
    assert {page.url for page, _ in held(tmp_path / "data")} == {
        page.url for page in PAGES if "site3" in page.url or "site4" in page.url
    }


def test_the_index_of_shards_is_made_again_from_the_segments(place, tmp_path):
    take_in(tmp_path / "data", place.put("a.warc.gz", KINDS["a.warc.gz"]), as_file(tmp_path, "b.warc", KINDS["a.warc"]))
    before, rows = held(tmp_path / "data"), log(tmp_path / "data")
    taken = rebuild_state(tmp_path / "data", tmp_path / "data" / "damaged", Log(), lambda *_: None)
    assert taken.damages == []
    assert held(tmp_path / "data") == before
    assert log(tmp_path / "data") == [row for row in rows if row[1] == "stored"]


def test_an_index_for_other_tools_names_what_is_in_the_segments_alone(place, tmp_path):
    pages = [replace(page, url=page.url.replace("https", "http")) for page in PAGES[:9]]
    sources = place.put("a.warc.gz", KINDS["a.warc.gz"]), as_file(tmp_path, "b.warc.gz", packed(warc(pages)))
    take_in(tmp_path / "data", *sources)
    with open_store(tmp_path / "data", command="test", read_only=True) as store:
        assert {record.url.partition(":")[0] for record in cdx_records(store)} == {"http"}
