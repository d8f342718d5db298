"""What statements say of a tool beside other statements and the visible text. Where they differ none wins. Pure.

The text near a name is what follows it, up to the next name of a tool.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import accumulate, pairwise
from typing import NamedTuple

from verdicts.extract.generic.stated import StatedTool, key
from verdicts.extract.model.records import Doubt

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


NEAR = 300
"""Characters behind a name in which its price and rating are looked for."""
MENTIONS_MAX = 200
"""Mentions of the tools of one page that are looked at."""

FREE = re.compile(r"\b(?:free|gratis|kostenlos|gratuite?|gratuito|gratuita|0)\b", re.IGNORECASE)
"""What shows that nothing is asked."""

BEST = Decimal(5)
"""The end of a scale that is not stated (schema.org)."""

_FRACTION = re.compile(r"\s?(?:/|out of|von|sur)\s?(\d{1,3})\s*|\s?%\s*")


class Agreement(NamedTuple):
    """`disputed`: which fields of which tools (by key) have no value that holds; and every doubt, the disputes' too."""

    disputed: frozenset[tuple[str, str]]
    doubts: tuple[Doubt, ...]


class Shown(NamedTuple):
    """All that numbers in the visible text may be, and those that have a currency."""

    numbers: frozenset[Decimal]
    amounts: frozenset[Decimal]


def agreement(stated: Sequence[StatedTool], names: Sequence[str], texts: Sequence[str]) -> Agreement:
    """Holds prices and ratings of the tools with these `names` against each other and against the visible texts."""
    by_key: dict[str, list[StatedTool]] = defaultdict(list)
    # Of a group and its variants of one name the group's statements count.
    for tool in sorted(stated, key=lambda one: one.is_named):
        known = by_key[key(tool.tool.name)]
        if not known or known[0].is_named == tool.is_named:
            known.append(tool)
    text = "\n".join(texts)
    near = _near(names, text)
    shown = Shown(numbers(text), frozenset(value for _, values in money(text) for value in values))
    disputes = [
        (name, field, doubt)
        for name in names
        for field, check in (("price", _price), ("rating", _rating))
        if (doubt := check(name, by_key[key(name)], near[key(name)], shown, text)) is not None
    ]
    return Agreement(
        frozenset((key(name), field) for name, field, doubt in disputes if doubt.rule != "price_not_shown"),
        tuple(doubt for _, _, doubt in disputes),
    )


def _near(names: Sequence[str], text: str) -> dict[str, str]:
    """By key, what stands near a name."""
    folded = text.casefold()
    if len(folded) != len(text):  # `İ` folds to two characters: places differ
        folded = text.lower() if len(text.lower()) == len(text) else text
    found = sorted((place, -len(name), key(name)) for name in names for place in _places(name.casefold(), folded))
    # `Margin` is not named within `Leaf & Margin`.
    ends = accumulate((place - length for place, length, _ in found), max, initial=0)
    mentions = [(place, name, -length) for (place, length, name), end in zip(found, ends, strict=False) if place >= end]
    near: dict[str, list[str]] = defaultdict(list)
    for (place, name, length), (end, _, _) in pairwise([*mentions, (len(text), "", 0)]):
        near[name].append(text[place + length : min(end, place + length + NEAR)])
    return defaultdict(str, {name: "\n".join(parts) for name, parts in near.items()})


def _places(name: str, text: str) -> Iterator[int]:
    place = -1
    for _ in range(MENTIONS_MAX):
        place = text.find(name, place + 1)
        if place < 0:
            return
        if not text[place - 1 : place].isalnum() and not text[place + len(name) : place + len(name) + 1].isalnum():
            yield place


def _price(name: str, stated: Sequence[StatedTool], near: str, shown: Shown, text: str) -> Doubt | None:
    priced = [tool for tool in stated if tool.amounts]
    if not priced:
        return None
    first = priced[0]
    other = next((tool for tool in priced[1:] if not _amounts(first) & _amounts(tool)), None)
    if other is not None:
        return Doubt("statements_differ", None, f"{name}: {first.tool.price}", f"{name}: {other.tool.price}")
    beside = [(words, values) for words, values in money(near) if values]
    # `Alpha costs $77 and has 3.5/5`: a five that is no money shows no price where money is near.
    amounts = shown.amounts if beside else shown.numbers
    if any(_is_shown(amount, amounts, text) for amount in first.amounts):
        return None
    if beside:
        return Doubt("price_differs", None, f"{name}: {first.tool.price}", f"{beside[0][0]} in the visible text")
    return Doubt("price_not_shown", None, f"{name}: {first.tool.price}", "no such amount in the visible text")


def _amounts(tool: StatedTool) -> frozenset[Decimal]:
    return frozenset(value for amount in tool.amounts for value in readings(amount))


def _is_shown(amount: str, shown: frozenset[Decimal], text: str) -> bool:
    values = readings(amount)
    return not values or bool(values & shown) or (0 in values and FREE.search(text) is not None)


def _rating(name: str, stated: Sequence[StatedTool], near: str, _shown: Shown, _text: str) -> Doubt | None:
    means = [mean for tool in stated for value, best in tool.means if (mean := _mean(value, best)) is not None]
    if not means:
        return None
    differing = next((mean for mean in means[1:] if not _agree(means[0], mean)), None)
    if differing is not None:
        return Doubt("statements_differ", None, f"{name}: {means[0].words}", f"{name}: {differing.words}")
    beside = [*ratings(near)]
    if not beside or any(_agree(means[0], printed) for printed in beside):
        return None
    return Doubt("rating_differs", None, f"{name}: {means[0].words}", f"{beside[0].words} in the visible text")


def _mean(value: str, best: str | None) -> PrintedRating | None:
    """What a statement says; None where it is no one number, of which normalization tells."""
    read, ends = readings(value), readings(best or "")
    number = re.match(r"\s*\d+(?:[.,]\d+)?", value)
    fraction = None if number is None else _FRACTION.fullmatch(value, number.end())
    if number is None or not read or (fraction is None and value[number.end() :].strip()):
        return None
    end = (Decimal(fraction[1]) if fraction[1] else Decimal(100)) if fraction else next(iter(ends), BEST)
    words = value if best is None else f"{value} of {best}"
    return PrintedRating(Decimal(number[0].strip().replace(",", ".")), end, words) if end else None


def _agree(one: PrintedRating, other: PrintedRating) -> bool:
    """Whether they are one rating, rounded or cut to fewer digits, on whichever scale."""
    scaled = one.value * other.best / one.best
    exponents = [value.as_tuple().exponent for value in (one.value, other.value)]
    digits = min(-exponent for exponent in exponents if isinstance(exponent, int))
    return abs(scaled - other.value) < Decimal(10) ** -max(0, digits)
