"""Where the words of a price stand beside its amount, as bounded patterns: what it pays for, limits, billing."""

import re

from verdicts.normalize.parse.pricing.price_words import ADVERBS, AHEAD, COMMON_UNITS, HELD, PERIODS

REACH = 48
"""Characters before an amount in which a word that belongs to it may begin."""

_TIME = "|".join(sorted(map(re.escape, PERIODS), key=len, reverse=True))
_THING = "|".join(COMMON_UNITS)
_HELD = rf"(?:{'|'.join(HELD)}|[A-Z]\d{{2,4}})"
_QUANTITY = r"(?:\d[\d,.]{0,12}\s?(?:[KMB]\b|thousand|million|billion)?|thousand|million|billion|[KMB]\b)"
_SORT = r"(?:(?:input|output|audio|video|text|active|additional|extra|api|unique|successful|[a-z]{2,12}ed)\s)?"
_WORD = r"(?:(?!(?:for|of|in|and|or|with|after|on|to|over|per)\b)[A-Za-zÀ-ɏ]{1,24})"
_UNIT = (
    rf"(?:{_QUANTITY}\s?(?:(?:{_WORD}\s){{0,2}}{_WORD}s\b|(?:input|output)\b)?"
    rf"|(?:second|minute|min)\sof\s{_WORD}\b|{_SORT}{_WORD}\b)"
)

TERM = re.compile(
    rf"\s?(?:\b(?P<adverb>{'|'.join(ADVERBS)})\b"
    rf"|(?:,\s|\b(?:et|und|y)\s|)(?:/|\b(?:per|pro|im|par|por|al|na|pe|за|each)\b|\bevery\b(?!\s(?:second|other)\s{_WORD}))\s?"
    rf"(?:(?P<held>{_HELD})[\s-](?P<held_time>hour|hr|month|mo|year)\b|(?P<time>{_TIME})\b\.?|(?P<unit>{_UNIT}))"
    rf"|\ban?\s(?:(?P<a_time>month|quarter|year|week|day|hour)|(?P<a_unit>{_THING}))\b"
    rf"|(?:\b|(?<=\d))(?P<bare_time>mo|mth|pm|pa|pcm|month|yr|year)\b"
    rf"|\b(?P<dotted_time>p[./]\s?[ma](?:\.|\b))"
    rf"|(?P<bare_unit>{_THING})(?=\s?/\s?(?:{_TIME})\b)"
    rf"|(?:\bfor|=)\s(?P<for_unit>\d[\d,.]{{0,12}}\s?[KMB]?\s(?!(?:months?|years?|days?|weeks?|hours?)\b){_WORD}s)\b)",
    re.IGNORECASE,
)
"""What an amount pays for: `/mo`, ` per seat`, ` / 1M input tokens`, ` a month`, ` for 1,000 credits`, ` p.a.`."""

TERMS_IN_PARENTHESES = re.compile(r"\s?\((?=/|per\b|each\b|a\b|monthly\b)", re.IGNORECASE)

UNIT_AHEAD = re.compile(
    rf"(?:(?:{_QUANTITY}\s?)?{_SORT}(?:{_TIME}|(?:{_THING})s?)\b|{_WORD}\s?/\s?(?:{_TIME})\b)", re.IGNORECASE
)
"""Before these ` / ` separates no tiers: `$20 / mo`, `$10 / user / mo`, `$3 / 1M input tokens`. ` / Team` is a plan."""

UNIT_BEFORE = re.compile(
    rf"(?<![\w.,-])(\d[\d,.]{{0,12}}\s?[KMB]?\s(?:{_WORD}\s)?{_WORD}s)(?:\sfor|:)\s?$", re.IGNORECASE
)
"""`1,000 credits for` $10."""

TIME_BEFORE = re.compile(
    rf"(?P<time>{'|'.join(AHEAD)}|\b(?:{'|'.join(ADVERBS)}|annual)\b)(?:\s(?:plan|price|subscription|billing))?\s?[:–—-]?\s?$",
    re.IGNORECASE,
)
"""`Monthly:` $20, `Annual plan:` $16/mo."""

_ONCE = (
    r"one[- ](?:time|off)(?:\s(?:payment|fee|purchase|price|charge|cost))?"
    r"|lifetime(?:\s(?:access|deal|licen[sc]e|plan))?|for life|once|einmalige?(?:\szahlung)?|lebenslang"
    r"|à vie|de por vida|vitalício|paiement unique|pago único|pagamento único|(?:for\sa\s)?perpetual\slicen[sc]e"
)
BILLING = re.compile(
    r"(?<![\s,(])[\s,(]{0,3}(?:\b(?:(?:when |if )?(?:billed|paid|charged|invoiced)\s"
    r"(?P<how>annually|yearly|monthly|quarterly|per (?:year|month)|once|upfront)"
    r"|(?:(?:with|on|for)\s)?(?:an?\s)?(?P<plan>annual|yearly|monthly|quarterly)"
    r"\s(?:billing|plan|subscription|commitment|contract)"
    rf"|(?:{_ONCE}))(?![\w-])|/\s?lifetime\b)\)?",
    re.IGNORECASE,
)
"""How an amount is asked for; once, where it is neither `how` nor `plan`."""

BILLING_ADVERB = re.compile(
    rf"[\s,(]{{1,3}}(?P<time>{'|'.join(ADVERBS)}|annual)\)?(?=\s?(?:$|[,;)/|·]|or\b|and\b))", re.IGNORECASE
)
"""Behind an amount that has its period, how it is asked for: `$12/mo annual, $15/mo monthly`."""

ONCE_BEFORE = re.compile(rf"\b(?:pay\s|buy\s)?(?:{_ONCE})(?:\sof|\sfor|\sde|\svon)?\s?[:,–—-]?\s?$", re.IGNORECASE)

FROM = re.compile(
    r"\b(?:(?:ranges |ranging )?from|ab|da|od|от|desde|vanaf|från|fra|dès|mindestens|al menos|almeno|au moins|minimaal"
    r"|[àa] partir de|a partire da|as low as|at least|min(?:imum|\.)?"
    r"|start(?:s|ing)?\s(?:at|from|price))\s?:?(?:\s(?:only|just|about))?\s?$",
    re.IGNORECASE,
)
AND_UP = re.compile(
    r"\s(?:and|&)\s(?:up|above|more|upwards?)\b|\sor\s(?:more|higher|above)\b|\s?(?:から|起|부터)|\s\+\s?$|\+(?![^\s).,])",
    re.IGNORECASE,
)
UP_TO = re.compile(
    r"\b(?:up to|bis zu|jusqu['’]à|hasta|até|fino a|(?-i:max)|max\.|maximum|at most|under|below|less than)\s?$",
    re.IGNORECASE,
)
"""`max $50` is a limit, `Max $100` a plan."""

ASIDE = re.compile(r"\([^()]*\)|\[[^\[\]]*\]|\s[—–]\s.*|;.*", re.DOTALL)
"""What says more of a tier than its plan and kind: `(free tier available)`, ` — compute costs ...`."""

BETWEEN_WAYS = re.compile(r"[\s(,;)]{0,4}(?:\b(?:or|and)\b)?[\s(,;]{0,4}")
"""What stands between two ways to pay one plan: `$20/mo ($16/mo billed annually)`, `$20/mo or $200/yr`."""

BETWEEN_ENDS = re.compile(r"\s?(?:-|–|—|to)\s?")
"""What stands between the ends of a range that repeats its terms: `$10/mo - $20/mo`."""

BEFORE_YEAR_SUM = re.compile(
    r"[\s,(]{0,3}(?:(?:billed|charged|paid)\s(?:(?:annually|yearly)\s)?(?:at\s|as\s)?|(?:at|as)\s)", re.IGNORECASE
)
"""What stands between a price for a month and its sum for a year: `$10/mo (billed annually at $120)`."""

BETWEEN_OLD_AND_NEW = re.compile(r"\s?,?\s?\bnow:?\s?|\s?(?:→|->|>|»)\s?|\s", re.IGNORECASE)
"""What stands between a struck price and the one that is asked: `$29 $19`, `$29 → $19`."""

CONTINUES = re.compile(
    r"\s*(?:now|or|(?-i:plus)|was|after|billed|paid\s(?:annual|year|month)ly|with|but|up to|save|\+)\b", re.IGNORECASE
)
"""What begins so is no tier of its own: `was $29, now $19/mo`."""
