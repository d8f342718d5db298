"""The night's report as HTML and Markdown, of facts made by hand: what stands in it, and what pages cannot do to it."""

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from selectolax.lexbor import LexborHTMLParser

from verdicts.pipeline.nights.ending import NightEnding
from verdicts.pipeline.nights.report import figures
from verdicts.pipeline.nights.report.facts import (
    Absent,
    Accepted,
    Command,
    CorpusChanges,
    Count,
    Crawled,
    Example,
    Filled,
    Gates,
    HeldHost,
    HostNight,
    Line,
    Loss,
    NightFacts,
    NightOutcomes,
    OpenIncident,
    Tool,
    Turned,
    some,
)
from verdicts.pipeline.nights.report.html import html_of
from verdicts.pipeline.nights.report.markdown import escaped, markdown_of

BEGAN = datetime(2026, 11, 21, 2, 30, tzinfo=UTC)
NIGHT_ID = "20261121T023000Z-4f1a"

CODES = {"done": 0, "partial": 2, "held": 3, "failed": 5, "interrupted": None, "refused": 4}


def ending(status: str = "held", headline: str = "the disk is full", **changes) -> NightEnding:
    crawl_id, load_id = "20261121T023001Z-0001", "20261121T024000Z-0002"
    made = NightEnding(
        NIGHT_ID, BEGAN, BEGAN + timedelta(minutes=50), status, CODES[status], headline, crawl_id, load_id
    )
    return replace(made, published=f"corpus-{load_id}.duckdb", **changes)


def facts(status: str = "held", words: str = "Free tier / $20/mo", hosts: int = 1, **changes) -> NightFacts:
    """`words` stand for all that comes from a page, a host, an error or a person."""
    moment = BEGAN
    example = Example(f"http://a.example/compare/{words}", words, words)
    loss = Loss(words, "price", "held", 104, 130, f"price: {words}", (example, example, example), (0.0, 0.1, 0.8))
    held = HeldHost(words, "20261121T023001Z-0001", some([loss, loss]), Command(f"verdicts check --accept {words}"))
    host = HostNight(words, 130, 120, 9, 12, 104, 1, moment - timedelta(days=3), words)
    turned = Turned(words, words, words, 2)
    count = 1 if status == "held" else 0
    made = NightFacts(
        ending=ending(status, words),
        crawled=Crawled("partial", 130, 12, 108, 9, 1_000_000, some([host] * hosts)),
        nights=tuple(
            NightOutcomes(moment - timedelta(days=night), status, 100, 20, 5, night % 3)
            for night in reversed(range(14))
        ),
        gates=Gates(
            held=some([held] * hosts * count),
            losses=some([loss] * hosts),
            watch=some([replace(loss, state="watch", examples=())] * hosts),
            accepted=some([Accepted(words, "price", moment, words, words)] * hosts),
            unjudged=some([words] * hosts),
        ),
        corpus=CorpusChanges(
            published="corpus-20261121T024000Z-0002.duckdb",
            before="corpus-20261120T024000Z-0002.duckdb",
            counts=(Count("pages", 130, 128), Count("tools", 46, 46)),
            new_tools=some([Tool(words, words)] * hosts),
            vanished_tools=some([Tool(words, None)] * hosts),
            verdicts=some([Turned(words, "ship", "skip")] * hosts),
            prices=some([turned] * hosts),
            fill_rates=(Filled("score of a take", 82, 100), Filled("tagline", 100, 100)),
        ),
        care=(Line("Free disk", words), Line("Backup", words, is_wrong=True)),
        incidents=some([OpenIncident(words, words, moment, words)] * hosts),
        undelivered=(words,),
    )
    return replace(made, **changes)


ABSENT = Absent("The state cannot be read: it is damaged.")

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


def rendered(text: str) -> list[tuple[str, str | None]]:
    """What a reader of Markdown makes of a text: the kinds of its tokens, and where its links lead."""
    parser = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    tokens = [(token.type, None) for token in parser.parse(text) if not token.type.startswith("inline")]
    inline = [token for block in parser.parse(text) for token in block.children or ()]
    kinds = [(token.type, str(token.attrs.get("href", ""))) for token in inline if token.type != "text"]
    return [*tokens, *((kind, href) for kind, href in kinds if kind not in {"text_special", "softbreak"})]


def elements(page: str) -> list[tuple[str | None, tuple[str, ...]]]:
    """Every element of a page in its order, with the names of its attributes."""
    return [(node.tag, tuple(sorted(node.attributes))) for node in LexborHTMLParser(page).root.traverse()]


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
    head = LexborHTMLParser(html_of(told))
    assert head.css_first(".badge").text(strip=True).endswith(word)
    assert markdown_of(told).startswith(f"# Night of 21 November 2026: {word}\n")


def test_a_night_that_published_nothing_is_down_and_says_why_and_what_to_do():
    told = replace(facts("failed"), ending=ending("failed", "data/state.sqlite: disk I/O error"))
    told = replace(told, ending=replace(told.ending, published=None))
    for text in (html_of(told), markdown_of(told).replace("\\", "")):
        assert "down" in text
        assert "data/state.sqlite: disk I/O error" in text
        assert "verdicts doctor" in text


def test_a_held_host_is_told_with_its_pages_and_the_command_that_accepts_it():
    page = LexborHTMLParser(html_of(facts("held", words="tools.example")))
    article = page.css_first("article")
    assert len(article.css(".examples tr")) == 6
    assert article.css_first(".command").text(strip=True) == "verdicts check --accept tools.example"
    assert "    verdicts check --accept tools.example\n" in markdown_of(facts("held", words="tools.example"))


ORDER = [
    "Held: 1 host",
    "Addresses by outcome",
    "Hosts",
    "Losses",
    "To watch",
    "What changed",
    "Care",
    "Open incidents",
]


def test_the_sections_stand_in_the_order_in_which_somebody_acts_on_them():
    headings = [node.text() for node in LexborHTMLParser(html_of(facts())).css("h2")]
    lines = [line[3:] for line in markdown_of(facts()).splitlines() if line.startswith("## ")]
    for found in (headings, lines):
        assert [title for title in ORDER if any(title in heading for heading in found)] == ORDER
        places = [next(place for place, heading in enumerate(found) if title in heading) for title in ORDER]
        assert places == sorted(places)


@pytest.mark.parametrize("status", ["done", "held", "failed", "interrupted"])
def test_what_could_not_be_read_is_a_sentence_in_its_place(status):
    told = facts(status, crawled=ABSENT, gates=ABSENT, corpus=ABSENT, incidents=some([]))
    for text in (html_of(told), markdown_of(told)):
        assert text.count(ABSENT.why) == 3


def test_a_page_asks_nothing_of_anybody_and_runs_nothing():
    page = LexborHTMLParser(html_of(facts(words=ACTIVE)))
    assert page.css("script, link, img, iframe, object, embed, form, base, [src], [style], [onload], [onclick]") == []
    assert not re.search(r"url\(|@import|@font-face", page.css_first("style").text())
    assert {node.attributes["content"] for node in page.css("meta[http-equiv]")} == {
        "default-src 'none'; style-src 'unsafe-inline'"
    }


@settings(deadline=None, max_examples=25)
@given(HOSTILE)
def test_words_of_pages_make_no_element_of_a_page(words):
    page = html_of(facts(words=f"x{words}"))
    assert elements(page.replace(' rel="noopener noreferrer"', "")) in (
        elements(html_of(facts(words="x")).replace(' rel="noopener noreferrer"', "")),
        # An address that is none is no link.
        elements(re.sub(r'<a href="[^"]*" rel="[^"]*">(.*?)</a>', r"\1", html_of(facts(words="x")))),
    )
    assert not re.search("[\x00-\x09\x0b-\x1f\u202a-\u202e]", page)


@settings(deadline=None, max_examples=25)
@given(HOSTILE)
def test_words_of_pages_make_no_markup_of_markdown(words):
    plain, hostile = (rendered(markdown_of(facts(words=text))) for text in ("x", f"x{words}"))
    without_links = [
        [(kind, href) for kind, href in tokens if kind not in {"link_open", "link_close"}]
        for tokens in (plain, hostile)
    ]
    assert without_links[0] == without_links[1]
    links = {href for kind, href in hostile if kind == "link_open"}
    assert all(href.startswith("http://a.example/compare/x") for href in links)


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
    assert escaped(words) == shown


def test_two_hundred_held_hosts_with_the_worst_of_words_fit_and_say_how_many_are_left_out():
    told = facts(words="\U000e0001\"'&<\ud83d" * 200, hosts=200)
    page, text = html_of(told), markdown_of(told)
    assert len(page.encode()) < 200_000
    assert len(text.encode()) < 100_000
    assert re.search(r"and 1\d\d more", page)
    assert re.search(r"and 1\d\d more", text)


def test_an_ordinary_night_is_shown_in_full():
    page = html_of(facts("done", hosts=40))
    assert "more</p>" not in page
    assert len(page.encode()) < 200_000


@pytest.mark.parametrize(
    ("share", "bar"), [(0, ""), (0.001, "▏"), (0.5, "█████"), (0.83, "████████▎"), (1, "██████████")]
)
def test_a_bar_of_text_is_as_long_as_its_share_to_an_eighth(share, bar):
    assert figures.block_bar(share) == bar


@pytest.mark.parametrize(
    ("share", "words"), [(0, "0 %"), (0.001, "< 1 %"), (0.83, "83 %"), (0.9999, "99 %"), (1, "100 %")]
)
def test_no_share_is_rounded_to_all_or_nothing(share, words):
    assert figures.percent(share) == words


def test_the_picture_of_the_nights_shows_those_without_a_crawl_and_those_that_were_killed():
    nights = list(facts("done").nights[-3:])
    nights[0] = replace(nights[0], status="failed", unchanged=None, stored=0, other=0, failed=0)
    nights[1] = replace(nights[1], status=None)
    chart = figures.chart_of(nights)
    assert [(bar.glyph, len(bar.parts)) for bar in chart.bars] == [("✕", 0), ("?", 4), ("●", 3)]
    assert chart.bars[-1].x + chart.bars[-1].width <= figures.WIDTH
    assert all(figures.TOP <= part.y <= part.y + part.height for bar in chart.bars for part in bar.parts)


def test_a_sparkline_ends_at_the_right_and_stays_in_its_box():
    points = figures.spark_points([0.0, 0.01, 0.8])
    assert points[-1] == (figures.SPARK_WIDTH - 3, 3.0)
    assert figures.spark_points([0.5])[0][0] == figures.SPARK_WIDTH - 3
    assert figures.block_spark([0.0, 0.4, 0.8]) == "▁▅█"
