"""Sitemaps as they are found: whole, broken, hostile."""

import gzip
import time
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fetch.sitemap import COUNT_LIMIT, read_sitemap


def urls(body):
    return [page.url for page in read_sitemap(body).pages]


def test_an_address_keeps_the_day_its_page_changed():
    body = b"<urlset><url><loc>http://a.example/x</loc><lastmod>2026-10-31</lastmod></url></urlset>"
    (page,) = read_sitemap(body).pages
    assert page.changed_at == datetime(2026, 10, 31, tzinfo=UTC)


def test_an_index_names_sitemaps_and_no_pages():
    found = read_sitemap(b"<sitemapindex><sitemap><loc>http://a.example/s.xml</loc></sitemap></sitemapindex>")
    assert (found.pages, found.sitemaps) == ((), ("http://a.example/s.xml",))


def test_an_unescaped_ampersand_costs_nothing():
    body = b"<urlset><url><loc>http://a.example/?x=1&y=2</loc></url><url><loc>http://a.example/z</loc></url></urlset>"
    assert urls(body) == ["http://a.example/?x=1&y=2", "http://a.example/z"]


@pytest.mark.parametrize(
    "body",
    [
        b"\xef\xbb\xbf<urlset><url><loc>\n http://a.example/x \n</loc></url></urlset>",
        b"<ns:urlset><ns:url><ns:loc>http://a.example/x</ns:loc></ns:url></ns:urlset>",
        b"<urlset><url><loc><![CDATA[http://a.example/x]]></loc></url></urlset>",
        b"<urlset><url><loc>http://a.example/x</loc><image:loc>http://a.example/p.png</image:loc></url></urlset>",
        b"<urlset><url><loc>http://a.example/x</loc><lastmod>soon</lastmod></url><url><loc></loc></url><url><loc",
        b"http://a.example/x\nnot an address\n",
        gzip.compress(b"<urlset><url><loc>http://a.example/x</loc></url></urlset>"),
        b'<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><urlset><loc>http://a.example/x</loc><loc>&e;</loc>',
    ],
)
def test_the_address_is_found_however_it_is_written(body):
    assert urls(body) == ["http://a.example/x"]


def test_a_gzip_cut_short_still_gives_what_came():
    body = b"".join(b"<loc>http://a.example/%d</loc>" % number for number in range(5000))
    found = urls(gzip.compress(b"<urlset>" + body)[:-4000])
    assert found[:2] == ["http://a.example/0", "http://a.example/1"]


@pytest.mark.parametrize(
    "body",
    [
        b"<urlset><loc>" + b" " * 1_000_000,
        b"<urlset>" + b"<loc " * 200_000,
        b"<urlset>" + b"<loc>" * 200_000,
        b"<" + b"a" * 1_000_000 + b":loc>",
    ],
)
def test_a_hostile_file_is_read_in_no_time(body):
    began = time.process_time()
    read_sitemap(body)
    assert time.process_time() - began < 2


def test_no_file_gives_more_addresses_than_the_standard_allows():
    assert len(urls(b"<urlset>" + b"<loc>http://a.example/</loc>" * (COUNT_LIMIT + 10))) == COUNT_LIMIT


@given(st.binary(max_size=300), st.sampled_from([b"", b"<urlset><loc>", b"\x1f\x8b", b"<sitemapindex>"]))
def test_no_bytes_make_it_raise(noise, start):
    read_sitemap(start + noise)
