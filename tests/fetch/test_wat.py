"""WAT files name pages and hold none: their pages come out of the WARC files beside them, or that is told."""

import gzip
import json
import os
from datetime import UTC, datetime
from itertools import groupby

import pytest

from builders.public_crawl import crawled_pages, packed, warc, wat
from builders.s3_server import BUCKET, s3_server
from verdicts.fetch.intake.ingest import ingest
from verdicts.fetch.intake.sources import Shard, Source
from verdicts.fetch.model.addresses.patterns import address_pattern
from verdicts.fetch.store.store import open_store
from verdicts.fetch.store.warc import read_segment

NIGHT = datetime(2026, 11, 1, tzinfo=UTC)
PAGES = crawled_pages(40, size=400)
WARC, NAME = packed(warc(PAGES)), "CC-MAIN-0001.warc.gz"
WAT, WAT_NAME = packed(wat(PAGES, NAME)), "CC-MAIN-0001.warc.wat.gz"
WHOLE = {page.url: page.body for page in PAGES if page.status == "200 OK" and "html" in page.media_type}


def take_in(data, source, include=None):
    with open_store(data, command="ingest") as store:
        run = ingest(store, [source], clock=lambda: NIGHT, include=include)
        return run, [row.detail for row in store.fetches() if row.outcome == "unreadable"]


def held(data):
    with open_store(data, command="test", read_only=True) as store:
        groups = groupby(store.index(), key=lambda entry: entry.location.segment)
        places = [(segment, [entry.location.offset for entry in group]) for segment, group in groups]
        return {page.url: page.body for segment, some in places for _, page in read_segment(store.raw / segment, some)}


@pytest.fixture(params=["files", "bucket"])
def crawl(request, tmp_path, monkeypatch):
    """Puts a file of a crawl where it belongs, and names it to `ingest`."""
    if request.param == "files":

        def put(name, content):
            path = tmp_path / "crawl" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
            return Source(path, None)

        yield put
        return
    with s3_server() as server:
        for name, value in server.environment.items():
            monkeypatch.setenv(name, value)

        def put(name, content):
            server.objects[f"{BUCKET}/crawl/{name}"] = content
            return Shard(f"s3://{BUCKET}/crawl/{name}")

        yield put


@pytest.mark.parametrize("folder", ["", "warc/"])
def test_its_pages_are_read_out_of_the_warc_file_beside_it(crawl, tmp_path, folder):
    crawl(f"{folder}{NAME}", WARC)
    run, told = take_in(tmp_path / "data", crawl(f"wat/{WAT_NAME}" if folder else WAT_NAME, WAT))
    assert (run.status, told) == ("done", [])
    assert held(tmp_path / "data") == WHOLE


def test_only_the_pages_that_are_asked_for_are_read(crawl, tmp_path):
    crawl(NAME, WARC)
    take_in(tmp_path / "data", crawl(WAT_NAME, WAT), address_pattern("site3"))
    assert held(tmp_path / "data").keys() == {url for url in WHOLE if "site3" in url}


def test_without_its_warc_file_it_says_how_many_pages_of_which_file_are_missing(crawl, tmp_path):
    wat_file = crawl(WAT_NAME, WAT)
    run, (told,) = take_in(tmp_path / "data", wat_file, address_pattern("site3"))
    asked = sum("site3" in page.url for page in PAGES)
    assert run.status == "partial"
    assert f"{WAT_NAME}: it names {asked} pages of {NAME} and holds none of them: put that file beside it" in told
    crawl(NAME, WARC)
    assert take_in(tmp_path / "data", wat_file)[0].status == "done"
    assert held(tmp_path / "data") == WHOLE


def test_a_warc_file_that_is_another_one_is_told_page_by_page(crawl, tmp_path):
    crawl(NAME, packed(warc(PAGES[3:])))
    _, told = take_in(tmp_path / "data", crawl(WAT_NAME, WAT))
    assert held(tmp_path / "data") == {}
    assert len(told) == len(PAGES)
    assert all("as the WAT file says" in line or "than the WAT file says" in line for line in told)


def test_a_record_that_says_not_where_its_page_lies_costs_itself(crawl, tmp_path):
    crawl(NAME, WARC)
    records = wat(PAGES, NAME)
    hurt = next(number for number, record in enumerate(records) if b'"response"' in record and b"/page/7" in record)
    records[hurt] = records[hurt].replace(b'"Offset"', b'"Off-et"')
    _, (told,) = take_in(tmp_path / "data", crawl(WAT_NAME, packed(records)))
    assert "it does not say where its page lies (KeyError: 'Offset')" in told
    assert WHOLE.keys() - held(tmp_path / "data").keys() == {"https://site0.example/page/7"}


def metadata(file, offset, length, url="http://a.example/"):
    """A record of a WAT file that nobody's crawler writes."""
    container = {"Filename": file, "Offset": offset, "Gzip-Metadata": {"Deflate-Length": length}}
    about = {"WARC-Type": "response", "WARC-Target-URI": url}
    body = json.dumps({"Envelope": {"WARC-Header-Metadata": about}, "Container": container}).encode()
    return b"WARC/1.0\r\nWARC-Type: metadata\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n" % (len(body), body)


@pytest.mark.parametrize(
    ("record", "why"),
    [
        (metadata(NAME, "-5", "10"), "no page can lie where it says"),
        (metadata(NAME, "5", "-1"), "no page can lie where it says"),
        (metadata(NAME, "1" * 30, "10"), "no page can lie where it says"),
        (metadata(NAME, float("inf"), "10"), "OverflowError"),
        (metadata("a\0b", "0", "10"), "no page can lie where it says"),
        (metadata("\ud800", "0", "10"), "no page can lie where it says"),
        (metadata(NAME, "0", "10", "http://a.example/\ud800"), "no page can lie where it says"),
        (metadata("../../outside.warc.gz", "0", "999"), "holds none of them"),
        (metadata("link.warc.gz", "0", "999"), "holds none of them"),
        (metadata("pipe.warc.gz", "0", "999"), "holds none of them"),
        (metadata("n" * 5_000, "0", "999"), "holds none of them"),
    ],
)
def test_what_a_hostile_wat_file_names_is_refused_and_the_next_page_is_read(tmp_path, record, why):
    folder = tmp_path / "crawl"
    folder.mkdir()
    (folder / NAME).write_bytes(WARC)
    (tmp_path / "outside.warc.gz").write_bytes(WARC)
    (folder / "link.warc.gz").symlink_to("../outside.warc.gz")
    os.mkfifo(folder / "pipe.warc.gz")
    (folder / "a.wat.gz").write_bytes(gzip.compress(record) + WAT)
    _, told = take_in(tmp_path / "data", Source(folder / "a.wat.gz", None))
    assert [why in line for line in told] == [True], told
    assert held(tmp_path / "data") == WHOLE
