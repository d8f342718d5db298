"""Nights over a site that lives on: afterwards the corpus says what the site says, and says when it began to."""

import pytest

from builders.month.month import Month, Plan
from builders.month.played import play

EVENTS = (
    (),
    ("a price", "an edited take", "a new page", "a moved take", "a withdrawn take"),
    ("a verdict", "community votes", "a renamed slug", "a page removed with 410"),
    ("a page comes back", "a returned take", "a new score", "swapped texts"),
)


@pytest.mark.whole
def test_after_some_nights_the_corpus_is_the_answer_key_of_the_last_and_histories_are_the_sites(tmp_path):
    month = Month(tmp_path, Plan(seed=3, nights=len(EVENTS), tools=7, pages=10, events=EVENTS))
    codes = [[ended.code for ended in night.ended] for night in month.nights()]
    # Of the mirror the first night finds nothing but its start page: a night in part.
    assert codes == [[2], [0], [0], [0]]
    assert [problem for night in month.reports for problem in night.problems] == []


SEEDS = (1, *(pytest.param(seed, marks=pytest.mark.whole) for seed in (2, 3, 4, 5)))


@pytest.mark.parametrize("seed", SEEDS)
def test_each_night_counts_what_the_site_says_then_and_as_of_that_night_for_ever(tmp_path, seed):
    for played, problems in play(tmp_path, seed=seed, nights=30, tools=4 + seed, pages=6 * seed):
        assert problems == []
        if len(played.published) == 30:
            assert played.rewritten() == []
