"""Where a pricing string is cut into tiers. Pure."""

import re
from collections.abc import Iterator
from itertools import pairwise

from verdicts.normalize.parse.pricing.money import amounts
from verdicts.normalize.parse.pricing.price_grammar import ASIDE, CONTINUES, UNIT_AHEAD
from verdicts.normalize.parse.pricing.price_kinds import kind_of
from verdicts.normalize.parse.pricing.price_limits import INTRODUCTION, NEGATED, THEN
from verdicts.normalize.parse.pricing.price_sets import blanked
from verdicts.normalize.parse.pricing.price_terms import price_of

_TIERS = re.compile(r"[(\[]|[)\]]|(?P<cut> / | \| | · | • |\n)")
"""What sites put between tiers. `/mo` separates nothing, and ` / mo` neither."""

_ITEMS = re.compile(
    r"[(\[]|[)\]]|(?P<cut>(?:[,;]|,?\sand|(?<=[Ff]ree)\s(?:[+&]|or)|\.(?=\s{1,4}[A-Z]))\s{1,4}"
    r"|,?\s(?:or|oder|ou)\s(?=[A-Z]|[$€£]\d{1,6}(?:[.,]\d{2})?\s?(?:/|per\b))|\s(?=[A-Z][a-z]{2,14}:\s?[$€£¥₹]\s?\d))"
)
"""What stands between the items of a list: `Free, Pro $20/mo and Team $30/mo`, `Free or $8/mo`."""

_SLASHED = re.compile(r"[(\[]|[)\]]|(?P<cut>(?<=\d)/(?=[$€£¥₹]\d))")
"""`$9/$19 per month`."""

_DASHED = re.compile(r"[(\[]|[)\]]|(?P<cut>\s[—–]\s)")
"""`Free — Pro $20/mo — Enterprise`."""

_TERM_AHEAD = re.compile(r"(?:\d[\d,.]{0,12}\s?[KMB]?\s)?([^\W\d_A-ZÀ-Þ]{2,15})(?=\s?(?:$|[/,;|(]))")
"""`149 Ft / kérés`: behind an amount, a word in lower case that says no kind is what it pays for."""

_AMOUNT_BEHIND = re.compile(r"[\d$€£¥₹]\s?[^\W\d_]{0,3}$")

_NAME = re.compile(r"[A-Za-z]{3}|[A-Z]\d")


def tier_spans(text: str) -> list[tuple[int, int]]:
    """Start and end of every tier.

    Cut outside parentheses: `... (free tier / trial) / Y enterprise pricing` has two.
    """
    parts = list(_cut(text, _TIERS))
    spans = [(start + low, start + high) for start, end in parts for low, high in _listed(text[start:end])]
    return [(start, end) for start, end in spans if text[start:end].strip()]


def _cut(text: str, separator: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    start = depth = 0
    for match in separator.finditer(text):
        if match[0] in {"(", "["}:
            depth += 1
        elif match[0] in {")", "]"}:
            depth = max(depth - 1, 0)
        elif depth == 0 and not (match[0] in {" / ", " · "} and _is_term(text, match)):
            yield start, match.start()
            start = match.end()
    yield start, len(text)


def _is_term(text: str, slash: re.Match[str]) -> bool:
    """Whether what stands behind ` / ` is what the amount before it pays for, and no tier."""
    if UNIT_AHEAD.match(text, slash.end()):
        return True
    word = _TERM_AHEAD.match(text, slash.end())
    before = text[max(slash.start() - 8, 0) : slash.start()]
    return bool(word and _AMOUNT_BEHIND.search(before) and kind_of(word[1]) == "other")


def _listed(part: str) -> list[tuple[int, int]]:
    """Cuts `Free, Pro $20/mo, Team $30/mo` at its commas: only where every item is free or has one amount."""
    for separator, least, is_list in ((_ITEMS, 2, _is_list), (_SLASHED, 2, _are_bare), (_DASHED, 3, _is_list)):
        spans = list(_cut(part, separator))
        if len(spans) >= least and is_list([part[start:end] for start, end in spans]):
            return spans
    return [(0, len(part))]


def _is_list(items: list[str]) -> bool:
    prices = [[price_of(item, money) for money in amounts(item)] for item in items]
    held = [[price for price in given if price is not None] for given in prices]
    has_price_each = all(
        (len(given) == len(read) == 1 and read[0].is_paid)
        or (not given and kind_of(NEGATED.sub("", item)) in {"free", "open_source", "enterprise"})
        for item, given, read in zip(items, prices, held, strict=True)
    )
    if not any(prices):
        return {kind_of(NEGATED.sub("", item)) for item in items} in (
            {"free", "enterprise"},
            {"open_source", "enterprise"},
        )
    if not has_price_each or any(CONTINUES.match(item) for item in items[1:]):
        return False
    if any(THEN.match(item) and (INTRODUCTION.search(before) or amounts(before)) for before, item in pairwise(items)):
        return False
    if len(items) > 2 and _are_bare(items):
        return True
    units = [read[0].unit for read in held if read]
    names = (_NAME.search(ASIDE.sub("", blanked(item, read))) for item, read in zip(items, held, strict=True))
    return len(set(units)) == len(units) or all(names)


def _are_bare(items: list[str]) -> bool:
    """Amounts that share the terms of the last: `$9, $19 and $39 per month`, `Sonnet: $3/$15 per MTok`.

    Where a comma parts them, two may be a struck price and its heir.
    """
    held = [amounts(item) for item in items]
    return all(
        len(given) == 1
        and (not index or not item[: given[0].start].strip())
        and (item is items[-1] or not item[given[0].end :].strip())
        for index, (item, given) in enumerate(zip(items, held, strict=True))
    )
