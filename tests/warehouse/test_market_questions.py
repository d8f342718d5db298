"""What an analyst of the market asks, on a corpus small enough to reckon by hand: that of `builders/hand_made.toml`."""

from datetime import UTC, datetime

import pytest
from msgspec import structs

from builders import warehouse_rows as make
from builders.warehouse_files import answer_frame, load_corpus
from builders.warehouse_files import ask_named as answer
from builders.warehouse_rows import LIST, NEWS, market, measures
from verdicts.commands.printing.summary import count_corpus

LATER = datetime(2026, 11, 20, 20, tzinfo=UTC)
"""A second run on the day of the first."""


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    """The market, with the panel's share as its cards show it."""
    path = tmp_path_factory.mktemp("market") / "corpus.duckdb"
    rows = market()
    shown = {(card.page_id, card.side): card.panel_ship_pct for card in rows["tool_cards"]}
    rows["verdict_history"] = [
        structs.replace(state, panel_ship_pct=shown[state.page_id, state.side]) for state in rows["verdict_history"]
    ]
    rows["pages"] = [
        structs.replace(page, first_seen_at=LATER, last_seen_at=LATER) if page.page_id == make.an_id("news") else page
        for page in rows["pages"]
    ]
    load_corpus(path, rows, gate_measures=measures())
    return path


OUTSIDE = [
    ("alpha", make.HOST, 90.0, 5.0, 12),
    ("alpha", "lists.example", None, 5.0, 7),
    ("beta", "lists.example", 60.0, 5.0, None),
    ("gamma", "lists.example", 60.0, 5.0, None),
]
MATCHES = "slug won_pct won_from_pct won lost tied"
VENDORS = [("Google", 2, 50.0, ["name: Google", "slug: Google"]), ("Meta", 1, 50.0, ["name: Llama"])]
SHARE = round(100 * 13 / 14, 2)

ANSWERS = [
    ("page_overview", {"page": make.an_id("best")}, "address kind", [(LIST, "list")]),
    ("page_overview", {"page": make.an_id("news")}, "kind tools facts reviews not_read", [("versus", 2, 2, 1, None)]),
    ("page_mentions", {"page": make.an_id("news")}, "name price", [("Alpha", "9 USD"), ("Beta", None)]),
    # The answer of a question belongs to the page.
    ("page_facts", {"page": make.an_id("news")}, "name attribute value",
     [("Alpha", "Licence", "MIT"), (None, "Is it fast?", "It is.")]),
    ("search_mentions", {"words": "the BETA"}, "name address", [("Beta", NEWS)]),
    ("search_mentions", {"words": "lph"}, "name price", [("Alpha", "9 USD"), ("Alpha", None)]),
    ("search_mentions", {"words": "gamma"}, "name", []),
    # A tool by its name in the panel and on pages; Twin may be beta or gamma, and is listed for both.
    ("who_lists", {"mentioned": "alpha"}, "address rank price", [(NEWS, None, "9 USD"), (LIST, 2, None)]),
    ("who_lists", {"mentioned": make.an_id("beta")}, "address name known_by",
     [(NEWS, "Beta", "same_name"), (LIST, "Twin", None)]),
    ("names_mentioned", {"mentioned": "alpha"}, "name pages", [("Alpha", 2)]),
    ("mentioned_facets", {"kind": "list"}, "facet value mentioned",
     [("host", "lists.example", 2), ("kind", "list", 2), ("kind", "versus", 2), ("panel", "reviewed", 1),
      ("panel", "not reviewed", 1)]),
    ("page_text", {"page": make.an_id("news")}, "title text", [("One", "Our own words.")]),
    ("who_lists", {"mentioned": make.an_id("gamma")}, "address name", [(LIST, "Twin")]),
    ("what_sites_say", {"mentioned": "alpha"}, "attribute value",
     [("Licence", "MIT"), *(("review by Ines", f"5.0/5.0: A good one{end}") for end in (".", ""))]),
    ("list_mentioned", {}, "name pages best_rank prices",
     [("Alpha", 2, 2, ["9 USD"]), ("Beta", 1, None, None), ("Twin", 1, None, None)]),
    ("list_mentioned", {"panel": "not reviewed"}, "name", [("Twin",)]),
    ("list_pages", {"since": "2026-11-20 20:00Z"}, "address pages_found", [(NEWS, 1)]),
    ("list_pages", {"kind": "list"}, "address tools names", [(LIST, 2, ["Twin", "Alpha"])]),
    ("pages_of_other_sites", {}, "address kind tools", [(LIST, "list", 2), (NEWS, "versus", 2)]),
    # A candidate is not shown; 8 of an unknown best, which schema.org takes for 5, is no share of it.
    ("panel_and_other_sites", {}, "slug host outside_pct rating_best ratings", OUTSIDE),
    ("panel_and_other_sites", {"tool": make.an_id("beta")}, "panel_ship_pct address", [(50, LIST)]),
    # Neither `never have moved from Alpha` nor `from a large company` is a move; beta and gamma are called Twin.
    ("who_leaves_whom", {}, "from_name to_name reviews", [("Alpha", "Twin", 2), ("Twin", "Alpha", 1)]),
    ("who_leaves_whom", {"called": "nothing"}, "reviews", []),
    ("who_leaves_whom", {"called": "TWIN"}, "reviews", [(2,), (1,)]),
    ("token_prices", {}, "per_million direction vendor",
     [(2.0, None, "Google"), (2.0, None, "Meta"), (3.0, "input", "Meta")]),
    ("token_prices", {"direction": "input"}, "raw", [("$3",)]),
    ("token_prices", {"direction": "output"}, "raw", []),
    ("vendors", {}, "vendor tools mean_panel_pct evidence", VENDORS),
    ("vendors", {"least": "2"}, "vendor", [("Google",)]),
    # By the panel alpha has 75 against 50 and 25.
    ("match_winners", {"least": "1"}, MATCHES,
     [("alpha", 100.0, 34.2, 2, 0, 0), ("beta", 0.0, 0.0, 0, 1, 0), ("gamma", 0.0, 0.0, 0, 1, 0)]),
    ("match_winners", {"least": "2"}, "slug", [("alpha",)]),
    ("match_winners", {"least": "1", "by": "score"}, "slug won", [("alpha", 2), ("beta", 0), ("gamma", 0)]),
    # Nobody has ten.
    ("match_winners", {}, "slug", []),
    # 32 of 40 votes; how many gamma has is not known.
    ("panel_and_community", {}, "slug distance community_votes community_from_pct community_to_pct",
     [("beta", 30, 40, 65.2, 89.5)]),
    ("panel_and_community", {"votes": "41"}, "slug", []),
    # All reviews but gamma's have a score, the one that is no longer shown too.
    ("fill_rates_by_load", {"relation": "reviews", "column": "score"}, "filled_pct brought_filled_pct held",
     [(SHARE, SHARE, 14)]),
    ("doubts_by_rule", {}, "rule kind doubts hosts expected",
     [("chip_follows_panel", "discrepancy", 1, 1, "skip"), ("empty", "reject", 1, 1, None)]),
    ("doubts_by_rule", {"host": "other.example"}, "rule", []),
    ("gates_by_night", {"state": "held"}, "host measure had lost", [(make.HOST, "reviews", 10, 9)]),
    ("gates_by_night", {}, "state", [("held",), ("passed",)]),
]  # fmt: skip
"""A question, its parameters, columns of its answer, and their rows in any order."""


@pytest.mark.whole
@pytest.mark.parametrize(("name", "values", "columns", "rows"), ANSWERS)
def test_a_question_of_the_market_is_answered(corpus, name, values, columns, rows):
    found = answer(corpus, name, **values).select(columns.split()).rows()
    rounded = [tuple(round(one, 6) if isinstance(one, float) else one for one in row) for row in found]
    assert sorted(rounded, key=str) == sorted(rows, key=str)


def test_an_answer_quotes_the_sentences_that_it_rests_on(corpus):
    leaving = answer(corpus, "who_leaves_whom")
    assert any("I switched from Alpha" in words for words in leaving["words"][0])
    assert leaving["review_id"][1] == make.an_id("back")
    said = answer_frame(corpus, "FROM outside.distinct_outside_reviews")
    assert said.select("name", "author", "text", "urls", "appearances", "hosts").rows() == [
        ("Alpha", "Ines", "A good one.", [NEWS, LIST], 2, 2)
    ]


def test_two_tools_are_compared_by_the_panel_by_pages_that_list_both_and_by_others(corpus):
    compared = answer(corpus, "compare_tools", one=make.an_id("alpha"), other=make.an_id("gamma"))
    said = {(row["page_id"], row["attribute"]): (row["one"], row["other"]) for row in compared.to_dicts()}
    assert said[None, "would ship"] == ("75 % of 4 votes", "25 %"), "nobody says how many voted on gamma"
    assert said[None, "mean score"] == ("69.2 of 5 reviews", "48.7 of 3 reviews")
    assert said[None, "score of Creator"] == ("71.0", "66.0")
    assert said[make.an_id("best"), "rating"] == ("8.0 of 5.0", "3.0 of 5.0")
    assert said[make.an_id("news"), "Licence"] == ("MIT", None)
    pages = [*dict.fromkeys(compared["page_id"])]
    assert pages == [None, make.an_id("best"), make.an_id("news")]


def test_a_page_of_another_site_that_is_gone_counts_nowhere_and_is_shown_as_gone(tmp_path):
    rows, path = market(), tmp_path / "corpus.duckdb"
    rows["pages"] = [structs.replace(page, is_gone=page.url == LIST) for page in rows["pages"]]
    load_corpus(path, rows)
    assert answer(path, "search_mentions", words="twin").is_empty()
    assert answer(path, "list_mentioned")["name"].to_list() == ["Alpha", "Beta"]
    assert {*answer(path, "panel_and_other_sites")["address"]} == {NEWS}
    assert {*answer(path, "what_sites_say", mentioned="alpha")["page_id"]} == {make.an_id("news")}
    assert make.an_id("best") not in {*answer(path, "compare_tools", one="alpha", other="twin")["page_id"]}
    listed = answer(path, "who_lists", mentioned="alpha").select("address", "is_gone").rows()
    assert listed == [(NEWS, False), (LIST, True)]
    assert answer(path, "page_overview", page=make.an_id("best"))["is_gone"].to_list() == [True]
    assert answer(path, "corpus_counts").select("other_pages", "gone_other_pages", "mentioned_tools").rows() == [
        (2, 1, 2)
    ]
    counted = count_corpus(path)
    assert (counted["pages of other sites"], counted["tools on them"]) == (1, 2)


@pytest.fixture
def saying(tmp_path):
    """A corpus of these tools whose first review, one of alpha, says this."""

    def make_corpus(text, **tools):
        rows = make.corpus()
        rows["tools"] = [make.tool("alpha"), *(make.tool(slug, name=name) for slug, name in tools.items())]
        rows["reviews"][0] = make.review("alpha builder", "alpha", appearances=2, text=text)
        load_corpus(tmp_path / "corpus.duckdb", rows)
        return tmp_path / "corpus.duckdb"

    return make_corpus


@pytest.mark.parametrize(
    ("text", "moved"),
    [
        ("I moved everything over from Beta Two, and it holds.", [("Beta Two", "Alpha")]),
        ("After a year we left Beta Two for this.", [("Beta Two", "Alpha")]),
        ("It replaced Beta in our team.", [("Beta", "Alpha")]),
        ("I didn't switch to Beta.", []),
        ("You could move from Beta.", []),
        ("I read from Beta to Gamma.", []),
        ("I switched to Beta v2.5 last May", [("Alpha", "Beta v2.5")]),
        ("We moved from Alpha 1 to Alpha 2.", []),
    ],
)
@pytest.mark.share(4)
def test_a_move_is_a_verb_and_the_name_of_a_tool(saying, text, moved):
    path = saying(text, beta="Beta", gamma="Beta Two", delta="Beta v2.5")
    assert answer(path, "who_leaves_whom").select("from_name", "to_name").rows() == moved
