"""Nights over a site that lives on: afterwards the corpus says what the site says, and says when it began to."""

import pytest

from builders.month.nights import crawl_nights, read_nights

CALENDAR = (
    (),
    ("a price", "an edited take", "a new page", "a moved take", "a withdrawn take", "a new tool"),
    ("a verdict", "community votes", "a renamed slug", "a page removed with 410"),
    ("a page comes back", "a returned take", "a new score", "swapped texts"),
)


@pytest.mark.whole
def test_after_some_nights_the_corpus_is_the_answer_key_of_the_last_and_histories_are_the_sites(tmp_path):
    for number, night in enumerate(crawl_nights(tmp_path, seed=3, tools=7, pages=10, calendar=CALENDAR)):
        assert night.problems == (), number


SEEDS = (1, *(pytest.param(seed, marks=pytest.mark.whole) for seed in (2, 3, 4, 5)))


@pytest.mark.parametrize("seed", SEEDS)
def test_each_night_counts_what_the_site_says_then_and_as_of_that_night_for_ever(tmp_path, seed):
    for simulated, problems in read_nights(tmp_path, seed=seed, nights=30, tools=4 + seed, pages=6 * seed):
        assert problems == []
        if len(simulated.published) == 30:
            assert simulated.find_rewritten() == []
