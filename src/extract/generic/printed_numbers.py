"""Numbers as a page prints them, for comparing what it states with what it shows. Pure."""

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import NamedTuple

_NUMBER = re.compile(r"(?<![\d.,])\d{1,15}+(?!\d)(?:[.,'’]\d{1,15}+|[ \u00a0\u202f]\d{3}(?!\d))*+")
"""`1.299,00`, `1 299`, `4.9764705882353`."""
_SPACE = re.compile(r"[ \u00a0\u202f]")
_BETWEEN = re.compile(r"\D++")

_SIGN = r"[$€£¥₹₩₽₺₴₪฿₫₱]|\b(?:USD|EUR|GBP|JPY|CHF|CAD|AUD|INR|SEK|NOK|DKK|PLN|BRL|zł|kr)\b"
_SIGN_BEFORE, _SIGN_BEHIND = re.compile(rf"(?:{_SIGN})\s?$"), re.compile(rf"\s?(?:{_SIGN})")
_SIGN_REACH = 6
"""Characters beside an amount in which its sign stands."""

_OF = r"\s?(?:/|out of|of|von|sur|de|su|van|av)\s?"
_RATING = re.compile(rf"(?<![\d.,])(\d{{1,3}}[.,]\d{{1,2}}){_OF}(5|10|100)(?![\d.,]*\d)")
"""The mean of many: `4.6/5`, `4,6 von 5`. One reviewer gives whole stars: `5/5`."""


class PrintedRating(NamedTuple):
    """`8.5/10`: value and end of the scale, and the words."""

    value: Decimal
    best: Decimal
    words: str


def readings(printed: str) -> frozenset[Decimal]:
    """What a printed number may be: `1.299` is a thousand or one, `1.299,00` a thousand. Empty for no number."""
    match = _NUMBER.search(printed)
    if match is None:
        return frozenset()
    parts = _BETWEEN.split(match[0])
    whole = Decimal("".join(parts))
    if len(parts) == 1:
        return frozenset({whole})
    less = Decimal(f"{''.join(parts[:-1])}.{parts[-1]}")
    return frozenset({whole, less}) if len(parts[-1]) == 3 else frozenset({less})


def numbers(text: str) -> frozenset[Decimal]:
    """All that a text's numbers may be; `5 299` is two numbers or one."""
    found = {part for match in _NUMBER.finditer(text) for part in (match[0], *_SPACE.split(match[0]))}
    return frozenset(reading for printed in found for reading in readings(printed))


def money(text: str) -> Iterator[tuple[str, frozenset[Decimal]]]:
    """Amounts with a currency, as printed, and what each may be."""
    for match in _NUMBER.finditer(text):
        first, last = max(0, match.start() - _SIGN_REACH), match.end() + _SIGN_REACH
        before = _SIGN_BEFORE.search(text[first : match.start()])
        behind = _SIGN_BEHIND.match(text[match.end() : last])
        if before or behind:
            ahead = "" if before is None else before[0]
            yield f"{ahead}{match[0]}{'' if behind is None else behind[0]}", readings(match[0])


def ratings(text: str) -> Iterator[PrintedRating]:
    """Means of ratings with their scale."""
    for match in _RATING.finditer(text):
        yield PrintedRating(Decimal(match[1].replace(",", ".")), Decimal(match[2]), match[0])
