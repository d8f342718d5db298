"""Several prices of one tier: ends of a range, a struck price and the one that is asked, ways to pay one plan. Pure."""

import re
from collections.abc import Sequence
from itertools import pairwise

from verdicts.normalize.parse.pricing.currencies import CODES, DOLLAR_CODES, ENGLISH_WORDS
from verdicts.normalize.parse.pricing.price_grammar import (
    BEFORE_YEAR_SUM,
    BETWEEN_ENDS,
    BETWEEN_OLD_AND_NEW,
    BETWEEN_WAYS,
)
from verdicts.normalize.parse.pricing.price_terms import Price

_CODE = re.compile(rf"\b(?:{'|'.join(code for code in CODES if code not in ENGLISH_WORDS)})\b")


def blanked(text: str, prices: Sequence[Price]) -> str:
    """The text with these prices blank; all other words stay where they are."""
    pieces = []
    done = 0
    for price in prices:
        start, end = max(price.start, done), min(price.end, len(text))
        pieces += [text[done:start], " " * (end - start)]
        done = max(end, done)
    return "".join([*pieces, text[done:]])


def in_said_dollars(text: str, prices: Sequence[Price]) -> list[Price] | None:
    """`$20/mo (CAD)`: the code that stands apart says whose dollars they are. None where it contradicts the signs."""
    said = set(_CODE.findall(blanked(text, prices)))
    if not said or not prices:
        return list(prices)
    signs = {text[price.money.start : price.money.end][0] for price in prices}
    if len(said) == 1 and signs == {"$"} and (code := next(iter(said))) in DOLLAR_CODES:
        return [price._replace(money=price.money._replace(currency=code)) for price in prices]
    return list(prices) if said <= {price.money.currency for price in prices} else None


def with_ranges(text: str, prices: Sequence[Price]) -> list[Price]:
    """`$10/mo - $20/mo` is one price: a range whose ends repeat their terms."""
    kept: list[Price] = []
    for price in prices:
        last = kept[-1] if kept else None
        if (
            last is not None
            and last.money.most is None is price.money.most
            and last.money.amount < price.money.amount
            and last.money.currency == price.money.currency
            and (last.period, last.unit, last.is_up_to, last.is_paid)
            == (price.period, price.unit, False, price.is_paid)
            and BETWEEN_ENDS.fullmatch(text, last.end, price.start)
        ):
            money = last.money._replace(most=price.money.amount, end=price.money.end)
            kept[-1] = price._replace(money=money, start=last.start)
        else:
            kept.append(price)
    return kept


def without_year_sums(text: str, prices: Sequence[Price]) -> list[Price] | None:
    """`$10/mo (billed annually at $120)` is one price, billed annually. None where twelve months are another sum."""
    kept: list[Price] = []
    for price in prices:
        last = kept[-1] if kept else None
        if last is None or last.period != "month" or not BEFORE_YEAR_SUM.fullmatch(text, last.end, price.start):
            kept.append(price)
            continue
        # `$17/mo (billed $200/year)`: a month in whole units is rounded.
        tolerance = 6.0 if last.money.amount.is_integer() else 0.06
        if price.period not in {None, "year"} or abs(12 * last.money.amount - price.money.amount) > tolerance:
            return None
        kept[-1] = last._replace(billing="annually", end=price.end)
    return kept


def without_struck(text: str, prices: Sequence[Price]) -> list[Price]:
    """`$29 $19/mo` and `$29/mo $19/mo` are a struck price and the one that is asked."""
    kept: list[Price] = []
    for price in prices:
        last = kept[-1] if kept else None
        if (
            last is not None
            and last.money.amount > price.money.amount
            and last.money.currency == price.money.currency
            and (last.period, last.unit) in {(None, None), (price.period, price.unit)}
            and price.billing is None
            and BETWEEN_OLD_AND_NEW.fullmatch(text, last.end, price.start)
        ):
            kept.pop()
        kept.append(price)
    return kept


def are_ways_to_pay(text: str, prices: Sequence[Price]) -> bool:
    """Whether several amounts are one plan's: `$20/mo ($16/mo billed annually)`, `$20/mo or $200/yr`."""
    terms = {(price.money.currency, price.period, price.billing) for price in prices}
    units = {price.unit for price in prices}
    months = [price.money.amount for price in prices if price.period == "month"]
    years = [price.money.amount for price in prices if price.period == "year"]
    if months and years and min(years) < 2 * max(months):
        # `$20/month ($17 annually)`: seventeen a month, billed annually, or nothing that can be known.
        return False
    return len(prices) < 2 or (
        len(terms) == len(prices)
        and len(units) == 1
        and all(price.period is not None or price.billing is not None for price in prices)
        and all(BETWEEN_WAYS.fullmatch(text, one.end, other.start) for one, other in pairwise(prices))
    )


def without_codes(text: str) -> str:
    """The text without codes of currencies that stand apart."""
    return _CODE.sub(" ", text)
