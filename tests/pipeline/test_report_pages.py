"""The night's report as HTML and Markdown, of a record made by hand: what is in it, and what pages cannot do to it."""

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from msgspec.structs import replace as msgspec_replace
from selectolax.lexbor import LexborHTMLParser

from builders.warehouse_rows import make_loss
from verdicts.pipeline.nights.record import (
    Changed,
    CorpusChanges,
    Incident,
    NightCrawl,
    NightHost,
    NightRecord,
    Undelivered,
)
from verdicts.pipeline.nights.report import escape, render_report

BEGAN = datetime(2026, 11, 21, 2, 30, tzinfo=UTC)
NIGHT_ID = "20261121T023000Z-4f1a"

CODES = {"done": 0, "partial": 2, "held": 3, "failed": 5, "interrupted": None, "refused": 4}


def facts(status: str = "held", words: str = "Free tier / $20/mo", hosts: int = 1, **changes) -> NightRecord:
    """`words` stand for all that comes from a page, a host, an error or a person."""
    examples = [f"http://a.example/compare/{words}: {words} → {words}{number}" for number in range(3)]
    held = [make_loss(words, "held", measure, *examples) for measure in ("price", "amount")]
    hosted = [msgspec_replace(row, host=f"{words}{number}") for number in range(hosts) for row in held]
    alerts = [make_loss(f"{words}{number}", "watch", "score", *examples) for number in range(hosts)]
    host = NightHost(words, {"stored": 12, "unchanged": 108, "not_found": 1, "read_timeout": 9}, words)
    pair, triple = Changed(hosts, ((words, words),) * hosts), Changed(hosts, ((words, words, words),) * hosts)
    made = NightRecord(
        night_id=NIGHT_ID,
        began_at=BEGAN,
        ended_at=BEGAN + timedelta(minutes=50),
        status=status,
        exit_code=CODES[status],
        headline=words,
        crawl_id="20261121T023001Z-0001",
        load_id="20261121T024000Z-0002",
        published="corpus-20261121T024000Z-0002.duckdb",
        crawl=NightCrawl(12, 108, 9, 5_000_000, (host,) * hosts),
        gates=(*(hosted if status == "held" else ()), *alerts),
        corpus=CorpusChanges(
            published="corpus-20261121T024000Z-0002.duckdb",
            before="corpus-20261120T024000Z-0002.duckdb",
            counts=(("pages", 130, 128), ("tools", 46, 46)),
            changes={
                "new_tools": pair,
                "vanished_tools": Changed(hosts, ((words, None),) * hosts),
                "turned_verdicts": Changed(hosts, ((words, "ship", "skip", 2),) * hosts),
                "changed_reviews": Changed(hosts, ((words, "PM", "changed", "40 skip", "80 ship"),) * hosts),
                "changed_prices": triple,
                "unapplied_corrections": triple,
            },
        ),
        verified=words,
        incidents=(Incident(words, words, "held", words, BEGAN),) * hosts,
        undelivered=(Undelivered(words, words, NIGHT_ID),),
    )
    return replace(made, **changes)


def earlier(status: str = "held") -> list[NightRecord]:
    """The nights before, newest first."""
    return [
        NightRecord(f"202611{20 - night:02}T023000Z-0000", BEGAN - timedelta(days=1 + night), BEGAN, status,
                    crawl=NightCrawl(20, 100, night % 3, 0))
        for night in range(13)
    ]  # fmt: skip


ACTIVE = "\x1b]0;OWNED\x07 \u202e \ud83d </style><script>alert(1)</script> \" ' & | ` * _ [a](http://evil.example) "

MARKS = st.sampled_from(
    [
        *"<>&\"'`*_[]()|#~\\$!^@:-+=.{}\n\r\t\x00\x1b\u202e\ud800",
        "http://",
        "www.",
        "1. ",
        "- ",
        "<!--",
        "](",
        "→",
        " a",
    ]
)
HOSTILE = st.lists(MARKS, min_size=1, max_size=30).map("".join)


def write_html(told) -> str:
    return render_report(told, earlier())[".html"]


def write_text(told) -> str:
    return render_report(told, earlier())[".md"]


def parse_rendered(text: str) -> list[tuple[str, str | None]]:
    """What a reader of Markdown makes of a text: the kinds of its tokens, and where its links lead."""
    parser = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    tokens = [(token.type, None) for token in parser.parse(text) if not token.type.startswith("inline")]
    inline = [token for block in parser.parse(text) for token in block.children or ()]
    kinds = [(token.type, str(token.attrs.get("href", ""))) for token in inline if token.type != "text"]
    return [*tokens, *((kind, href) for kind, href in kinds if kind not in {"text_special", "softbreak"})]


def elements(page: str) -> list[tuple[str | None, tuple[str, ...]]]:
    """Every element of a page in its order, with the names of its attributes"""
    found = [(node.tag, tuple(sorted(node.attributes))) for node in LexborHTMLParser(page).root.traverse()]
    return [(tag, attributes) for tag, attributes in found if tag not in {"a", "-text"}]


@pytest.mark.parametrize(
    ("status", "word"),
    [
        ("done", "published"),
        ("partial", "degraded"),
        ("held", "held"),
        ("failed", "degraded"),
        ("interrupted", "interrupted"),
    ],
)
def test_a_report_begins_with_the_state_in_a_word(status, word):
    told = facts(status)
    head = LexborHTMLParser(write_html(told))
    assert head.css_first("h1").text(strip=True).endswith(word)
    assert head.css_first("body").attributes["class"] == word
    assert write_text(told).startswith(f"# Night of 21 November 2026: {word}\n")


def test_a_night_that_published_nothing_is_down_and_says_why_and_what_to_do():
    told = facts("failed", headline="data/state.sqlite: disk I/O error", published=None)
    for text in (write_html(told), write_text(told).replace("\\", "")):
        assert "down" in text
        assert "data/state.sqlite: disk I/O error" in text
        assert "verdicts doctor" in text


def test_a_held_host_is_told_with_its_pages_and_the_command_that_accepts_it():
    told = facts("held", words="tools.example")
    command = "verdicts check --accept tools.example0 --why TEXT"
    page = LexborHTMLParser(write_html(told))
    assert page.css_first("pre").text(strip=True) == command
    losses = page.css_first("ul")
    assert [link.attributes["href"] for link in losses.css("a")] == ["http://a.example/compare/tools.example"] * 3
    assert f"    {command}\n" in write_text(told)
    row = msgspec_replace(told.gates[0], measure="answered", test="fixed")
    down = replace(told, gates=(row,))
    assert command not in write_text(down)
    assert "There is nothing to accept" in write_text(down)


def test_what_a_night_did_not_come_to_is_a_sentence_in_its_place():
    text = write_text(facts("failed", crawl=None, gates=(), load_id=None, corpus=None, published=None, incidents=()))
    for said in ("No crawl of this night ended.", "The night loaded nothing;", "The night published nothing:", "None."):
        assert said in text


def test_a_page_asks_nothing_of_anybody_and_runs_nothing():
    page = LexborHTMLParser(write_html(facts(words=ACTIVE)))
    assert page.css("script, link, img, iframe, object, embed, form, base, [src], [onload], [onclick]") == []
    assert not re.search(r"url\(|@import|@font-face", page.css_first("style").text())
    assert {node.attributes["content"] for node in page.css("meta[http-equiv]")} == {
        "default-src 'none'; style-src 'unsafe-inline'"
    }


@settings(deadline=None, max_examples=25)
@given(HOSTILE)
def test_words_of_pages_make_no_element_of_a_page(words):
    page = write_html(facts(words=f"x{words}"))
    assert elements(page) == elements(write_html(facts(words="x")))
    assert not re.search("[\x00-\x09\x0b-\x1f\u202a-\u202e]", page)
    links = {node.attributes["href"] for node in LexborHTMLParser(page).css("a")}
    assert all(href.startswith("http://a.example/compare/x") for href in links)


@settings(deadline=None, max_examples=25)
@given(HOSTILE)
def test_words_of_pages_make_no_markup_of_markdown(words):
    plain, hostile = (parse_rendered(write_text(facts(words=text))) for text in ("x", f"x{words}"))
    without_links = [
        [(kind, href) for kind, href in tokens if kind not in {"link_open", "link_close"}]
        for tokens in (plain, hostile)
    ]
    assert without_links[0] == without_links[1]


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ("http://evil.example", r"http\://evil.example"),
        ("see WWW.evil.example", r"see WWW\.evil.example"),
        ("me@evil.example", r"me\@evil.example"),
        ("at 10:30, $20/mo", r"at 10:30, \$20/mo"),
    ],
)
def test_addresses_among_the_words_of_pages_are_no_links_where_bare_ones_are(words, shown):
    assert escape(words) == shown


def test_two_hundred_held_hosts_with_the_worst_of_words_fit_and_say_how_many_are_left_out():
    both = render_report(facts(words="\U000e0001\"'&<\ud83d" * 200, hosts=200), earlier())
    assert max(len(text.encode()) for text in both.values()) < 1_000_000
    assert all(re.search(r"and 1\d\d more", text) for text in both.values())
    assert not any(" more" in text for text in render_report(facts("done", hosts=20), earlier()).values())


def test_the_last_nights_show_those_without_a_crawl_and_those_that_were_killed():
    nights = earlier("done")[:2]
    nights[0] = replace(nights[0], status=None)
    nights[1] = NightRecord("20261119T023000Z-0000", BEGAN, BEGAN, "failed")
    text = render_report(facts("done"), nights)[".md"]
    rows = [line for line in text.splitlines() if " Nov " in line]
    assert [[cell.strip() for cell in row.split("|")[2:6]] for row in rows[-3:]] == [
        ["● published", "12", "108", "9"],
        ["? killed", "20", "100", "0"],
        ["✕ down", "", "", ""],
    ]
