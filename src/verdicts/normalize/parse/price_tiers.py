"""The tiers of a pricing string, and which amounts of a tier are one price."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from verdicts.corpus.enumerations import PriceKind
from verdicts.normalize.parse.price_terms import (
    KINDS,
    PATTERNS,
    Price,
    compile_pattern,
    find_amounts,
    is_by_use,
    read_price,
)

ASIDE = re.compile(r"\([^()]*\)|\[[^\[\]]*\]|\s[—–]\s.*|;.*", re.DOTALL)
"""A remark on a tier beside its plan and kind: `(free tier available)`, ` — compute costs ...`."""

_NAME = re.compile(r"[^\W\d_]{3}|[A-Z]\d")
_CODE = compile_pattern(r"\b{code_apart}\b", re.NOFLAG)


def classify_tier(text: str) -> PriceKind:
    """The kind of a tier by its words outside parentheses; `other` without any."""
    words = ASIDE.sub(" ", text).strip()
    kind: PriceKind = next((kind for kind, pattern in KINDS if pattern.search(words)), "other")
    return "other" if kind == "free" and PATTERNS["trial"].search(words) else kind


def cut_tiers(text: str) -> list[tuple[int, int]]:
    """Start and end of every tier.

    Cut outside parentheses: `... (free tier / trial) / Y enterprise pricing` has two.
    """
    parts = list(_cut(text, PATTERNS["tiers"]))
    spans = [(start + low, start + high) for start, end in parts for low, high in _split_list(text[start:end])]
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
    if PATTERNS["unit_ahead"].match(text, slash.end()):
        return True
    before = text[max(slash.start() - 16, 0) : slash.start()]
    begins = "cents_term_ahead" if PATTERNS["cents_behind"].search(before) else "term_ahead"
    ahead = PATTERNS[begins].match(text, slash.end())
    return bool(ahead and PATTERNS["amount_behind"].search(before) and classify_tier(ahead["words"]) == "other")


def _split_list(part: str) -> list[tuple[int, int]]:
    """Cuts `Free, Pro $20/mo, Team $30/mo` at its commas: only where every item is free or has one amount."""
    spans = [*_cut(part, PATTERNS["items"])]
    is_list = len(spans) > 1 and _is_list([part[start:end] for start, end in spans])
    return spans if is_list else [(0, len(part))]


def _is_list(items: list[str]) -> bool:
    given = [find_amounts(item) for item in items]
    kinds = [classify_tier(PATTERNS["negated"].sub("", item)) for item in items]
    if not any(given):
        return set(kinds) in ({"free", "enterprise"}, {"open_source", "enterprise"})
    read = [[read_price(item, money) for money in of_item] for item, of_item in zip(items, given, strict=True)]
    prices = [[price for price in of_item if price is not None and price.is_paid] for of_item in read]
    if not all(
        len(of_item) == len(paid) == 1 if of_item else kind in {"free", "open_source", "enterprise"}
        for of_item, paid, kind in zip(given, prices, kinds, strict=True)
    ):
        return False
    if any(map(_is_continued, items, items[1:])):
        return False
    units = [paid[0].unit for paid in prices if paid]
    names = (_NAME.search(ASIDE.sub("", blank_prices(item, paid))) for item, paid in zip(items, prices, strict=True))
    return len(set(units)) == len(units) or all(names)


def _is_continued(before: str, item: str) -> bool:
    """`$1 for the first month` and `then $20/mo`."""
    return bool(PATTERNS["then"].match(item) and (PATTERNS["introduction"].search(before) or find_amounts(before)))


def blank_prices(text: str, prices: Sequence[Price]) -> str:
    """The text with blanks in place of these prices; all other words stay at their positions."""
    pieces = []
    done = 0
    for price in prices:
        start, end = max(price.start, done), min(price.end, len(text))
        pieces += [text[done:start], " " * (end - start)]
        done = max(end, done)
    return "".join([*pieces, text[done:]])


def has_other_code(text: str, prices: Sequence[Price]) -> bool:
    """Whether a separate code names another currency than the signs: `$20/mo (CAD)`."""
    return not {*_CODE.findall(blank_prices(text, prices))} <= {price.money.currency for price in prices}


def drop_struck(text: str, prices: Sequence[Price]) -> list[Price]:
    """`$29 $19/mo` and `$29/mo $19/mo` are an old, struck price and the present one."""

    def is_struck(old: Price, price: Price) -> bool:
        return bool(
            old.money.amount > price.money.amount
            and old.money.currency == price.money.currency
            and (old.period, old.unit) in {(None, None), (price.period, price.unit)}
            and price.billing is None
            and PATTERNS["between_old_and_new"].fullmatch(text, old.end, price.start)
        )

    struck = [old for old, price in pairwise(prices) if is_struck(old, price)]
    return [price for price in prices if price not in struck]


def are_ways_to_pay(text: str, prices: Sequence[Price]) -> bool:
    """Whether several amounts belong to one plan: `$20/mo ($16/mo billed annually)`, `$20/mo or $200/yr`."""
    ways = [price for price in prices if not is_by_use(price.unit, price.period)] or list(prices)
    terms = {(price.money.currency, price.period, price.billing) for price in ways}
    months = [price.money.amount for price in prices if price.period == "month"]
    years = [price.money.amount for price in prices if price.period == "year"]
    if months and years and min(years) < 2 * max(months):
        # `$20/month ($17 annually)`: seventeen a month, billed annually, or unknown.
        return False
    if len(prices) == 2 and prices[0].unit is None is not prices[1].unit:
        added = PATTERNS["before_seats"].fullmatch(text, prices[0].end, prices[1].start)
        if added and (prices[0].period or added["base"]):
            return True
    return len(prices) < 2 or (
        list(prices[: len(ways)]) == ways
        and len(terms) == len(ways)
        and len({price.unit for price in ways}) == 1
        and all(price.period is not None or price.billing is not None for price in ways)
        and all(
            PATTERNS["between_ways" if later in ways else "before_extra"].fullmatch(text, earlier.end, later.start)
            for earlier, later in pairwise(prices)
        )
    )
