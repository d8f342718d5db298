"""The words that say what an amount pays for, as data: kinds, periods, units, billing."""

import re

from corpus.enumerations import Billing, Period, PriceKind

PERIODS: dict[str, Period] = {
    **dict.fromkeys(("mo", "pm", "mth", "mon", "month", "months", "monthly"), "month"),
    **dict.fromkeys(("monat", "mois", "mes", "mês", "mese", "maand", "mnd", "mies", "miesiąc", "måned", "md"), "month"),
    **dict.fromkeys(("månad", "mån", "měsíc", "měs", "bulan", "ay", "hó", "hónap", "lună", "tháng", "kk"), "month"),
    **dict.fromkeys(("quarter", "quarters", "quarterly", "qtr", "3 months", "three months"), "quarter"),
    **dict.fromkeys(("yr", "yrs", "year", "years", "annum", "yearly", "annually", "pa", "12 months"), "year"),
    **dict.fromkeys(("jahr", "an", "año", "ano", "anno", "jaar", "rok", "år", "tahun", "yıl", "év", "năm"), "year"),
    **dict.fromkeys(("wk", "week", "weeks", "weekly"), "week"),
    **dict.fromkeys(("day", "days", "daily"), "day"),
    **dict.fromkeys(("h", "hr", "hrs", "hour", "hours", "hourly"), "hour"),
}
"""Words behind `per`, `/` and their like. A period is exactly what they say: `every 6 months` is none."""

ADVERBS = tuple(word for word in PERIODS if word.endswith("ly") or word == "daily")

COMMON_UNITS = (
    *("minute", "min", "user", "seat", "member", "editor", "token", "request", "image", "video", "page", "call"),
    *("credit", "message", "person", "developer", "site", "project", "song", "workspace", "agent"),
)
"""Units that need no `per`: `$0.04 an image`, `$20 user/month`. Before them ` / ` parts no tiers: `$10 / user / mo`."""

UNIT_NAMES = {
    "min": "minute",
    "mins": "minute",
    "sec": "second",
    "secs": "second",
    "chars": "characters",
    "dev": "developer",
    "gb": "GB",
    "tb": "TB",
    "mb": "MB",
    "gpu": "GPU",
    "vm": "VM",
    "sms": "SMS",
    "api call": "API call",
    **dict.fromkeys(("nutzer", "benutzer", "gebruiker", "utilisateur", "usuario", "usuário", "utente"), "user"),
    "mtok": "1M tokens",
    "ktok": "1K tokens",
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

NO_UNITS = re.compile(
    r"^(?:\d[\d,.]*\s?)?[KMB]?$|^[a-z]$|^(?:lifetime|two|three|six|other|half|decade|semester|trimester|term|fortnight|season)$"
    r"|^(?:\d+ |half[- ])?(?:months?|weeks?|years?|days?|quarters?)$",
    re.IGNORECASE,
)
"""No thing that is sold: `/M`, `/20`, `/semester`, `/2 months`. One hour of something is one: `audio hour`."""

BILLINGS: dict[str, Billing] = {
    **dict.fromkeys(("annually", "yearly", "annual", "per year", "year"), "annually"),
    **dict.fromkeys(("monthly", "per month", "month"), "monthly"),
    **dict.fromkeys(("quarterly", "quarter"), "quarterly"),
    **dict.fromkeys(("once", "upfront"), "once"),
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

FREE_TIER = re.compile(r"\bfree[ -](?:tier|plan|version|edition|option)\b", re.IGNORECASE)
"""Beside what is paid for there is something free: `Pay-per-token via X (free tier available)`."""

LICENSE = re.compile(
    r"\b(?:Apache(?: License)?(?:[ -]2(?:\.0)?)?|MIT|BSD(?:-\d-Clause)?|[AL]?GPL(?:[ -]?v?\d(?:\.\d)?)?"
    r"|MPL(?:[ -]2\.0)?|CC[ -]BY(?:-\w+)*(?:[ -]\d\.\d)?"
    r"|(?:Llama(?: [\d.]+)? )?community licen[sc]e|OpenRAIL(?:-\w+)?)(?!\w)",
    re.IGNORECASE,
)
