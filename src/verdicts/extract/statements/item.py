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
    """The first text of the first of these properties with one, or None."""
    return next((text for name in names for text in texts(item, name)), None)


def inner(item: Item, *names: str) -> list[Item]:
    """The inner items of these properties, each once."""
    values = (value for name in names for value in item.properties.get(name.casefold(), ()))
    return [*dict.fromkeys(value for value in values if isinstance(value, Item))]


def is_of(item: Item, types: Iterable[str]) -> bool:
    return not item.types.isdisjoint(types)


OWN = frozenset({"hasvariant", "variesby", "productgroupid", "isvariantof", "url", "sku", "offers"})
"""Properties of only the group, and those that describe the group itself."""


def group_variants(items: Iterable[Item]) -> None:
    """Joins variants to their groups by `productGroupID`, and inherits missing properties, even the name."""
    by_number = {number: item for item in items if (number := first(item, "productGroupID"))}
    for item in items:
        number = first(item, "inProductGroupWithID")
        named = by_number.get(number) if number else None
        if named is not None and named is not item and not inner(item, "isVariantOf"):
            item.properties["isvariantof"] = [named]
            named.properties.setdefault("hasvariant", []).append(item)
    for item in items:
        for group in inner(item, "isVariantOf"):
            for name, values in group.properties.items():
                if group is not item and name not in OWN:
                    item.properties.setdefault(name, values)


def is_variant(item: Item) -> bool:
    """Whether the page has the item's group: then the group is the product."""
    return any(first(group, "name") for group in inner(item, "isVariantOf") if group is not item)


PERIODS = {"MON": "month", "ANN": "year", "DAY": "day", "WEE": "week", "HUR": "hour", "C62": "piece", "H87": "piece"}
"""UN/CEFACT's codes for the unit of a price; other codes stay as they are."""

DURATIONS = {"Y": "year", "M": "month", "W": "week", "D": "day"}
_DURATION = re.compile(r"P(\d{1,4})([YMWD])")
"""ISO 8601: `P1M`."""

STRUCK = frozenset({"listprice", "strikethroughprice", "msrp", "srp"})
"""Kinds of prices stated beside the actual one."""


AMOUNTS = ("price", "lowPrice", "highPrice", "minPrice", "maxPrice")
PARTS_DEEP = 3
"""Levels of price parts below an offer: offers of an aggregate, their specifications, and parts of these."""


class Price(NamedTuple):
    """`words` are all different prices, joined by ` | `, or None; `amounts` their numbers as stated."""

    words: str | None
    amounts: tuple[str, ...]


def price_of(item: Item) -> Price:
    """The price of an item. A group without offers has the prices of its variants."""
    offers = inner(item, "offers") or [
        offer for variant in inner(item, "hasVariant") for offer in inner(variant, "offers")
    ]
    own = first(item, "name")
    prices = dict.fromkeys(words for offer in offers for words in _prices(offer, own, 0))
    amounts = dict.fromkeys(amount for offer in offers for amount in _amounts(offer, 0))
    return Price(" | ".join(prices) or None, tuple(amounts) if prices else ())


def _prices(offer: Item, product: str | None, depth: int) -> Iterator[str]:
    """Prices of an offer, of price parts, or of the offers of an AggregateOffer without a range."""
    currency = first(offer, "priceCurrency")
    low, high = first(offer, "lowPrice"), first(offer, "highPrice")
    specified = [part for part in inner(offer, "priceSpecification") if not _is_struck(part)]
    stated = first(offer, "price")
    plan = first(offer, "name")
    begin = f"{plan} " if plan and plan != product else ""
    if low or high:
        yield begin + _range(low, high, currency)
    elif specified and (stated is None or any(_terms(part) for part in specified)):
        for part in specified:
            if words := _specified(part, currency):
                yield begin + words
    elif stated is not None:
        yield begin + _sum(stated, currency) + _terms(offer)
    elif depth == 0:
        for part in inner(offer, "offers"):
            yield from _prices(part, product, 1)


def _amounts(offer: Item, depth: int) -> Iterator[str]:
    for name in AMOUNTS:
        yield from texts(offer, name)
    if depth < PARTS_DEEP:
        for part in inner(offer, "priceSpecification", "priceComponent", "offers"):
            if not _is_struck(part):
                yield from _amounts(part, depth + 1)


def _specified(part: Item, currency: str | None, depth: int = 0) -> str:
    currency = first(part, "priceCurrency") or currency
    inside = inner(part, "priceComponent") if depth < PARTS_DEEP else []
    components = [words for one in inside if (words := _specified(one, currency, depth + 1))]
    price, least, most = first(part, "price"), first(part, "minPrice"), first(part, "maxPrice")
    if price is not None:
        return _sum(price, currency) + _terms(part)
    if least or most:
        return _range(least, most, currency) + _terms(part)
    return " + ".join(components)


def _range(low: str | None, high: str | None, currency: str | None) -> str:
    if low == high or not (low and high):
        words = low or high or ""
        return _sum(words if low == high else f"from {low}" if low else f"up to {high}", currency)
    return _sum(f"{low} to {high}", currency)


def _sum(price: str, currency: str | None) -> str:
    return price if currency is None else f"{price} {currency}"


def _terms(part: Item) -> str:
    """` / month`: the unit of the price, from reference quantity, unit or billing time."""
    for quantity in inner(part, "referenceQuantity", "billingDuration"):
        if unit := _unit(first(quantity, "value"), first(quantity, "unitText") or first(quantity, "unitCode")):
            return unit
    duration = first(part, "billingDuration")
    match = None if duration is None else _DURATION.fullmatch(duration)
    if match is not None:
        return _unit(match[1], DURATIONS[match[2]])
    return _unit(duration, first(part, "unitText") or first(part, "unitCode"))


def _unit(number: str | None, unit: str | None) -> str:
    if unit is None:
        return ""
    name = PERIODS.get(unit, unit)
    return f" / {name}" if number in {None, "1", "1.0"} else f" / {number} {name}"


def _is_struck(part: Item) -> bool:
    kinds: Iterable[str] = (kind.rpartition("/")[2] for kind in (first(part, "priceType") or "").split())
    return any(kind.casefold() in STRUCK for kind in kinds) or is_of(part, STRUCK)
