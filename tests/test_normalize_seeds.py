"""The five real pages ingested together: what is expected was worked out by hand from the pages."""

from collections import Counter

import pytest

from normalize import normalize
from seeds import needs_seeds, seed_files
from snapshots import observe, snapshot

pytestmark = needs_seeds


@pytest.fixture(scope="module")
def observations():
    return observe(*(snapshot(path.read_bytes()) for path in seed_files()))


@pytest.fixture(scope="module")
def corpus(observations):
    return normalize(observations)


def test_five_pages_hold_eight_tools_under_seven_names_and_thirty_two_reviews(corpus):
    assert len(corpus["pages"]) == 5
    assert len(corpus["tools"]) == 8
    assert len({row.name for row in corpus["tools"]}) == 7
    assert len(corpus["tool_cards"]) == 10
    assert len(corpus["appearances"]) == 40
    assert len(corpus["reviews"]) == 32
    assert sum(row.seat is not None and row.score is not None for row in corpus["reviews"]) == 8


def test_each_review_says_how_its_tool_is_known(corpus):
    assert Counter(row.attribution for row in corpus["reviews"]) == {
        "observed": 8,  # the labelled page
        "intersected": 4,  # Cursor Background Agent's, on two pages
        "excluded": 12,  # the other tool's on these two pages and on the page beside the labelled one
        "ordered": 8,  # the page that shares nothing
    }
    names = {row.tool_id: row.name for row in corpus["tools"]}
    shared = {names[row.tool_id] for row in corpus["reviews"] if row.attribution == "intersected"}
    assert shared == {"Cursor Background Agent"}


def test_takes_shared_with_the_labelled_page_get_their_seats_from_there(corpus):
    matched = [row for row in corpus["appearances"] if row.attribution == "matched"]
    reviews = {row.review_id: row for row in corpus["reviews"]}
    seats = [(reviews[row.review_id].seat, reviews[row.review_id].score) for row in matched]
    assert sorted(seats) == [("Builder", 88), ("Futurist", 85), ("PM", 79), ("Skeptic", 82)]


def test_no_single_page_decides_what_the_others_mean(observations, corpus):
    alone = [normalize([item]) for item in observations]
    assert sum(len(single["appearances"]) for single in alone) == len(corpus["appearances"])
    together = {row.review_id for row in corpus["reviews"]}
    assert {row.review_id for single in alone for row in single["reviews"]} == together
