"""The tiers of a pricing string, and which amounts of a tier are one price."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import TypeVar

from verdicts.corpus.enumerations import PriceKind
from verdicts.normalize.parse.price_terms import (
    DOLLARS,
    KINDS,
    PATTERNS,
    Price,
    amounts,
    compiled,
    is_by_use,
    price_of,
    terms_end,
)

T = TypeVar("T")
ASIDE = re.compile(r"\([^()]*\)|\[[^\[\]]*\]|\s[—–]\s.*|;.*", re.DOTALL)
"""A remark on a tier beside its plan and kind: `(free tier available)`, ` — compute costs ...`."""

_NAME = re.compile(r"[^\W\d_]{3}|[A-Z]\d")
_CODE = compiled(r"\b{code_apart}\b", re.NOFLAG)
_WORD_ASIDE = re.compile(r"\(([^()\s]{1,20}(?: [^()\s]{1,20})?)\)")
"""`Hobby (free)`, `Teams (contact sales)`."""

_YEAR_TO_MONTH = 5
"""`$20 / $200 per year`: if one amount is so much smaller, it may be for a month."""


def kind_of(text: str) -> PriceKind:
    """The kind of a tier by its words outside parentheses, or if they have none, inside them; `other` without any."""
    kind = _kind(ASIDE.sub(" ", text).strip())
    if kind == "other" and (aside := _WORD_ASIDE.search(text)):
        said = _kind(aside[1])
        return said if said in {"free", "enterprise"} else kind
    return kind


def _kind(words: str) -> PriceKind:
    kind: PriceKind = next((kind for kind, pattern in KINDS if pattern.search(words)), "other")
    return "other" if kind == "free" and PATTERNS["trial"].search(words) else kind


def tier_spans(text: str) -> list[tuple[int, int]]:
    """Start and end of every tier.

    Cut outside parentheses: `... (free tier / trial) / Y enterprise pricing` has two.
    """
    parts = list(_cut(text, "tiers"))
    spans = [(start + low, start + high) for start, end in parts for low, high in _listed(text[start:end])]
    return [(start, end) for start, end in spans if text[start:end].strip()]


def _cut(text: str, separator: str) -> Iterator[tuple[int, int]]:
    start = depth = 0
    for match in PATTERNS[separator].finditer(text):
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
    return bool(ahead and PATTERNS["amount_behind"].search(before) and kind_of(ahead["words"]) == "other")


def _listed(part: str) -> list[tuple[int, int]]:
    """Cuts `Free, Pro $20/mo, Team $30/mo` at its commas: only where every item is free or has one amount."""
    goes_on = PATTERNS["continues"].match
    for separator, least, is_list in (("items", 2, _is_list), ("slashed", 2, _are_bare), ("dashed", 3, _is_list)):
        # `Basic $8, Pro $16 per month, billed annually`.
        spans = _merged(_cut(part, separator), lambda one, other: (one[0], other[1]) if goes_on(part, *other) else None)
        if len(spans) >= least and is_list([part[start:end] for start, end in spans]):
            return spans
    return [(0, len(part))]


def _is_list(items: list[str]) -> bool:
    given = [amounts(item) for item in items]
    kinds = [kind_of(PATTERNS["negated"].sub("", item)) for item in items]
    if not any(given):
        return set(kinds) in ({"free", "enterprise"}, {"open_source", "enterprise"})
    read = [[price_of(item, money) for money in held] for item, held in zip(items, given, strict=True)]
    prices = [[price for price in held if price is not None and price.is_paid] for held in read]
    if not all(
        len(held) == len(paid) == 1 if held else kind in {"free", "open_source", "enterprise"}
        for held, paid, kind in zip(given, prices, kinds, strict=True)
    ):
        return False
    if any(map(_goes_on, items, items[1:])):
        return False
    if len(items) > 2 and _are_bare(items):
        return True
    units = [paid[0].unit for paid in prices if paid]
    names = (_NAME.search(ASIDE.sub("", blanked(item, paid))) for item, paid in zip(items, prices, strict=True))
    return len(set(units)) == len(units) or all(names)


def _goes_on(before: str, item: str) -> bool:
    """`$1 for the first month` and `then $20/mo`."""
    return bool(PATTERNS["then"].match(item) and (PATTERNS["introduction"].search(before) or amounts(before)))


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


def is_bare(part: str) -> bool:
    """Whether no words say what its amounts pay for."""
    return all(terms_end(part, money.end) == money.end for money in amounts(part))


def terms_after(part: str, following: str, *, is_ladder: bool) -> str:
    """The terms that a part takes from the next one: `$3 / $15 per 1M tokens` is two prices per 1M tokens.

    Between named plans the terms stand apart: `Pro $12, Team $30 per month`. Three rising prices may not share them:
    `... $60/mo`.
    """
    own, first = amounts(part) if following else [], next(iter(amounts(following)), None)
    if len(own) != 1 or first is None or not own[0].amount:
        return ""
    is_named, are_named = bool(part[: own[0].start].strip()), bool(following[: first.start].strip())
    is_apart = following[first.end : first.end + 1] in {" ", "("}
    if are_named and not (is_named and (is_apart or (is_ladder and own[0].amount <= first.amount))):
        return ""
    if not PATTERNS["direction"].fullmatch(part.rstrip(), own[0].end):
        return ""
    behind = PATTERNS["direction"].match(following, first.end)
    begin = first.end if behind is None else behind.end()
    if aside := PATTERNS["terms_aside"].match(following, begin):
        return aside[0]
    shared = following[begin : terms_end(following, begin)]
    price = price_of(f"{following[: first.end]}{shared}", first)
    if price is None or PATTERNS["billing"].search(part):
        return ""
    # `Pro $20 / $200 per year` may be twenty a month, `Sonnet: $3 / $15 per 1M tokens` is three per 1M tokens.
    may_be_month = price.period == "year" and (is_named or first.amount > _YEAR_TO_MONTH * own[0].amount)
    return "" if may_be_month else shared


def blanked(text: str, prices: Sequence[Price]) -> str:
    """The text with blanks in place of these prices; all other words stay at their positions."""
    pieces = []
    done = 0
    for price in prices:
        start, end = max(price.start, done), min(price.end, len(text))
        pieces += [text[done:start], " " * (end - start)]
        done = max(end, done)
    return "".join([*pieces, text[done:]])


def without_codes(text: str) -> str:
    """The text without separate codes of currencies."""
    return _CODE.sub(" ", text)


def in_said_dollars(text: str, prices: Sequence[Price]) -> list[Price] | None:
    """`$20/mo (CAD)`: a separate code names the country of the dollars. None if it contradicts the signs."""
    said = set(_CODE.findall(blanked(text, prices)))
    if not said or not prices:
        return list(prices)
    signs = {text[price.money.start : price.money.end][0] for price in prices}
    if len(said) == 1 and signs == {"$"} and (code := next(iter(said))) in DOLLARS:
        return [price._replace(money=price.money._replace(currency=code)) for price in prices]
    return list(prices) if said <= {price.money.currency for price in prices} else None


def without_year_sums(text: str, prices: Sequence[Price]) -> list[Price] | None:
    """`$10/mo (billed annually at $120)` is one price, billed annually. None if twelve months give another sum."""
    kept: list[Price] = []
    for price in prices:
        last = kept[-1] if kept else None
        is_sum = last and last.period == "month" and PATTERNS["before_year_sum"].fullmatch(text, last.end, price.start)
        if last is None or not is_sum:
            kept.append(price)
            continue
        # `$17/mo (billed $200/year)`: a month in whole units is rounded.
        tolerance = 6.0 if last.money.amount.is_integer() else 0.06
        if price.period not in {None, "year"} or abs(12 * last.money.amount - price.money.amount) > tolerance:
            return None
        kept[-1] = last._replace(billing="annually", end=price.end)
    return kept


def with_ranges(text: str, prices: Sequence[Price]) -> list[Price]:
    """`$10/mo - $20/mo` is one price: a range whose ends repeat their terms."""

    def joined(last: Price, price: Price) -> Price | None:
        is_range = (
            last.money.most is None is price.money.most
            and last.money.amount < price.money.amount
            and last.money.currency == price.money.currency
            and (last.period, last.unit, last.is_up_to, last.is_paid)
            == (price.period, price.unit, False, price.is_paid)
            and PATTERNS["between_ends"].fullmatch(text, last.end, price.start)
        )
        money = last.money._replace(most=price.money.amount, end=price.money.end)
        return price._replace(money=money, start=last.start) if is_range else None

    return _merged(prices, joined)


def without_struck(text: str, prices: Sequence[Price]) -> list[Price]:
    """`$29 $19/mo` and `$29/mo $19/mo` are an old, struck price and the present one."""

    def joined(last: Price, price: Price) -> Price | None:
        is_struck = (
            last.money.amount > price.money.amount
            and last.money.currency == price.money.currency
            and (last.period, last.unit) in {(None, None), (price.period, price.unit)}
            and price.billing is None
            and PATTERNS["between_old_and_new"].fullmatch(text, last.end, price.start)
        )
        return price if is_struck else None

    return _merged(prices, joined)


def _merged(items: Iterable[T], joined: Callable[[T, T], T | None]) -> list[T]:
    """The items, each with the one before it where `joined` makes one of the two."""
    kept: list[T] = []
    for item in items:
        both = joined(kept[-1], item) if kept else None
        kept[-1:] = [both] if both is not None else [*kept[-1:], item]
    return kept


def are_ways_to_pay(text: str, prices: Sequence[Price]) -> bool:
    """Whether several amounts belong to one plan: `$20/mo ($16/mo billed annually)`, `$20/mo or $200/yr`."""
    ways = [price for price in prices if not _is_extra(price)] or list(prices)
    terms = {(price.money.currency, price.period, price.billing) for price in ways}
    months = [price.money.amount for price in prices if price.period == "month"]
    years = [price.money.amount for price in prices if price.period == "year"]
    if months and years and min(years) < 2 * max(months):
        # `$20/month ($17 annually)`: seventeen a month, billed annually, or nothing that can be known.
        return False
    return len(prices) < 2 or (
        list(prices[: len(ways)]) == ways
        and len(terms) == len(ways)
        and len({price.unit for price in ways}) == 1
        and all(price.period is not None or price.billing is not None for price in ways)
        and all(
            PATTERNS["between_ways" if other in ways else "before_extra"].fullmatch(text, one.end, other.start)
            for one, other in pairwise(prices)
        )
    )


def _is_extra(price: Price) -> bool:
    """What is paid beside a plan: `$0.10 per extra contact`, `$5 per extra seat per month`."""
    is_added = price.period is not None and PATTERNS["added"].match(price.unit or "")
    return is_by_use(price.unit, price.period) or bool(is_added)
