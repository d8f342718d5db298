"""A price: an amount with what it pays for, as the words beside it say. Pure."""

import re
from typing import NamedTuple

from verdicts.corpus.enumerations import Billing, Period
from verdicts.normalize.parse.pricing.money import Money, settled
from verdicts.normalize.parse.pricing.price_grammar import (
    AND_UP,
    BILLING,
    BILLING_ADVERB,
    FROM,
    ONCE_BEFORE,
    REACH,
    TERM,
    TERMS_IN_PARENTHESES,
    TIME_BEFORE,
    UNIT_BEFORE,
    UP_TO,
)
from verdicts.normalize.parse.pricing.price_limits import (
    NOT_PAID_BEFORE,
    NOT_PAID_BEHIND,
    NOT_READ_BEFORE,
    NOT_READ_BEHIND,
)
from verdicts.normalize.parse.pricing.price_words import (
    AHEAD,
    BILLINGS,
    NO_UNITS,
    PERIODS,
    SEATS,
    UNIT_NAMES,
    UNIT_QUANTITIES,
)


class Terms(NamedTuple):
    """What an amount pays for, and where its words end."""

    period: Period | None
    units: tuple[str, ...]
    end: int


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


def price_of(text: str, money: Money) -> Price | None:
    """The price whose amount stands in `text` at `money`, with the words before and behind that belong to it.

    None where they say that the amount is asked for something else: `7-day trial for $1`.
    """
    period, units, end = _terms(text, Terms(None, (), money.end))
    start, billing = money.start, None
    is_from = is_up_to = False
    if match := AND_UP.match(text, end):
        is_from, end = True, match.end()
    if match := BILLING.match(text, end):
        billing, end = BILLINGS[(match["how"] or match["plan"] or "once").lower()], match.end()
    elif period is not None and (match := BILLING_ADVERB.match(text, end)):
        billing = BILLINGS.get(PERIODS.get(match["time"].lower(), "year"))
        end = end if billing is None else match.end()
    if before := _before(FROM, text, start):
        is_from, start = is_from or money.most is None, before.start()
    elif before := _before(UP_TO, text, start):
        is_up_to, start = True, before.start()
    if not units and (before := _before(UNIT_BEFORE, text, start)) and not NO_UNITS.search(before[1]):
        units, start = (_unit(before[1]),), before.start()
    elif period is None and billing in {None, "once"} and (before := _before(ONCE_BEFORE, text, start)):
        billing, start = "once", before.start()
    elif before := _before(TIME_BEFORE, text, start):
        said = PERIODS.get(before["time"].lower(), "year")
        # `Annual $16` may be sixteen a month: without a period it stays unread.
        if said == period or (period is None and (said != "year" or before["time"] in AHEAD)):
            period, start = said, before.start()
        elif period is not None and billing is None and said in BILLINGS:
            billing, start = BILLINGS[said], before.start()
    not_paid = _before(NOT_PAID_BEFORE, text, start)
    given = NOT_PAID_BEHIND.match(text, end)
    is_paid = not (not_paid or given)
    if is_paid and (_before(NOT_READ_BEFORE, text, start) or NOT_READ_BEHIND.match(text, end)):
        return None
    unit = "/".join(units) or None
    amount = settled(money, is_by_use=is_by_use(unit, period))
    start = not_paid.start() if not_paid else start
    end = given.end() if given else end
    return None if amount is None else Price(amount, period, unit, billing, is_from, is_up_to, is_paid, start, end)


def is_by_use(unit: str | None, period: Period | None) -> bool:
    """Whether a price is one for what is used, not for what is there as long as it is paid for."""
    if unit is None or period is not None:
        return False
    return not all(part.rpartition(" ")[2].lower().removesuffix("s") in SEATS for part in unit.split("/"))


def terms_end(text: str, end: int) -> int:
    """Where the terms of the amount that ends at `end` end, with how it is asked for."""
    end = _terms(text, Terms(None, (), end)).end
    billing = BILLING.match(text, end)
    return billing.end() if billing else end


def _before(pattern: re.Pattern[str], text: str, start: int) -> re.Match[str] | None:
    return pattern.search(text, max(start - REACH, 0), start)


def _terms(text: str, read: Terms) -> Terms:
    while (further := _term(text, read)) is not None:
        read = further
    if opening := TERMS_IN_PARENTHESES.match(text, read.end):
        inside = Terms(read.period, read.units, opening.end())
        while (further := _term(text, inside)) is not None:
            inside = further
        if inside.end > opening.end() and text[inside.end : inside.end + 1] == ")":
            return inside._replace(end=inside.end + 1)
    return read


def _term(text: str, read: Terms) -> Terms | None:
    """`read` with one more term; None where none follows, or one that says nothing that is sold."""
    term = TERM.match(text, read.end)
    if term is None:
        return None
    if held := term["held"]:
        period = PERIODS[term["held_time"].lower()]
        with_held = read._replace(period=period, units=(*read.units, _unit(held)), end=term.end())
        return with_held if read.period is None else None
    time = term["adverb"] or term["time"] or term["bare_time"] or term["a_time"] or term["dotted_time"]
    if time:
        word = re.sub(r"[./\s]", "", time) if term["dotted_time"] else time
        period = PERIODS[word.lower()]
        return None if read.period is not None else read._replace(period=period, end=term.end())
    unit = _unit(term["unit"] or term["for_unit"] or term["a_unit"] or term["bare_unit"])
    return None if NO_UNITS.search(unit) else read._replace(units=(*read.units, unit), end=term.end())


def _unit(raw: str) -> str:
    """`seats` is `seat`, `million input tokens` is `1M input tokens`; a quantity of digits stays as printed."""
    words = " ".join(raw.split())
    for pattern, short in UNIT_QUANTITIES:
        words = pattern.sub(short, words)
    if words[0].isdigit():
        return words
    if any(letter.isdigit() for letter in words):
        return words.upper()
    word = UNIT_NAMES.get(words.lower(), words.lower())
    return (
        word[:-1]
        if word.endswith("s") and word.isascii() and not word.endswith("ss") and word not in UNIT_NAMES.values()
        else word
    )
