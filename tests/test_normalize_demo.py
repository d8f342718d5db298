"""The corpus of the whole demo site against the facts it was made from."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fixtures.demo.answer_key import corpus_expected
from fixtures.demo.facts import load_facts
from normalize import normalize
from renderings import rendered
from snapshots import observe

DOM_OF_LITE = "html_lite"


@pytest.fixture(scope="module")
def observations():
    facts = load_facts()
    doms = {"lite": DOM_OF_LITE}
    names = [
        pair.dom if pair.dom.startswith("html_") else doms.get(pair.dom, f"html_{pair.dom}") for pair in facts.pairs
    ]
    return observe(*(rendered(pair, name) for pair, name in zip(facts.pairs, names, strict=True)))


@pytest.fixture(scope="module")
def corpus(observations):
    return normalize(observations)


def test_the_site_gives_each_page_tool_and_review_once(corpus):
    truth = corpus_expected()
    assert len(corpus["pages"]) == truth.pages
    assert len(corpus["tools"]) == truth.tools
    assert {row.text for row in corpus["reviews"]} == set(truth.reviews)
    assert len(corpus["appearances"]) == truth.appearances
    assert corpus["rejects"] == ()
    assert corpus["discrepancies"] == ()


def test_every_review_has_its_true_seat_score_and_page_count(corpus):
    truth = corpus_expected().reviews
    for row in corpus["reviews"]:
        true = truth[row.text]
        assert row.appearances == true.appearances
        label = (
            (true.take.seat, true.take.score, true.take.verdict) if true.is_labelled_somewhere else (None, None, None)
        )
        assert (row.seat, row.score, row.verdict) == label


def test_attribution_by_evidence_is_always_right(corpus):
    truth = corpus_expected().reviews
    slugs = {row.tool_id: row.slug for row in corpus["tools"]}
    for row in corpus["reviews"]:
        assert slugs[row.tool_id] == truth[row.text].tool_slug, row
    kinds = Counter(row.attribution for row in corpus["reviews"])
    assert kinds["intersected"] > 0
    assert kinds["excluded"] > 0
    assert kinds["ordered"] > 0


def test_a_take_that_lost_its_reviewer_says_that_it_was_matched(corpus):
    kinds = Counter(row.attribution for row in corpus["appearances"])
    assert kinds["matched"] > 100
    labelled = {row.review_id for row in corpus["appearances"] if row.attribution == "observed"}
    assert all(row.review_id in labelled for row in corpus["appearances"] if row.attribution == "matched")


def test_every_review_keeps_a_reason(corpus):
    assert {row.review_id for row in corpus["attribution_evidence"]} == {row.review_id for row in corpus["reviews"]}


@settings(max_examples=5, deadline=None)
@given(st.randoms(use_true_random=False))
def test_the_order_of_pages_does_not_change_the_corpus(observations, corpus, random):
    shuffled = list(observations)
    random.shuffle(shuffled)
    assert normalize(shuffled) == corpus


def test_pages_seen_twice_change_nothing(observations, corpus):
    assert normalize([*observations, *observations]) == corpus


def test_the_text_dumps_of_a_page_join_its_html(observations, corpus):
    facts = load_facts()
    pairs = facts.pairs[:20]
    dumps = observe(*(rendered(pair, name) for pair in pairs for name in ("quotes", "innertext")))
    both = normalize([*observations, *dumps])
    for table in ("tools", "reviews"):
        ids = [row[0] for row in map(_key, both[table])]
        assert ids == [row[0] for row in map(_key, corpus[table])]
    assert len(both["pages"]) == len(corpus["pages"])
    assert len(both["appearances"]) == len(corpus["appearances"])


def test_dumps_without_an_address_find_the_tools_that_slugs_claimed(observations, corpus):
    facts = load_facts()
    dumps = observe(
        *(rendered(pair, "quotes", url="urn:sha256:" + f"{n:064x}") for n, pair in enumerate(facts.pairs[:20]))
    )
    both = normalize([*observations, *dumps])
    assert len(both["tools"]) == len(corpus["tools"])
    assert len(both["pages"]) == len(corpus["pages"])
    assert both["tool_aliases"]
    assert len(both["reviews"]) == len(corpus["reviews"])


def _key(row):
    return (getattr(row, "tool_id", None) if hasattr(row, "slug") else row.review_id,)
