"""A price: an amount with what it pays for, as its words in a tier say. Pure."""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from corpus.enumerations import Billing, Period
from normalize.parse.money import Money
from normalize.parse.price_words import (
    BILLING,
    BILLINGS,
    FROM,
    NO_UNITS,
    NOT_PAID_BEFORE,
    NOT_PAID_BEHIND,
    PERIODS,
    SEATS,
    TERM,
    UNIT_NAMES,
    UNIT_QUANTITIES,
    UP_TO,
    WAYS_BETWEEN,
)


class Price(NamedTuple):
    """An amount with what it pays for.

    `is_paid` is False for a discount, an old price, or what a plan includes. `start` and `end` are those of all its
    words in the tier.
    """

    money: Money
    period: Period | None
    unit: str | None
    billing: Billing | None
    is_from: bool
    is_up_to: bool
    is_paid: bool
    start: int
    end: int


def price_of(text: str, money: Money) -> Price:
    """The price whose amount stands in `text` at `money`, with the words before and behind that belong to it."""
    start, end = money.start, money.end
    is_from = is_up_to = False
    if before := FROM.search(text, 0, start):
        is_from, start = True, before.start()
    elif before := UP_TO.search(text, 0, start):
        is_up_to, start = True, before.start()
    period: Period | None = None
    units: list[str] = []
    while term := TERM.match(text, end):
        time = term["adverb"] or term["time"] or term["bare_time"] or term["a_time"]
        if time and time.lower() in PERIODS:
            if period is not None:
                break
            period = PERIODS[time.lower()]
        else:
            unit = _unit(term["unit"] or term["for_unit"] or time)
            if NO_UNITS.search(unit):
                break
            units.append(unit)
        end = term.end()
    billing = None
    if match := BILLING.match(text, end):
        billing, end = _billing(match), match.end()
    not_paid = NOT_PAID_BEFORE.search(text, 0, start)
    given = NOT_PAID_BEHIND.match(text, end)
    start = not_paid.start() if not_paid else start
    end = given.end() if given else end
    is_paid = not (not_paid or given)
    return Price(money, period, "/".join(units) or None, billing, is_from, is_up_to, is_paid, start, end)


def _unit(raw: str) -> str:
    """`seats` is `seat`, `million input tokens` is `1M input tokens`; a quantity of digits stays as printed."""
    words = " ".join(raw.split())
    for pattern, short in UNIT_QUANTITIES:
        words = pattern.sub(short, words)
    if words[0].isdigit():
        return words
    word = UNIT_NAMES.get(words.lower(), words.lower())
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def is_seat(unit: str) -> bool:
    """Whether a unit is there for as long as it is paid for."""
    return all(part.rpartition(" ")[2].lower().removesuffix("s") in SEATS for part in unit.split("/"))


def _billing(match: re.Match[str]) -> Billing:
    word = (match["how"] or match["plan"] or "once").lower()
    return BILLINGS[word]


def without_struck(text: str, prices: Sequence[Price]) -> list[Price]:
    """`$29 $19/mo` and `$29/mo $19/mo` are a struck price and the one that is asked."""
    kept: list[Price] = []
    for price in prices:
        last = kept[-1] if kept else None
        if (
            last is not None
            and not re.sub(r"\bnow\b|[→\s,>-]", "", text[last.end : price.start], flags=re.IGNORECASE)
            and last.money.amount > price.money.amount
            and last.money.currency == price.money.currency
            and (last.period, last.unit) in {(None, None), (price.period, price.unit)}
            and price.billing is None
        ):
            kept.pop()
        kept.append(price)
    return kept


def are_ways_to_pay(text: str, prices: Sequence[Price]) -> bool:
    """Whether several amounts are one plan's: `$20/mo ($16/mo billed annually)`, `$20/mo or $200/yr`."""
    terms = {(price.period, price.billing) for price in prices}
    between = (text[one.end : other.start] for one, other in pairwise(prices))
    units = {price.unit for price in prices}
    return len(prices) < 2 or (
        len(terms) == len(prices)
        and len(units) == 1
        and all(price.period is not None or price.billing is not None for price in prices)
        and all(WAYS_BETWEEN.fullmatch(words) for words in between)
    )


def blanked(text: str, prices: Sequence[Price]) -> str:
    """The text with these prices blank; all other words stay where they are."""
    for price in prices:
        end = min(price.end, len(text))
        text = f"{text[: price.start]}{' ' * (end - price.start)}{text[end:]}"
    return text
