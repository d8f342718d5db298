"""Sitemaps as hosts serve them: whole, broken, hostile."""

import gzip
import time
import tracemalloc
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders.fault_server import answer, faults, says
from builders.nights import HOST, START, URL, crawl_night, page
from verdicts.fetch.model.site import Site
from verdicts.fetch.parse.sitemap import COUNT_LIMIT, SitemapEntry, read_sitemap


def urls(body):
    return [entry.url for entry in list_entries(body)]


def list_entries(body):
    return [entry for piece in read_sitemap(body) for entry in piece]


MOMENT = datetime(2026, 10, 31, 10, tzinfo=UTC)
RSS = (
    b'<?xml version="1.0"?><rss><channel><title>News</title><item><title>One</title><link>http://a.example/1</link>'
    b"<pubDate>Sat, 31 Oct 2026 10:00:00 GMT</pubDate></item><item><link>http://a.example/2?a=1&amp;b=2</link></item>"
    b"</channel></rss>"
)
ATOM = (
    b'<feed xmlns="http://www.w3.org/2005/Atom"><link rel="self" href="http://a.example/feed"/><entry>'
    b'<updated>2026-10-31T10:00:00Z</updated><link rel="alternate" href="http://a.example/1"/>'
    b'<link rel="edit" href="http://a.example/edit"/></entry><entry><link href="http://a.example/2"/></entry></feed>'
)
DATED = b"<urlset><url><loc>http://a.example/1</loc><lastmod>2026-10-31</lastmod></url></urlset>"
TWO = b"<urlset><url><loc>http://a.example/1?x=1&y=2</loc></url><url><loc>http://a.example/z</loc></url></urlset>"
INDEX = b"<sitemapindex><sitemap><loc>http://a.example/1</loc></sitemap></sitemapindex>"
LISTED = b"<urlset>%s<url><loc>http://a.example/x</loc></url></urlset>"
HTML = b"<!doctype html><html><body><a href='http://a.example/x'>x</a><loc>http://a.example/y</loc>"


@pytest.mark.parametrize(
    ("body", "entries"),
    [
        (DATED, [("1", datetime(2026, 10, 31, 23, 59, 59, tzinfo=UTC), "page")]),
        (INDEX, [("1", None, "sitemap")]),
        (RSS, [("1", MOMENT, "page"), ("2?a=1&b=2", None, "page")]),
        (ATOM, [("1", MOMENT, "page"), ("2", None, "page")]),
        (TWO, [("1?x=1&y=2", None, "page"), ("z", None, "page")]),
        (HTML, []),
    ],
)
def test_a_file_gives_its_addresses_with_their_dates(body, entries):
    assert list_entries(body) == [SitemapEntry(f"http://a.example/{path}", *rest) for path, *rest in entries]


@pytest.mark.parametrize(
    ("written", "moment"),
    [
        ("2026-10-31", "2026-10-31T23:59:59+00:00"),
        ("2026-10-31Z", "2026-10-31T23:59:59+00:00"),
        ("2026-10-31+02:00", "2026-10-31T21:59:59+00:00"),
        ("2024-02", "2024-02-29T23:59:59+00:00"),
        ("2026-10-31T00:00:00Z", "2026-10-31T00:00:00+00:00"),
        ("2026-13", None),
        ("0000-01", None),
    ],
)
def test_a_bare_date_means_all_of_it(written, moment):
    (entry,) = list_entries(DATED.replace(b"2026-10-31", written.encode()))
    assert entry.changed_at == (None if moment is None else datetime.fromisoformat(moment))


@pytest.mark.parametrize("loc", ["/deep", "../deep", "deep/x", "map-1.xml", "?page=2", "//a.example/x"])
def test_a_relative_address_is_one_and_words_are_none(loc):
    assert urls(LISTED.replace(b"http://a.example/x", loc.encode()) % b"<url><loc>see our site</loc></url>") == [loc]


@pytest.mark.parametrize("first", ["http://cdn.example/index.xml", "http://cdn.example/moved"])
async def test_a_sitemap_of_the_config_is_read_on_any_host(tmp_path, first):
    plays = {
        "cdn.example/moved": says(answer(b"", "301 Moved", location="/index.xml")),
        "cdn.example/index.xml": says(answer(INDEX.replace(b"http://a.example/1", b"files/one.xml"))),
        "cdn.example/files/one.xml": says(answer(LISTED % b"")),
        "/page": page(),
        "/x": page(),
    }
    resolved = {"hosts": (HOST,), "sitemaps": (first,)}
    async with faults(plays) as server:
        place = ("127.0.0.1", server.port)
        site = Site(**resolved, start_urls=(URL,), resolve={HOST: place, "cdn.example": place}, allow_private=True)
        result = await crawl_night(tmp_path, [replace(site, delay_s=0)], lambda: START, asked=server.asked)
    assert result.outcomes("/x") == ["stored"]
    assert result.asked["/robots.txt"] == 1


@pytest.mark.parametrize("compressed", [False, True])
def test_a_file_of_many_pieces_loses_no_address(compressed):
    names = [f"http://a.example/compare/tool-{number}-vs-tool-{number * 7}" for number in range(20_000)]
    body = "<urlset>" + "".join(f"<url><loc>{name}</loc><lastmod>2026-10-31</lastmod></url>" for name in names)
    entries = list_entries(gzip.compress(body.encode()) if compressed else body.encode())
    assert [entry.url for entry in entries] == names
    assert all(entry.changed_at is not None for entry in entries)
    assert urls("\r\n".join(names).encode()) == names


def test_a_bomb_is_left_at_the_limit():
    bomb = gzip.compress(b"<urlset><loc>http://a.example/x</loc></urlset>" + bytes(300_000_000), compresslevel=9)
    tracemalloc.start()
    assert urls(bomb) == ["http://a.example/x"]
    assert tracemalloc.get_traced_memory()[1] < 20_000_000
    tracemalloc.stop()


ACCENTED = "http://a.example/caf\u00e9"
AS_XML = f"<urlset><url><loc>{ACCENTED}</loc></url></urlset>"


@pytest.mark.parametrize(
    "body",
    [
        AS_XML.encode("utf-8-sig"),
        AS_XML.encode("utf-16"),
        f'<?xml version="1.0"?>{AS_XML}'.encode("utf-16-be"),
        f'<?xml version="1.0" encoding="iso-8859-1"?>{AS_XML}'.encode("cp1252"),
        gzip.compress(AS_XML.encode("utf-16")),
        f"{ACCENTED}\n".encode("utf-8-sig"),
        f"{ACCENTED}\r\n".encode("utf-16"),
    ],
)
def test_the_address_is_found_in_the_encoding_of_the_file(body):
    assert urls(body) == [ACCENTED]


@pytest.mark.parametrize(
    "body",
    [
        b"\xef\xbb\xbf<urlset><url><loc>\n http://a.example/x \n</loc></url></urlset>",
        b"<ns:urlset><ns:url><ns:loc>http://a.example/x</ns:loc></ns:url></ns:urlset>",
        b"<urlset><url><loc><![CDATA[http://a.example/x]]></loc></url></urlset>",
        b"<urlset><url><loc>http://a.example/x</loc><image:loc>http://a.example/p.png</image:loc></url></urlset>",
        b"<urlset><url><loc>http://a.example/x</loc><lastmod>soon</lastmod></url><url><loc></loc></url><url><loc",
        b"http://a.example/x\nnot an address\n",
        gzip.compress(b"<urlset><url><loc>http://a.example/x</loc></url></urlset>", mtime=0),
        b'<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><urlset><loc>http://a.example/x</loc><loc>&e;</loc>',
        b"<!DOCTYPE x [<!ENTITY e '<url><loc>http://a.example/old</loc></url>'>]>" + LISTED % b"&e;",
        b"<!DOCTYPE u [<!ENTITY a 'aaaaaaaaaa'>"
        + b"".join(b"<!ENTITY %c '%s'>" % (98 + n, b"&%c;" % (97 + n) * 10) for n in range(9))
        + b"]>"
        + LISTED % b"<url><loc>&j;</loc></url>",
        LISTED.replace(b"loc>", b"LOC>") % b"",
        LISTED.replace(b"<loc>", b"<loc x='1' y=\"2\">") % b"",
        LISTED % b"\0\xff\xfe",
        b'<?xml version="1.0" encoding="idna"?>' + LISTED % b"",
        b"Warning: x in y.php<br>\n" + LISTED % b"",
        b"<!--" + b"y" * 50_000 + b"-->" + LISTED % b"",
        LISTED % (b"<!--" + b"<url><loc>http://a.example/old</loc></url>" * 2_000 + b"-->"),
        LISTED % b"<!-- broken ",
        LISTED % b"<![CDATA[",
        LISTED % b"<xhtml:link rel='alternate' href='http://a.example/de'/>",
        LISTED % b"<url/><url></url><url><loc></loc></url>",
        RSS.partition(b"<item>")[0] + b"<item><link>http://a.example/x</link><description>"
        b"<![CDATA[<link>http://a.example/old</link>]]></description></item></channel></rss>",
    ],
)
def test_the_address_is_found_however_it_is_written(body):
    assert urls(body) == ["http://a.example/x"]


@pytest.mark.parametrize(
    "lastmod",
    ["", "0000-00-00", "2026-13-45", "99999-01-01", "9999-12-31T23:59:59-14:00", "0001-01-01T00:00:00+14:00",
     "2026-11-01T25:61:61Z", "2026-11-01T01:00:00+99:99", "-2026-11-01", "٢٠٢٦-١١-٠١", "x" * 100_000, "\udcff",
     "2026-11-01T01:00:00." + "9" * 4000 + "Z", "Sun, 01 Nov 99999 00:00:00 GMT", "&#xD800;"],
)  # fmt: skip
def test_a_date_that_is_none_costs_no_address(lastmod):
    listed = f"<urlset><url><loc>http://a.example/x</loc><lastmod>{lastmod}</lastmod></url></urlset>"
    assert urls(listed.encode("utf-8", "surrogateescape")) == ["http://a.example/x"]


@pytest.mark.parametrize("name", ["copy", "lt", "sect", "times", "amp", "deg"])
def test_an_address_with_an_unescaped_parameter_is_as_written(name):
    address = f"http://a.example/x?a=1&{name}=2"
    for written in (address, f"<![CDATA[{address}]]>"):
        assert urls(f"<urlset><url><loc>{written}</loc></url></urlset>".encode()) == [address]


def test_a_gzip_cut_short_still_gives_what_came():
    body = b"".join(b"<loc>http://a.example/%d</loc>" % number for number in range(5000))
    salvaged = urls(gzip.compress(b"<urlset>" + body)[:-4000])
    assert salvaged[:2] == ["http://a.example/0", "http://a.example/1"]


@pytest.mark.parametrize(
    "body",
    [
        b"<urlset><loc>" + b" " * 1_000_000,
        b"<urlset>" + b"<loc " * 200_000,
        b"<urlset>" + b"<loc>" * 200_000,
        b"<" + b"a" * 1_000_000 + b":loc>",
        *(piece * (2_000_000 // len(piece)) for piece in (b"<", b"<loc><![CDATA[", b"<!--", b"&", b"<a:", b"]]>")),
        b"<loc>http://a.example/&" * 90_000,
        b"<lastmod>2" * 200_000,
    ],
)
@pytest.mark.share(3)
def test_a_hostile_file_is_read_in_no_time(body):
    began = time.process_time()
    list(read_sitemap(body))
    assert time.process_time() - began < 2


def test_no_file_gives_more_addresses_than_the_standard_allows():
    assert len(urls(b"<urlset>" + b"<loc>http://a.example/</loc>" * (COUNT_LIMIT + 10))) == COUNT_LIMIT


@given(st.binary(max_size=300), st.sampled_from([b"", b"<urlset><loc>", b"\x1f\x8b", b"<sitemapindex>"]))
def test_no_bytes_make_it_raise(noise, start):
    list(read_sitemap(start + noise))
