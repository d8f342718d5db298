"""A pricing string into tiers: which plan costs how much, for what, billed how. Strings in, tiers out.

What cannot be read as one price is refused: the tier is `other`, with its words and without a number.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from verdicts.corpus.enumerations import Billing, Period, PriceKind
from verdicts.normalize.parse.numbers import ordinary, visible, without_footnotes
from verdicts.normalize.parse.pricing.money import ANY_AMOUNT, amounts
from verdicts.normalize.parse.pricing.price_grammar import ASIDE, BILLING
from verdicts.normalize.parse.pricing.price_kinds import FREE_KINDS, LICENSE, kind_of
from verdicts.normalize.parse.pricing.price_limits import (
    BY_USE,
    CLAUSE,
    DIRECTION_AHEAD,
    HAN,
    INTRODUCTION,
    JAPANESE,
    MAY_BE_AMOUNT,
    MILLION,
    NEGATED,
    NO_PLAN,
    OPEN_TERMS,
    QUANTITY_NAMED,
    RAISED,
    STRAY,
    TAX,
    TERMS_ASIDE,
    THEN,
)
from verdicts.normalize.parse.pricing.price_sets import (
    are_ways_to_pay,
    blanked,
    in_said_dollars,
    with_ranges,
    without_codes,
    without_struck,
    without_year_sums,
)
from verdicts.normalize.parse.pricing.price_shared import terms_after
from verdicts.normalize.parse.pricing.price_splits import tier_spans
from verdicts.normalize.parse.pricing.price_terms import Price, is_by_use, price_of

LENGTH_MAX = 10_000
"""Characters of a pricing string, at most. A longer one is none, and one of 700,000 takes 17 s."""


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
    if len(pricing) > LENGTH_MAX:
        return (_refused(pricing, pricing, None),)
    printed = visible(pricing)
    text = without_footnotes(ordinary(printed))
    spans = tier_spans(text)
    last_first: list[list[Tier]] = []
    following = ""
    for start, end in reversed(spans):
        part = text[start:end]
        terms = terms_after(part, following)
        last_first.append(_tiers(printed[start:end], part, terms))
        following = part + terms
    return tuple(tier for tiers in reversed(last_first) for tier in tiers)


def _tiers(raw: str, part: str, shared_terms: str) -> list[Tier]:
    text = " ".join(NEGATED.sub(" ", TAX.sub(" ", _without_introduction(part + shared_terms))).split())
    text = DIRECTION_AHEAD.sub(r"\2 \3 \1 tokens", MILLION.sub("/1M tokens", text) if BY_USE.search(text) else text)
    outside = ASIDE.sub(lambda aside: " " * len(aside[0]), text)
    kind = kind_of(text)
    license_ = None if (match := LICENSE.search(raw)) is None else match[0]
    prices = _prices(text)
    if prices is None or (not prices and kind not in FREE_KINDS and MAY_BE_AMOUNT.search(outside)):
        return [_refused(raw, text, license_)]
    paid = without_struck(text, [price for price in prices if price.is_paid])
    if not paid:
        return [Tier(raw, _words(ASIDE.sub(" ", raw)), kind, license_, 0.0 if kind in FREE_KINDS else None)]
    if not are_ways_to_pay(text, paid) or _is_open(text, outside, prices, paid):
        return [_refused(raw, outside, license_)]
    plan = _plan(text, outside, prices)
    if any(price.money.amount for price in paid):
        is_aside = not any(outside[price.money.start : price.money.end].strip() for price in paid)
        if is_aside and kind in FREE_KINDS:
            return [Tier(raw, plan, kind, license_, 0.0), *(_tier(raw, None, price, license_) for price in paid)]
        if kind == "free":
            return [_refused(raw, outside, license_)]
    return [_tier(raw, plan, price, license_) for price in paid]


def _without_introduction(part: str) -> str:
    """`$20/mo` of `$1 for the first month, then $20/mo`."""
    then = THEN.search(part)
    first = None if then is None else INTRODUCTION.search(part, 0, then.start())
    if then is None or first is None:
        return part
    start = min([first.start(), *(money.start for money in amounts(part[: then.start()]))])
    return f"{part[:start]} {part[then.end() :]}"


def _prices(text: str) -> list[Price] | None:
    """Every price of a tier; None where an amount is left that is none, or may be in another currency."""
    if "¥" in text and HAN.search(text) and not JAPANESE.search(text):
        return None
    read = [price_of(text, money) for money in amounts(text)]
    known = [price for price in read if price is not None]
    whole = None if len(known) < len(read) else without_year_sums(text, known)
    prices = None if whole is None else in_said_dollars(text, with_ranges(text, whole))
    return None if prices is None or ANY_AMOUNT.search(blanked(text, prices)) else prices


def _tier(raw: str, plan: str | None, price: Price, license_: str | None) -> Tier:
    amount, most = (None, price.money.amount) if price.is_up_to else (price.money.amount, price.money.most)
    return Tier(
        raw=raw,
        plan=plan,
        kind="free" if amount == 0 and most is None else "usage" if is_by_use(price.unit, price.period) else "paid",
        license=license_,
        amount=amount,
        amount_max=most,
        is_from=price.is_from or price.money.is_from,
        currency=price.money.currency,
        period=price.period,
        unit=price.unit,
        billing=price.billing,
    )


def _refused(raw: str, words: str, license_: str | None) -> Tier:
    return Tier(raw, _words(words), "other", license_, is_refused=True)


def _left(text: str, prices: Sequence[Price], paid: Sequence[Price]) -> str:
    """The words of no price. The `or` of `$20/mo or $200/yr` is none of them."""
    between = [(one.end, other.start) for one, other in pairwise(paid)]
    left = blanked(text, prices)
    for start, end in between:
        left = f"{left[:start]}{' ' * (end - start)}{left[end:]}"
    return left


def _is_open(text: str, outside: str, prices: Sequence[Price], paid: Sequence[Price]) -> bool:
    """Whether words are left beside the amounts that say what they pay for."""
    words = _left(outside, prices, paid)
    left, behind = _unnamed(words), _unnamed(outside[prices[-1].end :])
    is_stray = STRAY.match(behind) and not CLAUSE.match(behind.lstrip())
    bare = [price for price in paid if price.unit is None is price.period]
    is_unread = any(TERMS_ASIDE.match(text, one.end) or (one.money.amount >= RAISED and left.strip()) for one in bare)
    lacks_unit = BY_USE.search(left) and any(price.unit is None for price in paid)
    is_unread = is_unread or bool(QUANTITY_NAMED.match(left) and any(price.period is None for price in paid))
    is_unread = is_unread or any(one.billing is None and BILLING.search(words) for one in bare)
    return bool(is_stray or is_unread or lacks_unit or OPEN_TERMS.search(left))


def _plan(text: str, outside: str, prices: Sequence[Price]) -> str | None:
    """The name before the prices, or behind them: `$20/mo Pro`, `Pro $20/mo` and `Pro: $20/mo` are all `Pro`."""
    start = prices[0].start
    after_semicolon = text[text.find(";", 0, start) : start] if ";" in text[:start] else ""
    before, behind = outside[:start], outside[prices[-1].end :]
    clause = CLAUSE.search(behind)
    return _name(after_semicolon) or _name(before) or _name(behind[: clause.start()] if clause else behind)


def _name(words: str) -> str | None:
    return _words(re.sub(r"\s(?:for|at|is|costs?)\s*$", "", _unnamed(words)))


def _unnamed(words: str) -> str:
    return without_codes(BILLING.sub(" ", NO_PLAN.sub(" ", words)))


def _words(text: str) -> str | None:
    return re.sub(r"^\+\s*|\s\+$", "", " ".join(text.split()).strip(" :,;.-–—→*~≈()")) or None
