"""What an analyst of the market asks, on a corpus small enough to reckon by hand: that of `builders/market_rows.py`."""

from dataclasses import replace

import polars as pl
import pytest

from builders import warehouse_rows as make
from builders.market_rows import LATER, LIST, NEWS, TAKES, market, measures
from builders.warehouse_files import answer_frame, load_corpus
from verdicts.warehouse.serving.named_queries import query_named

pytestmark = pytest.mark.once


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    path = tmp_path_factory.mktemp("market") / "corpus.duckdb"
    gone = make.Fetch("9", url=f"http://{make.HOST}/compare/alpha-vs-gamma", outcome="gone", status_code=410)
    gone = replace(gone, started_at=make.NEXT_NIGHT)
    load_corpus(path, market(), fetches=[*make.fetches(), gone], gate_measures=measures())
    return path


def answer(corpus, name, **values):
    query = query_named(name)
    return answer_frame(corpus, query.sql, query.bound(values))


def test_what_other_sites_say_stands_beside_the_panel_on_one_scale(corpus):
    """A candidate is not shown; 8 of an unknown best, which schema.org takes for 5, is no share of it."""
    found = answer(corpus, "panel_and_other_sites").sort("name", "slug", "url")
    assert found.select("slug", "host", "outside_pct", "rating_best", "ratings").rows() == [
        ("alpha", make.HOST, 90.0, 5.0, 12),
        ("alpha", "lists.example", None, 5.0, 7),
        ("beta", "lists.example", 60.0, 5.0, None),
        ("gamma", "lists.example", 60.0, 5.0, None),
    ]
    of_beta = answer(corpus, "panel_and_other_sites", tool=make.an_id("beta"))
    assert of_beta.select("panel_ship_pct", "url").rows() == [(50, LIST)]


def test_a_review_of_other_sites_is_one_with_its_pages(corpus):
    found = answer_frame(corpus, "FROM distinct_outside_reviews")
    assert found.select("name", "author", "text", "appearances", "pages", "hosts").rows() == [
        ("Alpha", "Ines", "A good one.", 2, 2, 2)
    ]
    assert found["urls"].to_list() == [[NEWS, LIST]]


def test_who_leaves_whom_in_their_words(corpus):
    """Neither `never have moved from Alpha` nor `from a large company` is a move; beta and gamma are called Twin."""
    found = answer(corpus, "who_leaves_whom")
    assert found.select("from_name", "to_name", "takes", "mean_score").rows() == [
        ("Alpha", "Twin", 2, 55.0),
        ("Twin", "Alpha", 1, 30.0),
    ]
    assert any("I switched from Alpha" in words for words in found["words"][0])
    assert found["review_id"][1] == make.an_id("back")
    assert answer(corpus, "who_leaves_whom", tool="nothing").is_empty()
    assert answer(corpus, "who_leaves_whom", tool="TWIN").height == 2


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
@pytest.mark.share(2)
def test_a_move_is_a_verb_and_the_name_of_a_tool(tmp_path, text, moved):
    rows = make.corpus()
    rows["tools"] = [
        make.tool("alpha"),
        make.tool("beta", name="Beta"),
        make.tool("gamma", name="Beta Two"),
        make.tool("delta", name="Beta v2.5"),
    ]
    rows["reviews"][0] = make.review("alpha builder", "alpha", appearances=2, text=text)
    load_corpus(tmp_path / "corpus.duckdb", rows)
    assert answer(tmp_path / "corpus.duckdb", "who_leaves_whom").select("from_name", "to_name").rows() == moved


def test_token_prices_are_told_by_the_million(corpus):
    found = answer(corpus, "token_prices").sort("per_million", "vendor", nulls_last=True)
    assert found.select(pl.col("per_million").round(6), "direction", "vendor").rows() == [
        (2.0, None, "Google"),
        (2.0, None, "Meta"),
        (3.0, "input", "Meta"),
    ]
    assert answer(corpus, "token_prices", direction="input")["raw"].to_list() == ["$3"]
    assert answer(corpus, "token_prices", direction="output").is_empty()


def test_which_seat_is_with_the_community(corpus):
    """The community would ship beta (80) and skip gamma (20). The PM says ship and skip, the Skeptic skips beta."""
    found = {row["seat"]: row for row in answer(corpus, "seats_and_the_community", least="1").to_dicts()}
    assert {seat: (row["tools"], row["agree_pct"], row["mean_distance"]) for seat, row in found.items()} == {
        "PM": (2, 100.0, 10.0),
        "Builder": (1, 100.0, 10.0),
        "Skeptic": (1, 0.0, 40.0),
        "Creator": (1, 0.0, 46.0),
        "Founder": (1, 100.0, 30.0),
    }
    assert found["PM"]["correlation"] == pytest.approx(1.0)
    assert answer(corpus, "seats_and_the_community").is_empty()


def test_whose_verdict_turned_after_a_price(corpus):
    """Alpha's price rose in the second night, its verdict turned nine days later; beta's price never changed."""
    found = answer(corpus, "verdicts_after_prices")
    assert found.select("name", "days", "pricing_after", "verdict_changed_at", "verdict_after").rows() == [
        ("Alpha", 9.0, "Free / $20/mo Pro", LATER, "skip")
    ]
    assert answer(corpus, "verdicts_after_prices", days="8").is_empty()


def test_numbers_of_one_unit_that_differ_are_told_with_their_sentences(corpus):
    """40 seconds and 1.5 minutes of a cold start differ; the 3 hours of an export share no word with either."""
    found = answer(corpus, "numbers_that_differ")
    assert found.select("name", "unit", "times").rows() == [("Alpha", "seconds", 2.25)]
    (row,) = found.to_dicts()
    assert {row["sentence"], row["other_sentence"]} == {
        "A cold start took 40 seconds on my laptop.",
        "The first cold start: 1.5 minutes.",
    }
    assert row["shared_words"] == ["start"]
    assert answer(corpus, "numbers_that_differ", shared="0").height == 3
    assert answer(corpus, "numbers_that_differ", times="3").is_empty()


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ("Recall drops past 40 thousand tokens.", [("tokens", 40_000.0)]),
        ("It reads 1,000,000 tokens in 250 ms!", [("tokens", 1_000_000.0), ("seconds", 0.25)]),
        ("Won in 6% of cases, 0.5 percent lost.", [("%", 6.0), ("%", 0.5)]),
        ("It needs 2 GB, or 512MB when small", [("GB", 2.0), ("GB", 0.512)]),
        ("Version 3 has seconds of fame.", []),
    ],
)
def test_a_number_is_read_with_its_unit(tmp_path, text, stated):
    rows = make.corpus()
    rows["reviews"][0] = make.review("alpha builder", "alpha", appearances=2, text=text)
    load_corpus(tmp_path / "corpus.duckdb", rows)
    told = answer_frame(tmp_path / "corpus.duckdb", "SELECT unit, number FROM stated_numbers").rows()
    assert sorted(told) == sorted(stated)


def test_how_the_tools_of_a_vendor_fare(corpus):
    found = answer(corpus, "vendors").select("vendor", "tools", "mean_panel_pct", "evidence").rows()
    assert found == [("Google", 2, 50.0, ["name: Google", "slug: Google"]), ("Meta", 1, 50.0, ["name: Llama"])]
    assert answer(corpus, "vendors", least="2")["vendor"].to_list() == ["Google"]


def test_who_wins_most_matches(corpus):
    """By the panel alpha has 75 against 50 and 25."""
    found = answer(corpus, "match_winners").select("slug", "won_pct", "matches", "won", "lost", "tied").rows()
    assert sorted(found) == [("alpha", 100.0, 2, 2, 0, 0), ("beta", 0.0, 1, 0, 1, 0), ("gamma", 0.0, 1, 0, 1, 0)]
    assert answer(corpus, "match_winners", least="2")["slug"].to_list() == ["alpha"]
    assert answer(corpus, "match_winners", by="luck").is_empty()
    scores = {word: score for word, (tool, _, score, _, _) in TAKES.items() if tool == "gamma"}
    assert sum(scores.values()) / len(scores) < 70
    by_score = {row["slug"]: row["won"] for row in answer(corpus, "match_winners", by="score").to_dicts()}
    assert by_score == {"alpha": 2, "beta": 0, "gamma": 0}


def test_where_panel_and_community_differ(corpus):
    found = answer(corpus, "panel_and_community").select("slug", "distance", "community_votes").rows()
    assert found == [("beta", 30, 40), ("gamma", 5, None)]
    assert answer(corpus, "panel_and_community", votes="2")["slug"].to_list() == ["beta"]


def test_how_well_a_column_is_filled(corpus):
    found = answer(corpus, "fill_rates_by_load", relation="reviews", column="score")
    assert found.select("filled_pct", "brought_filled_pct", "held").rows() == [
        (pytest.approx(100 * 11 / 12), pytest.approx(100 * 11 / 12), 12)
    ]


def test_what_is_doubtful_and_where(corpus):
    found = answer(corpus, "doubts_by_rule").select("rule", "kind", "host", "doubts").rows()
    assert found == [("chip_follows_panel", "discrepancy", make.HOST, 1), ("empty", "reject", make.HOST, 1)]
    assert answer(corpus, "doubts_by_rule", host="other.example").is_empty()


def test_what_the_gates_held(corpus):
    held = answer(corpus, "gates_by_night", state="held").select("host", "measure", "had", "lost").rows()
    assert held == [(make.HOST, "takes", 10, 9)]
    assert answer(corpus, "gates_by_night").height == 2
