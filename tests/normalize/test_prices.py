"""Pricing strings into tiers: read right, or refused with their words; never a wrong number."""

import time
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verdicts.normalize.parse.prices import Tier, price_tiers

STRINGS: dict[str, dict[str, list[str]]] = tomllib.loads(
    Path(__file__).with_name("price_strings.toml").read_text(encoding="utf-8")
)
"""Class to pricing strings, each with what a careful reader takes from it."""

LEAST_RIGHT = 0.95
"""Of all strings; the rest is refused."""

PARTS = st.sampled_from(
    [
        "Free tier",
        "$20/mo",
        " / ",
        "/",
        "(",
        ")",
        " / mo",
        "Pro",
        " ",
        "€9",
        "1M tokens",
        "—",
        "x",
        ", ",
        " | ",
        "1.299",
    ]
)


@given(st.lists(PARTS, max_size=12).map("".join))
def test_no_word_of_a_pricing_string_is_lost(pricing: str) -> None:
    kept = "".join(dict.fromkeys(tier.raw for tier in price_tiers(pricing)))
    assert {letter for letter in pricing if letter.isalnum()} <= set(kept)
    assert all(tier.raw in pricing for tier in price_tiers(pricing))


@given(st.lists(PARTS, max_size=12).map("".join))
def test_a_refused_tier_has_no_number(pricing: str) -> None:
    refused = [tier for tier in price_tiers(pricing) if tier.is_refused]
    assert {(tier.kind, tier.amount, tier.currency) for tier in refused} <= {("other", None, None)}


def shown(tier: Tier) -> str:
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
    return [shown(tier) for tier in price_tiers(pricing)]


def is_wrong(found: list[str], expected: list[str]) -> bool:
    """Whether it says what the string does not, or misses a part and does not tell."""
    return bool(set(found) - {*expected, "?"}) or ("?" not in found and found != expected)


@pytest.mark.parametrize("group", STRINGS)
def test_a_price_is_read_right_or_refused(group: str) -> None:
    found = {pricing: tiers(pricing) for pricing in STRINGS[group]}
    assert {pricing: read for pricing, read in found.items() if is_wrong(read, STRINGS[group][pricing])} == {}


def test_nearly_all_strings_are_read() -> None:
    pairs = [(pricing, expected) for group in STRINGS.values() for pricing, expected in group.items()]
    right = sum(set(tiers(pricing)) == set(expected) for pricing, expected in pairs)
    assert right >= LEAST_RIGHT * len(pairs)


@pytest.mark.parametrize("piece", ["$1 (", "$1/1M ", "111 ", "$1, ", "$20/mo or ", "free for ", "1'1", "$1¹", "("])
def test_reading_takes_time_in_proportion_to_length(piece: str) -> None:
    seconds = []
    for length in (1_250, 10_000):
        began = time.process_time()
        price_tiers((piece * length)[:length])
        seconds.append(time.process_time() - began)
    assert seconds[1] < 24 * max(seconds[0], 0.01)


@pytest.mark.parametrize(
    ("pricing", "expected"),
    [
        (
            "Free tier / $20/mo Pro / $40/mo Business",
            ["Free tier: free 0", "Pro: paid 20 USD per month", "Business: paid 40 USD per month"],
        ),
        ("Pro $20/mo / Business $40/mo", ["Pro: paid 20 USD per month", "Business: paid 40 USD per month"]),
        (
            "Free tier available / Pro $15/mo / Business $35/mo (models included / not resold)",
            ["Free tier available: free 0", "Pro: paid 15 USD per month", "Business: paid 35 USD per month"],
        ),
        (
            "Pay-per-token via X (free tier available) / Y enterprise pricing",
            ["Pay-per-token via X: usage", "Y enterprise pricing: enterprise"],
        ),
        ("Open source / Free (MIT license)", ["Open source: open_source 0", "Free: free 0"]),
        (
            "Pay-as-you-go API tokens; billed daily (cached reads ~90% cheaper / day); no separate tier required",
            ["Pay-as-you-go API tokens: usage"],
        ),
        (
            "Free (open source, MIT license) — compute costs billed by underlying model providers",
            ["Free: free 0"],
        ),
        ("$20 / mo Pro / $1.5k/yr Max", ["Pro: paid 20 USD per month", "Max: paid 1500 USD per year"]),
        (
            "$12/user/mo Team / Contact sales",
            ["Team: paid 12 USD per user month", "Contact sales: enterprise"],
        ),
        (
            "Open source (Apache 2.0) / Team plan $10/mo per seat",
            ["Open source: open_source 0", "Team plan: paid 10 USD per seat month"],
        ),
        ("Research preview, on request", ["Research preview, on request: enterprise"]),
        ("Self-hosted from $4,000/mo", ["Self-hosted: paid 4000+ USD per month"]),
        ("$0.15 / 1M tokens", ["usage 0.15 USD per 1M tokens"]),
        ("$0/mo Hobby", ["Hobby: free 0 USD per month"]),
        ("Ask around", ["Ask around: other"]),
    ],
)
def test_every_form_the_site_prints_is_read(pricing: str, expected: list[str]) -> None:
    assert tiers(pricing) == expected


@pytest.mark.parametrize(
    ("pricing", "expected"),
    [
        ("€9,99/mo", "paid 9.99 EUR per month"),
        ("€1.299,00", "paid 1299 EUR"),
        ("1 299,00 € / year", "paid 1299 EUR per year"),
        ("1.499,- €", "paid 1499 EUR"),
        ("$1,200/yr", "paid 1200 USD per year"),
        ("$0.0025 per 1,000 requests", "usage 0.0025 USD per 1,000 requests"),
        ("₹1,29,999/yr", "paid 129999 INR per year"),
        ("¥1.280/mo", "paid 1280 JPY per month"),
        ("CHF 1'299", "paid 1299 CHF"),
        ("R$ 99,90", "paid 99.9 BRL"),
        ("A$20/mo", "paid 20 AUD per month"),
        ("C$25/month", "paid 25 CAD per month"),
        ("HK$100", "paid 100 HKD"),
        ("S$15/mo", "paid 15 SGD per month"),
        ("19 €", "paid 19 EUR"),
        ("USD 20", "paid 20 USD"),
        ("$20 CAD/mo", "paid 20 CAD per month"),
        ("49 zł/mo", "paid 49 PLN per month"),
        ("50¢ per request", "usage 0.5 USD per request"),
        ("20 dollars a month", "paid 20 USD per month"),
    ],
)
def test_signs_codes_and_separators_of_any_country_are_read(pricing: str, expected: str) -> None:
    assert tiers(pricing) == [expected]


@pytest.mark.parametrize(
    ("pricing", "expected"),
    [
        ("$15 per million characters", ["usage 15 USD per 1M characters"]),
        ("$3 / $15 per 1M tokens", ["usage 3 USD per 1M tokens", "usage 15 USD per 1M tokens"]),
        (
            "$2.50/M input tokens, $10/M output tokens",
            ["usage 2.5 USD per 1M input tokens", "usage 10 USD per 1M output tokens"],
        ),
        ("$20/month/seat", ["paid 20 USD per seat month"]),
        ("$0.006/minute", ["usage 0.006 USD per minute"]),
        ("$5/hr", ["paid 5 USD per hour"]),
        ("$10 for 1,000 credits", ["usage 10 USD per 1,000 credits"]),
        ("$20/mo ($16/mo billed annually)", ["paid 20 USD per month", "paid 16 USD per month, annually"]),
        ("Pro: $20/mo or $200/yr", ["Pro: paid 20 USD per month", "Pro: paid 200 USD per year"]),
        ("$25/user/month (billed annually)", ["paid 25 USD per user month, annually"]),
        ("$99 one-time", ["paid 99 USD, once"]),
    ],
)
def test_what_an_amount_pays_for_is_read(pricing: str, expected: list[str]) -> None:
    assert tiers(pricing) == expected


@pytest.mark.parametrize(
    ("pricing", "expected"),
    [
        ("$10-$20/mo", ["paid 10-20 USD per month"]),
        ("10–20 €/mo", ["paid 10-20 EUR per month"]),
        ("From $10/mo", ["paid 10+ USD per month"]),
        ("$99+ per year", ["paid 99+ USD per year"]),
        ("Up to $50/mo", ["paid-50 USD per month"]),
        ("Up to $50 off", ["Up to $50 off: other"]),
        ("$29 $19/mo", ["paid 19 USD per month"]),
        ("was $29, now $19/mo", ["paid 19 USD per month"]),
        ("~~$25~~ $20/mo", ["paid 20 USD per month"]),
        ("Pro $20/mo (includes $20 of usage)", ["Pro: paid 20 USD per month"]),
        ("$300 in free credits", ["$300 in free credits: usage"]),
        ("No free plan", ["No free plan: other"]),
        ("$49/mo, no free plan", ["paid 49 USD per month"]),
        ("Free trial, then $20/mo", ["paid 20 USD per month"]),
    ],
)
def test_ranges_discounts_old_prices_and_negations(pricing: str, expected: list[str]) -> None:
    assert tiers(pricing) == expected


@pytest.mark.parametrize(
    ("pricing", "expected"),
    [
        (
            "Free | Pro $20/mo | Team $30",
            ["Free: free 0", "Pro: paid 20 USD per month", "Team: paid 30 USD"],
        ),
        ("Free, Pro €20/mo", ["Free: free 0", "Pro: paid 20 EUR per month"]),
        ("Free plan. Pro $20/mo.", ["Free plan: free 0", "Pro: paid 20 USD per month"]),
        ("Free (paid plans from $20/mo)", ["Free: free 0", "paid 20+ USD per month"]),
        ("Open source, cloud from $20/mo", ["Open source: open_source 0", "cloud: paid 20+ USD per month"]),
        ("Free download, self-hosted", ["Free download, self-hosted: free 0"]),
    ],
)
def test_tiers_are_parted_as_pages_part_them(pricing: str, expected: list[str]) -> None:
    assert tiers(pricing) == expected


@pytest.mark.parametrize(
    "pricing",
    [
        "99 kr/mo",
        "20/mo",
        "$1,2,3",
        "$20/mo + $5 per extra seat",
        "$120/yr (equivalent to $10/mo)",
        "$1 for 3 months",
        "2 for $10",
        "$60 every 6 months",
        "$30 biweekly",
        "Yearly $20",
        "$3 input",
        "$20/m",
        "$100 deposit",
        "between $10 and more",
        "$2M tokens free",
    ],
)
def test_an_amount_that_is_no_one_price_is_refused(pricing: str) -> None:
    assert tiers(pricing) == ["?"]


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


@pytest.mark.parametrize("piece", ["$20/mo ", "Free / ", "$1,", "9", "word "])
def test_a_string_without_end_is_no_price_and_takes_no_time(piece):
    began = time.process_time()
    (tier,) = price_tiers(piece * 200_000)
    assert (tier.kind, tier.amount, tier.is_refused) == ("other", None, True)
    assert time.process_time() - began < 0.5
