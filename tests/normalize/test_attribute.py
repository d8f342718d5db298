"""Which tool a review is about: every kind of evidence on a corpus made for it."""

from dataclasses import replace

import pytest

from builders.normalize_pages import (
    REVIEWERS,
    Tool,
    address,
    dump,
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
from verdicts.extract.model.records import Observation
from verdicts.normalize.corpus import Corpus

ALPHA, BETA, GAMMA, DELTA = tool("alpha"), tool("beta"), tool("gamma"), tool("delta")


def _kinds(corpus: Corpus, of: Tool) -> set[tuple[str, str]]:
    slugs = names(corpus)
    reviews = [find_review(corpus, text) for text, _, _ in of.takes.values()]
    return {(row.attribution, slugs[row.tool_id]) for row in reviews}


FOUR, THREE = tool("alpha", skips=1), tool("alpha", REVIEWERS[:3])
LATER = dump(replace(ALPHA, takes=tool("alpha-reworded").takes), GAMMA, night=25)
SHARED = [dump(ALPHA, BETA), dump(ALPHA, GAMMA)]


def _quotes(a: Tool, b: Tool) -> Observation:
    return observe(page(a, b, "quotes"), address(a, b), night=20)


@pytest.mark.parametrize(
    ("seen", "of", "attribution", "name"),
    [
        ([observe_page(ALPHA, BETA)], ALPHA, "observed", "alpha"),
        # On two pages it is about the tool that they share; absent from one of a tool's it is the other tool's.
        (SHARED, ALPHA, "intersected", "Alpha"),
        (SHARED, BETA, "excluded", "Beta"),
        (SHARED, GAMMA, "excluded", "Gamma"),
        # Absent months later proves nothing.
        ([dump(ALPHA, BETA), LATER], BETA, "ordered", "Beta"),
        # A full panel leaves the rest to the other tool; so does a panel of three, where parity would fail.
        ([observe_page(FOUR, GAMMA), _quotes(FOUR, BETA)], BETA, "excluded", "beta"),
        ([dump(THREE, BETA), dump(THREE, GAMMA)], THREE, "intersected", "Alpha"),
        ([dump(THREE, BETA), dump(THREE, GAMMA)], BETA, "excluded", "Beta"),
        # A page alone is ordered row by row.
        ([dump(ALPHA, BETA)], ALPHA, "ordered", "Alpha"),
        ([dump(ALPHA, BETA)], BETA, "ordered", "Beta"),
    ],
)
def test_every_take_of_a_tool_is_attributed_by(seen: list[Observation], of: Tool, attribution: str, name: str) -> None:
    assert _kinds(normalize_all(*seen), of) == {(attribution, name)}


def test_a_reason_quotes_what_speaks_for_it() -> None:
    corpus = normalize_all(observe_page(ALPHA, BETA))
    review = find_review(corpus, ALPHA.takes["Builder"][0])
    assert (review.reviewer, review.score, review.verdict, review.confidence) == ("Builder", 80, "ship", 1.0)
    (reason,) = rows(corpus, "attribution_evidence", review_id=review.review_id)
    assert reason.detail == "labelled Builder 80/100 ship on this page"
    corpus = normalize_all(*SHARED)
    details = {row.detail for row in rows(corpus, "attribution_evidence", kind="intersected")}
    assert details == {"Alpha is the only tool on all pages that show it"}
    (reason,) = rows(corpus, "attribution_evidence", review_id=find_review(corpus, BETA.takes["PM"][0]).review_id)
    assert reason.detail == "absent from 'Alpha vs Gamma', where Alpha also appears"
    corpus = normalize_all(observe_page(FOUR, GAMMA), _quotes(FOUR, BETA))
    details = {row.detail for row in rows(corpus, "attribution_evidence", kind="excluded")}
    assert details == {"all 4 takes of Alpha on this page are placed"}


def test_the_same_words_without_a_label_are_matched_and_carry_reviewer_and_score() -> None:
    corpus = normalize_all(observe_page(ALPHA, BETA), dump(ALPHA, GAMMA))
    shown = rows(corpus, "appearances", attribution="matched")
    assert {row.text for row in shown} == {text for text, _, _ in ALPHA.takes.values()}
    assert {row.side for row in shown} == {"a"}
    assert find_review(corpus, shown[0].text).reviewer is not None


def test_a_take_that_may_be_an_edit_does_not_count_as_absent() -> None:
    words = ALPHA.takes["Builder"][0].split()
    edit = " ".join(word if index % 4 else "rather" for index, word in enumerate(words))
    corpus = normalize_all(dump(ALPHA, BETA), dump(with_take(ALPHA, "Builder", edit), GAMMA))
    assert names(corpus)[find_review(corpus, edit).tool_id] == "Alpha"
    assert names(corpus)[find_review(corpus, ALPHA.takes["Builder"][0]).tool_id] == "Alpha"


def test_exclusion_on_one_page_opens_the_next() -> None:
    first, second, third = tool("a", skips=1), tool("b", skips=1), tool("c", skips=1)
    corpus = normalize_all(
        observe_page(first, tool("z")),
        observe(page(first, second, "quotes"), address(first, second), night=10),
        _quotes(second, third),
    )
    assert {kind for kind, _ in _kinds(corpus, third)} == {"excluded"}


def test_a_missing_take_makes_the_order_less_sure_and_no_reviewer_is_guessed() -> None:
    alone = normalize_all(dump(ALPHA, BETA))
    assert {(row.confidence, row.reviewer) for row in rows(alone, "reviews")} == {(0.92, None)}
    corpus = normalize_all(dump(THREE, BETA))
    assert min(row.confidence for row in rows(corpus, "reviews")) < 0.8
    assert {row.reviewer for row in rows(corpus, "reviews")} == {None}


def test_takes_in_rows_of_their_own_are_placed_around_what_is_known() -> None:
    left, right = tool("alpha", ("Builder", "Skeptic", "PM")), tool("beta", ("Builder", "Founder"))
    corpus = normalize_all(observe_page(left, GAMMA), _quotes(left, right))
    assert {slug for _, slug in _kinds(corpus, right)} == {"beta"}


BUILDER = ALPHA.takes["Builder"][0]
TAKEN = with_take(GAMMA, "Builder", BUILDER)


@pytest.mark.parametrize(
    ("seen", "rule", "found", "attribution", "confidence"),
    [
        # Labelled with two tools; labelled, and on a page without its tool; on pages without a common tool.
        (
            [observe_page(ALPHA, BETA), observe_page(TAKEN, DELTA, night=2)],
            "review_tool_conflict",
            "of Gamma",
            "observed",
            0.5,
        ),
        ([observe_page(ALPHA, BETA), dump(TAKEN, DELTA)], "attribution_conflict", "Gamma and Delta", "observed", 1.0),
        ([dump(ALPHA, BETA), dump(TAKEN, DELTA)], "attribution_conflict", "is on a page of", "ordered", 0.92),
    ],
)
def test_evidence_for_two_tools_is_one_review_and_a_conflict(
    seen: list[Observation], rule: str, found: str, attribution: str, confidence: float
) -> None:
    corpus = normalize_all(*seen)
    review = find_review(corpus, BUILDER)
    assert attribution == "ordered" or names(corpus)[review.tool_id] == "alpha"
    assert (review.attribution, review.confidence) == (attribution, confidence)
    (conflict,) = [row for row in rows(corpus, "discrepancies") if row.rule != "reviews_vs_panel"]
    assert conflict.rule == rule
    assert found in conflict.found


def test_a_take_that_the_site_puts_right_is_about_the_tool_that_it_stands_with_now() -> None:
    shared = BUILDER
    wrong = [observe_page(ALPHA, BETA), observe_page(ALPHA, GAMMA)]
    right = tool("alpha", REVIEWERS[1:4])
    taker = with_take(DELTA, "Builder", shared)
    put_right = [observe_page(right, BETA, 2), observe_page(taker, GAMMA, 2)]
    half = normalize_all(*wrong, *put_right)
    assert names(half)[find_review(half, shared).tool_id] == "alpha", "a page still says so"
    corpus = normalize_all(*wrong, *put_right, observe_page(right, GAMMA, 3))
    review = find_review(corpus, shared)
    assert (names(corpus)[review.tool_id], review.confidence) == ("delta", 1.0)
    assert review.review_id == find_review(half, shared).review_id
    assert rows(corpus, "discrepancies", rule="review_tool_conflict") == []
    (conflict,) = rows(half, "discrepancies", rule="review_tool_conflict")
    assert "of Delta" in conflict.found
    gone = normalize_all(*wrong, *put_right, gone=[address(ALPHA, GAMMA)])
    assert names(gone)[find_review(gone, shared).tool_id] == "delta", "a page that is gone says nothing any more"


def test_a_review_has_the_reviewer_score_and_verdict_of_its_newest_reading() -> None:
    takes = {"Skeptic": (ALPHA.takes["Builder"][0], 55, "skip")}
    moved = replace(
        ALPHA, takes={**{reviewer: take for reviewer, take in ALPHA.takes.items() if reviewer == "PM"}, **takes}
    )
    corpus = normalize_all(observe_page(ALPHA, BETA), observe_page(moved, GAMMA, night=2))
    review = find_review(corpus, ALPHA.takes["Builder"][0])
    assert (review.reviewer, review.score, review.verdict) == ("Skeptic", 55, "skip")
    assert [row.found for row in rows(corpus, "discrepancies", rule="reviewer_conflict")] == ["Skeptic"]


def test_a_take_between_two_labelled_ones_has_the_reviewer_of_its_row() -> None:
    left, right = tool("alpha", ("Builder", "Skeptic", "PM")), tool("beta", ("Builder", "Futurist", "PM"))
    corpus = normalize_all(observe_page(left, GAMMA), dump(left, right), dump(right, DELTA))
    reviewers = {reviewer: find_review(corpus, text).reviewer for reviewer, (text, _, _) in right.takes.items()}
    # Builder stands before a Skeptic, Futurist before a PM and on the other page after two rows; after PM there is also
    # room for the Founder.
    assert reviewers == {"Builder": "Builder", "Futurist": "Futurist", "PM": None}
    review = find_review(corpus, right.takes["Builder"][0])
    assert (review.reviewer_source, review.score) == ("row_order", None)


def test_a_page_that_lost_a_take_does_not_give_it_to_the_other_tool() -> None:
    taken = {reviewer: take for reviewer, take in ALPHA.takes.items() if reviewer != "Skeptic"}
    corpus = normalize_all(dump(ALPHA, BETA), dump(replace(ALPHA, takes=taken), GAMMA))
    review = find_review(corpus, ALPHA.takes["Skeptic"][0])
    assert (names(corpus)[review.tool_id], review.attribution) == ("Alpha", "ordered")
    (conflict,) = rows(corpus, "discrepancies", rule="attribution_conflict")
    assert conflict.expected.startswith("Alpha by row order")
