"""Which responses are pages, and the words of a page. Status codes and media types are in `test_fault_matrix`."""

import time

import pytest

from verdicts.fetch.model.snapshot import Response, parse_charset, parse_media_type
from verdicts.fetch.parse.content import classify, contains_words, is_stub, split_words


@pytest.mark.parametrize(
    ("body", "outcome"),
    [
        (b"<title>Codestral vs Just a moment: which one?</title>", "stored"),
        (b"<title>Not found wanting: a review</title>", "stored"),
        (b"<title>Not Found on example.com</title>", "soft_404"),
        ("words".encode("utf-16"), "stored"),
    ],
)
def test_a_title_decides_only_where_it_says_nothing_else(body, outcome):
    answer = Response(200, (("content-type", "text/html; charset=utf-8"),), body, elapsed_ms=1, wire_bytes=len(body))
    assert classify(answer)[0] == outcome


@pytest.mark.parametrize(
    ("content_type", "media_type", "charset"),
    [
        ("text/html", "text/html", None),
        ("Text/HTML; Charset=UTF-8", "text/html", "utf-8"),
        (' text/html ; charset="utf-8" ; x=y', "text/html", "utf-8"),
        ("text/html; charset='latin-1'", "text/html", "latin-1"),
        ("text/html; charset=", "text/html", None),
        (None, "", None),
    ],
)
def test_media_type_and_charset_are_read(content_type, media_type, charset):
    assert (parse_media_type(content_type), parse_charset(content_type)) == (media_type, charset)


WORDS = " ".join(f"word-{number}" for number in range(60))


@pytest.mark.parametrize(
    "form",
    [
        '<script type="application/ld+json">{{"reviewBody":"{}"}}</script>',
        '<script id="__NEXT_DATA__" type="application/json">{{"body":["{}"]}}</script>',
        '<div itemscope><meta itemprop="reviewBody" content="{}"></div>',
        '<img alt="{}">',
        '<svg aria-label="{}"></svg>',
    ],
)
def test_a_page_says_what_it_keeps_in_data(form):
    page, other = (f"<p>Loading</p>{form.format(words)}".encode() for words in (WORDS, "nothing of the kind"))
    assert not contains_words(other, page)
    assert split_words(page) != split_words(other)


def test_what_changes_nothing_is_no_word():
    pages = [f'<meta name="csrf" content="{n}"><script>t={n}</script><a href="/x?sid={n}">x</a>'.encode() for n in "ab"]
    assert split_words(pages[0]) == split_words(pages[1])
    assert is_stub(f"<p>Moved.</p><script type=application/json>{WORDS}</script>".encode())


@pytest.mark.parametrize("unit", [b"<aa", b"<a alt=x ", b"<script json>", b"<i itemprop content='", b"<title>"])
def test_a_hostile_page_is_read_in_no_time(unit):
    began = time.thread_time()
    split_words(unit * (1_000_000 // len(unit)))
    assert time.thread_time() - began < 2
