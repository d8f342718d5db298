"""Links of a page, as far as the page lets them be followed."""

import time

from fetch.links import find_links

HERE = "http://a.example/dir/page"


def test_links_are_canonical_and_each_once():
    body = b'<a href="x#top">x</a><a href="./x?utm_source=y">x</a><a href="/z/">z</a><a href="mailto:a@b.c">m</a>'
    assert find_links(body, HERE) == ("http://a.example/dir/x", "http://a.example/z")


def test_a_base_moves_relative_links():
    assert find_links(b'<base href="/other/"><a href="x">x</a>', HERE) == ("http://a.example/other/x",)


def test_nofollow_is_honoured_on_a_link_and_on_a_page():
    assert find_links(b'<a rel="ugc nofollow" href="x">x</a><a href="y">y</a>', HERE) == ("http://a.example/dir/y",)
    for words in (b"noindex, nofollow", b"NONE"):
        assert find_links(b'<meta name="Robots" content="' + words + b'"><a href="x">x</a>', HERE) == ()


def test_a_page_of_hostile_nesting_does_not_hold_up_the_crawl():
    began = time.process_time()
    find_links(b"<div>" * 200_000 + b'<a href="x">x</a>', HERE)
    assert time.process_time() - began < 2
