"""The demo site, extracted and normalized whole, against its own answer key."""

from collections import Counter
from typing import Any

import pytest

from builders.answer_key import corpus_expected
from builders.normalize_pages import names, rows
from builders.renderings import as_innertext, as_quotes
from builders.snapshots import demo_corpus, demo_site
from verdicts.demo_site.site_facts import load_facts
from verdicts.normalize.corpus import normalize


def test_a_complete_crawl_of_the_demo_site_holds_what_is_true_of_it() -> None:
    corpus, truth = demo_corpus(), corpus_expected()
    assert len(corpus["pages"]) == truth.pages
    assert len(corpus["tools"]) == truth.tools
    assert len(corpus["appearances"]) == truth.appearances
    assert {row.text for row in rows(corpus, "reviews")} == set(truth.reviews)
    assert not corpus["rejects"]
    assert not corpus["discrepancies"]


def test_every_review_has_its_true_reviewer_score_and_number_of_pages() -> None:
    truth = corpus_expected().reviews
    for row in rows(demo_corpus(), "reviews"):
        review = truth[row.text]
        assert row.appearances == review.appearances
        signed = (review.take.reviewer, review.take.score, review.take.verdict)
        if review.is_labelled_somewhere:
            assert (row.reviewer, row.reviewer_source, row.score, row.verdict) == (signed[0], "label", *signed[1:])
        else:
            assert (row.score, row.verdict) == (None, None)
            assert (row.reviewer, row.reviewer_source) in {(None, None), (signed[0], "row_order")}


def test_what_evidence_attributes_is_never_wrong() -> None:
    truth, slugs = corpus_expected().reviews, names(demo_corpus())
    counts = Counter(
        (row.attribution, slugs[row.tool_id] == truth[row.text].tool_slug) for row in rows(demo_corpus(), "reviews")
    )
    kinds = ("observed", "intersected", "excluded")
    assert all(counts[kind, True] for kind in kinds)
    assert not any(counts[kind, False] for kind in kinds)


@pytest.mark.parametrize("render", [as_innertext, as_quotes])
def test_the_text_dumps_of_the_site_hold_the_same_tools_and_reviews(render: Any) -> None:
    truth = corpus_expected()
    corpus = normalize(demo_site(None, render))
    taglines = {tool.slug: tool.tagline for tool in load_facts().tools.values()}
    tools = {row.tool_id: row.tagline for row in rows(corpus, "tools")}
    assert (len(corpus["pages"]), len(corpus["tools"])) == (truth.pages, truth.tools)
    assert {row.text for row in rows(corpus, "reviews")} == set(truth.reviews)
    for row in rows(corpus, "reviews"):
        assert row.attribution == "ordered" or tools[row.tool_id] == taglines[truth.reviews[row.text].tool_slug]


def test_dumps_beside_the_crawled_pages_add_renderings_and_nothing_else() -> None:
    corpus = normalize([*demo_site(), *demo_site(None, as_quotes, 10_000)])
    assert {row.renderings for row in rows(corpus, "pages")} == {("html", "quotes")}
    for table in ("tools", "tool_cards", "verdicts", "reviews"):
        assert corpus[table] == demo_corpus()[table]
