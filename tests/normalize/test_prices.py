"""Pricing strings into tiers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from normalize.parse.prices import Tier, price_tiers

PARTS = st.sampled_from(["Free tier", "$20/mo", " / ", "/", "(", ")", " / mo", "Pro", " ", "€9", "1M tokens", "—", "x"])


@given(st.lists(PARTS, max_size=12).map("".join))
def test_the_raw_tiers_joined_give_the_string_back(pricing: str) -> None:
    assert " / ".join(tier.raw for tier in price_tiers(pricing)) == pricing


def _short(tier: Tier) -> tuple[str | None, str, float | None, str | None]:
    return tier.plan, tier.kind, tier.amount, tier.period


@pytest.mark.parametrize(
    ("pricing", "tiers"),
    [
        (
            "Free tier / $20/mo Pro / $40/mo Business",
            [("Free tier", "free", 0, None), ("Pro", "paid", 20, "month"), ("Business", "paid", 40, "month")],
        ),
        ("Pro $20/mo / Business $40/mo", [("Pro", "paid", 20, "month"), ("Business", "paid", 40, "month")]),
        (
            "Free tier available / Pro $15/mo / Business $35/mo (models included / not resold)",
            [("Free tier available", "free", 0, None), ("Pro", "paid", 15, "month"), ("Business", "paid", 35, "month")],
        ),
        (
            "Pay-per-token via X (free tier available) / Y enterprise pricing",
            [("Pay-per-token via X", "usage", None, None), ("Y enterprise pricing", "enterprise", None, None)],
        ),
        ("Open source / Free (MIT license)", [("Open source", "open_source", 0, None), ("Free", "free", 0, None)]),
        (
            "Pay-as-you-go API tokens; billed daily (cached reads ~90% cheaper / day); no separate tier required",
            [("Pay-as-you-go API tokens", "usage", None, None)],
        ),
        (
            "Free (open source, MIT license) — compute costs billed by underlying model providers",
            [("Free", "free", 0, None)],
        ),
        ("$20 / mo Pro / $1.5k/yr Max", [("Pro", "paid", 20, "month"), ("Max", "paid", 1500, "year")]),
        (
            "$12/user/mo Team / Contact sales",
            [("Team", "paid", 12, "user/month"), ("Contact sales", "enterprise", None, None)],
        ),
        ("$0.15 / 1M tokens", [(None, "usage", 0.15, "1M tokens")]),
        ("$0/mo Hobby", [("Hobby", "free", 0, "month")]),
        ("Ask around", [("Ask around", "other", None, None)]),
    ],
)
def test_every_form_the_site_prints_is_read(
    pricing: str, tiers: list[tuple[str | None, str, float | None, str | None]]
) -> None:
    assert [_short(tier) for tier in price_tiers(pricing)] == tiers


@pytest.mark.parametrize(
    ("pricing", "license_"),
    [
        ("Free (Apache 2.0 open-source)", "Apache 2.0"),
        ("Free (MIT license)", "MIT"),
        ("Free (open weights under Llama 4 community license)", "Llama 4 community license"),
        ("Open Source (AGPL-3.0)", "AGPL-3.0"),
        ("Free forever", None),
    ],
)
def test_a_licence_is_found_in_parentheses(pricing: str, license_: str | None) -> None:
    assert price_tiers(pricing)[0].license == license_


def test_currencies_are_named_by_their_code() -> None:
    assert [tier.currency for tier in price_tiers("€9/mo / US$10/mo / £8/mo / Free")] == ["EUR", "USD", "GBP", None]
