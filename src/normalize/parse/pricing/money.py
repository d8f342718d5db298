"""Amounts of money as pages print them: sign or code before or behind, separators of any country. Pure."""

import re
from collections.abc import Iterable
from typing import NamedTuple

from verdicts.normalize.parse.numbers import GROUPS_APART, NUMBER, SPACED_NUMBER, Reading, reading
from verdicts.normalize.parse.pricing.currencies import (
    CENTS,
    CODES,
    DOLLAR_CODES,
    DOT_GROUPS,
    LOWER_CASE_CODES,
    NAMES,
    NUMBER_WORDS,
    OTHER_NAMES,
    RAND,
    SCALES,
    SHARED_SIGNS,
    SIGNS,
)

_CURRENCIES = {
    **dict.fromkeys(CENTS, "USD"),
    "R": "ZAR",
    **SIGNS,
    **NAMES,
    **{code: code for code in CODES},
    **{code: code.upper() for code in LOWER_CASE_CODES},
}


def _any_of(words: Iterable[str]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


_AHEAD = _any_of([*SIGNS, *CODES, *LOWER_CASE_CODES])
_LETTER = r"[^\W\u3040-\u9fff\uac00-\ud7af]"
"""No letter of a script that parts no words: `月額1,980円から`."""
_BEHIND = _any_of([*SIGNS, *NAMES, *CENTS, *CODES, *LOWER_CASE_CODES])
_NAME = _any_of([*NAMES, *CENTS[1:]])
_MINUS = re.compile(r"(?:^|\s)-$")
_HALF = re.compile(r"\d[.,]\s$")
"""What stands before the second half of `1.837, 32 €`."""
_CODE = "|".join(DOLLAR_CODES)
_SCALE = (
    r"(?:[kK]\b|\s?(?:million|billion|lakhs?|crores?|mn|bn)\b|[万만]|M\b(?!\s+\w{0,20}(?:token|char|word|request)))"
)
_TO = r"(?:\s?(?:-|–|—|\bto\b|\bbis\b)\s?|(?(between)\sand\s|(?!)))"
_WHOLE = rf"(?:[.,][-–—])?(?![.,]?\d|[¹²³⁰⁴-⁹\u0336])(?!(?!(?:pm|pa|mo|mth|yr|hr|{_CODE})\b)[a-zA-Z])"
"""Behind an amount: `1.499,-`, `£7.99pm`; no amount is the beginning of another word or number."""
_ENDS_RANGE = (
    r"(?=\s?(?:$|p[./]|[/),;:|·.+*(\[]|(?:per|an?|each|every|pro|par|im|al|mo|pm|monthly|yearly|annually|weekly|quarterly|for|billed|paid"
    rf"|one|lifetime|and|or|{_CODE})\b))"
)
"""Behind `20` of `$10 - 20`: `$20 - 30 users` is no range."""

_SIGN_AHEAD = (
    rf"(?:(?P<code_before>{_CODE})\s?)?(?P<sign>(?:US|AU|CA|CAN|NZ|HK|SG|NT|MX)\s\$|{_AHEAD}|{RAND})\s?(?P<low>{GROUPS_APART}|{NUMBER})(?P<scale>{_SCALE})?{_WHOLE}"
    rf"(?:{_TO}(?P<same>(?P=sign)\s?)?(?P<high>{NUMBER})(?P<high_scale>{_SCALE})?{_WHOLE}(?!\s?%)(?(same)|{_ENDS_RANGE}))?"
    rf"(?:\s?(?P<code>{_CODE})\b)?"
)
_SIGN_BEHIND = (
    rf"(?P<low_behind>{SPACED_NUMBER})(?P<scale_behind>{_SCALE})?(?:[.,][-–—])?"
    rf"(?:(?:\s?(?P<low_sign>{_BEHIND}))?{_TO}(?P<high_behind>{SPACED_NUMBER})(?P<high_scale_behind>{_SCALE})?(?:[.,][-–—])?)?"
    rf"\s?(?P<behind>{_BEHIND})(?!{_LETTER}|'\w|\s?\d|\s(?:cents?|ct)\b)"
)
MONEY = re.compile(
    rf"(?<!{_LETTER})(?<![$€£¥.,])(?:(?P<between>[Bb]etween)\s)?(?:{_SIGN_AHEAD}|{_SIGN_BEHIND})"
    r"(?P<more>\+(?!\s?[\d$€£]))?"
)
ANY_AMOUNT = re.compile(
    rf"[$€£¥₹₩₪₺₽₴฿₫₱₦¢₨¤₿₸₾৳₵₡₲₭៛₮円원]|[\d万千百]\s?元|(?<!\w)(?:{SHARED_SIGNS}|{_AHEAD})\s?\d|\d(?:[.,][-–—]|\+)?\s?(?:{SHARED_SIGNS}|(?:{_BEHIND})(?!\w))"
    rf"|(?<=\d)\s?(?:{OTHER_NAMES})\b|\b(?:{NUMBER_WORDS})[\s-]?(?:(?:US|euro)\s)?(?:{OTHER_NAMES}|{_NAME})\b"
    rf"|\d\seuro\scents?\b|\b(?:{_NAME})\s\d|\d\s?(?:/|per\s|a\s)\s?(?:mo|mth|month|yr|year|annum|seat|user)\b",
    re.IGNORECASE,
)
"""What may be an amount, read or not. Where it stands outside what was read, nothing is claimed."""


class Money(NamedTuple):
    """An amount in units of `currency` (ISO 4217), from `start` to `end` of the text. `most` ends a range.

    `decimals` is the amount where its separator may as well part decimals, see `settled`.
    """

    amount: float
    most: float | None
    currency: str
    is_from: bool
    start: int
    end: int
    decimals: float | None = None
    has_dot: bool = False


def amounts(text: str) -> list[Money]:
    """Every amount with its currency, in order. A number whose separators fit no country is left out."""
    return [money for match in MONEY.finditer(text) if (money := _money(text, match)) is not None]


def settled(money: Money, *, is_by_use: bool) -> Money | None:
    """The amount, read by what it pays for where three digits stand behind its separator; None where that leaves both.

    A price by use may have three decimals (`$1.125 per 1M tokens`), one for a time may not: `€1.299/mo`, `$1.299/mo`.
    """
    if money.decimals is None:
        return money
    has_dot_groups = money.currency in DOT_GROUPS
    if not is_by_use:
        return money if has_dot_groups or not money.has_dot else None
    if has_dot_groups:
        return None
    return money._replace(amount=money.decimals) if money.has_dot else money


def _money(text: str, match: re.Match[str]) -> Money | None:
    sign = "".join((match["sign"] or "").split()) or match["behind"]
    low_raw, high_raw = match["low"] or match["low_behind"], match["high"] or match["high_behind"]
    low_scale, high_scale = match["scale"] or match["scale_behind"], match["high_scale"] or match["high_scale_behind"]
    low, high = _scaled(low_raw, low_scale), _scaled(high_raw or low_raw, high_scale)
    if low is None or high is None or _is_contradictory(text, match, sign):
        return None
    if high_raw and high_scale and not low_scale and low.value < high.value:
        low = _scaled(low_raw, high_scale) or low
    currency = match["code"] or match["code_before"] or _CURRENCIES[sign]
    if high_raw and (high.value <= low.value or not _is_range(low, high, currency, match[0])):
        return None
    part = 100 if sign in CENTS else 1
    return Money(
        low.value / part,
        high.value / part if high_raw else None,
        currency,
        bool(match["more"]),
        match.start(),
        match.end(),
        low.otherwise or high.otherwise,
        has_dot="." in low_raw,
    )


def _is_contradictory(text: str, match: re.Match[str], sign: str) -> bool:
    """`-$20`, `1.837, 32 €`, `between $10` and nothing, `CAD €20`, `10€-20$`."""
    start = match.start()
    code = match["code"] or match["code_before"]
    return bool(
        (not match[0][0].isalpha() and _MINUS.search(text, max(start - 2, 0), start))
        or (match[0][0].isdigit() and _HALF.search(text, max(start - 3, 0), start))
        or (match["between"] and not (match["high"] or match["high_behind"]))
        or (code and sign not in {"$", code})
        or match["low_sign"] not in {None, sign}
    )


def _is_range(low: Reading, high: Reading, currency: str, text: str) -> bool:
    """A range whose ends may be decimals is one only where `1.299` is more than a thousand."""
    is_doubtful = low.otherwise is not None or high.otherwise is not None
    return not is_doubtful or currency in DOT_GROUPS or "." not in text


def _scaled(raw: str, scale: str | None) -> Reading | None:
    """`1.125M` is more than a million, never a thousand of them."""
    read = reading(raw)
    if read is None or scale is None:
        return read
    value = read.value if read.otherwise is None else read.otherwise
    return Reading(round(value * SCALES[scale.strip().lower()], 6))
