"""The words of a page: what it shows, and what it keeps in data and attributes that are read."""

import time

import pytest

from verdicts.fetch.parse.content import is_stub, says_all_of, words_of

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
    assert not says_all_of(other, page)
    assert words_of(page) != words_of(other)


def test_what_changes_nothing_is_no_word():
    pages = [f'<meta name="csrf" content="{n}"><script>t={n}</script><a href="/x?sid={n}">x</a>'.encode() for n in "ab"]
    assert words_of(pages[0]) == words_of(pages[1])
    assert is_stub(f"<p>Moved.</p><script type=application/json>{WORDS}</script>".encode())


@pytest.mark.parametrize("unit", [b"<aa", b"<a alt=x ", b"<script json>", b"<i itemprop content='", b"<title>"])
def test_a_hostile_page_is_read_in_no_time(unit):
    began = time.thread_time()
    words_of(unit * (1_000_000 // len(unit)))
    assert time.thread_time() - began < 2
