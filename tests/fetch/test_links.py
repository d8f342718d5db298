"""Links, robots directives and canonical URL of a page."""

import time
from datetime import UTC, datetime
from itertools import product
from urllib.parse import urldefrag, urljoin

import pytest
from hypothesis import given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from builders.snapshots import page_links
from verdicts.demo_site.responses import build_site
from verdicts.fetch.model.snapshot import Response
from verdicts.fetch.parse.page_head import Directives, read_head
from verdicts.fetch.parse.page_links import LINKS_MAX, read_page_links

HERE = "http://a.example/dir/page"


THE_25TH = datetime(2026, 6, 25, 23, tzinfo=UTC)


def links(body):
    return page_links(body, HERE).links


@pytest.mark.parametrize(
    "body",
    [
        b"<a\n  class=big\n  href=/x>x</a>",
        b'<a title="a > b" href="/x">x</a>',
        b'<a data-x=\'{"y": "<b>"}\' href="/x">x</a>',
        b'<!-- <a href="/old">old</a> --><a href="/x">x</a>',
        b'<script>const s = \'<a href="/no">\'</script><a href="/x">x</a>',
        b'<style>a:after { content: \'<a href="/no">\' }</style><a href="/x">x</a>',
        b'<abbr href="/no">no</abbr><a name="top">top</a><a href="/x">x</a>',
        b'<a href="/x" href="/second">x</a>',
        b'<a href="  /x  ">x</a>',
        b'<a href="http:&#47;&#47;a.example/x">x</a>',
        b"<!--><a href=/x>x</a><!-- -->",
        b"<p>it's \"so</p><a href=/x>x</a>",
        b"<title><a href=/no></title><p title='<a href=/no>'>y</p><a href=/x>x</a>",
        b"<textarea><a href=/no></textarea><a href=/x>x</a>",
        "<a href=/x>x</a>".encode("utf-16"),
    ],
)
def test_a_link_is_found_however_it_is_written(body):
    assert links(body) == ("http://a.example/x",)


SHOWN = "<p>\u8868</p><a href=/x>x</a>"


@pytest.mark.parametrize(
    ("body", "charset"),
    [
        *((SHOWN.encode(codec), codec) for codec in ("utf-16le", "shift_jis", "iso-2022-jp", "gb18030", "utf-8")),
        *((SHOWN.encode(), label) for label in ("idna", "undefined", "x" * 3_000, "\udcff", "'utf-8", "")),
        (b"\xff\xfe" + SHOWN.encode("utf-16-le"), "utf-8"),
        (b"\xef\xbb\xbf" + SHOWN.encode(), "shift_jis"),
        ("<html><p>words</p><a href=/x>x</a>".encode("utf-16-le"), None),
    ],
)
def test_a_link_is_found_in_whatever_letters_the_page_is_written(body, charset):
    assert page_links(body, HERE, charset=charset).links == ("http://a.example/x",)


@pytest.mark.parametrize(
    ("body", "found"),
    [
        (b'<a href="x#top">x</a><a href="./x#end">x</a><a href="mailto:a@b.c">m</a>', "/dir/x"),
        (b'<base href="/other/"><a href="x">x</a>', "/other/x"),
        ('<meta charset="windows-1252"><a href="/caf\u00e9">x</a>'.encode("cp1252"), "/caf%C3%A9"),
        (b'<a href="/x?a=1&copy=2&region=us&amp;b=3">x</a>', "/x?a=1&copy=2&region=us&b=3"),
        (b'<a href="/x&#' + b"1" * 5000 + b'">x</a><a href="/z/">z</a>', "/z/"),
    ],
)
def test_a_link_is_an_address_as_a_browser_requests_it(body, found):
    assert links(body) == (f"http://a.example{found}",)


def test_the_demo_site_gives_the_links_that_a_parser_sees():
    pages = [page.body for page in build_site().values() if b"<html" in page.body[:200]]
    assert len(pages) > 100
    for body in pages:
        tree = LexborHTMLParser(body, encoding=True)
        hrefs = [
            urljoin(HERE, anchor.attributes.get("href") or "") for anchor in tree.css('a[href]:not([rel~="nofollow"])')
        ]
        assert links(body) == tuple(dict.fromkeys(urldefrag(href).url for href in hrefs if href.startswith("http")))


@pytest.mark.parametrize(
    ("meta", "directives"),
    [
        ("<meta name=robots content='noindex, nofollow'>", Directives(True, True)),
        ('<META NAME="Robots" CONTENT="NONE">', Directives(True, True)),
        ('<meta content="nofollow" name="robots">', Directives(False, True)),
        ('<meta name="verdicts" content="noindex">', Directives(True, False)),
        ('<meta name="googlebot" content="noindex">', Directives()),
        ('<meta name="robots" content="index, follow, max-snippet:-1">', Directives()),
    ],
)
def test_a_page_says_what_robots_may_do_with_it(meta, directives):
    assert page_links(f"<head>{meta}</head>".encode(), HERE, token="verdicts").directives == directives


HOSTILE = [
    b"<a " + (b"a" * 1999 + b'""') * 40 + b">",
    *(b"<div>", b"<a href=", b'<a href="', b"<a x='\"<", b"x ", b"<!--", b"--!>", b"<script>", b"<script><!--", b"</"),
    *(b"<style></style", b"<template>", b"<meta x=", b"<base href='", b"<meta charset=", b"a= ", b"&", b"<", b"''"),
    *(b"<link rel=canonical href=/x>", b"<a href=/x>"),
]


ADDRESSES = (b"&amp", b"../", b"%41", b"?a&", b"//a.", "\uff41".encode())
"""What an address may be made of."""


@pytest.mark.parametrize(
    ("start", "piece"), [*product((b"", b'<a x="'), HOSTILE), *((b"<a href='", piece) for piece in ADDRESSES)]
)
def test_a_hostile_page_costs_what_its_bytes_cost(start, piece):
    """Eight times the bytes take eight times the time, give or take."""

    def seconds(size):
        body = start + piece * (size // len(piece))
        began = time.process_time()
        links(body)
        return time.process_time() - began

    short, long = min(seconds(10_000) for _ in range(3)), min(seconds(80_000) for _ in range(2))
    assert long < max(8 * 3 * short, 0.05)


def test_a_page_of_more_links_than_anybody_follows_is_cut():
    leads = page_links(b"".join(b"<a href=/%d>x</a>" % number for number in range(LINKS_MAX + 1)), HERE)
    assert (len(leads.links), leads.is_cut) == (LINKS_MAX, True)
    assert page_links(b"<p>" * 2_000_000, HERE).is_cut
    assert not page_links(b"<a href=/x>x</a>", HERE).is_cut


@given(st.binary(max_size=300), st.sampled_from([b"", b"<a href=", b"<base href='", b"<meta charset=", b"<a href='//"]))
def test_no_bytes_make_it_raise(noise, start):
    links(start + noise + b"'>x</a>")


def test_frames_image_maps_and_links_of_the_head_lead_to_pages():
    head = (
        '<link rel="stylesheet" href="/_next/x.css"><link rel=next href="?page=2">'
        '<link rel="alternate" type="application/rss+xml" href="/feed"><link rel="alternate" hreflang="de" href="/de">'
    )
    body = (
        '<map><AREA shape=rect HREF="/area"></map><iframe src="/framed"><a href="/hidden"></a></iframe>'
        '<!-- <iframe src="/comment"></iframe> --><script>"<frame src=/script>"</script><abbr href="/no">'
        '<framer src="/no">'
    )
    assert find_links(head, body) == ["?page=2", "/feed", "/area", "/framed"]
    assert find_links("", '<a title="<b>" href="/a">x</a><frame src=/b><iframe src="/c"></iframe><a href="/d">') == [
        "/a", "/b", "/c", "/d",
    ]  # fmt: skip


def find_links(head, body, *patterns):
    page = f"<html><head>{head}</head><body>{body}</body></html>".encode()
    response = Response(200, (("content-type", "text/html; charset=utf-8"),), page, 1, len(page))
    links = read_page_links(response, "http://a.example/", read_head(page, ""), patterns).links
    return [link.removeprefix("http://a.example").replace("/?", "?") for link in links]


def test_a_pattern_of_the_config_finds_addresses_in_other_attributes():
    body = """<a data-href="/x" href="/y">z</a><p onclick="location.href='/z?a=1&amp;b=2'">z</p>"""
    assert find_links("", body, 'data-href="([^"]+)"', "location.href='([^']+)'") == ["/x", "/z?a=1&b=2", "/y"]
