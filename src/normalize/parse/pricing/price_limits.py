"""The words that make an amount no price, or no price that can be read, as data: discounts, trials, taxes, limits."""

import re

from verdicts.normalize.parse.pricing.price_words import ADVERBS, COMMON_UNITS, PERIODS, SEATS

TAX = re.compile(
    r"\s?[(,]?\s?(?:(?:\+|\b(?:plus|excl(?:uding|usive of|\.)?|incl(?:uding|usive of|\.)?|ex\.?|inc\.?|before|zzgl\.?"
    r"|inkl\.?|exkl\.?|without|w/o))\s?(?:\d{1,2}(?:[.,]\d{1,2})?\s?%\s)?(?:of\s)?(?:applicable\s|local\s|sales\s|any\s)?"
    r"(?:VAT|tax(?:es)?|GST|HST|MwSt\.?|USt\.?|TVA|IVA|BTW|moms)(?![\w-])"
    r"|\b(?:VAT|taxes|tax|GST)\s(?:not\s)?(?:excluded|included|incl\.?|excl\.?|extra)(?!\w)|\b(?:HT|TTC|netto|brutto)\b|税込み?|税抜き?|税別|含税)\)?",
    re.IGNORECASE,
)
"""`excl. VAT`, `+ 21% VAT`: no part of the price as printed."""

NOT_PAID_BEFORE = re.compile(
    r"(?:~~|\b(?:save|saves|saving|was|formerly|previously|originally|regularly|normally|usually|instead of|reg\.|worth"
    r"|statt|au lieu de|en lugar de|invece di|in plaats van|zamiast|antes|avant|vorher|bisher|prima"
    r"|(?:regular|list|old|full)(?: price)?|RRP|MSRP|valued at|value|includes?|including|get|with)"
    r"\s?:?\s?(?:up to |an? (?:extra )?|over )?)$",
    re.IGNORECASE,
)
NOT_PAID_BEHIND = re.compile(
    r"\s?(?:~~|(?:rabatt|gutschein|guthaben|de réduction|offerts?|de descuento|de desconto|di sconto|korting"
    r"|off|discount|savings?|cash ?back|value|bonus|credits?)\b"
    r"|(?:in |of |worth of )(?:free |monthly |API |cloud |included ){0,3}(?:credits?|usage|value)\b"
    r"|(?:free |signup |sign-up |trial |welcome |API |cloud ){1,3}credits?\b)",
    re.IGNORECASE,
)
"""An amount beside these is a discount, an old price or given: `was $29`, `includes $20 of usage`, `$50 off`."""

NOT_READ_BEFORE = re.compile(
    r"(?<!free )trial\s?(?:for|at|is|costs|:|-)?\s?$|%\s(?:off|discount)(?:\son|\sfrom)?\s?$|\d\s?[x×*]\s?$"
    r"|(?<![\w.,])\d[^,;|()]{0,24}\b(?:for|at)\s?$|\btry\b[^,;|()]{0,24}\bfor\s?$|=\s?$|(?:^|[^\d\s])\s?[<>≤≥]=?\s?$"
    r"|(?:\d|\bfree)\s?(?:-|–|—|\bto\b)\s?$"
    r"|\b(?:than|over|above|exceeding|nearly|almost|suggested|recommended)\s?$",
    re.IGNORECASE,
)
NOT_READ_BEHIND = re.compile(
    r"\s(?:for\s)?(?:an?\s)?(?:\d{1,3}[- ](?:days?|weeks?|months?)\s)?trial\b"
    r"|\s?=|\s?(?:suggested|recommended|optional)\b"
    r"|(?:\s|\s?(?:-|–|—|\bto\b)\s?)\d{1,9}(?![\d.,]*\s?%|[- ]day)|\s?[x×*]\s?\d|\s?\.\s?\d|\s?,\d|-\w"
    r"|\s?(?:US|CA|CAN|AU|NZ|HK|SG|MN|TTD|JMD|BBD|BZD|FJD|XCD|UYU|DOP)\b",
    re.IGNORECASE,
)
"""An amount beside these is asked for something else, or is half of a sum: `7-day trial for $1`, `20% off $50`."""

INTRODUCTION = re.compile(
    r"\b(?:free\s(?:for\s)?(?:the\s)?)?"
    r"(?:first|try|trial|intro(?:ductory)?|\d[\d,.]{0,12}[KM]?\s(?:free|included)\s\w{1,20}"
    r"|\d{1,3}[- ]?(?:days?|weeks?|months?|years?))\b",
    re.IGNORECASE,
)
THEN = re.compile(r"[\s,;]{0,3}\b(?:and\s)?(?:then|afterwards|thereafter)\b", re.IGNORECASE)
"""What is asked for a time at first is not the price: `$1 for the first month, then $20/mo`."""

NEGATED = re.compile(
    r"\b(?:no|not|without|never)\s(?:an?\s)?(?:(?:permanent|longer|more|real|public)\s)?"
    r"(?:free|open[- ]?source)(?:[ -](?:plan|tier|version|trial|option|lunch))?(?:\s(?:or|and)\s\w{1,20})?\b"
    r"|\b(?:\d{1,3}|one|two|three|first)\s"
    r"(?:free\s(?:months?|weeks?|days?)|(?:months?|weeks?|days?|year)\s(?:is\s)?free)\b"
    r"|\b(?:used\sto\sbe|nothing\s(?:is|comes)|is\snot|(?:is|are|was)n['’]?t)\s(?:\w{1,20}\s)?free\b|\bfree\?"
    r"|\b(?:almost|nearly|practically|virtually|basically|effectively)\sfree\b"
    r"|\b(?:was|formerly|previously|feel|try\s(?:it\s)?(?:for\s)?)\s?free\b|\bfree\s\d{1,3}[- ]?days?(?:\strial)?\b"
    r"|\bfree\s(?:for|during)\s(?:the\s)?(?:first\s)?(?:\d{1,3}\s)?(?:months?|weeks?|days?|year)\b",
    re.IGNORECASE,
)
"""`No free plan` is not free, nor is `2 months free`."""

NO_PLAN = re.compile(
    r"(?:\b(?:after|with)\s)?(?:\ban?\s)?(?:\b\d{1,3}[- ]days?\sfree\strial|\b\d{1,3}[- ]days?\strial|\bfree\strial)\b"
    r"|\bsave\s(?:up\sto\s)?\d{1,2}\s?%"
    r"(?:\s(?:with\s|when\s|on\s|by\s|if\s)?(?:paying\s|billed\s|paid\s)?(?:annual(?:ly)?|yearly)(?:\sbilling|\splans?)?)?"
    r"|\s?[-–]?\s?\b\d{1,2}\s?%\s(?:off|discount)\b|^\W*(?:then|now)\b"
    r"|\b24/7\b|\b(?:after(?:wards| that)?|thereafter)\s*$"
    r"|\b(?:about|around|roughly|approx(?:imately|\.)?|only|just)\s*$",
    re.IGNORECASE,
)
"""What stands beside the price of a plan and is no part of its name."""

OPEN_TERMS = re.compile(
    r"/|(?<!pay[- ])\bper\b"
    r"|\b(?:every|each|first|month(?:s|ly)?|years?|yearly|annual(?:ly)?|weeks?|bi-?weekly|quarter(?:s|ly)?|daily|hourly"
    r"|deposit|minimum|setup|fee|discount|extra|additional|after|beyond|next|overage|billed|trial|until|donations?|donate"
    r"|refund|earn|get paid|saves? you|referral|reward|grant|prize|bounty|payout|salary|revenue|valuation|worth"
    r"|ARR|MRR|ACV|TCV|GMV|CPM|CPC|PUPM|PEPM|raised|funding|series\s[a-f]|win|budget|limit|spend|cap|capped)\b|\bof\b"
    rf"|\b(?:{'|'.join(ADVERBS)})\b"
    r"|\bfor\s\d|^\s*(?:in|out)\s*$|^\s*[x×*]\s?\d|^\s*\d+\s?(?:x|×|for)\s*$|(?<!up )\bto\s|%",
    re.IGNORECASE,
)
"""Where these are left beside an amount, it pays for something else than was read: `$1 for 3 months`, `2 for $10`."""

BY_USE = re.compile(r"\b(?:input|output|tokens?|prompts?|completions?)\b", re.IGNORECASE)
"""Where these are left beside an amount without a unit, its unit was not read: `$3 input`."""

CLAUSE = re.compile(
    r"[,(]|(?<!\w)\+|(?<![\w-])(?:with|includ(?:es|ing)|for|(?-i:plus)|when|if|after|before|up to|save|billed"
    r"|on|cancel|no|until)\b",
    re.IGNORECASE,
)
"""Where a clause begins that is no name of a plan: `$20/mo Pro`, `$20/mo, includes 500 credits`."""

STRAY = re.compile(r"\s?(?!plan\b|tier\b|edition\b|subscription\b|[a-z][A-Z])[^\W\d_A-ZÀ-Þ]")
"""Behind a price, a word in lower case that begins no clause says what it pays for: `$10M raised`, `£5 pcm`."""

_COUNTED = "|".join(
    sorted(
        {
            *COMMON_UNITS,
            *SEATS,
            *PERIODS,
            "sec",
            "req",
            "msg",
            "img",
            "gb",
            "tb",
            "mb",
            "kb",
            "px",
            "fps",
            "rpm",
            "free",
        }
    )
)
_LONG_TIMES = "|".join(re.escape(word) for word, period in PERIODS.items() if period in {"month", "quarter", "year"})
_PER = r"(?:/|\b(?:per|pro|par|por|al|im|na|pe|за|an?)\s)\s?"
MAY_BE_AMOUNT = re.compile(
    rf"\d\s?(?!(?:{_COUNTED})\b)(?![a-z]{{2,3}}s\b)[^\W\d_]{{1,4}}\.?\s?{_PER}[^\W\d_]|\d\s?{_PER}(?:{_LONG_TIMES})\b"
    rf"|(?:月額|月额|年額|年额)\s?\d|\d\s?[^\W\d_]{{1,4}}\.?\s(?:{'|'.join(ADVERBS)})\b"
    r"|\d\s?(?!(?:[KMGT]B|AI|PC|TV|HD|UHD|FPS|MAU|DAU|VM|API|SMS|GPU|CPU)\b)(?-i:[A-Z]{2,3})\W*$",
    re.IGNORECASE,
)
"""A number with a short word of no known currency and what it pays for: `5p per call`, `70 Bs/mes`, `99 KM`."""

HAN = re.compile(r"[\u4e00-\u9fff]")
JAPANESE = re.compile(r"[\u3040-\u30ff円額]")
"""Beside Han without these a `¥` may be the yuan: `¥98/月`."""

DIRECTION_AHEAD = re.compile(
    r"\b(input|output)(?:\stokens)?\s?(/|per)\s?((?:\d[\d,.]{0,12}\s?)?(?:[KMB]|million))\s?(?:tokens)?\b",
    re.IGNORECASE,
)
"""`$3 input per 1M tokens` is `$3 per 1M input tokens`."""

MILLION = re.compile(r"(?<=\d)\s?(?:/|per\s)\s?1?M\b(?!\s?\w)")
"""`Input $0.15/M`: of tokens, where a tier speaks of input, output or tokens."""

TERMS_ASIDE = re.compile(r"\s?\([^()]{0,40}(?:\b(?:per|input|output)\b|/)[^()]{0,40}\)", re.IGNORECASE)
"""`$3 / $15 (in/out per MTok)`: an amount without terms and with such parentheses behind it is not understood."""

RAISED = 1e6
"""A named sum of so much without terms is none that a plan costs: `Seed: $3.2M`."""

QUANTITY_NAMED = re.compile(r"^\W*\d[\d,.]{0,12}\s?[KMB]?\s(?:[a-z]{1,20}\s)?[a-z]{1,20}s\b", re.IGNORECASE)
"""`500 credits $5`: no name of a plan, and what is paid for is not said to be these."""
