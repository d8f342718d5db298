"""The words that say what an amount pays for, as data: periods, units, billing."""

import re

from verdicts.corpus.enumerations import Billing, Period

PERIODS: dict[str, Period] = {
    **dict.fromkeys(("mo", "pm", "pcm", "mth", "mon", "month", "months", "monthly"), "month"),
    **dict.fromkeys(("monat", "mois", "mes", "mês", "mese", "maand", "mnd", "mies", "miesiąc", "måned", "md"), "month"),
    **dict.fromkeys(("månad", "mån", "měsíc", "měs", "bulan", "ay", "hó", "hónap", "lună", "tháng", "kk"), "month"),
    **dict.fromkeys(("mnt", "mt", "m-c", "mj", "mjesec", "mesec", "bln", "мес", "месяц", "месец", "міс"), "month"),
    **dict.fromkeys(("kuukausi", "mesiac", "måneden", "månaden", "mjesečno", "mesečno", "mesačne", "havonta"), "month"),
    **dict.fromkeys(("μήνα", "місяць", "měsíčně", "mėn", "mēn", "buwan", "mahina", "חודש"), "month"),
    **dict.fromkeys(("monatlich", "mensuel", "mensual", "mensile", "mensal", "maandelijks", "miesięcznie"), "month"),
    **dict.fromkeys(
        ("月", "个月", "個月", "ヶ月", "か月", "月額", "月额", "每月", "毎月", "월", "개월", "เดือน"), "month"
    ),
    **dict.fromkeys(("quarter", "quarters", "quarterly", "qtr", "3 months", "three months"), "quarter"),
    **dict.fromkeys(("yr", "yrs", "year", "years", "annum", "yearly", "annually", "pa", "12 months"), "year"),
    **dict.fromkeys(
        ("jahr", "an", "año", "ano", "anno", "jaar", "rok", "år", "tahun", "yıl", "év", "năm", "год", "рік"), "year"
    ),
    **dict.fromkeys(("jährlich", "annuel", "anual", "annuale", "jaarlijks", "rocznie"), "year"),
    **dict.fromkeys(("vuosi", "godina", "godišnje", "ročně", "évente", "året", "taon", "χρόνο", "שנה"), "year"),
    **dict.fromkeys(("年", "年額", "年额", "每年", "毎年", "년", "ปี"), "year"),
    **dict.fromkeys(("woche", "semaine", "semana", "settimana", "vecka", "uke", "uge", "týden", "tydzień"), "week"),
    **dict.fromkeys(("viikko", "hét", "hafta", "minggu", "tuần", "неделя", "週", "周", "주"), "week"),
    **dict.fromkeys(("wk", "week", "weeks", "weekly"), "week"),
    **dict.fromkeys(("day", "days", "daily", "tag", "jour", "día", "dia", "日", "天", "일"), "day"),
    **dict.fromkeys(("uur", "stunde", "heure", "hora", "小时", "時間", "시간"), "hour"),
    **dict.fromkeys(("h", "hr", "hrs", "hour", "hours", "hourly"), "hour"),
}
"""Words behind `per`, `/` and their like. A period is exactly what they say: `every 6 months` is none."""

ADVERBS = (
    *("monthly", "quarterly", "yearly", "annually", "weekly", "daily", "hourly"),
    *("monatlich", "mensuel", "mensual", "mensile", "mensal", "maandelijks", "miesięcznie"),
    *("jährlich", "annuel", "anual", "annuale", "jaarlijks", "rocznie", "měsíčně", "havonta", "mesečno", "mjesečno"),
)
"""Those that need no `per`: `$20 monthly`, `29 zł miesięcznie`."""

AHEAD = ("月額", "月额", "每月", "毎月", "월", "年額", "年额", "每年", "毎年")
"""Those before the amount that leave no doubt what it pays for: `月額1,980円`. `Annual $16` may be a month's."""

COMMON_UNITS = (
    *("minute", "min", "user", "seat", "member", "editor", "token", "request", "image", "video", "page", "call"),
    *("credit", "message", "person", "developer", "site", "project", "song", "workspace", "agent"),
)
"""Units that need no `per`: `$0.04 an image`, `$20 user/month`. Before them ` / ` parts no tiers: `$10 / user / mo`."""

HELD = (
    *("gpu", "cpu", "vcpu", "core", "node", "instance", "server", "machine", "vm", "worker", "container", "cluster"),
    *("gb", "tb", "mb", "gib", "seat", "user", "member", "editor", "developer", "agent", "site", "device", "host"),
)
"""What is paid for as long as it is held: `per GPU hour`, `per GB-month`. An audio hour is a unit."""

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
    **{word.lower(): word for word in ("vCPU", "CPU", "GiB")},
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
        (r"^(\d[\d,.]*[KMB]?) (input|output)$", r"\1 \2 tokens"),
    )
)
"""`million tokens`, `1 million tokens`, `M tokens` are `1M tokens`; `1M input` is `1M input tokens`."""

SEATS = frozenset(
    {
        *("user", "seat", "member", "editor", "person", "developer", "agent", "license", "licence", "employee"),
        *("admin", "creator", "maintainer", "contributor", "student", "reviewer", "team", "account", "workspace"),
        *("organization", "organisation", "org", "host", "server", "device", "site", "domain", "project"),
    }
)
"""Units that are there for as long as they are paid for. A price for any other unit is one by use."""

NO_UNITS = re.compile(
    r"^(?:\d[\d,.]*\s?)?[KMB]?$|^[a-z]$"
    r"|^(?:lifetime|two|three|six|other|half|decade|semester|trimester|term|fortnight|season)$"
    r"|^(?:\d+ |half[- ])?(?:months?|weeks?|years?|days?|quarters?)$"
    r"|^\d+ (?:jours?|tagen?|d[ií]as?|giorni|dagen|dni|mois|meses|mesi|monaten?|maanden|semaines?|wochen|semanas)$",
    re.IGNORECASE,
)
"""No thing that is sold: `/M`, `/20`, `/semester`, `/2 months`. One hour of something is one: `audio hour`."""

BILLINGS: dict[str, Billing] = {
    **dict.fromkeys(("annually", "yearly", "annual", "per year", "year"), "annually"),
    **dict.fromkeys(("monthly", "per month", "month"), "monthly"),
    **dict.fromkeys(("quarterly", "quarter"), "quarterly"),
    **dict.fromkeys(("once", "upfront"), "once"),
}
