"""The raw store as other tools of web archives read it."""

import gzip
import json
from datetime import UTC, datetime

import pytest
import warcio
from fastwarc.warc import ArchiveIterator

from builders.nights import URL, answer, night, says
from verdicts.fetch.replay.cdxj import make_index_lines, make_surt, read_cdx_records
from verdicts.fetch.store.reader import list_segments
from verdicts.fetch.store.store import open_store


@pytest.mark.parametrize(
    ("url", "key"),
    [
        ("http://a.example/", "example,a)/"),
        ("https://www.a.example/Page/?b=2&a=1", "example,a)/page?a=1&b=2"),
        ("https://a.example:443/x", "example,a)/x"),
        ("http://a.example:8080/x", "example,a:8080)/x"),
        ("http://a.example/c%2B%252B?q=A%2FB+%26+C", "example,a)/c++?+c&q=a/b+"),
        ("http://a.example/%C3%A4?x=100%25", "example,a)/%c3%a4?x=100%25"),
    ],
)
def test_an_address_has_the_key_that_other_tools_give_it(url, key):
    assert make_surt(url) == key


async def test_each_record_is_read_where_the_index_says(tmp_path):
    for day in (1, 2):
        await night(tmp_path / "data", {"/page": says(answer(b"<p>words</p>"))}, at=datetime(2026, 11, day, tzinfo=UTC))
    with open_store(tmp_path / "data", command="test", read_only=True) as store:
        raw, lines = store.raw, [line.decode() for line in make_index_lines(read_cdx_records(store))]
    assert lines == sorted(lines)
    lines = [line for line in lines if URL in line]
    page, revisit = (json.loads(line.split(" ", 2)[2]) for line in lines)
    assert [line.split(" ")[0] for line in lines] == ["example,a)/page"] * 2
    assert [(fields["mime"], fields["status"]) for fields in (page, revisit)] == [
        ("text/html", "200"),
        ("warc/revisit", "200"),
    ]
    for fields, kind, body in ((page, "response", b"<p>words</p>"), (revisit, "revisit", b"")):
        with (raw / fields["filename"]).open("rb") as file:
            file.seek(int(fields["offset"]))
            member = file.read(int(fields["length"]))
        assert gzip.decompress(member).startswith(b"WARC/1.1\r\n")
        with (raw / fields["filename"]).open("rb") as file:
            file.seek(int(fields["offset"]))
            record = next(iter(ArchiveIterator(file)))
            assert (record.headers["WARC-Type"], record.reader.read()) == (kind, body)
            file.seek(int(fields["offset"]))
            record = next(iter(warcio.ArchiveIterator(file)))
            assert (record.rec_type, record.rec_headers["WARC-Target-URI"]) == (kind, URL)
            assert record.content_stream().read() == body


async def test_warcio_finds_every_record_of_a_segment_where_the_index_has_it(tmp_path):
    pages = {f"/{number}": says(answer(b"<p>words %d</p>" % number)) for number in range(5)}
    links = b"".join(b'<a href="/%d">' % number for number in range(5))
    await night(tmp_path, {"/page": says(answer(links)), **pages})
    with open_store(tmp_path, command="test", read_only=True) as store:
        ((segment, size),) = list_segments(store.state)
        indexed = sorted((int(record.offset), int(record.length)) for _, record in read_cdx_records(store))
        assert (store.raw / segment).stat().st_size == size
        with (store.raw / segment).open("rb") as file:
            reader = warcio.ArchiveIterator(file, check_digests=True)
            records = [
                (reader.get_record_offset(), reader.get_record_length(), record.digest_checker.passed)
                for record in reader
                if record.content_stream().read() is not None
            ]
    assert [record[:2] for record in records[1:]] == indexed
    assert len(indexed) == 6
    assert not any(passed is False for *_, passed in records)
