"""A pricing string to tiers: the price of each plan, what it pays for, how it is billed. Strings in, tiers out.

A price that cannot be read clearly is refused: its tier is `other`, with its words and without a number.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from verdicts.corpus.enumerations import Billing, Period, PriceKind
from verdicts.normalize.parse.numbers import remove_invisible, replace_unusual
from verdicts.normalize.parse.price_terms import PATTERNS, Price, find_amounts, is_by_use, read_price
from verdicts.normalize.parse.price_tiers import (
    ASIDE,
    are_ways_to_pay,
    blank_prices,
    classify_tier,
    cut_tiers,
    drop_struck,
    has_other_code,
)

FREE_KINDS = frozenset({"free", "open_source"})

RAISED = 1e6
"""A named sum of at least so much without terms is not the price of a plan: `Seed: $3.2M`."""

LENGTH_MAX = 10_000
"""The most characters of a pricing string. A longer text is not one, and a text of 700,000 takes 17 s."""


class Tier(NamedTuple):
    """One price of one plan. `amount` is in units of `currency` (ISO 4217) for one `unit` and one `period`.

    `raw` is the tier's part of the string. `amount_max` is the upper end of a range; `is_from`: `amount` is the lowest
    of several. `is_refused`: it has an amount that could not be read as one price.
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

    @property
    def is_free(self) -> bool:
        """Whether it is free or open source, or names a free tier beside the paid one.

        `Pay-per-token via X (free tier available)` does; `No free plan`, `14-day free trial`, `free credits` do not.
        """
        if self.kind in FREE_KINDS or self.amount == 0:
            return True
        return PATTERNS["free_tier"].search(PATTERNS["negated"].sub("", self.raw)) is not None


@lru_cache(maxsize=4096)
def parse_price_tiers(pricing: str) -> tuple[Tier, ...]:
    """The tiers of a pricing string, in order. A plan that can be paid in two ways is two tiers with one `raw`.

    Every page of a tool repeats its string, hence the cache.
    """
    if len(pricing) > LENGTH_MAX:
        return (_refuse(pricing, pricing, None),)
    printed = remove_invisible(pricing)
    text = PATTERNS["footnote"].sub(lambda mark: " " * len(mark[0]), replace_unusual(printed))
    text = PATTERNS["arrow_in_range"].sub("–", PATTERNS["sign_between"].sub(r"\1,\3\2", text))
    text = text.replace("¥", "円") if PATTERNS["is_yen"].search(text) else text
    text = text.replace("¥", "元") if PATTERNS["is_yuan"].search(text) else text
    shared = PATTERNS["shared_terms"].search(text)
    if shared is not None:
        text = f"{text[: shared.start('cut')]}{' ' * len(shared['cut'])}"
    last_first: list[list[Tier]] = []
    has_terms = False
    for start, end in reversed(cut_tiers(text)):
        part = text[start:end] if shared is None else _add_terms(text[start:end], shared["terms"])
        tiers = _parse_tier(printed[start:end], part)
        if has_terms and any(map(_is_bare, tiers)):
            # `$3 / $15 per 1M tokens`, `Pro $19, Scale $69 (all per month)`: the first may have these terms, too.
            tiers = [_refuse(printed[start:end], part, tiers[0].license)]
        has_terms = has_terms or any(tier.period or tier.unit or tier.is_refused for tier in tiers)
        last_first.append(tiers)
    return tuple(tier for tiers in reversed(last_first) for tier in tiers)


def _add_terms(part: str, terms: str) -> str:
    """`$0.50 per 1M tokens in` of `$0.50 in`."""
    for money in reversed(find_amounts(part)):
        price = read_price(part, money)
        if price is not None and price.unit is None:
            part = f"{part[: money.end]} {terms}{part[money.end :]}"
    return part


def _is_bare(tier: Tier) -> bool:
    """Whether no words say what its amount pays for."""
    return bool(tier.amount or tier.amount_max) and not (tier.unit or tier.period or tier.billing)


def _parse_tier(raw: str, part: str) -> list[Tier]:
    text = _clean_text(_remove_introduction(part))
    outside = ASIDE.sub(lambda aside: " " * len(aside[0]), text)
    kind = classify_tier(text)
    license_ = None if (match := PATTERNS["license"].search(raw)) is None else match[0]
    prices = _read_prices(text)
    if prices is None or (not prices and kind not in FREE_KINDS and PATTERNS["may_be_amount"].search(outside)):
        return [_refuse(raw, text, license_)]
    paid = drop_struck(text, [price for price in prices if price.is_paid])
    if not paid:
        return [Tier(raw, _clean_words(ASIDE.sub(" ", raw)), kind, license_, 0.0 if kind in FREE_KINDS else None)]
    if not are_ways_to_pay(text, paid) or _is_open(text, outside, prices, paid):
        return [_refuse(raw, outside, license_)]
    plan = _find_plan(text, outside, prices)
    if any(price.money.amount for price in paid):
        is_aside = not any(outside[price.money.start : price.money.end].strip() for price in paid)
        if is_aside and kind in FREE_KINDS:
            return [Tier(raw, plan, kind, license_, 0.0), *(_make_tier(raw, None, price, license_) for price in paid)]
        if kind == "free":
            return [_refuse(raw, outside, license_)]
    return [_make_tier(raw, plan, price, license_) for price in paid]


def _clean_text(part: str) -> str:
    """Without what is no part of the price, and what is denied, in single spaces."""
    for name in ("tax", "aside_within", "shop", "negated"):
        part = _remove(name, part)
    return _remove_conversions(" ".join(part.split()))


def _remove_conversions(text: str) -> str:
    """`$20 monthly` of `$20 ($27 CAD) monthly`."""
    for earlier, later in reversed([*pairwise(find_amounts(text))]):
        opening = PATTERNS["conversion"].search(text, earlier.end, later.start)
        is_closed = text.startswith(")", later.end)
        if opening and earlier.currency != later.currency and is_closed == ("(" in opening[0]):
            text = f"{text[: opening.start()]}{text[later.end + is_closed :]}"
    return text


def _remove(name: str, text: str) -> str:
    return PATTERNS[name].sub(" ", text)


def _remove_introduction(part: str) -> str:
    """`$20/mo` of `$1 for the first month, then $20/mo`."""
    then = PATTERNS["then"].search(part)
    first = None if then is None else PATTERNS["introduction"].search(part, 0, then.start())
    if then is None or first is None:
        return part
    start = min([first.start(), *(money.start for money in find_amounts(part[: then.start()]))])
    return f"{part[:start]} {part[then.end() :]}"


def _read_prices(text: str) -> list[Price] | None:
    """Every price of a tier; None if another amount is left, or the currency may be another one."""
    if PATTERNS["may_be_yuan"].search(text):
        return None
    read = [read_price(text, money) for money in find_amounts(text)]
    prices = [price for price in read if price is not None]
    is_clear = len(prices) == len(read) and not (prices and has_other_code(text, prices))
    return None if not is_clear or PATTERNS["any_amount"].search(blank_prices(text, prices)) else prices


def _make_tier(raw: str, plan: str | None, price: Price, license_: str | None) -> Tier:
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
        billing=price.billing if amount != 0 else None,
    )


def _refuse(raw: str, words: str, license_: str | None) -> Tier:
    return Tier(raw, _clean_words(words), "other", license_, is_refused=True)


def _is_open(text: str, outside: str, prices: Sequence[Price], paid: Sequence[Price]) -> bool:
    """Whether words are left beside the amounts that say what they pay for."""
    words = blank_prices(outside, prices)
    for earlier, later in pairwise(paid):
        # The `or` of `$20/mo or $200/yr`.
        words = f"{words[: earlier.end]}{' ' * (later.start - earlier.end)}{words[later.start :]}"
    bare = [price for price in paid if price.unit is None is price.period]
    if not bare:
        words = _remove("beside", words)
    if all(price.is_from or price.money.is_from or price.money.most for price in paid):
        words = _remove("depending", words)
    left, behind = _remove_terms(words), _remove_terms(outside[prices[-1].end :])
    return bool(
        PATTERNS["open_terms"].search(left)
        or (PATTERNS["stray"].match(behind) and not PATTERNS["clause"].match(behind.lstrip()))
        or (PATTERNS["by_use"].search(left) and any(price.unit is None for price in paid))
        or any(PATTERNS["terms_aside"].match(text, price.end) for price in bare)
        or any(price.money.amount >= RAISED and left.strip() for price in bare)
        or PATTERNS["billing_said"].search(blank_prices(text, prices))
        or PATTERNS["bound"].search(text if bare else blank_prices(text, prices), prices[0].start)
    )


def _find_plan(text: str, outside: str, prices: Sequence[Price]) -> str | None:
    """The name before the prices, or behind them: `$20/mo Pro`, `Pro $20/mo` and `Pro: $20/mo` are all `Pro`."""
    start = prices[0].start
    after_semicolon = text[text.find(";", 0, start) : start] if ";" in text[:start] else ""
    before, behind = outside[:start], outside[prices[-1].end :]
    clause = PATTERNS["clause"].search(behind)
    return (
        _find_name(after_semicolon) or _find_name(before) or _find_name(behind[: clause.start()] if clause else behind)
    )


def _find_name(words: str) -> str | None:
    return _clean_words(re.sub(r"\s(?:for|at|is|costs?)\s*$", "", _remove_terms(words)))


def _remove_terms(words: str) -> str:
    return _remove("billing", _remove("no_plan", words))


def _clean_words(text: str) -> str | None:
    return re.sub(r"^\+\s*|\s\+$", "", " ".join(text.split()).strip(" :,;.-–—→*~≈()")) or None
