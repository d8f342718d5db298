"""Nights over a site that lives on: afterwards the corpus says what the site says, and says when it began to."""

import pytest

from builders.month.month import Month, Plan

EVENTS = (
    (),
    ("a price", "an edited take", "a new page", "a moved take"),
    ("a verdict", "community votes", "a renamed slug", "a page removed with 410"),
)


@pytest.mark.whole
def test_after_some_nights_the_corpus_is_the_answer_key_of_the_last_and_histories_are_the_sites(tmp_path):
    month = Month(tmp_path, Plan(seed=3, nights=len(EVENTS), tools=7, pages=10, events=EVENTS))
    codes = [[ended.code for ended in night.ended] for night in month.nights()]
    # Of the mirror the first night finds nothing but its start page: a night in part.
    assert codes == [[2], [0], [0]]
    assert [problem for night in month.reports for problem in night.problems] == []
