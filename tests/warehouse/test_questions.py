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

from builders import warehouse_rows as make
from builders.answer_key import corpus_expected
from builders.snapshots import CRAWL, MOMENT, demo_observation
from builders.warehouse_files import answer_frame, load_corpus
from verdicts.demo_site.facts import load_facts
from verdicts.demo_site.pages import comparison_page
from verdicts.demo_site.responses import SITE_HOST, SITE_URL
from verdicts.explore.figures.dots import Line
from verdicts.explore.figures.pictures import drawn
from verdicts.normalize.corpus import normalize
from verdicts.warehouse.serving.copy import bring_index_up_to_date
from verdicts.warehouse.serving.named_queries import list_queries, query_named
from verdicts.warehouse.storage.connection import writing
from verdicts.warehouse.storage.errors import QuestionFailed

FACTS = load_facts()
REVIEWS = corpus_expected().reviews
ROOT = SITE_URL.rstrip("/")
NEXT = "20261102T013000Z-0002"
CHANGED = next(tool for tool in FACTS.tools.values() if tool.chip == "Ship" and tool.skips == 1)
"""A tool that loses a vote in the second night, and whose price goes up."""


def changed_facts():
    takes = [replace(take, verdict="skip") for take in CHANGED.takes]
    now = replace(CHANGED, pricing="Free / $99/mo Pro", takes=tuple(takes))
    return replace(FACTS, tools=MappingProxyType({**FACTS.tools, CHANGED.slug: now}))


NOW = changed_facts()


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    """Two nights: the whole site and a page that is no comparison, then the pages of the tool that changed."""
    seen = [
        demo_observation(ROOT + pair.path, comparison_page(FACTS, pair), "text/html; charset=utf-8", at)
        for at, pair in enumerate(FACTS.pairs)
    ]
    seen.append(demo_observation(f"{ROOT}/compare/nothing", "<p>Nothing is compared here.</p>", "text/html", 900))
    for at, pair in enumerate(FACTS.pairs_of(CHANGED.slug), start=1000):
        again = demo_observation(ROOT + pair.path, comparison_page(NOW, pair), "text/html; charset=utf-8", at)
        seen.append(replace(again, crawl_id=NEXT, fetched_at=MOMENT + timedelta(days=1)))
    path = tmp_path_factory.mktemp("demo") / "corpus.duckdb"
    load_corpus(path, dict(normalize(seen)), crawls=list(crawls()), fetches=list(fetches()))
    with writing(path) as connection:
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


def answer(corpus, name, **values):
    query = query_named(name)
    return answer_frame(corpus, query.sql, query.bound(values))


def group(tool):
    """The category under one name, as a reader would sort the site's."""
    return {
        **dict.fromkeys(("Audio & Voice", "Voice & Audio", "Audio & Speech"), "Audio & Voice"),
        **dict.fromkeys(("Models", "AI Models", "AI/ML Models"), "AI Models"),
    }.get(tool.category, tool.category)


def states_prices(tool):
    """Whether a page of the tool has the Decision table, which html_lite leaves out."""
    return any(pair.dom != "html_lite" for pair in FACTS.pairs_of(tool.slug))


def is_free(tool):
    """Open source is free, whatever the entry says, once the pricing is told."""
    return tool.entry == "Free" or (states_prices(tool) and tool.pricing.casefold().startswith("open"))


def labelled(tool):
    """The takes whose seat and score some page shows."""
    return [take for take in tool.takes if REVIEWS[take.text].is_labelled_somewhere]


def panel_pct(tool):
    return 0 if tool.slug == CHANGED.slug else tool.panel_pct


def mean_score(tool):
    return mean(take.score for take in labelled(tool)) if labelled(tool) else None


def test_every_question_is_asked_here():
    """Or in test_market_questions.py, on a corpus of its own."""
    text = "".join(file.read_text(encoding="utf-8") for file in Path(__file__).parent.glob("test_*questions.py"))
    assert {query.name for query in list_queries()} == set(re.findall(r'answer\(corpus, "(\w+)"', text))


@pytest.mark.parametrize("kind", ["bars", "strip"])
def test_every_mark_of_a_picture_has_a_label_of_its_own(corpus, kind):
    """As it is drawn, cut to its room, and by its columns alone: numbers are for what no column tells apart."""
    for query in list_queries():
        if query.picture.kind != kind:
            continue
        rows = answer(corpus, query.name).to_dicts()
        keys = [tuple(row[column] for column in query.picture.labels) for row in rows]
        assert len(set(keys)) == len(keys), query.name
        if (picture := drawn(query.picture, rows)) is not None and not isinstance(picture.figure, Line):
            shown = [row.label for row in picture.figure.rows]
            assert len(set(shown)) == len(shown), query.name


def test_how_much_the_corpus_holds(corpus):
    row = answer(corpus, "corpus_counts").row(0, named=True)
    assert (row["tools"], row["pages"], row["takes"], row["rejects"]) == (
        len(FACTS.tools),
        len(FACTS.pairs),
        len(REVIEWS),
        1,
    )
    assert row["weak_takes"] == answer(corpus, "weakly_attributed", limit="1000").height


def test_how_each_category_fares(corpus):
    tools = Counter(map(group, NOW.tools.values()))
    takes, entries, free = Counter[str](), Counter[str](), Counter[str]()
    published = defaultdict(set)
    for tool in NOW.tools.values():
        takes[group(tool)] += len(tool.takes)
        entries[group(tool)] += tool.entry == "Free"
        free[group(tool)] += is_free(tool)
        published[group(tool)].add(tool.category)
    found = answer(corpus, "category_summary")
    told = found.select("category", "published_as", "tools", "takes", "free_entry", "free_tools").rows()
    assert sorted(told) == sorted(
        (name, sorted(published[name]), tools[name], takes[name], entries[name], free[name]) for name in tools
    )
    most = max(tools.values())
    assert set(answer(corpus, "category_summary", least=str(most))["category"]) == {
        category for category, count in tools.items() if count == most
    }


def test_a_verdict_that_changed_in_the_second_night(corpus):
    found = answer(corpus, "changed_verdicts")
    stated = [pair for pair in FACTS.pairs_of(CHANGED.slug) if pair.dom != "html_lite"]
    assert found.height == len(stated)
    assert set(found.select("name", "verdict_before", "verdict_after", "panel_after_pct").rows()) == {
        (CHANGED.name, "ship", "skip", 0)
    }
    assert answer(corpus, "changed_verdicts", since="2026-11-03").is_empty()


def test_a_price_that_changed_in_the_second_night(corpus):
    found = answer(corpus, "changed_prices", since="2026-11-02")
    assert found.select("name", "pricing_before", "pricing_after").rows() == [
        (CHANGED.name, CHANGED.pricing, "Free / $99/mo Pro")
    ]
    assert found["changed_at"].to_list() == [MOMENT + timedelta(days=1)]


def test_how_much_of_the_host_is_known(corpus):
    row = answer(corpus, "coverage_by_host").row(0, named=True)
    assert (row["host"], row["pages"], row["takes"], row["rejects"]) == (SITE_HOST, len(FACTS.pairs), len(REVIEWS), 1)
    assert row["score_pct"] == pytest.approx(100 * mean(review.is_labelled_somewhere for review in REVIEWS.values()))


def test_what_each_night_saw(corpus):
    pages, again = len(FACTS.pairs), len(FACTS.pairs_of(CHANGED.slug))
    found = answer(corpus, "coverage_by_night").drop("crawl_id").rows()
    assert found == [
        (MOMENT + timedelta(days=1), SITE_HOST, pages + 1, again, pages - again, 1, 0),
        (MOMENT, SITE_HOST, pages, pages, 0, 0, pages),
    ]
    assert answer(corpus, "coverage_by_night", nights="1")["crawl_id"].to_list() == [NEXT]
    assert answer(corpus, "coverage_by_night", host="other.example").is_empty()


def test_the_most_repeated_takes(corpus):
    found = answer(corpus, "most_repeated_reviews", limit="1000")
    assert dict(found.select("text", "pages").rows()) == {
        text: review.appearances for text, review in REVIEWS.items() if review.appearances > 1
    }
    assert found["pages"].is_sorted(descending=True)
    assert answer(corpus, "most_repeated_reviews", limit="3").equals(found.head(3))


def test_what_paid_plans_cost_in_each_category(corpus):
    amounts = defaultdict(list)
    for tool in NOW.tools.values():
        if states_prices(tool):
            # A price a seat, or a case, is no price a month.
            told = re.findall(r"\$([\d,.]+)/mo(?! per )", tool.pricing)
            amounts[group(tool)] += [float(amount.replace(",", "")) for amount in told]
    found = {row["category"]: row for row in answer(corpus, "prices_by_category").to_dicts()}
    for category, row in found.items():
        assert (row["cheapest"], row["median"], row["dearest"]) == (
            min(amounts[category]),
            median(amounts[category]),
            max(amounts[category]),
        )
        free = [tool for tool in NOW.tools.values() if group(tool) == category and states_prices(tool)]
        assert row["tools_with_a_free_tier"] == sum(map(is_free, free))
    assert set(found) == {category for category, paid in amounts.items() if paid}


def test_which_tools_are_free_and_what_says_so(corpus):
    found = answer(corpus, "free_tools")
    assert sorted(found["name"]) == sorted(tool.name for tool in NOW.tools.values() if is_free(tool))
    against = answer(corpus, "free_tools", evidence="tiers against entry")
    assert sorted(against["name"]) == sorted(
        tool.name for tool in NOW.tools.values() if is_free(tool) and tool.entry == "Paid"
    )
    untold = [tool for tool in NOW.tools.values() if is_free(tool) and not states_prices(tool)]
    assert sorted(answer(corpus, "free_tools", evidence="entry")["name"]) == sorted(tool.name for tool in untold)


def test_what_could_not_be_read(corpus):
    row = answer(corpus, "rejected").row(0, named=True)
    assert (row["reason"], row["rejects"], row["example_url"]) == ("not_a_comparison", 1, f"{ROOT}/compare/nothing")
    assert answer(corpus, "rejected", reason="too_slow").is_empty()


def test_how_a_seat_scores_in_each_category(corpus):
    scores = defaultdict(list)
    for tool in FACTS.tools.values():
        scores[group(tool)] += [take.score for take in labelled(tool) if take.seat == "Skeptic"]
    found = answer(corpus, "score_distribution", seat="Skeptic")
    assert {
        row["category"]: (row["takes"], row["lowest"], row["median"], row["highest"]) for row in found.to_dicts()
    } == {category: (len(told), min(told), median(told), max(told)) for category, told in scores.items() if told}
    assert set(answer(corpus, "score_distribution")["seat"]) > {"Skeptic", "Builder"}
    by_published_word = answer(corpus, "score_distribution", category="AI/ML Models")
    (published,) = (tool for tool in FACTS.tools.values() if tool.category == "AI/ML Models")
    assert by_published_word["takes"].sum() == len(labelled(published))


def test_which_seats_disagree_most(corpus):
    distances = defaultdict(list)
    for tool in FACTS.tools.values():
        for one, other in combinations(sorted(labelled(tool), key=lambda take: take.seat), 2):
            distances[one.seat, other.seat].append(abs(one.score - other.score))
    found = answer(corpus, "seats_that_disagree")
    assert {(row["seat"], row["other_seat"]): row["mean_distance"] for row in found.to_dicts()} == pytest.approx(
        {seats: mean(told) for seats, told in distances.items()}
    )
    assert found["mean_distance"].is_sorted(descending=True)


def test_which_names_belong_to_several_tools(corpus):
    slugs = defaultdict(list)
    for tool in FACTS.tools.values():
        slugs[tool.name].append(tool.slug)
    assert dict(answer(corpus, "shared_names").select("name", "tools_by_slug").rows()) == {
        name: sorted(found) for name, found in slugs.items() if len(found) > 1
    }


def test_which_tools_split_the_panel(corpus):
    found = answer(corpus, "split_panels")
    contested = [tool for tool in FACTS.tools.values() if 0 < panel_pct(tool) < 100]
    assert sorted(found["name"]) == sorted(tool.name for tool in contested)
    assert found["split"].is_sorted(descending=True)
    even = answer(corpus, "split_panels", least="0.5")
    assert sorted(even["name"]) == sorted(tool.name for tool in contested if panel_pct(tool) == 50)


def test_what_the_panel_says_of_a_tool(corpus):
    tool = next(tool for tool in FACTS.tools.values() if len(labelled(tool)) == len(tool.takes) > 3)
    expected = sorted(((take.score, take.seat, take.text) for take in tool.takes), reverse=True)
    (tool_id,) = answer(corpus, "find_tool", tool=tool.slug)["tool_id"]
    found = answer(corpus, "takes_of_a_tool", tool=tool_id)
    assert sorted(found.select("score", "seat", "text").rows(), reverse=True) == expected


def test_which_tool_is_meant(corpus):
    names = Counter(tool.name for tool in FACTS.tools.values())
    for tool in FACTS.tools.values():
        by_slug = answer(corpus, "find_tool", tool=tool.slug)
        assert by_slug.select("how", "slug").rows() == [("slug", tool.slug)]
        if tool.slug != tool.name.lower():
            by_name = answer(corpus, "find_tool", tool=tool.name.upper())
            assert (set(by_name["how"]), set(by_name["name"]), by_name.height) == (
                {"name"},
                {tool.name},
                names[tool.name],
            )


def test_a_name_finds_its_tools_before_all_others(corpus):
    names = Counter(tool.name for tool in FACTS.tools.values())
    for name, count in names.items():
        found = answer(corpus, "search_tools", words=name.lower(), limit=str(count))
        assert set(found["name"]) == {name}


def test_where_votes_and_scores_crown_different_winners(corpus):
    expected = set()
    for pair in FACTS.pairs:
        a, b = FACTS.cards(pair)
        votes, scores = panel_pct(a) - panel_pct(b), (mean_score(a), mean_score(b))
        if None not in scores and votes * (scores[0] - scores[1]) < 0:
            expected.add(ROOT + pair.path)
    assert set(answer(corpus, "upsets", limit="1000")["url"]) == expected


def test_which_takes_rest_on_weak_evidence(corpus):
    weak = answer(corpus, "weakly_attributed")
    assert not weak.is_empty()
    assert not any(REVIEWS[text].is_labelled_somewhere for text in weak["text"])
    assert answer(corpus, "weakly_attributed", below="2", limit="1000").height == len(REVIEWS)


def test_a_parameter_that_a_question_does_not_have_is_named(corpus):
    with pytest.raises(QuestionFailed, match=r"no parameter 'sort'; its parameters are category, least"):
        answer(corpus, "split_panels", sort="name")
    with pytest.raises(QuestionFailed, match="it has no parameters"):
        answer(corpus, "coverage_by_host", sort="name")


def test_a_value_of_the_wrong_kind_is_said_in_one_line(corpus):
    with pytest.raises(QuestionFailed, match='invalid timestamp field format: "soon"'):
        answer(corpus, "changed_verdicts", since="soon")


def test_a_question_that_nobody_asked_is_refused():
    with pytest.raises(QuestionFailed, match="verdicts query"):
        query_named("meaning_of_life")


@pytest.mark.parametrize("history", ["tool_history", "price_history", "verdict_history"])
def test_what_the_second_night_did_not_see_stands_as_it_stood(corpus, history):
    ended = answer_frame(
        corpus, f"SELECT DISTINCT slug FROM {history} JOIN tools USING (tool_id) WHERE valid_to IS NOT NULL"
    )
    assert ended["slug"].to_list() == [CHANGED.slug]


@pytest.mark.parametrize(
    ("moment", "expected"),
    [
        ("2026-11-01 12:00:00+00", ("ship", CHANGED.pricing)),
        ("2026-11-03", ("skip", "Free / $99/mo Pro")),
    ],
)
def test_scorecards_as_of_a_moment_have_every_tool(corpus, moment, expected):
    then = answer_frame(corpus, f"SELECT slug, verdict, pricing FROM scorecards_asof('{moment}')")
    assert then.height == len(FACTS.tools)
    assert then.filter(pl.col("slug") == CHANGED.slug).select("verdict", "pricing").rows() == [expected]


def slug_of_many_labels():
    return next(tool for tool in FACTS.tools.values() if len(labelled(tool)) == len(tool.takes) > 3)


def id_of(corpus, slug):
    found = answer(corpus, "find_tool", tool=slug)
    return str(found["tool_id"].item())


def test_the_tools_with_the_highest_means(corpus):
    means = sorted((score for tool in FACTS.tools.values() if (score := mean_score(tool)) is not None), reverse=True)
    assert answer(corpus, "top_tools", limit="10")["mean_score"].to_list() == pytest.approx(means[:10])


def test_the_scores_of_each_seat_in_steps(corpus):
    scores = defaultdict(list)
    for tool in FACTS.tools.values():
        for take in labelled(tool):
            scores[take.seat].append(take.score)
    found = answer(corpus, "score_histogram", step="10").to_dicts()
    assert {(row["seat"], row["from_score"]): row["takes"] for row in found} == {
        (seat, step): count
        for seat, told in scores.items()
        for step, count in Counter(score // 10 * 10 for score in told).items()
    }
    assert {row["seat"]: (row["seat_takes"], row["seat_median"]) for row in found} == {
        seat: (len(told), median(told)) for seat, told in scores.items()
    }


def test_the_categories_and_their_tools(corpus):
    assert dict(answer(corpus, "categories").rows()) == Counter(map(group, FACTS.tools.values()))


def test_the_list_of_tools_is_filtered_sorted_and_cut(corpus):
    every = answer(corpus, "list_tools", sort="name", limit="1000")
    assert sorted(every["slug"]) == sorted(FACTS.tools)
    assert every["name"].str.to_lowercase().is_sorted()
    second = answer(corpus, "list_tools", sort="name", limit="10", offset="10")
    assert second["tool_id"].to_list() == every["tool_id"].to_list()[10:20]
    assert set(second["tools_found"]) == {len(FACTS.tools)}
    shared = {name for name, count in Counter(tool.name for tool in FACTS.tools.values()).items() if count > 1}
    assert set(every.filter(pl.col("is_shared_name"))["name"]) == shared
    tool = slug_of_many_labels()
    (row,) = answer(corpus, "list_tools", words=tool.slug.upper()).to_dicts()
    assert sorted(zip(row["scores"], row["seats"], strict=True)) == sorted(
        (take.score, take.seat) for take in tool.takes
    )
    free = answer(corpus, "list_tools", entry="Free", category=tool.category, limit="1000")
    assert sorted(free["slug"]) == sorted(
        one.slug for one in NOW.tools.values() if one.entry == "Free" and tool.category in (one.category, group(one))
    )
    for sort, column in (("mean", "mean_score"), ("panel", "panel_ship_pct"), ("pages", "pages"), ("takes", "takes")):
        ranked = answer(corpus, "list_tools", sort=sort, limit="1000")[column].drop_nulls()
        assert ranked.is_sorted(descending=True), sort


def test_a_tool_is_called_by_its_id_the_beginning_of_it_its_slug_or_its_name(corpus):
    tool = slug_of_many_labels()
    tool_id = id_of(corpus, tool.slug)
    for wanted in (tool_id, tool_id[:10]):
        assert answer(corpus, "find_tool", tool=wanted)["slug"].to_list() == [tool.slug]
    namesakes = [one.slug for one in FACTS.tools.values() if one.name == tool.name]
    assert sorted(answer(corpus, "find_tool", tool=tool.name.upper())["slug"]) == sorted(namesakes)
    assert answer(corpus, "find_tool", tool="nothing of the sort").is_empty()


def test_the_card_of_a_tool(corpus):
    row = answer(corpus, "tool_card", tool=id_of(corpus, CHANGED.slug)).row(0, named=True)
    assert (row["name"], row["tagline"], row["entry"]) == (CHANGED.name, CHANGED.tagline, NOW.tools[CHANGED.slug].entry)
    assert (row["verdict"], row["panel_ship_pct"], row["skip_votes"]) == ("skip", 0, len(CHANGED.takes))
    assert row["pages"] == len(FACTS.pairs_of(CHANGED.slug))


def test_what_stands_on_the_page_of_a_tool(corpus):
    tool = slug_of_many_labels()
    tool_id = id_of(corpus, tool.slug)
    takes = answer(corpus, "tool_takes", tool=tool_id)
    assert sorted(takes.select("seat", "score", "text").rows()) == sorted(
        (take.seat, take.score, take.text) for take in tool.takes
    )
    opponents = answer(corpus, "tool_opponents", tool=tool_id)
    pairs = FACTS.pairs_of(tool.slug)
    others = Counter(FACTS.tools[pair.b if pair.a == tool.slug else pair.a].name for pair in pairs)
    assert Counter(opponents["name"].to_list()) == others
    named = [one for one in FACTS.tools.values() if one.name == "Claw Code"]
    assert answer(corpus, "tool_namesakes", tool=id_of(corpus, named[0].slug))["slug"].to_list() == [named[1].slug]


def test_what_changed_of_a_tool(corpus):
    tool_id = id_of(corpus, CHANGED.slug)
    assert answer(corpus, "tool_prices", tool=tool_id)["raw"].to_list() == ["Free", "$99/mo Pro"]
    assert answer(corpus, "tool_price_history", tool=tool_id)["pricing"].to_list() == [CHANGED.pricing]
    stated = [pair for pair in FACTS.pairs_of(CHANGED.slug) if pair.dom != "html_lite"]
    changes = answer(corpus, "tool_changes", tool=tool_id).filter(pl.col("is_flip"))
    assert changes.select("verdict_before", "verdict_after").unique().rows() == [("ship", "skip")]
    assert changes["pages"].sum() == len(stated)


def test_what_stands_on_a_page(corpus):
    tool = slug_of_many_labels()
    pair = next(pair for pair in FACTS.pairs_of(tool.slug) if pair.dom != "html_lite")
    (page,) = answer_frame(corpus, f"SELECT page_id FROM pages WHERE url = '{ROOT}{pair.path}'")["page_id"]
    cards = answer(corpus, "page_card", page=page)
    assert cards.select("side", "name").rows() == [
        (side, one.name) for side, one in zip("ab", FACTS.cards(pair), strict=True)
    ]
    takes = answer(corpus, "page_takes", page=page)
    assert set(takes["text"]) == {take.text for one in FACTS.cards(pair) for take in one.takes}
    a, b = ({take.seat: take.score for take in labelled(one)} for one in FACTS.cards(pair))
    assert {
        (row["seat"], row["score_a"], row["score_b"]) for row in answer(corpus, "page_seats", page=page).to_dicts()
    } == {(seat, a.get(seat), b.get(seat)) for seat in {*a, *b}}
    assert answer(corpus, "page_discrepancies", page=page).is_empty()


def test_the_story_of_a_take(corpus):
    tool = slug_of_many_labels()
    take = tool.takes[0]
    (row,) = answer(corpus, "tool_takes", tool=id_of(corpus, tool.slug)).filter(pl.col("text") == take.text).to_dicts()
    review = row["review_id"]
    card = answer(corpus, "take_card", take=review).row(0, named=True)
    assert (card["name"], card["seat"], card["score"], card["text"]) == (tool.name, take.seat, take.score, take.text)
    assert answer(corpus, "take_appearances", take=review, limit="100").height == card["appearances"]
    assert answer(corpus, "take_evidence", take=review)["kind"][0] == "observed"
    assert answer(corpus, "take_doubts", take=review).is_empty()
    assert answer(corpus, "ids_beginning", id=review[:12]).select("kind", "id").rows() == [("take", review)]
    assert answer(corpus, "search_takes", limit="5").height == 5


def test_how_each_seat_leans(corpus):
    scores = defaultdict(list)
    kinder = defaultdict(list)
    for tool in FACTS.tools.values():
        told = labelled(tool)
        for take in told:
            scores[take.seat].append(take.score)
            if len(told) > 1:
                kinder[take.seat].append(take.score - mean(other.score for other in told if other is not take))
    found = answer(corpus, "seat_leanings")
    assert dict(found.select("seat", "mean_score").rows()) == pytest.approx(
        {s: mean(told) for s, told in scores.items()}
    )
    assert dict(found.select("seat", "leaning").rows()) == pytest.approx({s: mean(told) for s, told in kinder.items()})
    assert found["leaning"].is_sorted()
    most_takes = min((-takes, seat) for takes, seat in found.select("takes", "seat").rows())[1]
    assert answer(corpus, "seat_leanings", limit="1")["seat"].to_list() == [most_takes]


def test_what_categories_cost_in_dollars(corpus):
    found = {row["category"]: row for row in answer(corpus, "category_prices").to_dicts()}
    assert {name: row["tools"] for name, row in found.items()} == Counter(map(group, NOW.tools.values()))
    assert {name: row["free_tools"] for name, row in found.items()} == {
        name: sum(is_free(tool) for tool in NOW.tools.values() if group(tool) == name) for name in found
    }
    in_dollars = {
        row["category"]: row for row in answer(corpus, "prices_by_category").to_dicts() if row["currency"] == "USD"
    }
    assert {name: row["median_usd"] for name, row in found.items() if row["tiers"]} == {
        name: row["median"] for name, row in in_dollars.items()
    }


@pytest.mark.parametrize("dots", ["20", "2"])
def test_prices_are_counted_in_steps_where_they_are_too_many_to_be_told_apart(corpus, dots):
    found = answer(corpus, "price_dots", dots=dots)
    tiers = answer(corpus, "category_prices").filter(pl.col("tiers") > 0)
    assert dict(found.group_by("category").agg(pl.col("tiers").sum()).rows()) == dict(
        tiers.select("category", "tiers").rows()
    )
    assert found.group_by("category").len()["len"].max() <= int(dots)
    assert found.filter("is_binned").is_empty() == (dots == "20")
    exact = found.filter(~pl.col("is_binned"))
    assert exact["from_usd"].equals(exact["to_usd"].alias("from_usd"))


def test_how_what_each_night_asked_for_ended(corpus):
    pages, again = len(FACTS.pairs), len(FACTS.pairs_of(CHANGED.slug))
    found = answer(corpus, "outcomes_by_night").select("crawl_id", "unchanged", "stored", "other", "failed").rows()
    assert found == [(NEXT, pages - again, again, 1, 0), (CRAWL, 0, pages, 0, 0)]
    assert answer(corpus, "outcomes_by_night", nights="1")["crawl_id"].to_list() == [NEXT]


def test_how_much_each_host_answered(corpus):
    (row,) = answer(corpus, "hosts_by_night").to_dicts()
    assert (row["host"], row["addresses"], row["answered_pct"]) == (SITE_HOST, len(FACTS.pairs) + 1, 100)
    assert row["answered_by_night"] == [100, 100]


def test_which_statements_contradict(corpus):
    found = answer(corpus, "contradictions")
    counted = answer_frame(corpus, "SELECT rule, count(*) AS times FROM discrepancies GROUP BY rule")
    assert dict(found.select("rule", "contradictions").rows()) == dict(counted.rows())
    assert answer(corpus, "contradictions", rule="none of ours").is_empty()


def test_the_newest_doubts(corpus):
    found = answer(corpus, "newest_doubts", rule="not_a_comparison")
    assert found.select("kind", "url").rows() == [("reject", f"{ROOT}/compare/nothing")]


def test_what_each_table_holds(corpus):
    found = answer(corpus, "relations", relation="lookalikes")
    assert found["name"].to_list() == ["review_id", "other_id", "similarity", "load_id"]
    assert found["meaning"][2].startswith("Likeness of their closest wordings")


def test_what_did_not_happen_in_the_two_nights_has_no_row(corpus):
    assert answer(corpus, "new_tools").is_empty()
    assert answer(corpus, "tools_that_vanished").is_empty()
    assert answer(corpus, "failures_by_host").is_empty()
    assert answer(corpus, "takes_that_look_alike").is_empty()
