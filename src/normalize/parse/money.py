"""Amounts of money as pages print them: sign or code before or behind, separators of any country. Pure."""

import re
from typing import NamedTuple

SIGNS = {
    "US$": "USD",
    "AU$": "AUD",
    "A$": "AUD",
    "CA$": "CAD",
    "C$": "CAD",
    "NZ$": "NZD",
    "HK$": "HKD",
    "SG$": "SGD",
    "S$": "SGD",
    "NT$": "TWD",
    "MX$": "MXN",
    "R$": "BRL",
    "CN¥": "CNY",
    "$": "USD",
    "€": "EUR",
    "£": "GBP",
    "¥": "JPY",
    "₹": "INR",
    "₩": "KRW",
    "₪": "ILS",
    "₺": "TRY",
    "₽": "RUB",
    "₴": "UAH",
    "฿": "THB",
    "₫": "VND",
    "zł": "PLN",
    "Kč": "CZK",
}
"""A bare `$` is the US dollar, a bare `¥` the yen: what pages in English mean by them."""

CODES = (
    *("USD", "EUR", "GBP", "JPY", "INR", "CHF", "CAD", "AUD", "NZD", "SGD", "HKD", "SEK", "NOK", "DKK", "PLN", "CZK"),
    *("HUF", "BRL", "MXN", "CNY", "KRW", "TRY", "ZAR", "ILS", "RUB", "TWD", "THB", "IDR", "VND", "AED", "SAR", "UAH"),
    *("RON", "BGN", "PHP", "MYR", "ARS", "CLP", "COP", "PEN", "EGP", "NGN", "KES", "PKR", "ISK"),
)
"""ISO 4217, those that software is sold in."""

NAMES = {"dollar": "USD", "dollars": "USD", "euro": "EUR", "euros": "EUR", "pounds": "GBP"}

DOT_GROUPS = frozenset(
    {"EUR", "BRL", "PLN", "CZK", "TRY", "DKK", "NOK", "SEK", "IDR", "VND", "JPY", "KRW", "CHF", "HUF"}
)
"""Where `1.299` is more than a thousand. Elsewhere it is less than two."""

SCALES = {"k": 1_000, "m": 1_000_000, "mn": 1_000_000, "million": 1_000_000, "bn": 1e9, "billion": 1e9}

_LETTERS = {**SIGNS, **{code: code for code in CODES}}
_SIGN = "|".join(re.escape(sign) for sign in sorted(_LETTERS, key=len, reverse=True))
_NUMBER = r"(?:\d+(?:[.,'’\u00a0\u202f\u2009]\d{2,3}(?!\d))*(?:[.,]\d+)?|\.\d+)(?!\d)"
_SPACED = rf"(?:\d{{1,3}}(?: \d{{3}})+(?:[.,]\d+)?|{_NUMBER})"
_SCALE = r"(?:[kK]\b|\s?(?:million|billion|mn|bn)\b|M\b(?!\s+\w*(?:token|char|word|request)))"
_TO = r"\s?(?:-|–|—|\bto\b)\s?"
_BEHIND = "|".join(
    re.escape(word) for word in sorted([*CODES, *NAMES, "€", "£", "₽", "₴", "zł", "Kč", "$"], key=len, reverse=True)
)
_WHOLE = r"(?:[.,][-–—])?(?![.,]?\d)(?!(?!pm\b|pa\b)[a-zA-Z])"
"""Behind an amount: `1.499,-`, `£7.99pm`; no amount is the beginning of another word or number."""
_CODE = "USD|CAD|AUD|NZD|SGD|HKD|MXN"
"""Dollars whose code stands beside the sign: `USD $20`, `$20 CAD`."""
MONEY = re.compile(
    rf"(?<![\w$€£¥.,])(?:(?:(?P<code_before>{_CODE})\s?)?(?P<sign>US\s\$|{_SIGN})\s?(?P<low>{_NUMBER})(?P<scale>{_SCALE})?{_WHOLE}"
    rf"(?:{_TO}(?:{_SIGN})?\s?(?P<high>{_NUMBER})(?P<high_scale>{_SCALE})?{_WHOLE}(?!\s?%))?"
    rf"(?:\s?(?P<code>{_CODE})\b)?"
    rf"|(?P<low_behind>{_SPACED})(?P<scale_behind>{_SCALE})?(?:[.,][-–—])?"
    rf"(?:{_TO}(?P<high_behind>{_SPACED})(?P<high_scale_behind>{_SCALE})?(?:[.,][-–—])?)?"
    rf"\s?(?P<behind>{_BEHIND})(?!\w)"
    rf"|(?P<cents>{_NUMBER})\s?(?:¢|cents?\b))(?P<more>\+(?!\s?(?:[\d$€£]|tax|vat)))?",
)
ANY_AMOUNT = re.compile(
    r"[$€£¥₹₩₪₺₽₴฿₫¢]|\bkr\.?\s?\d|\d\s?(?:kr|zł|Kč|dollars?|euros?|cents?|bucks)\b"
    rf"|\b(?:{'|'.join(CODES)})\s?\d|\d\s?(?:{'|'.join(CODES)})\b"
    r"|\d\s?(?:/|per\s|a\s)\s?(?:mo|mth|month|yr|year|annum|seat|user)\b",
    re.IGNORECASE,
)
"""What may be an amount, read or not. Where it stands outside what was read, nothing is claimed."""


class Money(NamedTuple):
    """An amount in units of `currency` (ISO 4217), from `start` to `end` of the text. `most` ends a range."""

    amount: float
    most: float | None
    currency: str
    is_from: bool
    start: int
    end: int


def amounts(text: str) -> list[Money]:
    """Every amount with its currency, in order. A number whose separators fit no country is left out."""
    return [money for match in MONEY.finditer(text) if (money := _money(match)) is not None]


def _money(match: re.Match[str]) -> Money | None:
    if match["cents"]:
        low = number(match["cents"], "USD")
        return None if low is None else Money(low / 100, None, "USD", bool(match["more"]), match.start(), match.end())
    code = match["code"] or match["code_before"]
    sign = "".join((match["sign"] or "").split())
    if code and sign not in {"$", code}:
        return None
    currency = code or _LETTERS.get(sign) or _currency(match["behind"])
    low_raw, high_raw = match["low"] or match["low_behind"], match["high"] or match["high_behind"]
    low = number(low_raw, currency)
    high = None if high_raw is None else number(high_raw, currency)
    if low is None or (high_raw is not None and high is None):
        return None
    low_scale, high_scale = match["scale"] or match["scale_behind"], match["high_scale"] or match["high_scale_behind"]
    if high is not None and high_scale and not low_scale and low < high:
        low_scale = high_scale
    low *= _scale(low_scale)
    high = None if high is None else high * _scale(high_scale)
    if high is not None and high <= low:
        return None
    return Money(low, high, currency, bool(match["more"]), match.start(), match.end())


def _currency(word: str) -> str:
    return NAMES.get(word.lower()) or _LETTERS[word]


def _scale(word: str | None) -> float:
    return 1 if word is None else SCALES[word.strip().lower()]


def number(raw: str, currency: str) -> float | None:
    """`1,299.00`, `1.299,00`, `1 299`, `9,99`; None where the separators contradict each other (`1,2,3`)."""
    digits = re.sub(r"[\s'’]", "", raw)
    marks = [mark for mark in digits if mark in ".,"]
    if not marks:
        return float(digits)
    decimal = marks[-1]
    tail = digits.rpartition(decimal)[2]
    if len(set(marks)) == 2:
        if marks.count(decimal) > 1:
            return None
        return _grouped(digits.rpartition(decimal)[0], tail)
    head = digits.partition(decimal)[0]
    is_group = len(marks) > 1 or (
        len(tail) == 3 and head not in {"", "0"} and len(head) <= 3 and (decimal == "," or currency in DOT_GROUPS)
    )
    return _grouped(digits, "") if is_group else float(f"{head or '0'}.{tail}")


def _grouped(whole: str, decimals: str) -> float | None:
    """`1,29,999` too: the last group has three digits, those before two or three."""
    first, *groups = re.split(r"[.,]", whole)
    if not first or any(len(group) not in {2, 3} for group in groups) or (groups and len(groups[-1]) != 3):
        return None
    return float(f"{first}{''.join(groups)}.{decimals or '0'}")
