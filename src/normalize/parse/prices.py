"""A pricing string into tiers. ` / ` separates tiers, `/mo` does not."""

import re
from typing import NamedTuple

SEPARATOR = " / "

UNITS = r"(?:mo|mth|month|yr|year|annum|wk|week|day|hr|hour|min|minute|user|seat|member|token|request|image|video)s?\b"
"""Words that ` / ` can stand before inside one price: `$20 / mo`, `$10 / user / mo`, `$3 / 1M tokens`."""

CURRENCIES = {"$": "USD", "US$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY", "₹": "INR"}

PERIODS = {
    "mo": "month",
    "mth": "month",
    "monthly": "month",
    "yr": "year",
    "annum": "year",
    "annually": "year",
    "yearly": "year",
    "wk": "week",
    "hr": "hour",
    "min": "minute",
}
"""Short forms; `month` and the like stand for themselves."""

KINDS = (
    (
        "usage",
        re.compile(r"pay[- ]per|pay[- ]as|per[- ](?:token|request|image|minute|1[KM])|usage|credits", re.IGNORECASE),
    ),
    ("enterprise", re.compile(r"enterprise|contact (?:sales|us)|custom (?:pricing|quote)|on request", re.IGNORECASE)),
    ("open_source", re.compile(r"^open[- ]?(?:source|weights?)\b", re.IGNORECASE)),
    ("free", re.compile(r"\bfree\b", re.IGNORECASE)),
    ("open_source", re.compile(r"open[- ]?source|open[- ]weights?|self[- ]host", re.IGNORECASE)),
)
"""Kinds of a tier without an amount, tried in this order on what stands outside parentheses and before a dash.

`Pay-per-token via X (free tier available)` is usage though it says free, `Free (open source)` is free, and
`Open source` alone is open_source.
"""

_UNIT_AHEAD = re.compile(rf"\d*\.?\d*\s?[KMB]?\s?{UNITS}", re.IGNORECASE)
_AMOUNT = re.compile(
    r"(?P<currency>US\$|[$€£¥₹])\s?(?P<amount>\d[\d,]*(?:\.\d+)?)(?P<scale>[kK]\b)?\+?"
    r"(?:\s?[-–]\s?[$€£¥₹]?\d[\d,]*(?:\.\d+)?)?"
    rf"(?P<period>(?:\s?(?:/|\bper\b|\ba\b)\s?(?:\d*\.?\d*\s?[KMB]?\s?{UNITS}|[KMB]\b))+|\s(?:monthly|yearly|annually)\b)?",
    re.IGNORECASE,
)
_PERIOD_PART = re.compile(r"\s?(?:/|\bper\b|\ba\b)\s?", re.IGNORECASE)
_LICENSE = re.compile(
    r"\b(?:Apache(?: License)?(?:[ -]2(?:\.0)?)?|MIT|BSD(?:-\d-Clause)?|[AL]?GPL(?:[ -]?v?\d(?:\.\d)?)?"
    r"|MPL(?:[ -]2\.0)?|CC[ -]BY(?:-\w+)*(?:[ -]\d\.\d)?"
    r"|(?:Llama(?: [\d.]+)? )?community licen[sc]e|OpenRAIL(?:-\w+)?)(?!\w)",
    re.IGNORECASE,
)
_ASIDE = re.compile(r"\([^()]*\)|\[[^\[\]]*\]|\s[—–]\s.*|;.*")


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
    """The tiers of a pricing string, in order. Joined by ` / `, the `raw` parts give the string back."""
    return tuple(_tier(part) for part in _split(pricing))


def _split(pricing: str) -> list[str]:
    """Cuts at separators outside parentheses: `... (free tier / trial) / Y enterprise pricing` has two tiers."""
    parts: list[str] = []
    start = depth = index = 0
    while index < len(pricing):
        if pricing[index] in "([":
            depth += 1
        elif pricing[index] in ")]":
            depth = max(depth - 1, 0)
        after = index + len(SEPARATOR)
        if depth == 0 and pricing.startswith(SEPARATOR, index) and not _UNIT_AHEAD.match(pricing, after):
            parts.append(pricing[start:index])
            start = index = after
        else:
            index += 1
    return [*parts, pricing[start:]]


def _tier(raw: str) -> Tier:
    terms = _ASIDE.sub(" ", raw)
    price = _AMOUNT.search(terms)
    amount = None if price is None else _amount(price)
    kind = next((kind for kind, pattern in KINDS if pattern.search(terms.strip())), "other")
    period = None if price is None else _period(price["period"])
    if amount is not None:
        is_by_use = period is not None and re.search(r"token|request|image|video|\d", period) is not None
        kind = "free" if amount == 0 else "usage" if is_by_use else "paid"
    elif kind in {"free", "open_source"}:
        amount = 0.0
    license_ = _LICENSE.search(raw)
    return Tier(
        plan=_plan(terms if price is None else f"{terms[: price.start()]} {terms[price.end() :]}"),
        kind=kind,
        amount=amount,
        currency=None if price is None else CURRENCIES[price["currency"].upper()],
        period=period,
        license=None if license_ is None else license_[0],
        raw=raw,
    )


def _amount(price: re.Match[str]) -> float:
    return float(price["amount"].replace(",", "")) * (1000 if price["scale"] else 1)


def _period(raw: str | None) -> str | None:
    """`/mo` is `month`, `/user/mo` is `user/month`, ` / 1M tokens` is `1M tokens`."""
    if raw is None:
        return None
    words = [part.strip() for part in _PERIOD_PART.split(raw) if part.strip()]
    return "/".join(PERIODS.get(word.lower(), word) for word in words)


def _plan(words: str) -> str | None:
    """What is left of a tier without its amount: `$20/mo Pro`, `Pro $20/mo` and `Pro: $20/mo` are all `Pro`."""
    return " ".join(words.split()).strip(" :,+-–—") or None
