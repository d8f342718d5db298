"""The raw store as other tools of web archives read it."""

import gzip
import json
from datetime import UTC, datetime

import pytest
from fastwarc.warc import ArchiveIterator

from builders.nights import URL, answer, night, says
from verdicts.fetch.care.cdxj import cdx_records, surt, write_index, write_warc
from verdicts.fetch.store.store import open_store


@pytest.mark.parametrize(
    ("url", "key"),
    [
        ("http://a.example/", "example,a)/"),
        ("https://www.a.example/Page/?b=2&a=1", "example,a)/page?a=1&b=2"),
        ("https://a.example:443/x", "example,a)/x"),
        ("http://a.example:8080/x", "example,a:8080)/x"),
    ],
)
def test_an_address_has_the_key_that_other_tools_give_it(url, key):
    assert surt(url) == key


async def test_each_record_is_read_where_the_index_says(tmp_path):
    for day in (1, 2):
        await night(tmp_path / "data", {"/page": says(answer(b"<p>words</p>"))}, at=datetime(2026, 11, day, tzinfo=UTC))
    with open_store(tmp_path / "data", command="test", read_only=True) as store:
        assert write_index(tmp_path / "raw.cdxj", cdx_records(store)) == 2
        records = write_warc(tmp_path / "pages.warc.gz", store, cdx_records(store, URL))
        assert write_index(tmp_path / "pages.cdxj", records) == 2
        assert write_index(tmp_path / "none.cdxj", cdx_records(store, "http://b.example/")) == 0
    whole = (tmp_path / "pages.warc.gz").read_bytes()
    lines = (tmp_path / "pages.cdxj").read_text().splitlines()
    assert lines == sorted(lines)
    for line, mime in zip(lines, ("text/html", "warc/revisit"), strict=True):
        key, moment, fields = line.split(" ", 2)
        found = json.loads(fields)
        assert (key, found["mime"], found["status"]) == ("example,a)/page", mime, "200")
        member = whole[int(found["offset"]) :][: int(found["length"])]
        assert f"WARC-Target-URI: {URL}".encode() in gzip.decompress(member)
        assert moment.startswith("202611")
    with (tmp_path / "pages.warc.gz").open("rb") as file:
        read = [(record.headers["WARC-Type"], record.reader.read()) for record in ArchiveIterator(file)]
    assert read == [("response", b"<p>words</p>"), ("revisit", b"")]
