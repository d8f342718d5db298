"""Tools, reviews and questions in the statements of a page, checked against its visible text. Pure.

If prices or ratings of a tool contradict each other, or the text near its name, they are not used.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from decimal import Decimal
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import NamedTuple

from verdicts.extract.model.records import Doubt, Fact, OutsideReview, Property, Question
from verdicts.extract.statements.item import REVIEW_TYPES, Item, first, has_type, inner, read_price, texts

TOOL_TYPES = frozenset(
    [
        *("product", "productgroup", "productmodel", "individualproduct", "someproducts"),
        *("softwareapplication", "webapplication", "mobileapplication", "service", "webapi", "operatingsystem"),
        *("vehicle", "car", "motorcycle", "motorizedbicycle", "dietarysupplement", "financialproduct", "creditcard"),
        *("bankaccount", "book", "audiobook", "game", "videogame", "movie", "tvseries"),
    ]
)


class StatedTool(NamedTuple):
    """A tool as one item states it. `is_named`: it only completes a tool that the page names elsewhere.

    That holds for items without a known schema.org type (`SaaS`, or none) and for variants.
    """

    name: str
    is_named: bool
    facts: tuple[Fact, ...] = ()
    """As of the first tool of a page."""
    price: str | None = None
    amounts: tuple[str, ...] = ()
    """The parts of its price, as stated."""
    means: tuple[tuple[str, str | None], ...] = ()
    """Every stated mean rating, and the end of its scale."""


_NO_WORDS = re.compile(r"\W+")


@lru_cache(maxsize=8192)
def key(name: str) -> str:
    """A name in the form for comparisons."""
    return _NO_WORDS.sub(" ", name.casefold()).strip()


def read_stated_tools(items: Sequence[Item]) -> Iterator[StatedTool]:
    """The tools of all items, in page order."""
    variants = _find_variants(items)
    for item in items:
        name = first(item, "name")
        is_tool = has_type(item, TOOL_TYPES)
        if name is not None and (is_tool or inner(item, "aggregateRating", "offers")):
            yield _tool(item, name, is_named=not is_tool or item in variants)
        elif has_type(item, {"itemlist"}):
            yield from _read_listed_tools(item)
    reviews = [item for item in items if has_type(item, REVIEW_TYPES)]
    if len(reviews) == 1 and not inner(reviews[0], "itemReviewed"):
        yield from _read_reviewed_tool(reviews[0])


def _find_variants(items: Sequence[Item]) -> set[Item]:
    """Items whose group the page has, too: then the group is the product."""
    numbers = {number for item in items if (number := first(item, "productGroupID")) is not None}
    listed = {variant for item in items for variant in inner(item, "hasVariant") if variant is not item}
    return listed | {
        item
        for item in items
        if first(item, "inProductGroupWithID") in numbers
        or any(first(group, "name") for group in inner(item, "isVariantOf") if group is not item)
    }


def _read_reviewed_tool(review: Item) -> Iterator[StatedTool]:
    """The tool of a page's only review that names it by a text: `"itemReviewed": "Xbox One X"`."""
    name, rating = first(review, "itemReviewed"), next(iter(inner(review, "reviewRating")), None)
    value = None if rating is None else first(rating, "ratingValue")
    if name is not None:
        scale = None if rating is None else first(rating, "bestRating")
        facts = () if value is None else (Fact(0, value, "statement", property="rating", scale=scale),)
        yield StatedTool(name, is_named=False, facts=facts)


def _tool(item: Item, name: str, *, is_named: bool) -> StatedTool:
    means = inner(item, "aggregateRating")
    price, amounts = read_price(item)
    properties: tuple[tuple[Property, str | None], ...] = (
        ("url", first(item, "url")),
        ("description", first(item, "description")),
        ("category", first(item, "applicationCategory", "category")),
        ("price", price),
    )
    facts = [Fact(0, value, "statement", property=named) for named, value in properties if value is not None]
    for mean in means[:1]:
        if (value := first(mean, "ratingValue")) is not None:
            scale, ratings = first(mean, "bestRating"), first(mean, "ratingCount", "reviewCount")
            facts.append(Fact(0, value, "statement", property="rating", scale=scale, ratings=ratings))
    values = ((value, first(one, "bestRating")) for one in means for value in texts(one, "ratingValue"))
    return StatedTool(name, is_named, tuple(facts), price, amounts, tuple(values))


def _read_listed_tools(item: Item) -> Iterator[StatedTool]:
    """Elements of a list. Another kind, such as a dish or a video, is no tool; one without a kind may be a colour."""
    for element in inner(item, "itemListElement"):
        listed = next(iter(inner(element, "item")), element)
        name = first(listed, "name") or first(element, "name")
        if name is not None and not listed.types - TOOL_TYPES - {"listitem", "thing"}:
            url = first(listed, "url") or first(element, "url")
            facts = () if url is None else (Fact(0, url, "statement", property="url"),)
            yield StatedTool(name, not has_type(listed, TOOL_TYPES), facts)


def read_stated_reviews(items: Sequence[Item], names: Sequence[str]) -> Iterator[OutsideReview]:
    """Reviews with words; they name their tool, or the item around them does.

    A signed review in both a script and the page counts once.
    """
    signed: set[OutsideReview] = set()
    positions = {key(name): position for position, name in enumerate(names)}
    owners: dict[Item, str] = {}
    for item in items:
        for review in inner(item, "review", "reviews"):
            owner = first(item, "name")
            if owner is not None and (key(owner) in positions or review not in owners):
                owners[review] = owner
    for item in items:
        text = first(item, "reviewBody", "description")
        if text is None or not (has_type(item, REVIEW_TYPES) or item in owners):
            continue
        rating = next(iter(inner(item, "reviewRating")), None)
        tool_name = first(item, "itemReviewed") or owners.get(item)
        review_read = OutsideReview(
            tool=None if tool_name is None else positions.get(key(tool_name)),
            author=first(item, "author"),
            rating=first(item, "reviewRating") if rating is None else first(rating, "ratingValue"),
            rating_best=None if rating is None else first(rating, "bestRating"),
            published_date=first(item, "datePublished"),
            text=text,
        )
        if review_read not in signed:
            yield review_read
        if review_read.author is not None:
            signed.add(review_read)


def questions(items: Sequence[Item]) -> Iterator[Question]:
    """The questions and answers of a FAQPage. They are about all tools."""
    for item in items:
        question = first(item, "name") if has_type(item, {"question"}) else None
        answers = inner(item, "acceptedAnswer", "suggestedAnswer")
        if question and answers and (answer := first(answers[0], "text")):
            yield Question(question, answer)


_NUMBER = re.compile(r"(?<![\d.,])\d{1,15}+(?!\d)(?>(?:[.,'’]\d{1,15}+|[ \u00a0\u202f]\d{3}(?!\d))*)")
"""`1.299,00`, `1 299`, `4.9764705882353`."""
_SPACE = re.compile(r"[ \u00a0\u202f]")
_BETWEEN = re.compile(r"\D++")

SIGN = r"[$€£¥₹₩₽₺₴₪฿₫₱円]|\b(?:USD|EUR|GBP|JPY|CHF|CAD|AUD|INR|SEK|NOK|DKK|PLN|BRL|zł|kr)\b|\bRs\b\.?"
_SIGN_BEFORE, _SIGN_BEHIND = re.compile(rf"(?:{SIGN})\s?$"), re.compile(rf"\s?(?:{SIGN})")
_SIGN_REACH = 6
"""Characters around an amount that may hold its sign."""

_OF = r"\s?(?:/|out of|of|von|sur|de|su|van|av)\s?"
_RATING = re.compile(rf"(?<![\d.,])(\d{{1,3}}[.,]\d{{1,2}}){_OF}(5|10|100)(?![\d.,]*\d)")
"""A mean of many ratings: `4.6/5`, `4,6 von 5`. One reviewer gives whole stars: `5/5`."""


class PrintedRating(NamedTuple):
    """`8.5/10`: value, end of the scale, and the words."""

    value: Decimal
    best: Decimal
    words: str


def readings(printed: str) -> frozenset[Decimal]:
    """The possible values of a printed number: `1.299` is a thousand or one, `1.299,00` a thousand. May be empty."""
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
    """The possible values of all numbers in a text; `5 299` is two numbers or one."""
    found = {part for match in _NUMBER.finditer(text) for part in (match[0], *_SPACE.split(match[0]))}
    return frozenset(reading for printed in found for reading in readings(printed))


def money(text: str) -> Iterator[tuple[str, frozenset[Decimal]]]:
    """Amounts with a currency, as printed, and their possible values."""
    for match in _NUMBER.finditer(text):
        first, last = max(0, match.start() - _SIGN_REACH), match.end() + _SIGN_REACH
        before = _SIGN_BEFORE.search(text[first : match.start()])
        behind = _SIGN_BEHIND.match(text[match.end() : last])
        if before or behind:
            ahead = "" if before is None else before[0]
            yield f"{ahead}{match[0]}{'' if behind is None else behind[0]}", readings(match[0])


def ratings(text: str) -> Iterator[PrintedRating]:
    for match in _RATING.finditer(text):
        yield PrintedRating(Decimal(match[1].replace(",", ".")), Decimal(match[2]), match[0])


NEAR = 300
"""Characters after a name that may hold its price and rating."""
MENTIONS_MAX = 200
"""The most mentions of one page's tools to look at."""

FREE = re.compile(r"\b(?:free|gratis|kostenlos|gratuite?|gratuito|gratuita|0)\b", re.IGNORECASE)
"""Words for a price of 0."""

BEST = Decimal(5)
"""The default end of a scale (schema.org)."""

_FRACTION = re.compile(r"\s?(?:/|out of|von|sur)\s?(\d{1,3})\s*|\s?%\s*")


class Agreement(NamedTuple):
    """`disputed`: fields without a valid value, by the tool's key; and all doubts, including those of disputes."""

    disputed: frozenset[tuple[str, str]]
    doubts: tuple[Doubt, ...]


class Shown(NamedTuple):
    """Possible values of all numbers in the visible text, and of those with a currency."""

    numbers: frozenset[Decimal]
    amounts: frozenset[Decimal]


def agreement(stated: Sequence[StatedTool], names: Sequence[str], texts: Sequence[str]) -> Agreement:
    """Compares prices and ratings of the tools with these `names` with each other and with the visible texts."""
    by_key: dict[str, list[StatedTool]] = defaultdict(list)
    # If a group and its variants share a name, the group's statements count.
    for tool in sorted(stated, key=lambda one: one.is_named):
        known = by_key[key(tool.name)]
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
    """The text near each name, by key."""
    folded = text.casefold()
    if len(folded) != len(text):  # `İ` folds to two characters: places differ
        folded = text.lower() if len(text.lower()) == len(text) else text
    found = sorted((place, -len(name), key(name)) for name in names for place in _places(name.casefold(), folded))
    # `Leaf & Margin` does not name `Margin`.
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
        return Doubt("statements_differ", None, f"{name}: {first.price}", f"{name}: {other.price}")
    beside = [(words, values) for words, values in money(near) if values]
    # `Alpha costs $77 and has 3.5/5`: near money, a plain 5 is no price.
    amounts = shown.amounts if beside else shown.numbers
    if any(_is_shown(amount, amounts, text) for amount in first.amounts):
        return None
    if beside:
        return Doubt("price_differs", None, f"{name}: {first.price}", f"{beside[0][0]} in the visible text")
    return Doubt("price_not_shown", None, f"{name}: {first.price}", "no such amount in the visible text")


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
    """The stated mean; None if it is not a single number, which normalization reports."""
    read, ends = readings(value), readings(best or "")
    number = re.match(r"\s*\d+(?:[.,]\d+)?", value)
    fraction = None if number is None else _FRACTION.fullmatch(value, number.end())
    if number is None or not read or (fraction is None and value[number.end() :].strip()):
        return None
    end = (Decimal(fraction[1]) if fraction[1] else Decimal(100)) if fraction else next(iter(ends), BEST)
    words = value if best is None else f"{value} of {best}"
    return PrintedRating(Decimal(number[0].strip().replace(",", ".")), end, words) if end else None


def _agree(one: PrintedRating, other: PrintedRating) -> bool:
    """Whether two ratings are the same, rounded or cut to fewer digits, on any scale."""
    scaled = one.value * other.best / one.best
    exponents = [value.as_tuple().exponent for value in (one.value, other.value)]
    digits = min(-exponent for exponent in exponents if isinstance(exponent, int))
    return abs(scaled - other.value) < Decimal(10) ** -max(0, digits)
