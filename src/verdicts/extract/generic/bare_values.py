"""Finds prices and ratings without a label in a tool's section: `$9/mo`, `4.6/5`, `9.0`. Pure."""

import re
from collections.abc import Iterable, Iterator, Sequence

from verdicts.extract.generic.label_words import GRADE_WORDS
from verdicts.extract.generic.stated import FREE, SIGN
from verdicts.extract.html.drawn_ratings import OUT_OF
from verdicts.extract.model.blocks import Block

_DIGITS = r"\d[\d.,]{0,15}+(?>(?:[ \u00a0\u202f]\d{3}(?!\d)){0,3})(?:[.,]\d{1,3}+)?"
AMOUNT = (
    r"(?:(?<![\d.,])\d{1,4}\s?€\s?\d{2}(?![\d.,])|"
    rf"~?(?:\b(?:US|CA|AU?|C|NZ|R))?(?:{SIGN})\s?{_DIGITS}|(?<![\d.,])~?{_DIGITS}\s?(?:{SIGN})(?!\w))"
)
_FREE = r"(?:free|gratis|kostenlos|gratuite?)"
_TIME = (
    r"(?:mo|month|monat|mois|mes|mese|mês|maand|yr|year|jahr|an|année|año|anno|jaar|user|seat|nutzer|week|day)\w*+\.?"
)
_UNIT = (
    r"(?:(?:\s?/\s?|,?\s(?:per|each|every)\s)[^\W\d]\w*+\.?|\s(?:monthly|yearly)|"
    rf",?\s(?:a|an|pro|par|al|por|im|p\.)\s?{_TIME})"
)
_FOR_UNIT = re.compile(_UNIT, re.IGNORECASE)
_FROM = (
    r"(?:(?:\d{1,3}\soffers?\s)?from|start(?:s|ing)(?:\sprice)?(?:\sat|\sfrom)?|only|now|just|about|around|ab|dès|"
    r"desde|à partir de|a partir de|vanaf|a partire da|od)"
)
_LABEL = (
    r"(?:(?:(?:list|our|street|sale)\s)?price|msrp|rrp|uvp|"
    r"(?:buy|shop|get|order|see|check|view)(?:\s(?:it|now|deal|price|the\sprice|on\ssale))?(?:\s(?:for|at|from))?)"
)
"""Words before a price that do not belong to it: a label without a colon, or the words of a button."""
_BILLED = (
    r"(?:(?:when\s|if\s)?(?:billed|paid)\s(?:annually|yearly|monthly|quarterly)|one[- ]time(?:\s\w+)?|lifetime|"
    r"for life)"
)
_BEFORE = rf"(?:was|originally|reg\.?|list|save|statt|uvp|au lieu de)\s(?:price\s)?{AMOUNT}"
PRICE_ALONE = re.compile(
    rf"(?:{_LABEL}:?\s)?((?:{_FROM}:?\s)?{AMOUNT}(?:\s?(?:[-–—]|to)\s?{AMOUNT})?(?>{_UNIT}{{0,3}})(?:,?\s\(?{_BILLED}\)?)?)"
    rf"(?:\s\(?(?:{_BEFORE}|\d{{1,2}}\s?% off)\)?)?"
    r"((?:\s(?:(?:view|see|buy|shop|see it|view deal)\s)?(?:at|on|from|bei|chez)\s[A-Z][\w.&’' ]{1,25})?)",
    re.IGNORECASE,
)
"""`From $12 per user per month`, `12,99 €/Monat`, `$8/mo billed annually`, `Buy for $25 at Alder`, `$9 (was $12)`."""

PRICE_BEHIND = re.compile(
    rf"(\S.*?)\s?(?:[-–—|·:,]\s|\()?(?:(?:for|at|à|für|por|voor)\s)?"
    rf"((?:{_FREE}\s?[-/|,+·–]\s?)?(?:{_FROM}:?\s)?{AMOUNT}(?:\s?[-–—/]\s?{AMOUNT})?(?>{_UNIT}{{0,3}})\+?)\)?",
    re.IGNORECASE,
)
"""A name with its price behind: `Otter.ai Free / $16/mo`, `Osprey From $12/mo`, `Sonos Move for $400`, `Alpha$9`."""

_GRADE = "|".join(map(re.escape, sorted(GRADE_WORDS)))
_VALUE = r"\d{1,3}(?:[.,]\d{1,2})?"
_COUNT = r"\(?(?:based on |from )?\d[\d.,]*+[kK]?\+?(?:\s[^\W\d]++){0,3}\)?"
_SCALED = re.compile(
    rf"(?:[★☆⭐½]++\s?|\({_COUNT}\)\s?)?(?:(?:[^\W\d]+\s){{0,2}}(?:rat(?:ed|ing)|score|note):?\s)?"
    rf"({_VALUE}\s?{OUT_OF}\s?(?:5|10|100)(?:[.,]0)?)"
    rf"(?:\s?(?:★|stars?))?(?:\s?{_COUNT})?(?:\s?(?:[^\W\d]+\s){{0,2}}(?:rating|score))?(?:\s(?:{_GRADE}))?",
    re.IGNORECASE,
)
"""`Rated 4.5 out of 5`, `6.9 /10 Lab score`, `8.5/10 Great`."""
RATED_NAME = re.compile(
    rf"(\S.{{0,80}}?\S)\s(?:[-–—|(]\s?)?(?:(?:[^\W\d]+\s)?(?:rat(?:ed|ing)|score):?\s)?"
    rf"({_VALUE}\s?(?:/|out of)\s?(?:5|10|100))\)?",
    re.IGNORECASE,
)
"""A name with its rating behind: `Alpha 9.1/10`."""
STARS_BEHIND = re.compile(
    rf"(\S.{{0,120}}?)\s?(?:[-–—|(]\s?)?((?<![★☆⭐½])(?:[★☆⭐]++½?[☆]*\s?{_VALUE}|{_VALUE}\s?[★⭐]++|[★☆⭐]{{3,}}½?[☆]*))(?:\s?{_COUNT})?\)?"
)
"""A name with stars behind: `Alpha ★★★★☆ 4.2`, `Beta ⭐ 4.8 (2,341)`."""
_MARKED = re.compile(
    rf"[★☆⭐½]++\s?(\d(?:[.,]\d{{1,2}})?)(?:\s?{_COUNT})?|(\d(?:[.,]\d{{1,2}})?)\s?(?:[★⭐]|stars?)(?:\s?{_COUNT})?"
    rf"|(\d[.,]\d)\s?\(\d[\d.,]*+[kK]?(?:\s[^\W\d]+){{0,2}}\)|({_VALUE})\s?(?:[-–—:]\s)?(?:{_GRADE})",
    re.IGNORECASE,
)
"""Without a scale: `★★★★☆ 4.5`, `4.5 (2,341)`, `92 Excellent`."""
_NUMBER = re.compile(rf"({_VALUE}\s?%?)(?:\s?{_COUNT})?")
_DRAWN = re.compile(r"[★⭐]{1,5}½?[☆]{0,4}(?<=[★⭐☆½]{5})")

LINE_MAX = 80
"""The most characters of a price or a rating with its words."""

_PRICED = re.compile(r"price|cost", re.IGNORECASE)
_SCORED = re.compile(r"score|rating|stars?\b|cijfer|wertung|beoordeling", re.IGNORECASE)
_COUNTED = re.compile(r"count|number|total|votes|reviews", re.IGNORECASE)
AROUND = 3
"""The innermost elements around a text whose classes may say what it is."""


def is_price(text: str) -> bool:
    return PRICE_ALONE.fullmatch(text) is not None


def has_unit(price: str) -> bool:
    """Whether a price is for a time or a seat. Prices of dishes are not."""
    return _FOR_UNIT.search(price) is not None


def is_rating(text: str) -> bool:
    return _SCALED.fullmatch(text) is not None


def bare_prices(lines: Iterable[tuple[str, Block]]) -> Iterator[str]:
    """The prices of these lines, each with its first block, without buttons and old prices."""
    for text, block in lines:
        priced = PRICE_ALONE.fullmatch(text) if len(text) <= LINE_MAX else None
        if priced is not None:
            yield f"{priced[1]}{priced[2]}"
        elif FREE.fullmatch(text) and _PRICED.search(_classes(block)):
            yield text


def bare_ratings(lines: Iterable[tuple[str, Block]]) -> Sequence[str]:
    """The ratings of the first kind that these lines have: with a scale, with a sign, in a badge, drawn."""
    texts = {text: block for text, block in lines if len(text) <= LINE_MAX}
    found = (
        [match[1] for text in texts if (match := _SCALED.fullmatch(text))],
        [next(filter(None, match.groups())) for text in texts if (match := _MARKED.fullmatch(text))],
        [match[1] for text, block in texts.items() if (match := _NUMBER.fullmatch(text)) and _is_badge(block)],
        [text for text in texts if _DRAWN.fullmatch(text)],
    )
    return next(filter(None, found), ())


def _is_badge(block: Block) -> bool:
    return (
        _SCORED.search(_classes(block)) is not None and _COUNTED.search(block.elements[-1][1].get("class", "")) is None
    )


def _classes(block: Block) -> str:
    return " ".join(attributes.get("class", "") for _, attributes in block.elements[-AROUND:])
