"""Facts in the tables of any site: prices, free plans, ratings, platforms, licences, years. Pure.

A value is read completely or not at all: a number that cannot be read raises, and so does a list with an unknown part.
Then only the text as published is left.
"""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from verdicts.corpus.enumerations import Billing, FactKind, Period
from verdicts.extract.generic.label_words import classify_label
from verdicts.extract.model.blocks import fold
from verdicts.normalize.parse.match_keys import load_words
from verdicts.normalize.parse.numbers import parse_rating
from verdicts.normalize.parse.price_terms import PATTERNS
from verdicts.normalize.parse.prices import parse_price_tiers
from verdicts.normalize.parse.values import BrokenValue

_DECLARED = load_words(__file__, "fact_words.toml")
_YES, _NO, _LICENSES = (frozenset(_DECLARED["words"][name]) for name in ("yes", "no", "license"))
_PLATFORM_OF: Mapping[str, str] = {word: name for name, words in _DECLARED["platforms"].items() for word in words}
_PLATFORM_ENDS = re.compile(r"\s(?:\d[\d.]*+\+?|app|desktop|only)$")
"""What may follow a platform: `iOS 15+`."""
_PLATFORM_PARTS = re.compile(r"\s?[,;•·|&+]\s?|\s(?:and|und|et|y|e|en)\s|\s/\s|/(?!ipad)")
_YEAR = re.compile(
    r"(?:[A-Za-zäéûç]{3,10}\.?\s)?(?:\d{1,2}(?:st|nd|rd|th)?,?\s)?(?P<last>(?:19|20)\d\d)"
    r"|(?P<first>(?:19|20)\d\d)-\d\d(?:-\d\d)?"
)
"""`2021`, `March 2021`, `Nov 30, 2022`, `2021-03-01`."""
_NUMBER_AT_END = re.compile(r"^\W*\d[\d.,']*(?!\S)|(?<!\S)\d[\d.,']*\W*$")
"""`49,95`, `XOF 5000`. Among words under a label of prices a number is no price: `20-minute intro call`, `M365 E3`."""


class ParsedFact(NamedTuple):
    """A fact in a value. `number` is an amount, a rating, a year; `word` a platform, a licence, a plan's name."""

    kind: FactKind
    number: float | None = None
    number_max: float | None = None
    word: str | None = None
    is_true: bool | None = None
    currency: str | None = None
    period: Period | None = None
    unit: str | None = None
    billing: Billing | None = None


def classify_fact(label: str) -> FactKind | None:
    """The kind of a fact, by its label: `Price per seat`, `MSRP: Monthly`. None for most labels."""
    kind = classify_label(label)
    return None if kind == "best_for" else kind


def parse_fact(text: str, kind: FactKind | None) -> tuple[ParsedFact, ...]:
    """The facts of a value, in its order; empty if it has none of this kind (`Contact sales` is not an amount).

    Raises `BrokenValue` with the name of the kind if a number, or a part of a list, cannot be read.
    """
    if kind is None:
        return ()
    read = {
        "price": _parse_prices,
        "free_plan": _parse_free_plan,
        "rating": _parse_rating,
        "platform": _parse_platforms,
        "license": _parse_license,
        "launched": _parse_launch,
    }[kind]
    facts = tuple(read(text))
    may_be_broken = _NUMBER_AT_END.search(text) if kind == "price" else any(letter.isdigit() for letter in text)
    if not facts and may_be_broken:
        raise BrokenValue(kind, text)
    return facts


def _parse_prices(text: str) -> Iterator[ParsedFact]:
    for tier in parse_price_tiers(text):
        if tier.is_refused:
            raise BrokenValue("price", text)
        terms = (tier.currency, tier.period, tier.unit, tier.billing)
        if tier.amount is not None or tier.amount_max is not None:
            yield ParsedFact("price", tier.amount, tier.amount_max, tier.plan, tier.is_free, *terms)
        elif tier.is_free:
            yield ParsedFact("price", 0.0, None, tier.plan, True, *terms)


def _parse_free_plan(text: str) -> Iterator[ParsedFact]:
    words = fold(text)
    first = words.replace(",", " ").replace("(", " ").partition(" ")[0].rstrip(".:;!")
    for marks, holds in ((_NO, False), (_YES, True)):
        if not {words, first, text[:1]}.isdisjoint(marks):
            yield ParsedFact("free_plan", is_true=holds)
            return


def _parse_rating(text: str) -> Iterator[ParsedFact]:
    try:
        read = parse_rating(text)
    except BrokenValue:
        # Words without a number, such as `Excellent`, are not a rating.
        return
    if read is not None:
        yield ParsedFact("rating", read.value, read.best)


def _parse_platforms(text: str) -> Iterator[ParsedFact]:
    parts = [_PLATFORM_ENDS.sub("", fold(part)) for part in _PLATFORM_PARTS.split(text) if part.strip()]
    platforms = [_PLATFORM_OF[part] for part in parts if part in _PLATFORM_OF]
    if platforms and len(platforms) < len(parts):
        raise BrokenValue("platform", text)
    yield from (ParsedFact("platform", word=platform) for platform in dict.fromkeys(platforms))


def _parse_license(text: str) -> Iterator[ParsedFact]:
    words = text.removesuffix(" license").removesuffix(" License").removesuffix(" licence").strip()
    if PATTERNS["license"].fullmatch(words):
        yield ParsedFact("license", word=words)
    elif fold(words).replace("-", " ") in _LICENSES:
        yield ParsedFact("license", word=fold(words).replace("-", " "))


def _parse_launch(text: str) -> Iterator[ParsedFact]:
    stated = _YEAR.fullmatch(text)
    if stated is not None:
        yield ParsedFact("launched", float(stated["last"] or stated["first"]))
