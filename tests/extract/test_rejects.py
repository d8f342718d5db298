"""What cannot be read is refused whole, with a reason that a person understands."""

import pytest

from builders.renderings import RENDERERS, page_url
from builders.snapshots import html, snapshot
from verdicts.demo_site.site_facts import load_facts
from verdicts.extract.model.records import Reject
from verdicts.extract.page import extract
from verdicts.extract.panel.profile import SHIPPED

FACTS = load_facts()
PAIR = FACTS.pairs[0]
QUOTES = RENDERERS["quotes"](FACTS, PAIR)
SEMANTIC = RENDERERS["html_semantic"](FACTS, PAIR)
TAKES = [take.text for take in extract(snapshot(QUOTES)).takes]


@pytest.mark.parametrize(
    ("given_page", "reason", "words"),
    [
        (snapshot(""), "empty", "no content"),
        (snapshot(" \n\t"), "empty", "white space"),
        (
            snapshot(QUOTES.replace("—", "\u00e9\u20ac").encode("cp1252", "replace")),
            "undecodable",
            "not text in",
        ),
        (snapshot("A recipe for bread.\nFlour, water, salt.\n"), "not_a_comparison", "Panel ship"),
        (snapshot(QUOTES[: QUOTES.index("Reviewer scorecard") + 200]), "truncated", "stops inside"),
        (snapshot(QUOTES[: QUOTES.index("Weekly AI Tool Verdicts")]), "truncated", "closing line"),
        (snapshot(QUOTES[: QUOTES.index("Panel ship")]), "truncated", "stops before"),
        (snapshot(b"\x89PNG\r\n\x1a\n\x00\x00", media_type="image/png"), "undecodable", "not text in utf-8"),
        (html("<p>Hello</p>"), "not_a_comparison", "Panel ship"),
        (html("just words"), "not_html", "no HTML"),
    ],
)
def test_a_page_that_cannot_be_read_says_why(given_page, reason, words):
    extracted = extract(given_page)
    assert isinstance(extracted, Reject)
    assert extracted.reason == reason
    assert words in extracted.detail


@pytest.mark.parametrize("path", ["/compare/how", "/de/compare/how", "/pt-BR/compare/how"])
@pytest.mark.parametrize("host", SHIPPED["shiporskip"].hosts)
def test_a_page_below_the_comparison_path_of_a_known_site_must_be_a_comparison(host, path):
    extracted = extract(html("<html><body><p>How we compare tools.</p></body></html>", f"http://{host}{path}"))
    assert isinstance(extracted, Reject)
    assert extracted.reason == "not_a_comparison"


@pytest.mark.parametrize("page", [QUOTES, SEMANTIC], ids=["quotes", "html"])
@pytest.mark.parametrize("nothing", ["“”", "“ ”", "“\u2063”", "“\u0301”"])
def test_a_take_that_shows_no_words_is_told_and_not_loaded_empty(page, nothing):
    take = TAKES[0] if page == SEMANTIC else f"“{TAKES[0]}”"
    assert take in page
    text = page.replace(take, nothing)
    extracted = extract(html(text, page_url(PAIR)) if page == SEMANTIC else snapshot(text))
    if page == QUOTES:
        assert isinstance(extracted, Reject), extracted
        assert extracted.reason == "incomplete_scorecard"
    else:
        assert [doubt.expected for doubt in extracted.doubts] == ["words of Builder"]
        assert {take.text for take in extracted.takes} == {*TAKES[1:]}
