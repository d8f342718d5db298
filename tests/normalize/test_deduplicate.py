"""Distinct texts joined into reviews."""

from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from builders.normalize_pages import (
    Tool,
    address,
    dump,
    find_review,
    names,
    normalize_all,
    observe,
    observe_page,
    page,
    prose,
    rows,
    tool,
    with_take,
)
from verdicts.extract.model.records import Observation
from verdicts.fetch.model.snapshot import Location

ALPHA, BETA, GAMMA = tool("alpha"), tool("beta"), tool("gamma")
TAKE = ALPHA.takes["Builder"][0]


def _edit(text: str) -> str:
    words = text.split()
    return " ".join([*words[:20], "altogether", *words[21:40], "nevertheless", *words[41:]])


EDIT, CUT, NOISY = _edit(TAKE), TAKE[: len(TAKE) // 2] + "…", TAKE.replace(" ", "  ", 3).replace(".", " —")
ONE_WORD = TAKE.replace(TAKE.split()[5], "altogether", 1)
SIBLING = " ".join([*TAKE.split()[:-2], "altogether", "anew."])
THIRD = " ".join(["Whereas", *TAKE.split()[1:-2], "altogether", "again."])


def _took(text: str) -> Tool:
    return with_take(ALPHA, "Builder", text)


@pytest.mark.parametrize(
    ("seen", "text", "match"),
    [
        ([observe_page(ALPHA, BETA), observe_page(ALPHA, GAMMA)], TAKE, "exact"),
        # Other quotes, dashes and spaces are the same text.
        ([observe_page(ALPHA, BETA), observe_page(_took(NOISY), GAMMA)], NOISY, "exact"),
        ([observe_page(ALPHA, BETA), observe_page(_took(EDIT), GAMMA, night=2)], EDIT, "near"),
        ([observe_page(ALPHA, BETA), observe_page(_took(CUT), GAMMA, night=2)], CUT, "prefix"),
        # Where nothing is labelled, most of the words must be the same.
        ([dump(ALPHA, BETA), dump(_took(ONE_WORD), GAMMA)], ONE_WORD, "near"),
        # Side by side, or of sibling tools that say nearly the same.
        ([observe_page(with_take(ALPHA, "Skeptic", EDIT), BETA)], EDIT, None),
        ([observe_page(ALPHA, BETA), observe_page(BETA, with_take(GAMMA, "Builder", EDIT))], EDIT, None),
    ],
)
def test_a_take_joins_its_review_where_nothing_speaks_against_it(
    seen: list[Observation], text: str, match: str | None
) -> None:
    corpus = normalize_all(*seen)
    review, other = find_review(corpus, TAKE), find_review(corpus, text)
    assert (review == other) == (match is not None)
    if match is not None:
        assert review.appearances == 2
        assert review.text == TAKE or match != "prefix", "what is cut short never becomes the text"
        shown = rows(corpus, "appearances", review_id=review.review_id)
        assert {row.match for row in shown} == {"exact", match}
        assert min(row.similarity for row in shown) >= 0.82
        assert {row.text for row in shown} == {TAKE, text}


def _review(*reviewers: str, text: str) -> Tool:
    """Alpha with one text in these reviewers."""
    return replace(ALPHA, takes={reviewer: (text, 90 - number, "ship") for number, reviewer in enumerate(reviewers)})


def test_nearly_the_same_words_of_two_reviewers_are_two_reviews() -> None:
    first, later = observe_page(_review("Builder", text=TAKE), BETA), observe_page(_review("Skeptic", text=EDIT), GAMMA)
    reviews = {find_review(normalize_all(first, later), text) for text in (TAKE, EDIT)}
    assert {(row.reviewer, row.score) for row in reviews} == {("Builder", 90), ("Skeptic", 90)}
    assert len(reviews) == 2


@pytest.mark.parametrize("words", [TAKE, "The same few words."])
def test_the_same_words_of_two_reviewers_on_one_page_are_two_reviews(words: str) -> None:
    page_of_both = observe_page(_review("Builder", "Skeptic", text=words), BETA)
    found = rows(
        normalize_all(page_of_both, observe_page(_review("Skeptic", text=words), GAMMA)), "reviews", text=words
    )
    assert {(row.reviewer, row.score, row.appearances) for row in found} == {("Builder", 90, 1), ("Skeptic", 90, 2)}


@given(st.permutations(range(6)), st.integers(1, 6))
@settings(derandomize=True, max_examples=12, deadline=None)
def test_an_id_of_a_review_leads_to_its_words_after_any_later_captures(order: list[int], first: int) -> None:
    captures = [
        observe_page(_took(TAKE), BETA, night=3),
        replace(observe_page(_took(EDIT), BETA, night=3), crawl_id="20261103T123000Z-0002"),
        observe_page(_took(CUT), GAMMA, night=1),
        dump(_took(ONE_WORD), GAMMA, night=2),
        observe_page(_took(NOISY), GAMMA, night=5),
        observe_page(with_take(BETA, "Builder", TAKE), GAMMA, night=4),
    ]
    before, after = (normalize_all(*(captures[number] for number in order[:count])) for count in (first, 6))
    assert after == normalize_all(*captures)
    text_of = {row.text_id: row.review_id for row in after["appearances"]}  # type: ignore[union-attr]
    now = {row.old_id: row.review_id for row in after["review_aliases"]}  # type: ignore[union-attr]
    now |= {row.review_id: row.review_id for row in after["reviews"]}  # type: ignore[union-attr]
    for row in before["reviews"]:
        assert now[row.review_id] == text_of[row.review_id]  # type: ignore[union-attr]


def test_edits_do_not_chain_two_reviews_together() -> None:
    words = prose("chain", 80).split()
    last_words = prose("other", 80).split()
    steps = [" ".join([*last_words[: 8 * step], *words[8 * step :]]) for step in range(11)]
    observations = [
        observe_page(with_take(ALPHA, "Builder", text), tool(f"pair-{step:02d}"), night=step + 1)
        for step, text in enumerate(steps)
    ]
    corpus = normalize_all(*observations)
    assert find_review(corpus, steps[0]).review_id != find_review(corpus, steps[-1]).review_id


def test_a_short_take_that_two_tools_share_is_two_reviews() -> None:
    short = "Ship it, with care."
    corpus = normalize_all(observe_page(with_take(ALPHA, "Builder", short), with_take(BETA, "PM", short)))
    assert {row.reviewer for row in rows(corpus, "reviews", text=short)} == {"Builder", "PM"}


def test_a_short_take_without_a_label_is_matched_within_its_candidates_only() -> None:
    short = "Ship it, with care."
    mine = with_take(ALPHA, "Builder", short)
    corpus = normalize_all(
        observe_page(mine, BETA), dump(mine, GAMMA), dump(BETA, with_take(tool("delta"), "Builder", short))
    )
    matched = rows(corpus, "appearances", attribution="matched", text=short)
    assert len(matched) == 1
    assert len(rows(corpus, "reviews", text=short)) == 2


def test_a_review_keeps_its_id_when_a_fuller_text_comes_later() -> None:
    first = observe_page(_took(CUT), BETA)
    before = find_review(normalize_all(first), CUT).review_id
    after = find_review(normalize_all(first, observe_page(ALPHA, GAMMA, night=2)), CUT)
    assert (after.review_id, after.text) == (before, TAKE)


def test_an_id_given_up_when_a_later_label_joins_two_texts_is_an_alias() -> None:
    earlier = _take_that_resembles_both()
    before = normalize_all(*earlier)
    after = normalize_all(*earlier, observe_page(_took(THIRD), tool("delta"), night=3))
    assert [(row.old_id, row.review_id) for row in rows(after, "review_aliases")] == [
        (find_review(before, THIRD).review_id, find_review(after, TAKE).review_id)
    ]


def test_a_tool_known_by_name_brings_its_reviews_when_a_slug_claims_it() -> None:
    by_name = [dump(ALPHA, BETA), dump(ALPHA, GAMMA)]
    before = find_review(normalize_all(*by_name), TAKE).review_id
    after = normalize_all(*by_name, observe_page(_took(EDIT), tool("delta"), night=2))
    assert find_review(after, TAKE) == find_review(after, EDIT)
    assert find_review(after, TAKE).review_id == before


def test_texts_joined_before_labels_showed_two_tools_are_two_reviews_again() -> None:
    unlabelled = [dump(ALPHA, BETA), dump(_took(EDIT), GAMMA)]
    joined = normalize_all(*unlabelled)
    assert find_review(joined, TAKE) == find_review(joined, EDIT)
    theirs, mine = with_take(BETA, "Builder", TAKE), with_take(GAMMA, "Builder", EDIT)
    separated = normalize_all(
        *unlabelled, observe_page(theirs, tool("delta"), night=2), observe_page(mine, tool("zeta"), night=2)
    )
    assert {names(separated)[find_review(separated, text).tool_id] for text in (TAKE, EDIT)} == {"beta", "gamma"}


def test_a_take_that_resembles_reviews_of_both_tools_joins_neither() -> None:
    corpus = normalize_all(*_take_that_resembles_both())
    assert len({find_review(corpus, text).review_id for text in (TAKE, SIBLING, THIRD)}) == 3


def _take_that_resembles_both() -> list[Observation]:
    """A page without labels between pages of its tools with labels."""
    page_of_both = page(replace(ALPHA, takes={"Builder": (THIRD, 80, "ship")}), replace(BETA, takes={}), "quotes")
    return [
        observe_page(ALPHA, GAMMA),
        observe_page(with_take(BETA, "Builder", SIBLING), GAMMA),
        observe(page_of_both, address(ALPHA, BETA), night=2),
    ]


def test_similar_texts_below_the_threshold_are_listed_as_lookalikes_and_not_joined() -> None:
    words = TAKE.split()
    alike = " ".join([*prose("other words", 14).split(), *words[14:36], *prose("more of them", 6).split(), *words[42:]])
    corpus = normalize_all(observe_page(ALPHA, BETA), observe_page(with_take(ALPHA, "Builder", alike), GAMMA, night=2))
    (pair,) = corpus["lookalikes"]
    assert {pair.review_id, pair.other_review_id} == {find_review(corpus, text).review_id for text in (TAKE, alike)}  # type: ignore[union-attr]  # lookalikes
    assert 0.70 <= pair.similarity < 0.82  # type: ignore[union-attr]  # lookalikes


def test_an_archive_ingested_later_makes_no_new_reviews() -> None:
    first = observe_page(ALPHA, BETA)
    second = observe_page(_took(EDIT), GAMMA, night=2)
    before = normalize_all(first, second)
    archived = replace(
        first,
        crawl_id="20261103T013000Z-0001",
        fetched_at=first.fetched_at - timedelta(days=30),
        location=Location("archive", first.location.offset),
    )
    after = normalize_all(first, second, archived)
    assert {row.review_id for row in rows(after, "reviews")} == {row.review_id for row in rows(before, "reviews")}
    assert after["review_aliases"] == before["review_aliases"]
