"""The same takes on several hosts are one review each and no conflict; what contradicts on one host is told as ever."""

from dataclasses import replace
from typing import Any

import pytest
from msgspec import structs

from builders.answer_key import corpus_expected
from builders.normalize_pages import (
    HOST,
    Tool,
    address,
    find_review,
    names,
    normalize_all,
    observe,
    observe_page,
    page,
    rows,
    tool,
    with_take,
)
from builders.renderings import as_quotes
from builders.snapshots import demo_site
from verdicts.demo_site.responses import SITE_HOST
from verdicts.demo_site.site_pages import render_comparison
from verdicts.extract.model.records import Observation
from verdicts.normalize.corpus import normalize

MIRROR = "www.shiporskip.io"
OTHER = "tools.mirror"
ALPHA, BETA, GAMMA, DELTA = tool("alpha"), tool("beta"), tool("gamma"), tool("delta")
TAKE = ALPHA.takes["Builder"][0]


def elsewhere(a: Tool, b: Tool, *, night: int = 1, **fields: object) -> Observation:
    """The page of two tools on another host."""
    return observe(page(a, b, **fields), address(a, b, OTHER), night=night)  # type: ignore[arg-type]  # fields of a page


@pytest.mark.parametrize("render", [render_comparison, as_quotes])
def test_with_a_mirror_every_review_is_known_as_well_as_without(render: Any) -> None:
    alone = {row.review_id: row for row in rows(normalize(demo_site(render=render)), "reviews")}
    mirrored = normalize([*demo_site(render=render), *demo_site(MIRROR, render, 1000)])
    truth = corpus_expected()
    assert not mirrored["discrepancies"]
    assert (len(mirrored["pages"]), len(mirrored["tools"])) == (2 * truth.pages, 2 * truth.tools)
    assert {row.hosts for row in rows(mirrored, "reviews")} == {(SITE_HOST, MIRROR)}
    for row in rows(mirrored, "reviews"):
        before = alone[row.review_id]
        assert row.appearances == 2 * before.appearances
        assert structs.replace(row, hosts=before.hosts, appearances=before.appearances) == before


def test_dumps_beside_a_mirrored_site_are_renderings_of_the_first_hosts_pages() -> None:
    corpus = normalize([*demo_site(), *demo_site(MIRROR, first=1000), *demo_site(None, as_quotes, 5000)])
    assert not corpus["discrepancies"]
    assert {(row.host, row.renderings) for row in rows(corpus, "pages")} == {
        (SITE_HOST, ("html", "quotes")),
        (MIRROR, ("html",)),
    }


TAKEN = with_take(GAMMA, "Builder", TAKE)


@pytest.mark.parametrize(
    ("seen", "told_of"),
    [
        # One host labels a take with alpha and with gamma; the mirror has alpha's page alone.
        ([observe_page(ALPHA, BETA), observe_page(TAKEN, DELTA, night=2), elsewhere(ALPHA, BETA)], HOST),
        # The mirror gives it to another tool.
        ([observe_page(ALPHA, BETA), elsewhere(TAKEN, DELTA, night=2)], OTHER),
    ],
)
def test_a_take_of_two_tools_is_told_on_the_host_that_says_so(seen: list[Observation], told_of: str) -> None:
    corpus = normalize_all(*seen)
    (conflict,) = rows(corpus, "discrepancies")
    assert (conflict.rule, names(corpus)[conflict.tool_id]) == ("review_tool_conflict", "gamma")
    assert {row.host for row in rows(corpus, "pages", page_id=conflict.page_id)} == {told_of}


def test_a_name_that_several_tools_have_makes_no_copy() -> None:
    """Two tools at home are called Twin: which of them the other host means is not known."""
    first, second = replace(ALPHA, name="Twin", tagline="One"), replace(GAMMA, name="Twin", tagline="Two")
    copy = replace(ALPHA, slug="twin", name="Twin", tagline="Three")
    corpus = normalize_all(observe_page(first, second), elsewhere(copy, DELTA, night=2))
    assert {row.rule for row in rows(corpus, "discrepancies")} == {"review_tool_conflict"}


def test_the_tool_is_that_of_the_host_that_showed_the_take_first() -> None:
    corpus = normalize_all(elsewhere(ALPHA, BETA, night=1), observe_page(ALPHA, BETA, night=2))
    review = find_review(corpus, TAKE)
    (home,) = rows(corpus, "tools", tool_id=review.tool_id)
    assert (home.host, home.slug) == (OTHER, "alpha")
    assert {row.side for row in rows(corpus, "appearances", review_id=review.review_id)} == {"a"}


def test_a_label_on_a_mirror_tells_the_tool_at_home() -> None:
    four = tool("alpha", skips=1)
    corpus = normalize_all(
        observe(page(four, BETA, "quotes"), address(four, BETA), night=1), elsewhere(four, GAMMA, night=20)
    )
    review = find_review(corpus, TAKE)
    (home,) = rows(corpus, "tools", tool_id=review.tool_id)
    assert (home.host, review.attribution, review.reviewer, review.score) == (HOST, "observed", "Builder", 80)
    kinds = {row.attribution for row in rows(corpus, "appearances", review_id=review.review_id)}
    assert kinds == {"observed", "matched"}
    # Alpha's whole panel is known by the mirror, so the rest of the page at home is beta's.
    others = [find_review(corpus, text) for text, _, _ in BETA.takes.values()]
    assert {(names(corpus)[row.tool_id], row.attribution) for row in others} == {("beta", "excluded")}


def test_the_score_at_home_counts_not_the_mirrors() -> None:
    garbled = replace(ALPHA, takes={**ALPHA.takes, "Builder": (TAKE, 12, "skip")})
    corpus = normalize_all(observe_page(ALPHA, BETA), elsewhere(garbled, BETA, night=2))
    assert (find_review(corpus, TAKE).score, find_review(corpus, TAKE).verdict) == (80, "ship")


def test_a_review_of_files_without_an_address_has_no_hosts() -> None:
    corpus = normalize_all(observe(page(ALPHA, BETA, "quotes")))
    assert {row.hosts for row in rows(corpus, "reviews")} == {()}


def test_reviewers_are_compared_within_a_host() -> None:
    moved = replace(ALPHA, takes={"Skeptic": ALPHA.takes["Builder"]})
    corpus = normalize_all(observe_page(ALPHA, BETA), elsewhere(moved, BETA, night=2))
    assert not rows(corpus, "discrepancies", rule="reviewer_conflict")
    corpus = normalize_all(observe_page(ALPHA, BETA), elsewhere(moved, BETA, night=2), elsewhere(ALPHA, GAMMA, night=3))
    (conflict,) = rows(corpus, "discrepancies", rule="reviewer_conflict")
    assert (conflict.expected.split(":")[0], conflict.found) == ("Skeptic", "Builder")
    assert {row.host for row in rows(corpus, "tools", tool_id=conflict.tool_id)} == {OTHER}
