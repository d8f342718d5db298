"""A pricing string into tiers. ` / ` separates tiers, `/mo` does not."""

import re
from typing import NamedTuple

_OPENING = re.compile(r"[(\[]")
_SEPARATOR = re.compile(r" / ")
_AMOUNT = re.compile(
    r"(?P<currency>[$€£])\s?(?P<amount>\d[\d,]*(?:\.\d+)?)(?P<scale>[kK]\b)?"
    r"(?:\s?(?:/|per )\s?(?:(?:user|seat)\s?/\s?)?(?P<period>month|mo|year|yr|week|day|hour|hr))?"
)
_LICENSE = re.compile(
    r"\b(Apache(?: License)?(?: 2\.0)?|MIT|BSD(?:-\d-Clause)?|A?GPL(?:v?\d)?|MPL(?: 2\.0)?|CC[ -]BY[\w.-]*|"
    r"(?:Llama[\w. ]*?)?community licen[sc]e|OpenRAIL[\w-]*)",
    re.IGNORECASE,
)
CURRENCIES = {"$": "USD", "€": "EUR", "£": "GBP"}
PERIODS = {
    "mo": "month",
    "month": "month",
    "yr": "year",
    "year": "year",
    "week": "week",
    "day": "day",
    "hr": "hour",
    "hour": "hour",
}
KINDS = (
    ("usage", re.compile(r"pay[- ]per|pay[- ]as|per[- ]token|usage|api tokens|per 1m|per million", re.IGNORECASE)),
    ("enterprise", re.compile(r"enterprise|contact sales|custom pricing", re.IGNORECASE)),
    ("open_source", re.compile(r"open[- ]?source|open[- ]weights?", re.IGNORECASE)),
    ("free", re.compile(r"\bfree\b", re.IGNORECASE)),
)
"""Tried in this order: `Pay-per-token via X (free tier available)` is usage, though it says free."""


class Tier(NamedTuple):
    """One tier. `amount` is in units of `currency` (ISO 4217) a `period`; `raw` is the tier's part of the string."""

    plan: str | None
    kind: str
    amount: float | None
    currency: str | None
    period: str | None
    license: str | None
    raw: str


def price_tiers(pricing: str) -> tuple[Tier, ...]:
    """The tiers of a pricing string, in order. Joined by their separators, the `raw` parts give the string back."""
    return tuple(_tier(part) for part in _split(pricing) if part.strip())


def _split(pricing: str) -> list[str]:
    """Cuts at separators that stand outside parentheses: `... (free tier available) / Y enterprise pricing`."""
    parts, start, depth = [], 0, 0
    index = 0
    while index < len(pricing):
        char = pricing[index]
        depth += 1 if char in "([" else -1 if char in ")]" and depth else 0
        separator = _SEPARATOR.match(pricing, index) if depth == 0 else None
        if separator:
            parts.append(pricing[start:index])
            index = start = separator.end()
        else:
            index += 1
    return [*parts, pricing[start:]]


def _tier(raw: str) -> Tier:
    price = _AMOUNT.search(_OPENING.split(raw)[0])
    license_ = _LICENSE.search(raw)
    amount = None if price is None else float(price["amount"].replace(",", "")) * (1000 if price["scale"] else 1)
    kind = "paid" if amount else next((kind for kind, words in KINDS if words.search(_said(raw, kind))), "other")
    is_free = kind in {"free", "open_source"}
    return Tier(
        plan=_plan(raw, price),
        kind="free" if amount == 0 else kind,
        amount=0.0 if is_free and amount is None else amount,
        currency=CURRENCIES[price["currency"]] if price else None,
        period=PERIODS[price["period"]] if price and price["period"] else None,
        license=license_[0] if license_ else None,
        raw=raw,
    )


def _said(raw: str, kind: str) -> str:
    """What a tier calls itself stands outside the parentheses; open source is often said inside: `Free (open source)`."""
    outside = re.sub(r"\([^)]*\)|—.*", " ", raw)
    return raw if kind == "open_source" else outside


def _plan(raw: str, price: re.Match[str] | None) -> str | None:
    """What is left of the tier without its amount and its parentheses: `$20/mo Pro` and `Pro $20/mo` are both `Pro`."""
    without_price = raw if price is None else raw[: price.start()] + " " + raw[price.end() :]
    words = re.sub(r"\([^)]*\)|—.*", " ", without_price)
    return " ".join(words.split()) or None
