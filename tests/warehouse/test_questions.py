"""Every named question on the demo site, its answer reckoned from the facts of the site."""

import re
from collections import Counter, defaultdict
from dataclasses import replace
from datetime import timedelta
from itertools import combinations
from pathlib import Path
from statistics import mean, median
from types import MappingProxyType

import polars as pl
import pytest
from selectolax.lexbor import LexborHTMLParser

from builders import warehouse_rows as make
from builders.answer_key import corpus_expected
from builders.snapshots import CRAWL, MOMENT, demo_observation
from builders.warehouse_files import answer_frame, load_corpus
from builders.warehouse_files import ask_named as answer
from verdicts.demo_site.responses import SITE_HOST, SITE_URL
from verdicts.demo_site.site_facts import load_facts
from verdicts.demo_site.site_pages import render_comparison
from verdicts.explore.figures.answer_charts import draw_answer
from verdicts.normalize.corpus import normalize
from verdicts.warehouse.serving.copy import bring_index_up_to_date
from verdicts.warehouse.serving.named_queries import list_queries
from verdicts.warehouse.storage.connection import open_for_writing

FACTS = load_facts()
REVIEWS = corpus_expected().reviews
ROOT = SITE_URL.rstrip("/")
NEXT = "20261102T013000Z-0002"
CHANGED = next(tool for tool in FACTS.tools.values() if tool.chip == "Ship" and tool.skips == 1)
"""A tool that loses a vote in the second night, and whose price goes up."""


def change_facts():
    takes = [replace(take, verdict="skip") for take in CHANGED.takes]
    now = replace(CHANGED, pricing="Free / $99/mo Pro", takes=tuple(takes))
    return replace(FACTS, tools=MappingProxyType({**FACTS.tools, CHANGED.slug: now}))


NOW = change_facts()
NOW_AND_AS_OF_NOW = ("tools", "tools_asof('2026-12-01')")


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    """Two nights: the whole site and a page that is no comparison, then the pages of the tool that changed."""
    seen = [
        demo_observation(ROOT + pair.path, render_comparison(FACTS, pair), "text/html; charset=utf-8", at)
        for at, pair in enumerate(FACTS.pairs)
    ]
    seen.append(demo_observation(f"{ROOT}/compare/nothing", "<p>Nothing is compared here.</p>", "text/html", 900))
    for at, pair in enumerate(FACTS.find_pairs(CHANGED.slug), start=1000):
        again = demo_observation(ROOT + pair.path, render_comparison(NOW, pair), "text/html; charset=utf-8", at)
        seen.append(replace(again, crawl_id=NEXT, fetched_at=MOMENT + timedelta(days=1)))
    path = tmp_path_factory.mktemp("demo") / "corpus.duckdb"
    load_corpus(path, dict(normalize(seen)), crawls=list(crawls()), fetches=list(fetches()))
    with open_for_writing(path) as connection:
        bring_index_up_to_date(connection)
    return path


def crawls():
    for crawl_id, began in ((CRAWL, MOMENT), (NEXT, MOMENT + timedelta(days=1))):
        yield make.Crawl(crawl_id, started_at=began, finished_at=began + timedelta(minutes=5))


def fetches():
    for at, pair in enumerate(FACTS.pairs):
        yield make.Fetch(f"{CRAWL}-{at}", CRAWL, ROOT + pair.path)
        changed = CHANGED.slug in (pair.a, pair.b)
        outcome, status = ("stored", 200) if changed else ("unchanged", 304)
        yield make.Fetch(f"{NEXT}-{at}", NEXT, ROOT + pair.path, outcome, status)
    yield make.Fetch(f"{NEXT}-lost", NEXT, f"{ROOT}/compare/lost", "http_error", 404)


def group(tool):
    """The category under one name, as a reader would sort the site's."""
    return {
        **dict.fromkeys(("Audio & Voice", "Voice & Audio", "Audio & Speech"), "Audio & Voice"),
        **dict.fromkeys(("Models", "AI Models", "AI/ML Models"), "AI Models"),
    }.get(tool.category, tool.category)


def states_prices(tool):
    """Whether a page of the tool has the Decision table, which html_lite leaves out."""
    return any(pair.dom != "html_lite" for pair in FACTS.find_pairs(tool.slug))


def is_free(tool):
    """Open source is free, whatever the entry says, once the pricing is told."""
    return tool.entry == "Free" or (states_prices(tool) and tool.pricing.casefold().startswith("open"))


def select_labelled(tool):
    """The reviews whose reviewer and score some page shows."""
    return [take for take in tool.takes if REVIEWS[take.text].is_labelled_somewhere]


def panel_pct(tool):
    return 0 if tool.slug == CHANGED.slug else tool.panel_pct


def mean_score(tool):
    return mean(take.score for take in select_labelled(tool)) if select_labelled(tool) else None


def test_every_question_is_asked_here():
    """Or in test_market_questions.py, on a corpus of its own."""
    text = "".join(file.read_text(encoding="utf-8") for file in Path(__file__).parent.glob("test_*questions.py"))
    asked = re.findall(r'(?:answer\(corpus, |^    \()"(\w+)"', text, re.MULTILINE)
    assert {query.name for query in list_queries()} <= set(asked)


@pytest.mark.whole
@pytest.mark.parametrize("kind", ["bars", "strip"])
def test_every_mark_of_a_picture_has_a_label_of_its_own(corpus, kind):
    """As it is drawn, cut to its room, and by its columns alone: numbers are for what no column tells apart."""
    for query in list_queries():
        if query.picture.kind != kind:
            continue
        rows = answer(corpus, query.name).to_dicts()
        keys = [tuple(row[column] for column in query.picture.labels) for row in rows]
        assert len(set(keys)) == len(keys), query.name
        labels = LexborHTMLParser(draw_answer(query.picture, rows) or "").css("g > text:not(.value)")
        assert len({label.text() for label in labels}) == len(labels), query.name


DAY = timedelta(days=1)
PAGES, AGAIN = len(FACTS.pairs), len(FACTS.find_pairs(CHANGED.slug))
STATED = sum(pair.dom != "html_lite" for pair in FACTS.find_pairs(CHANGED.slug))
TOOL = next(tool for tool in FACTS.tools.values() if len(select_labelled(tool)) == len(tool.takes) > 3)
NAMESAKES = [tool for tool in FACTS.tools.values() if tool.name == "Clavern Code"]
FREE = [tool for tool in NOW.tools.values() if is_free(tool)]
CONTESTED = [tool for tool in FACTS.tools.values() if 0 < panel_pct(tool) < 100]
SHARED = Counter(tool.name for tool in FACTS.tools.values())


def names(tools):
    return [(tool.name,) for tool in tools]


def by_category(least=1):
    groups = defaultdict(list)
    for tool in NOW.tools.values():
        groups[group(tool)].append(tool)
    for name, tools in groups.items():
        counts = len(tools), sum(len(tool.takes) for tool in tools)
        if len(tools) >= least:
            yield name, sorted({tool.category for tool in tools}), *counts, sum(map(is_free, tools))


MOST = max(Counter(map(group, NOW.tools.values())).values())
CATEGORY = "category published_as tools reviews free_tools"
CARD = "name tagline entry panel_verdict panel_ship_pct skip_votes pages"
CHANGED_CARD = (CHANGED.name, CHANGED.tagline, NOW.tools[CHANGED.slug].entry, "skip", 0, len(CHANGED.takes), AGAIN)

LOOKALIKE_COLUMNS = ("review_id", "other_review_id", "similarity", "content_hash", "load_id")

ANSWERS = [
    ("corpus_counts", {}, "tools pages reviews rejects", [(len(FACTS.tools), PAGES, len(REVIEWS), 1)]),
    ("category_summary", {}, CATEGORY, [*by_category()]),
    ("category_summary", {"least": str(MOST)}, CATEGORY, [*by_category(MOST)]),
    ("changed_verdicts", {}, "name panel_verdict_after panel_after_pct", [(CHANGED.name, "skip", 0)]),
    ("changed_reviews", {}, "name change verdict_before verdict_after",
     [(CHANGED.name, "changed", "ship", "skip")] * CHANGED.ships),
    ("withdrawn_reviews", {}, "text", []),
    ("changed_verdicts", {"since": "2026-11-03"}, "name", []),
    ("changed_prices", {"since": "2026-11-02"}, "pricing_after changed_at", [("Free / $99/mo Pro", MOMENT + DAY)]),
    ("outcomes_by_night", {}, "crawl_id unchanged stored other failed",
     [(NEXT, PAGES - AGAIN, AGAIN, 1, 0), (CRAWL, 0, PAGES, 0, 0)]),
    ("outcomes_by_night", {"nights": "1"}, "crawl_id", [(NEXT,)]),
    ("hosts_by_night", {}, "host addresses answered_by_night", [(SITE_HOST, PAGES + 1, [100, 100])]),
    ("doubts_by_rule", {"kind": "reject"}, "rule doubts example_url",
     [("not_a_comparison", 1, f"{ROOT}/compare/nothing")]),
    ("doubts_by_rule", {"rule": "too_slow"}, "rule", []),
    ("newest_doubts", {"rule": "not_a_comparison"}, "kind url", [("reject", f"{ROOT}/compare/nothing")]),
    ("free_tools", {}, "name", names(FREE)),
    ("free_tools", {"evidence": "tiers against entry"}, "name", names(tool for tool in FREE if tool.entry == "Paid")),
    ("free_tools", {"evidence": "entry"}, "name", names(tool for tool in FREE if not states_prices(tool))),
    ("contested", {}, "name", names(CONTESTED)),
    ("contested", {"least": "50"}, "name", names(tool for tool in CONTESTED if panel_pct(tool) == 50)),
    ("review_facets", {"words": TOOL.takes[0].text, "reviewer": "Nobody"}, "facet value reviews",
     [("reviewer", TOOL.takes[0].reviewer, 1)]),
    ("tool_facets", {"words": TOOL.slug, "category": "No category"}, "facet value tools",
     [("category", group(TOOL), 1)]),
    ("page_facets", {"words": "no such page"}, "facet", []),
    ("list_pages", {"words": "no such page"}, "title", []),
    ("pages_of_records", {"ids": TOOL}, "pages", [(len(FACTS.find_pairs(TOOL.slug)),)] * 3),
    ("find_tool", {"tool": TOOL.slug}, "how slug", [("slug", TOOL.slug)]),
    ("find_tool", {"tool": "Clavern CODE"}, "how slug", [("name", tool.slug) for tool in NAMESAKES]),
    ("find_tool", {"tool": "nothing of the sort"}, "slug", []),
    ("tool_reviews", {"tool": TOOL}, "score reviewer text",
     [(take.score, take.reviewer, take.text) for take in TOOL.takes]),
    ("tool_namesakes", {"tool": NAMESAKES[0]}, "slug", [(NAMESAKES[1].slug,)]),
    ("tool_card", {"tool": CHANGED}, CARD, [CHANGED_CARD]),
    ("tool_prices", {"tool": CHANGED}, "raw", [("Free",), ("$99/mo Pro",)]),
    ("tool_price_history", {"tool": CHANGED}, "pricing", [(CHANGED.pricing,)]),
    ("relations", {"relation": "lookalikes"}, "name", [*zip(LOOKALIKE_COLUMNS)]),
    ("new_tools", {}, "name", []),
    ("tools_that_vanished", {}, "name", []),
    ("failures_by_host", {}, "host", []),
    ("reviews_that_look_alike", {}, "similarity", []),
]  # fmt: skip
"""A question, its parameters (a tool stands for its id), columns of its answer, and their rows in any order."""


@pytest.mark.parametrize(("name", "values", "columns", "rows"), ANSWERS)
@pytest.mark.share(3)
def test_a_question_is_answered_from_the_facts(corpus, name, values, columns, rows):
    found = answer(corpus, name, **{key: find_id(corpus, told) for key, told in values.items()})
    assert sorted(found.select(columns.split()).rows(), key=str) == sorted(rows, key=str)


def test_tools_as_of_now_are_the_tools(corpus):
    present, past = (answer_frame(corpus, f"FROM {name} ORDER BY tool_id") for name in NOW_AND_AS_OF_NOW)
    shared = [column for column in past.columns if column in present.columns]
    assert {*shared} >= {"panel_verdict", "ship_votes", "skip_votes", "panel_ship_pct", "reviews", "mean_score"}
    assert past.select(shared).equals(present.select(shared))
    assert past["panel_ship_pct"].null_count() == 0, "each page of the demo site states a share"


def scores_by(key):
    """Labelled scores by what `key` makes of a tool and a review; None leaves a review out."""
    scores = defaultdict(list)
    for tool in FACTS.tools.values():
        for take in select_labelled(tool):
            scores[key(tool, take)].append(take.score)
    scores.pop(None, None)
    return scores


def test_how_much_of_the_host_is_known(corpus):
    row = answer(corpus, "coverage_by_host").row(0, named=True)
    assert (row["host"], row["pages"], row["reviews"], row["rejects"]) == (SITE_HOST, PAGES, len(REVIEWS), 1)
    assert row["score_pct"] == pytest.approx(100 * mean(review.is_labelled_somewhere for review in REVIEWS.values()))


def test_what_paid_plans_cost_in_each_category(corpus):
    amounts = defaultdict(list)
    for tool in NOW.tools.values():
        if states_prices(tool):
            # A price a reviewer, or a case, is no price a month.
            told = re.findall(r"\$([\d,.]+)/mo(?! per )", tool.pricing)
            amounts[group(tool)] += [float(amount.replace(",", "")) for amount in told]
    found = {row["category"]: row for row in answer(corpus, "category_prices").to_dicts()}
    tools = list(NOW.tools.values())
    assert {name: (row["tools"], row["free_tools"]) for name, row in found.items()} == {
        name: (len(of), sum(map(is_free, of)))
        for name in map(group, tools)
        if (of := [tool for tool in tools if group(tool) == name])
    }
    for category, row in found.items():
        paid = amounts[category] or [None]
        assert row["paid_tiers"] == len(amounts[category])
        assert (row["cheapest"], row["dearest"]) == (min(paid), max(paid))
        assert row["median"] == (median(paid) if amounts[category] else None)
    assert answer(corpus, "category_prices", currency="EUR")["paid_tiers"].sum() == 0


def test_which_reviewers_disagree_most(corpus):
    distances = defaultdict(list)
    for tool in FACTS.tools.values():
        for one, other in combinations(sorted(select_labelled(tool), key=lambda take: take.reviewer), 2):
            distances[one.reviewer, other.reviewer].append(abs(one.score - other.score))
    found = answer(corpus, "reviewers_that_disagree")
    assert {
        (row["reviewer"], row["other_reviewer"]): row["mean_distance"] for row in found.to_dicts()
    } == pytest.approx(
        {reviewers: mean(told) for reviewers, told in distances.items() if len(told) >= 10}, abs=0.005
    ), "fewer than ten tools in common say nothing"
    assert found["mean_distance"].is_sorted(descending=True)


@pytest.mark.whole
def test_a_name_finds_its_tools_before_all_others(corpus):
    for name, count in SHARED.items():
        assert set(answer(corpus, "search_tools", words=name.lower(), limit=str(count))["name"]) == {name}


def test_which_takes_rest_on_weak_evidence(corpus):
    weak = answer(corpus, "weakly_attributed")
    assert not weak.is_empty()
    assert not any(REVIEWS[text].is_labelled_somewhere for text in weak["text"])
    assert answer(corpus, "weakly_attributed", below="2", limit="1000").height == len(REVIEWS)


@pytest.mark.parametrize("history", ["history.tool_history", "history.price_history", "history.verdict_history"])
def test_what_the_second_night_did_not_see_stands_as_it_stood(corpus, history):
    ended = answer_frame(
        corpus, f"SELECT DISTINCT slug FROM {history} JOIN tools USING (tool_id) WHERE valid_to IS NOT NULL"
    )
    assert ended["slug"].to_list() == [CHANGED.slug]


def find_id(corpus, tool):
    return tool if isinstance(tool, str) else str(answer(corpus, "find_tool", tool=tool.slug)["tool_id"].item())


def test_the_tools_with_the_highest_means(corpus):
    means = sorted((score for tool in FACTS.tools.values() if (score := mean_score(tool)) is not None), reverse=True)
    assert answer(corpus, "top_tools", limit="10")["mean_score"].to_list() == pytest.approx(means[:10])


def test_the_scores_of_each_reviewer_in_steps(corpus):
    scores = scores_by(lambda _, take: take.reviewer)
    found = answer(corpus, "score_histogram", step="10").to_dicts()
    assert {(row["reviewer"], row["from_score"]): row["reviews"] for row in found} == {
        (reviewer, step): count
        for reviewer, told in scores.items()
        for step, count in Counter(score // 10 * 10 for score in told).items()
    }
    assert {row["reviewer"]: (row["reviewer_reviews"], row["reviewer_mean"]) for row in found} == {
        reviewer: (len(told), round(mean(told), 6)) for reviewer, told in scores.items()
    }


def test_the_list_of_tools_is_filtered_sorted_and_cut(corpus):
    every = answer(corpus, "list_tools", sort="name", limit="1000")
    assert sorted(every["slug"]) == sorted(FACTS.tools)
    assert every["name"].str.to_lowercase().is_sorted()
    second = answer(corpus, "list_tools", sort="name", limit="10", offset="10")
    assert second["tool_id"].to_list() == every["tool_id"].to_list()[10:20]
    assert set(second["tools_found"]) == {len(FACTS.tools)}
    assert set(every.filter("is_shared_name")["name"]) == {name for name, count in SHARED.items() if count > 1}
    (row,) = answer(corpus, "list_tools", words=TOOL.slug.upper()).to_dicts()
    assert sorted(zip(row["scores"], row["reviewers"], strict=True)) == sorted(
        (one.score, one.reviewer) for one in TOOL.takes
    )
    free = answer(corpus, "list_tools", entry="Free", category=TOOL.category, limit="1000")
    assert sorted(free["slug"]) == sorted(
        one.slug for one in NOW.tools.values() if one.entry == "Free" and TOOL.category in (one.category, group(one))
    )
    for sort, column in (
        ("mean", "mean_score"),
        ("panel", "panel_ship_pct"),
        ("pages", "pages"),
        ("reviews", "reviews"),
    ):
        ranked = answer(corpus, "list_tools", sort=sort, limit="1000")[column].drop_nulls()
        assert ranked.is_sorted(descending=True), sort


def test_the_lists_of_takes_and_pages_hold_what_their_filters_let_through(corpus):
    takes = [(tool, take) for tool in FACTS.tools.values() for take in select_labelled(tool)]
    sharp = answer(corpus, "list_reviews", reviewer="Skeptic", score_to="59", sort="lowest", limit="1000")
    assert sorted(sharp["text"]) == sorted(
        one.text for _, one in takes if one.reviewer == "Skeptic" and one.score is not None and one.score < 60
    )
    assert sharp["score"].is_sorted()
    cheap = answer(corpus, "list_reviews", price_from="1", price_to="20", limit="1000")
    priced = answer(corpus, "list_tools", price_from="1", price_to="20", limit="1000")
    assert set(cheap["slug"]) == set(priced["slug"])
    assert priced["cheapest_monthly"].is_between(1, 20).all()
    (word,) = answer(corpus, "list_reviews", words=takes[0][1].text).to_dicts()
    assert word["text"] == takes[0][1].text
    shipped = {one.slug for one in NOW.tools.values() if one.chip == "Ship" and one.slug != CHANGED.slug}
    found = answer(corpus, "list_pages", verdict="ship", category=TOOL.category, limit="1000")
    assert set(found["address"]) == {
        ROOT + pair.path
        for pair in FACTS.pairs
        if pair.dom != "html_lite"
        and any(one in shipped and TOOL.category in describe(FACTS.tools[one]) for one in (pair.a, pair.b))
    }
    assert (
        answer(corpus, "list_pages", kind="panel", sort="title", limit="7", offset="3")["title"].to_list()
        == sorted(answer(corpus, "list_pages", kind="panel", limit="1000")["title"], key=str.lower)[3:10]
    )


def describe(tool):
    return tool.category, group(tool)


@pytest.mark.parametrize(
    ("facets", "listed", "count", "filters"),
    [
        ("review_facets", "list_reviews", "reviews", {"verdict": "skip", "score_from": "40"}),
        ("tool_facets", "list_tools", "tools", {"entry": "Free", "reviewer": "PM"}),
        ("page_facets", "list_pages", "pages", {"category": TOOL.category, "price_to": "30"}),
    ],
)
@pytest.mark.share(3)
def test_a_value_of_a_facet_counts_what_a_list_holds_with_it_instead_of_the_value_chosen(
    corpus, facets, listed, count, filters
):
    rows = answer(corpus, facets, **filters).to_dicts()
    assert len({row["facet"] for row in rows}) > 1
    for row in rows:
        held = answer(corpus, listed, **filters | {row["facet"]: row["value"]}, limit="1000")
        assert held.height == row[count], row


def test_what_stands_on_the_page_of_a_tool(corpus):
    pairs = FACTS.find_pairs(TOOL.slug)
    others = Counter(FACTS.tools[pair.b if pair.a == TOOL.slug else pair.a].name for pair in pairs)
    assert Counter(answer(corpus, "tool_opponents", tool=find_id(corpus, TOOL))["name"].to_list()) == others
    changes = answer(corpus, "tool_changes", tool=find_id(corpus, CHANGED)).filter(pl.col("is_flip"))
    assert changes.select("panel_verdict_before", "panel_verdict_after").unique().rows() == [("ship", "skip")]
    assert changes["pages"].sum() == STATED
    take = TOOL.takes[0]
    takes = answer(corpus, "tool_reviews", tool=find_id(corpus, TOOL))
    review = takes.filter(pl.col("text") == take.text)["review_id"].item()
    card = answer(corpus, "review_card", review=review).row(0, named=True)
    assert (card["name"], card["reviewer"], card["score"], card["text"]) == (
        TOOL.name,
        take.reviewer,
        take.score,
        take.text,
    )
    assert answer(corpus, "review_appearances", review=review, limit="100").height == card["appearances"]
    assert answer(corpus, "review_evidence", review=review)["kind"][0] == "observed"
    assert answer(corpus, "review_doubts", review=review).is_empty()
    assert answer(corpus, "record_corrections", review=review).is_empty()
    doubts = answer(corpus, "doubts_to_settle", limit="100")
    assert doubts["rows"].to_list() == sorted(doubts["rows"], reverse=True)
    assert set(doubts["doubt"]) == {"near tools", "weak review"}
    assert answer(corpus, "find_record", words=review[:12]).select("kind", "id").rows() == [("review", review)]
    assert answer(corpus, "search_reviews", limit="5").height == 5


def test_a_search_finds_other_forms_of_its_words(corpus):
    found = answer(corpus, "words_found", words="Editors nosuchword")
    assert found.select("spelling", "asked", "is_exact").rows() == [
        ("editors", "editors", True),
        ("editor", "editors", False),
    ]


def test_what_stands_on_a_page(corpus):
    pair = next(pair for pair in FACTS.find_pairs(TOOL.slug) if pair.dom != "html_lite")
    (page,) = answer_frame(corpus, f"SELECT page_id FROM pages WHERE url = '{ROOT}{pair.path}'")["page_id"]
    cards = answer(corpus, "page_card", page=page)
    assert cards.select("side", "name").rows() == [
        (side, one.name) for side, one in zip("ab", FACTS.cards(pair), strict=True)
    ]
    assert answer(corpus, "pages_of_records", ids=page)["page_id"].to_list() == [page]
    takes = answer(corpus, "page_reviews", page=page)
    assert set(takes["text"]) == {take.text for one in FACTS.cards(pair) for take in one.takes}
    a, b = ({take.reviewer: take.score for take in select_labelled(one)} for one in FACTS.cards(pair))
    assert {
        (row["reviewer"], row["score_a"], row["score_b"])
        for row in answer(corpus, "page_reviewers", page=page).to_dicts()
    } == {(reviewer, a.get(reviewer), b.get(reviewer)) for reviewer in {*a, *b}}
    assert answer(corpus, "newest_doubts", page=page).is_empty()


def test_how_each_reviewer_leans(corpus):
    scores = scores_by(lambda _, take: take.reviewer)
    kinder = defaultdict(list)
    for tool in FACTS.tools.values():
        told = select_labelled(tool)
        for take in told:
            if len(told) > 1:
                kinder[take.reviewer].append(take.score - mean(other.score for other in told if other is not take))
    found = answer(corpus, "reviewer_leanings")
    assert dict(found.select("reviewer", "mean_score").rows()) == pytest.approx(
        {s: mean(told) for s, told in scores.items()}, abs=0.005
    )
    leanings = {row["reviewer"]: row for row in found.to_dicts() if row["leaning"] is not None}
    assert {name: row["leaning"] for name, row in leanings.items()} == pytest.approx(
        {reviewer: mean(told) for reviewer, told in kinder.items() if len(told) >= 10}, abs=0.005
    )
    assert answer(corpus, "score_histogram")["reviewer"].unique(maintain_order=True).to_list() == [*found["reviewer"]]
    assert found["leaning"].is_sorted(nulls_last=True)
    most_takes = min((-takes, reviewer) for takes, reviewer in found.select("reviews", "reviewer").rows())[1]
    assert answer(corpus, "reviewer_leanings", limit="1")["reviewer"].to_list() == [most_takes]


def test_the_cheapest_tools_come_first_each_with_its_cheapest_tier(corpus):
    found = answer(corpus, "cheapest_tools", limit="1000")
    assert found["tool_id"].is_unique().all()
    assert found["monthly_amount"].is_sorted()
    medians = answer(corpus, "category_prices").filter(pl.col("paid_tiers") > 0)
    assert dict(found.group_by("category_group").agg(pl.col("monthly_amount").min()).rows()) == dict(
        medians.select("category", "cheapest").rows()
    )


@pytest.mark.parametrize("dots", ["20", "2"])
def test_prices_are_counted_in_steps_where_they_are_too_many_to_be_told_apart(corpus, dots):
    found = answer(corpus, "price_dots", dots=dots)
    tiers = answer(corpus, "category_prices").filter(pl.col("paid_tiers") > 0)
    assert dict(found.group_by("category").agg(pl.col("tiers").sum()).rows()) == dict(
        tiers.select("category", "paid_tiers").rows()
    )
    assert found.group_by("category").len()["len"].max() <= int(dots)
    assert found.filter("is_binned").is_empty() == (dots == "20")
    exact = found.filter(~pl.col("is_binned"))
    assert exact["from_usd"].equals(exact["to_usd"].alias("from_usd"))


def test_which_statements_contradict(corpus):
    found = answer(corpus, "doubts_by_rule", kind="discrepancy")
    counted = answer_frame(corpus, "SELECT rule, count(*) AS times FROM evidence.discrepancies GROUP BY rule")
    assert dict(found.select("rule", "doubts").rows()) == dict(counted.rows())
