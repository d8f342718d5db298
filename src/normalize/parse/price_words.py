"""The words of pricing strings, as data: kinds, periods, units, billing, and what makes an amount no price."""

import re

from corpus.enumerations import Billing, Period, PriceKind

TIER_SEPARATORS = (" / ", " | ", " · ", " • ", "\n")
"""What sites put between tiers. `/mo` separates nothing, and ` / mo` neither."""

PERIODS: dict[str, Period] = {
    **dict.fromkeys(("mo", "pm", "mth", "mon", "month", "months", "monthly", "monat", "mois", "mes"), "month"),
    **dict.fromkeys(("yr", "yrs", "year", "years", "annum", "yearly", "annually", "jahr", "pa"), "year"),
    **dict.fromkeys(("wk", "week", "weeks", "weekly"), "week"),
    **dict.fromkeys(("day", "days", "daily"), "day"),
    **dict.fromkeys(("hr", "hrs", "hour", "hours", "hourly"), "hour"),
}

UNIT_NAMES = {
    "min": "minute",
    "mins": "minute",
    "sec": "second",
    "secs": "second",
    "chars": "characters",
    "dev": "developer",
}

UNIT_QUANTITIES = tuple(
    (re.compile(pattern, re.IGNORECASE), short)
    for pattern, short in (
        (r"^(\d[\d,.]*)\s?(?:million|M)\b", r"\1M"),
        (r"^(\d[\d,.]*)\s?(?:billion|B)\b", r"\1B"),
        (r"^(\d[\d,.]*)\s?(?:thousand|K)\b", r"\1K"),
        (r"^(?:million|M)\b", "1M"),
        (r"^(?:billion|B)\b", "1B"),
        (r"^(?:thousand|K)\b", "1K"),
    )
)
"""`million tokens`, `1 million tokens`, `M tokens` are `1M tokens`."""

SEATS = frozenset(
    {
        *("user", "seat", "member", "editor", "person", "developer", "agent", "license", "licence", "employee"),
        *("admin", "creator", "maintainer", "contributor", "student", "reviewer", "team", "account", "workspace"),
        *("organization", "organisation", "org", "host", "server", "device", "site", "domain", "project"),
    }
)
"""Units that are there for as long as they are paid for. A price for any other unit is one by use."""

BILLINGS: dict[str, Billing] = {
    **dict.fromkeys(("annually", "yearly", "annual", "per year"), "annually"),
    **dict.fromkeys(("monthly", "per month"), "monthly"),
    "quarterly": "quarterly",
    **dict.fromkeys(("once", "upfront", "lifetime"), "once"),
}

KINDS: tuple[tuple[PriceKind, re.Pattern[str]], ...] = (
    (
        "usage",
        re.compile(r"pay[- ]per|pay[- ]as|per[- ](?:token|request|image|minute|1[KM])|usage|credits", re.IGNORECASE),
    ),
    ("enterprise", re.compile(r"enterprise|contact (?:sales|us)|custom (?:pricing|quote)|on request", re.IGNORECASE)),
    ("open_source", re.compile(r"^open[- ]?(?:source|weights?)\b", re.IGNORECASE)),
    ("free", re.compile(r"\b(?:free|freemium|kostenlos|gratis)\b(?!\s+trial)", re.IGNORECASE)),
    ("open_source", re.compile(r"open[- ]?source|open[- ]weights?|self[- ]host", re.IGNORECASE)),
)
"""Kinds of a tier without an amount, tried in this order on what stands outside parentheses and before a dash.

`Pay-per-token via X (free tier available)` is usage though it says free, `Free (open source)` is free, and
`Open source` alone is open_source.
"""

FREE_KINDS = frozenset({"free", "open_source"})

QUANTITY = r"(?:\d[\d,.]*\s?(?:[KMB]\b|thousand|million|billion)?|thousand|million|billion|[KMB]\b)"
_TIME = "|".join(sorted(PERIODS, key=len, reverse=True))
_INPUT = r"(?:(?:input|output|cached|audio|video|text|active|additional|extra)\s)?"
_UNIT = rf"(?:{QUANTITY}\s?(?:(?:[a-z]+\s){{0,2}}[a-z]+s\b)?|{_INPUT}[a-z]+\b)"

TERM = re.compile(
    rf"\s?(?:\b(?P<adverb>monthly|yearly|annually|weekly|daily|hourly)\b"
    rf"|(?:/|\bper\b|\bpro\b|\bim\b|\beach\b|\bevery\b)\s?(?:(?P<time>{_TIME})\b\.?|(?P<unit>{_UNIT}))"
    rf"|\ban?\s(?P<a_time>month|year|week|day|hour|minute|seat|user)\b|(?:\b|(?<=\d))(?P<bare_time>mo|pm|month|yr|year)\b"
    rf"|\bfor\s(?P<for_unit>\d[\d,.]*\s?[KMB]?\s(?!months?\b|years?\b|days?\b|weeks?\b)[a-z]+s)\b)",
    re.IGNORECASE,
)
"""What an amount pays for: `/mo`, ` per seat`, ` / 1M input tokens`, ` a month`, ` for 1,000 credits`."""

UNIT_AHEAD = re.compile(
    rf"(?:{QUANTITY}\s?)?(?:{_TIME}|min|minute|user|seat|member|editor|token|request|image|video)s?\b", re.IGNORECASE
)
"""Before these ` / ` separates no tiers: `$20 / mo`, `$10 / user / mo`, `$3 / 1M tokens`. ` / Team` is a plan."""

BILLING = re.compile(
    r"[\s,(]*\b(?:(?:when |if )?(?:billed|paid|charged|invoiced)\s+"
    r"(?P<how>annually|yearly|monthly|quarterly|per year|per month|once|upfront)"
    r"|(?:with|on|for)?\s*(?:an?\s)?(?P<plan>annual|yearly|monthly)\s(?:billing|plan|subscription|commitment|contract)"
    r"|(?P<once>one[- ]time(?:\s(?:payment|fee|purchase))?|lifetime|once))\b\)?",
    re.IGNORECASE,
)

FROM = re.compile(
    r"\b(?:from|ab|start(?:s|ing)?\s(?:at|from)|as low as|at least|min(?:imum|\.)?)\s?:?\s*$", re.IGNORECASE
)
UP_TO = re.compile(r"\b(?:up to|max(?:imum|\.)?|at most|under|below)\s*$", re.IGNORECASE)

NOT_PAID_BEFORE = re.compile(
    r"(?:~~|\b(?:save|saves|saving|was|formerly|previously|originally|regularly|normally|usually|instead of|reg\.|worth"
    r"|valued at|value|includes?|including|get|with)\s(?:up to |an? (?:extra )?|over )?)$",
    re.IGNORECASE,
)
NOT_PAID_BEHIND = re.compile(
    r"\s?(?:~~|(?:off|discount|savings?|cash ?back|value|bonus|credits?)\b"
    r"|(?:in |of |worth of )(?:free |monthly |API |cloud |included )*(?:credits?|usage|value)\b"
    r"|(?:free |signup |sign-up |trial |welcome |API |cloud )+credits?\b)",
    re.IGNORECASE,
)
"""An amount beside these is a discount, an old price or given: `was $29`, `includes $20 of usage`, `$50 off`."""

NEGATED = re.compile(
    r"\b(?:no|not|without|never)\s(?:an?\s)?(?:(?:permanent|longer|more|real|public)\s)?"
    r"(?:free|open[- ]?source)(?:[ -](?:plan|tier|version|trial|option|lunch))?(?:\s(?:or|and)\s\w+)?\b",
    re.IGNORECASE,
)
"""`No free plan` is not free."""

FREE_TIER = re.compile(r"\bfree[ -](?:tier|plan|version|edition|option)\b", re.IGNORECASE)
"""Beside what is paid for there is something free: `Pay-per-token via X (free tier available)`."""

NO_PLAN = re.compile(
    r"(?:\b(?:after|with)\s)?(?:\ban?\s)?(?:\b\d+[- ]days?\s)?(?:\bfree\s)?\btrial(?:,?\s*then\b)?|^\W*(?:then|now)\b"
    r"|\b(?:about|around|roughly|approx(?:imately|\.)?|only|just)\s*$|(?:\+\s?|\bplus\s|\bexcl(?:\.|uding)?\s)(?:tax(?:es)?|VAT)\b",
    re.IGNORECASE,
)
"""What stands beside the price of a plan and is no part of its name."""

OPEN_TERMS = re.compile(
    r"/|\b(?:per|every|each|first|month(?:s|ly)?|years?|yearly|annual(?:ly)?|weeks?|bi-?weekly|quarter(?:s|ly)?|daily|hourly"
    r"|deposit|minimum|setup|fee|discount|extra|additional)\b|\bof\b|\b\d+\s?(?:x|×|for)(?!\w)|\bfor\s\d|\d\s?[x×]\s",
    re.IGNORECASE,
)
"""Where these are left beside an amount, it pays for something else than was read: `$1 for 3 months`, `2 for $10`."""

BY_USE = re.compile(r"\b(?:input|output|tokens?|prompts?|completions?)\b", re.IGNORECASE)
"""Where these are left beside an amount without a unit, its unit was not read: `$3 input`."""

WITHOUT_AMOUNT = re.compile(
    r"\b(?:free|freemium|kostenlos|gratis|open[- ]source)\b(?!.*\btrial\b)|\b(?:custom|contact)\b", re.IGNORECASE
)
"""Items of a list of tiers that name no amount."""

NO_UNITS = re.compile(
    r"^(?:\d*[KMB]|lifetime|[a-z]{1,2}|two|three|six|other|second|half)$"
    r"|^(?:\d+ )?(?:months?|weeks?|years?|days?|quarters?)$",
    re.IGNORECASE,
)
"""No thing that is sold: `/M`, `/quarter`, `every 3 months`. One hour of something is one: `audio hour`."""

CONTINUES = re.compile(
    r"\s*(?:now|or|plus|was|after|billed|paid\s(?:annual|year|month)ly|with|but|up to|save|\+)\b", re.IGNORECASE
)
"""What begins so is no tier of its own: `was $29, now $19/mo`."""

LICENSE = re.compile(
    r"\b(?:Apache(?: License)?(?:[ -]2(?:\.0)?)?|MIT|BSD(?:-\d-Clause)?|[AL]?GPL(?:[ -]?v?\d(?:\.\d)?)?"
    r"|MPL(?:[ -]2\.0)?|CC[ -]BY(?:-\w+)*(?:[ -]\d\.\d)?"
    r"|(?:Llama(?: [\d.]+)? )?community licen[sc]e|OpenRAIL(?:-\w+)?)(?!\w)",
    re.IGNORECASE,
)
ASIDE = re.compile(r"\([^()]*\)|\[[^\[\]]*\]|\s[—–]\s.*|;.*", re.DOTALL)
"""What says more of a tier than its plan and kind: `(free tier available)`, ` — compute costs ...`."""

WAYS_BETWEEN = re.compile(r"[\s(,;]*(?:\bor\b)?[\s(,;]*")
"""What stands between two ways to pay one plan: `$20/mo ($16/mo billed annually)`, `$20/mo or $200/yr`."""
