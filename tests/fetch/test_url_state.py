"""Which conditions a page is requested with."""

from datetime import UTC, datetime, timedelta

import pytest

from verdicts.fetch.model.url_state import Revisit, UrlState

NOW = datetime(2026, 11, 20, tzinfo=UTC)
YESTERDAY = NOW - timedelta(days=1)
SHA256 = "0" * 64


@pytest.mark.parametrize(
    ("state", "conditions"),
    [
        (UrlState(), {}),
        (UrlState(etag='"one"', unconditional_at=YESTERDAY), {}),
        (UrlState(SHA256, '"one"', unconditional_at=YESTERDAY), {"if-none-match": '"one"'}),
        (UrlState(SHA256, None, "then", unconditional_at=YESTERDAY), {"if-modified-since": "then"}),
        (UrlState(SHA256, unconditional_at=YESTERDAY), {}),
        (UrlState(SHA256, '"one"', is_etag_wrong=True, unconditional_at=YESTERDAY), {}),
        (UrlState(SHA256, '"one"', unconditional_at=None), {}),
        (UrlState(SHA256, '"one"', unconditional_at=NOW - timedelta(days=14)), {}),
    ],
)
def test_a_page_is_requested_with_conditions_only_where_a_304_can_be_trusted(state, conditions):
    assert state.conditions(Revisit(), NOW) == conditions


@pytest.mark.parametrize(
    ("lastmod", "fetched_at", "claim"),
    [(None, NOW, None), (NOW, None, None), (YESTERDAY, NOW, "same"), (NOW, YESTERDAY, "changed"), (NOW, NOW, "same")],
)
def test_a_lastmod_is_a_claim_about_the_time_since_the_last_visit(lastmod, fetched_at, claim):
    assert UrlState(lastmod=lastmod, fetched_at=fetched_at).claim == claim
