"""Pricing strings into tiers: read right, or refused with their words; never a wrong number."""

import time
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verdicts.normalize.parse.prices import Tier, parse_price_tiers

STRINGS: dict[str, dict[str, list[str]]] = {
    group: {pricing: said.split(" + ") for said, strings in answers.items() for pricing in strings}
    for group, answers in tomllib.loads(
        Path(__file__).with_name("price_strings.toml").read_text(encoding="utf-8")
    ).items()
}
"""Class to pricing strings, each with what a careful reader takes from it."""

PARTS = st.sampled_from(
    ["Free tier", "$20/mo", " / ", "/", "(", ")", " / mo", "Pro", " ", "€9", "1M tokens", "—", "x", ", ", " |", "1.299"]
)  # fmt: skip


@given(st.lists(PARTS, max_size=12).map("".join))
def test_no_word_of_a_pricing_string_is_lost(pricing: str) -> None:
    kept = "".join(dict.fromkeys(tier.raw for tier in parse_price_tiers(pricing)))
    assert {letter for letter in pricing if letter.isalnum()} <= set(kept)
    assert all(tier.raw in pricing for tier in parse_price_tiers(pricing))


@given(st.lists(PARTS, max_size=12).map("".join))
def test_a_refused_tier_has_no_number(pricing: str) -> None:
    refused = [tier for tier in parse_price_tiers(pricing) if tier.is_refused]
    assert {(tier.kind, tier.amount, tier.currency) for tier in refused} <= {("other", None, None)}


def write_tier(tier: Tier) -> str:
    """`Pro: paid 20-40+ USD per seat month, annually`; `?` where it was refused."""
    name = f"{tier.plan}: " if tier.plan else ""
    if tier.is_refused:
        return "?"
    low = "" if tier.amount is None else f" {tier.amount:.12g}"
    high = "" if tier.amount_max is None else f"-{tier.amount_max:.12g}"
    what = "".join(f" {word}" for word in (tier.unit, tier.period) if word)
    money = f"{low}{high}{'+' if tier.is_from else ''} {tier.currency or ''}".rstrip()
    return f"{name}{tier.kind}{money}{' per' if what else ''}{what}{f', {tier.billing}' if tier.billing else ''}"


def tiers(pricing: str) -> list[str]:
    return [write_tier(tier) for tier in parse_price_tiers(pricing)]


@pytest.mark.parametrize("group", STRINGS)
def test_a_price_is_read_right_or_refused(group: str) -> None:
    for pricing, expected in STRINGS[group].items():
        read = tiers(pricing)
        # What is not read yet is refused, and never read as something else.
        is_refused = set(read) == {"?"}
        assert is_refused if expected == ["?"] or group == "not_read_yet" else read == expected, (pricing, read)


@pytest.mark.parametrize("piece", ["$1 (", "$1/1M ", "111 ", "$1, ", "$20/mo or ", "free for ", "1'1", "$1¹", "("])
@pytest.mark.share(3)
def test_reading_takes_time_in_proportion_to_length(piece: str) -> None:
    def seconds(length: int) -> float:
        parse_price_tiers.cache_clear()
        began = time.process_time()
        parse_price_tiers((piece * length)[:length])
        return time.process_time() - began

    # The machine has other work: the best of three says what the string takes.
    assert any(seconds(10_000) < 24 * max(seconds(1_250), 0.01) for _ in range(3))


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
    assert parse_price_tiers(pricing)[0].license == license_


@pytest.mark.parametrize("piece", ["$20/mo ", "Free / ", "$1,", "9", "word "])
def test_a_string_without_end_is_no_price_and_takes_no_time(piece):
    began = time.process_time()
    (tier,) = parse_price_tiers(piece * 200_000)
    assert (tier.kind, tier.amount, tier.is_refused) == ("other", None, True)
    assert time.process_time() - began < 0.5


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
    assert [tier.is_free for tier in parse_price_tiers(pricing)] == expected
