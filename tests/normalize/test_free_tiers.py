"""What is free, and what only has the word in it."""

import pytest

from verdicts.normalize.parse.prices import is_free, price_tiers


@pytest.mark.parametrize(
    ("pricing", "expected"),
    [
        ("Free tier / $20/mo Pro", [True, False]),
        ("Open source (MIT)", [True]),
        ("$0/mo Hobby", [True]),
        ("Pay-per-token via X (free tier available) / Y enterprise pricing", [True, False]),
        ("No free plan / $20/mo Pro", [False, False]),
        ("Pay-per-token via X (no free tier)", [False]),
        ("14-day free trial, then $20/mo", [False]),
        ("$20/mo (with free credits)", [False]),
        ("Pay-as-you-go API tokens; no separate tier required", [False]),
    ],
)
def test_a_tier_is_free_by_what_it_offers(pricing: str, expected: list[bool]) -> None:
    assert [is_free(tier.kind, tier.amount, tier.raw) for tier in price_tiers(pricing)] == expected
