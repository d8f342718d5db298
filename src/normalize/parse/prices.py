"""A pricing string into tiers: which plan costs how much, for what, billed how. Strings in, tiers out.

What cannot be read as one price is refused: the tier is `other`, with its words and without a number.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from corpus.enumerations import Billing, Period, PriceKind
from normalize.parse.money import ANY_AMOUNT, amounts
from normalize.parse.price_terms import Price, are_ways_to_pay, blanked, is_seat, price_of, without_struck
from normalize.parse.price_words import (
    ASIDE,
    BILLING,
    BY_USE,
    CONTINUES,
    FREE_KINDS,
    KINDS,
    LICENSE,
    NEGATED,
    NO_PLAN,
    OPEN_TERMS,
    TERM,
    TIER_SEPARATORS,
    UNIT_AHEAD,
    WITHOUT_AMOUNT,
)


class Tier(NamedTuple):
    """One price of one plan. `amount` is in units of `currency` (ISO 4217) for one `unit` and one `period`.

    `raw` is the tier's part of the string. `amount_max` is the upper end of a range; `is_from` says that
    `amount` is the least of several. `is_refused`: it holds an amount that could not be read as one price.
    """

    raw: str
    plan: str | None
    kind: PriceKind
    license: str | None
    amount: float | None = None
    amount_max: float | None = None
    is_from: bool = False
    currency: str | None = None
    period: Period | None = None
    unit: str | None = None
    billing: Billing | None = None
    is_refused: bool = False


@lru_cache(maxsize=4096)
def price_tiers(pricing: str) -> tuple[Tier, ...]:
    """The tiers of a pricing string, in order. A plan that can be paid in two ways is two tiers with one `raw`.

    Every page of a tool repeats its string, hence the cache.
    """
    return tuple(tier for part in _shared_units(_split(pricing)) for tier in _tiers(*part))


def _split(pricing: str) -> list[str]:
    """Cuts at separators outside parentheses: `... (free tier / trial) / Y enterprise pricing` has two tiers."""
    parts: list[str] = []
    start = depth = index = 0
    while index < len(pricing):
        if pricing[index] in "([":
            depth += 1
        elif pricing[index] in ")]":
            depth = max(depth - 1, 0)
        separator = next((mark for mark in TIER_SEPARATORS if pricing.startswith(mark, index)), "")
        if depth == 0 and separator and not (separator == " / " and UNIT_AHEAD.match(pricing, index + len(separator))):
            parts.append(pricing[start:index])
            start = index = index + len(separator)
        else:
            index += 1
    return [tier for part in [*parts, pricing[start:]] for tier in _listed(part)]


def _listed(part: str) -> list[str]:
    """Cuts `Free, Pro $20/mo, Team $30/mo` at its commas: only where every item is free or has one amount."""
    items = re.split(r"(?:,|;|,? and|\.(?=\s+[A-Z]))\s+(?![^(]*\))", part)
    prices = [[price_of(item, money) for money in amounts(item)] for item in items]
    is_list = all(
        (len(held) == 1 and held[0].is_paid) or (not held and WITHOUT_AMOUNT.search(NEGATED.sub("", item)))
        for item, held in zip(items, prices, strict=True)
    )
    is_continued = any(CONTINUES.match(item) for item in items[1:])
    units = [held[0].unit for held in prices if held]
    is_named = len(set(units)) == len(units) or all(
        re.search(r"[A-Za-z]{3}", ASIDE.sub("", blanked(item, held))) for item, held in zip(items, prices, strict=True)
    )
    return items if len(items) > 1 and any(prices) and is_list and is_named and not is_continued else [part]


def _shared_units(parts: list[str]) -> list[tuple[str, str]]:
    """Each part with the terms it takes from the next: `$3 / $15 per 1M tokens` is two prices per 1M tokens."""
    return [(part, _terms_after(part, following)) for part, following in zip(parts, [*parts[1:], ""], strict=True)]


def _terms_after(part: str, following: str) -> str:
    is_bare = [money.end - money.start for money in amounts(part)] == [len(part.strip())]
    first = next(iter(amounts(following)), None)
    if not is_bare or first is None or following[: first.start].strip():
        return ""
    terms = TERM.match(following, first.end)
    return terms[0] if terms else ""


def _tiers(raw: str, shared_terms: str) -> list[Tier]:
    text = NEGATED.sub(lambda negated: " " * len(negated[0]), raw)
    outside = ASIDE.sub(lambda aside: " " * len(aside[0]), text)
    prices = [price_of(text + shared_terms, money) for money in amounts(text)]
    paid = without_struck(text, [price for price in prices if price.is_paid])
    kind: PriceKind = next((kind for kind, pattern in KINDS if pattern.search(outside.strip())), "other")
    license_ = None if (match := LICENSE.search(raw)) is None else match[0]
    left = _between_blanked(blanked(outside, prices), paid)
    plan = _plan(NO_PLAN.sub(" ", BILLING.sub(" ", left)))
    if ANY_AMOUNT.search(blanked(text, prices)) or not are_ways_to_pay(text, paid) or _is_open(plan, paid):
        return [Tier(raw, _plan(blanked(outside, prices)), "other", license_, is_refused=True)]
    if not paid:
        return [Tier(raw, _plan(ASIDE.sub(" ", raw)), kind, license_, 0.0 if kind in FREE_KINDS else None)]
    is_aside = not any(outside[price.money.start : price.money.end].strip() for price in paid)
    if is_aside and kind in FREE_KINDS and any(price.money.amount for price in paid):
        return [Tier(raw, plan, kind, license_, 0.0), *(_tier(raw, None, price, license_) for price in paid)]
    return [_tier(raw, plan, price, license_) for price in paid]


def _tier(raw: str, plan: str | None, price: Price, license_: str | None) -> Tier:
    amount, most = (None, price.money.amount) if price.is_up_to else (price.money.amount, price.money.most)
    is_by_use = price.unit is not None and price.period is None and not is_seat(price.unit)
    return Tier(
        raw=raw,
        plan=plan,
        kind="free" if amount == 0 and most is None else "usage" if is_by_use else "paid",
        license=license_,
        amount=amount,
        amount_max=most,
        is_from=price.is_from or price.money.is_from,
        currency=price.money.currency,
        period=price.period,
        unit=price.unit,
        billing=price.billing,
    )


def _is_open(plan: str | None, paid: Sequence[Price]) -> bool:
    """Whether words are left beside the amounts that say what they pay for."""
    if plan is None or not paid:
        return False
    return bool(OPEN_TERMS.search(plan) or (BY_USE.search(plan) and any(price.unit is None for price in paid)))


def _between_blanked(text: str, prices: Sequence[Price]) -> str:
    """The `or` of `$20/mo or $200/yr` is no plan."""
    for one, other in pairwise(prices):
        text = f"{text[: one.end]}{' ' * (other.start - one.end)}{text[other.start :]}"
    return text


def _plan(words: str) -> str | None:
    """What is left of a tier without its amount: `$20/mo Pro`, `Pro $20/mo` and `Pro: $20/mo` are all `Pro`."""
    return " ".join(words.split()).strip(" :,.+-–—→*~≈") or None
