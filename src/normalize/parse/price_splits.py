"""Where a pricing string is cut into tiers. Pure."""

import re
from collections.abc import Iterator
from itertools import pairwise

from normalize.parse.money import amounts
from normalize.parse.price_grammar import ASIDE, CONTINUES, UNIT_AHEAD, WITHOUT_AMOUNT
from normalize.parse.price_limits import INTRODUCTION, NEGATED, THEN
from normalize.parse.price_sets import blanked
from normalize.parse.price_terms import price_of

_TIERS = re.compile(r"[(\[]|[)\]]|(?P<cut> / | \| | · | • |\n)")
"""What sites put between tiers. `/mo` separates nothing, and ` / mo` neither."""

_ITEMS = re.compile(r"[(\[]|[)\]]|(?P<cut>(?:[,;]|,?\sand|\.(?=\s{1,4}[A-Z]))\s{1,4})")
"""What stands between the items of a list: `Free, Pro $20/mo and Team $30/mo`."""

_NAME = re.compile(r"[A-Za-z]{3}")


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
        elif depth == 0 and not (match[0] == " / " and UNIT_AHEAD.match(text, match.end())):
            yield start, match.start()
            start = match.end()
    yield start, len(text)


def _listed(part: str) -> list[tuple[int, int]]:
    """Cuts `Free, Pro $20/mo, Team $30/mo` at its commas: only where every item is free or has one amount."""
    spans = list(_cut(part, _ITEMS))
    return spans if len(spans) > 1 and _is_list([part[start:end] for start, end in spans]) else [(0, len(part))]


def _is_list(items: list[str]) -> bool:
    prices = [[price_of(item, money) for money in amounts(item)] for item in items]
    held = [[price for price in given if price is not None] for given in prices]
    has_price_each = all(
        (len(given) == len(read) == 1 and read[0].is_paid)
        or (not given and WITHOUT_AMOUNT.search(NEGATED.sub("", item)))
        for item, given, read in zip(items, prices, held, strict=True)
    )
    if not has_price_each or not any(held) or any(CONTINUES.match(item) for item in items[1:]):
        return False
    if any(THEN.match(item) and INTRODUCTION.search(before) for before, item in pairwise(items)):
        return False
    units = [read[0].unit for read in held if read]
    names = (_NAME.search(ASIDE.sub("", blanked(item, read))) for item, read in zip(items, held, strict=True))
    return len(set(units)) == len(units) or all(names)
