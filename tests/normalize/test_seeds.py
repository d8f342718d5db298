"""The five seed pages, ingested together and without any address: what their corpus must be."""

import hashlib
from collections import Counter
from dataclasses import replace
from datetime import timedelta
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from builders.normalize_pages import names, rows
from builders.paths import needs_seeds, seed_files
from builders.snapshots import MOMENT, demo_observation
from verdicts.extract.model.records import Observation
from verdicts.normalize.corpus import Corpus, normalize

pytestmark = needs_seeds


def _observation(number: int, path: Path) -> Observation:
    body = path.read_text(encoding="utf-8")
    url = f"urn:sha256:{hashlib.sha256(body.encode()).hexdigest()}"
    return replace(demo_observation(url, body, "text/plain", number), fetched_at=MOMENT + timedelta(seconds=number))


@cache
def _corpus() -> Corpus:
    return normalize(_observation(number, path) for number, path in enumerate(seed_files()))


def _page(number: int) -> str:
    path = seed_files()[number]
    (row,) = normalize([_observation(number, path)])["pages"]
    return row.page_id  # type: ignore[union-attr,no-any-return]  # a page


def _takes(number: int) -> list[Any]:
    return sorted(rows(_corpus(), "appearances", page_id=_page(number)), key=lambda row: row.review_number)


def test_the_seeds_are_five_pages_of_eight_tools_under_seven_names() -> None:
    corpus = _corpus()
    assert len(corpus["pages"]) == 5
    assert len(corpus["tool_cards"]) == 10
    assert len(corpus["tools"]) == 8
    assert len({row.name for row in rows(corpus, "tools")}) == 7
    assert not corpus["rejects"]
    assert not corpus["discrepancies"]


def test_their_forty_takes_are_thirty_two_reviews_and_eight_are_labelled() -> None:
    corpus = _corpus()
    assert (len(corpus["appearances"]), len(corpus["reviews"])) == (40, 32)
    labelled = rows(corpus, "reviews", reviewer_source="label")
    assert len(labelled) == 8
    assert all(row.score is not None and row.verdict is not None for row in labelled)


def test_the_labelled_page_gives_the_takes_it_shares_their_reviewers() -> None:
    takes = _takes(0)
    matched = [row for row in takes if row.attribution == "matched"]
    assert [row.review_number for row in matched] == [0, 2, 4, 6]
    reviews = {row.review_id: row for row in rows(_corpus(), "reviews")}
    assert [reviews[row.review_id].reviewer for row in matched] == ["Builder", "Skeptic", "Futurist", "PM"]
    assert {(row.attribution, row.side) for row in takes if row not in matched} == {("excluded", "b")}


def test_the_takes_between_the_labelled_ones_have_their_reviewers() -> None:
    """Builder, Skeptic and Futurist of the other tool each stand between two of the labelled tool; the last may be PM
    or Founder."""
    reviews = {row.review_id: row for row in rows(_corpus(), "reviews")}
    reviewers = [reviews[row.review_id].reviewer for row in _takes(0) if row.side == "b"]
    assert reviewers == ["Builder", "Skeptic", "Futurist", None]


@pytest.mark.parametrize("number", [2, 4])
def test_the_takes_two_pages_share_are_of_their_common_tool(number: int) -> None:
    takes = _takes(number)
    reviews = {row.review_id: row for row in rows(_corpus(), "reviews")}
    tools = names(_corpus())
    shared = {tools[reviews[row.review_id].tool_id] for row in takes if row.attribution == "intersected"}
    assert shared == {"Cursor Background Agent"}
    assert Counter(row.attribution for row in takes) == {"intersected": 4, "excluded": 4}


def test_a_page_that_shares_nothing_is_ordered() -> None:
    takes = _takes(1)
    assert [row.attribution for row in takes] == ["ordered"] * 8
    assert [row.side for row in takes] == ["a", "b"] * 4
