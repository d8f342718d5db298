"""A schema.org item from any syntax: access to its properties, its variants, and its prices."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

SCRIPT_MAX = 2_000_000
"""The most characters of one script."""

DEPTH_MAX = 30
"""The deepest nesting."""

ITEMS_MAX = 2_000
"""The most items of one page."""

REVIEW_TYPES = frozenset({"review", "userreview", "criticreview"})

NODES_MAX = 50_000
"""The most elements to search for properties: `itemref` may name the same subtree in every item."""


Value: TypeAlias = "str | Item"


@dataclass(frozen=True, slots=True, eq=False)
class Item:
    """A thing that a page describes: `types` and the names of `properties` are folded by `term`.

    Texts are cleaned and not empty. Items may be circular: `review` and `itemReviewed` are. Items without a type are
    kept; one that is only referenced has no properties.
    """

    id: str | None
    """An absolute address, `_:` and a name within one script, or None."""
    types: set[str] = field(default_factory=set)
    properties: dict[str, list[Value]] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"Item({self.id!r}, {sorted(self.types)}, {sorted(self.properties)})"


def term(name: str) -> str:
    """`https://schema.org/Product`, `schema:product` and `Product/` are `product`; 8 % of sites misspell one."""
    return name if name.startswith("@") else re.split(r"[/#:]", name.strip().rstrip("/"))[-1].casefold()


def texts(item: Item, name: str) -> Iterator[str]:
    """A property's values as text; an inner item gives its name."""
    for value in item.properties.get(name.casefold(), ()):
        if isinstance(value, str):
            yield value
        else:
            yield from (named for named in value.properties.get("name", ()) if isinstance(named, str))


def first(item: Item, *names: str) -> str | None:
    """The first text of the first of these properties that has a text, or None."""
    return next((text for name in names for text in texts(item, name)), None)


def inner(item: Item, *names: str) -> list[Item]:
    """The inner items of these properties, each once."""
    values = (value for name in names for value in item.properties.get(name.casefold(), ()))
    return [*dict.fromkeys(value for value in values if isinstance(value, Item))]


def has_type(item: Item, types: Iterable[str]) -> bool:
    return not item.types.isdisjoint(types)


PERIODS = {"MON": "month", "ANN": "year", "DAY": "day", "WEE": "week", "HUR": "hour", "C62": "piece", "H87": "piece"}
"""UN/CEFACT's codes for the unit of a price; other codes stay as they are."""

STRUCK = frozenset({"listprice", "strikethroughprice", "msrp", "srp"})
"""Kinds of prices stated beside the actual one."""

AMOUNTS = ("price", "lowPrice", "highPrice", "minPrice", "maxPrice")
PARTS = ("priceSpecification", "offers")
PARTS_DEEP = 3
"""Levels of price parts below an offer: offers of an aggregate, and their specifications."""


class Price(NamedTuple):
    """`words` are all different prices, joined by ` | `, or None; `amounts` their numbers as stated."""

    words: str | None
    amounts: tuple[str, ...]


def read_price(item: Item) -> Price:
    """The price of an item. A group without offers has the prices of its variants."""
    offers = inner(item, "offers") or [
        offer for variant in inner(item, "hasVariant") for offer in inner(variant, "offers")
    ]
    own = first(item, "name")
    prices = dict.fromkeys(words for offer in offers for words in _prices(offer, own, None, 0))
    amounts = dict.fromkeys(amount for offer in offers for amount in _amounts(offer, 0))
    return Price(" | ".join(prices) or None, tuple(amounts) if prices else ())


def _prices(offer: Item, product: str | None, currency: str | None, depth: int) -> Iterator[str]:
    """The prices of an offer, or else of its parts: specifications, the offers of an aggregate without a range."""
    currency = first(offer, "priceCurrency") or currency
    low, high, stated = (
        first(offer, "lowPrice", "minPrice"),
        first(offer, "highPrice", "maxPrice"),
        first(offer, "price"),
    )
    plan = first(offer, "name")
    begin = f"{plan} " if plan and plan != product else ""
    parts = [part for part in inner(offer, *PARTS) if not _is_struck(part)] if depth < PARTS_DEEP else []
    if low and high and low != high:
        stated = f"{low} to {high}"
    elif low or high:
        stated = low if low == high else f"from {low}" if low else f"up to {high}"
    if stated is not None and not any(_unit(part) for part in parts):
        yield f"{begin}{stated}{f' {currency}' if currency else ''}{_unit(offer)}"
    else:
        yield from (f"{begin}{words}" for part in parts for words in _prices(part, product, currency, depth + 1))


def _amounts(offer: Item, depth: int) -> Iterator[str]:
    for name in AMOUNTS:
        yield from texts(offer, name)
    if depth < PARTS_DEEP:
        for part in inner(offer, *PARTS):
            if not _is_struck(part):
                yield from _amounts(part, depth + 1)


def _unit(part: Item) -> str:
    """` / month`: the unit of the price, its own or that of its reference quantity."""
    for quantity in (part, *inner(part, "referenceQuantity")):
        if (unit := first(quantity, "unitText", "unitCode", "billingDuration")) is not None:
            number = first(quantity, "value")
            return (
                f" / {PERIODS.get(unit, unit)}" if number in {None, "1"} else f" / {number} {PERIODS.get(unit, unit)}"
            )
    return ""


def _is_struck(part: Item) -> bool:
    kinds: Iterable[str] = (kind.rpartition("/")[2] for kind in (first(part, "priceType") or "").split())
    return any(kind.casefold() in STRUCK for kind in kinds) or has_type(part, STRUCK)
