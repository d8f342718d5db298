"""What the offers of an item ask, in the words in which a page would print it: `10 to 50 USD / month`. Pure."""

import re
from collections.abc import Iterable, Iterator

from extract.statements.item import Item, first, inner, is_of

PERIODS = {"MON": "month", "ANN": "year", "DAY": "day", "WEE": "week", "HUR": "hour", "C62": "piece", "H87": "piece"}
"""UN/CEFACT's codes of what a price pays for; other codes stay as they are."""

DURATIONS = {"Y": "year", "M": "month", "W": "week", "D": "day"}
_DURATION = re.compile(r"P(\d{1,4})([YMWD])")
"""ISO 8601: `P1M`."""

STRUCK = frozenset({"listprice", "strikethroughprice", "msrp", "srp"})
"""Kinds of prices that are stated beside the one that is asked."""


def price_of(item: Item) -> str | None:
    """Every price once, parted by ` | `; None where none is stated. A group without offers has its variants'."""
    offers = inner(item, "offers") or [
        offer for variant in inner(item, "hasVariant") for offer in inner(variant, "offers")
    ]
    own = first(item, "name")
    return " | ".join(dict.fromkeys(words for offer in offers for words in _prices(offer, own, 0))) or None


def _prices(offer: Item, product: str | None, depth: int) -> Iterator[str]:
    """Of an offer, of the parts of a price, or of the offers of an AggregateOffer that states no range."""
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
            yield begin + words if (words := _specified(part, currency)) else ""
    elif stated is not None:
        yield begin + _sum(stated, currency) + _terms(offer)
    elif depth == 0:
        for part in inner(offer, "offers"):
            yield from _prices(part, product, 1)


def _specified(part: Item, currency: str | None) -> str:
    currency = first(part, "priceCurrency") or currency
    components = [words for one in inner(part, "priceComponent") if (words := _specified(one, currency))]
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
    """` / month`: what the price pays for, as reference quantity, unit or time of billing."""
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
