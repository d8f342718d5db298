"""A count with more digits than a column holds is a broken value: NULL, and a reject."""

from dataclasses import replace

import pytest

from builders.normalize_pages import normalize_all, observe_page, page, rows, tool
from verdicts.warehouse.loading.rows import check_contracts

ALPHA, BETA = tool("alpha"), tool("beta")


@pytest.mark.parametrize(("digits", "is_held"), [(18, True), (19, False), (100, False), (4_000, False)])
def test_counts_that_no_column_holds_are_null_and_rejected(digits: int, is_held: bool) -> None:
    comparison, count = page(ALPHA, BETA), 10**digits - 1
    first, second = comparison.decisions
    changed = replace(first, verdict=f"Ship · {count} ship / 1 skip", community=f"62% · {count:,} votes")
    corpus = normalize_all(observe_page(ALPHA, BETA, decisions=(changed, second)))
    check_contracts(corpus)
    (verdict,) = rows(corpus, "verdicts", side="a")
    held = count if is_held else None
    assert (verdict.ship_votes, verdict.community_votes) == (held, held)
    assert verdict.panel_verdict_raw == changed.verdict
    assert rows(corpus, "verdict_history", side="a")[0].ship_votes == held
    reasons = {row.reason for row in rows(corpus, "rejects")}
    assert reasons == (set() if is_held else {"broken_panel_verdict", "broken_community"})
