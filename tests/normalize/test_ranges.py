"""A number that its column cannot hold is NULL, and what the page says of it is told."""

import math
from dataclasses import replace

import pytest

from builders.normalize_pages import labelled, normalized, page, rows, tool
from verdicts.corpus.tables import TABLES
from verdicts.normalize.rows.doubts import ranges_of
from verdicts.warehouse.loading.rows import check_contracts

ALPHA, BETA = tool("alpha"), tool("beta")
BIGINT_MOST = 2**63 - 1


def voted(votes, community=None):
    """The page of Alpha and Beta with other votes for Alpha."""
    comparison = page(ALPHA, BETA)
    first, second = comparison.decisions
    changed = replace(first, verdict=votes, community=community or first.community)
    return normalized(labelled(ALPHA, BETA, decisions=(changed, second)))


@pytest.mark.parametrize("digits", [19, 20, 30, 99, 100])
def test_votes_that_no_column_holds_are_null_with_a_discrepancy(digits):
    count = 10**digits - 1
    corpus = voted(f"Ship · {count} ship / 1 skip")
    check_contracts(corpus)
    (verdict,) = rows(corpus, "verdicts", side="a")
    assert (verdict.verdict, verdict.ship_votes, verdict.skip_votes) == ("ship", None, 1)
    assert verdict.verdict_raw == f"Ship · {count} ship / 1 skip"
    (doubt,) = rows(corpus, "discrepancies", rule="out_of_range")
    assert doubt.expected == "ship_votes from 0 to 9,223,372,036,854,775,807"
    assert doubt.found == f"{count} (side a)"
    assert rows(corpus, "verdict_history", side="a")[0].ship_votes is None


def test_votes_that_the_column_holds_are_kept():
    corpus = voted(f"Ship · {BIGINT_MOST} ship / 1 skip")
    assert rows(corpus, "verdicts", side="a")[0].ship_votes == BIGINT_MOST
    assert rows(corpus, "discrepancies", rule="out_of_range") == []
    check_contracts(corpus)


def test_a_community_of_too_many_is_null_and_its_share_stays():
    corpus = voted("Ship · 3 ship / 1 skip", f"62% · {10**40} votes")
    (verdict,) = rows(corpus, "verdicts", side="a")
    assert (verdict.community_pct, verdict.community_votes) == (62, None)
    assert len(rows(corpus, "discrepancies", rule="out_of_range")) == 1


@pytest.mark.parametrize("digits", [101, 4_300, 4_301, 100_000])
def test_digits_without_end_are_a_broken_value(digits):
    corpus = voted(f"Ship · {'9' * digits} ship / 1 skip", f"62% · {'9' * digits} votes")
    assert rows(corpus, "verdicts", side="a")[0].ship_votes is None
    assert {row.reason for row in rows(corpus, "rejects")} == {"broken_panel_verdict", "broken_community"}
    check_contracts(corpus)


def test_every_number_that_may_be_null_has_a_range_as_it_is_declared():
    ranges = {(table, each.column): each for table in TABLES for each in ranges_of(table)}
    assert ranges["reviews", "score"][1:] == (0, 100)
    assert ranges["verdicts", "ship_votes"][1:] == (0, BIGINT_MOST)
    assert ranges["pricing_tiers", "amount"][1:] == (0, math.inf)
    assert not any(ranges["pricing_tiers", "amount"].holds(value) for value in (-0.01, math.inf, math.nan))
    assert ranges["pricing_tiers", "amount"].holds(1e40)
