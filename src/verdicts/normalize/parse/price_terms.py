"""A price: an amount of money as pages of any country print it, and what it pays for, by the words beside it."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from verdicts.corpus.enumerations import Billing, Period, PriceKind
from verdicts.normalize.parse.match_keys import load_words
from verdicts.normalize.parse.numbers import GROUPS_APART, MYRIADS, NUMBER, SPACED_NUMBER, Reading, parse_number

_DECLARED = load_words(__file__, "price_words.toml")


def _list_by_word(declared: Mapping[str, Iterable[str]]) -> Iterator[tuple[str, str]]:
    return ((word, meaning) for meaning, words in declared.items() for word in words)


def _join_alternatives(words: Iterable[str]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


_CODES = _DECLARED["codes"]
SIGNS = dict(_list_by_word(_DECLARED["signs"]))
NAMES = dict(_list_by_word(_DECLARED["names"]))
CENTS = ("¢", "cent", "cents")
"""Hundredths of a dollar: a bare `$` is the US dollar."""
CURRENCIES: Mapping[str, str] = {
    **dict.fromkeys(CENTS, "USD"),
    "R": "ZAR",
    **SIGNS,
    **NAMES,
    **{code: code for code in _CODES["known"]},
    **{code: code.upper() for code in _CODES["in_lower_case"]},
}
"""Signs, names and codes to codes (ISO 4217)."""
GROUP_BY_DOTS = frozenset(_CODES["group_by_dots"])
SCALES: Mapping[str, float] = _DECLARED["scales"]

PERIODS: Mapping[str, Period] = {
    word: period
    for period, by_language in _DECLARED["periods"].items()
    for words in by_language.values()
    for word in words
}
BILLINGS: Mapping[str, Billing] = {word: billing for billing, words in _DECLARED["billings"].items() for word in words}
UNIT_NAMES: Mapping[str, str] = dict(_list_by_word(_DECLARED["units"]))
AHEAD = frozenset(_DECLARED["words"]["ahead"])
SEATS = frozenset(_DECLARED["words"]["seat"])

_SHARED_SIGNS = ("kr.", "kr")
_WORDS: dict[str, str] = {
    "time": _join_alternatives(PERIODS),
    "long_time": _join_alternatives(word for word, period in PERIODS.items() if period in {"month", "quarter", "year"}),
    "sign": _join_alternatives([*SIGNS, *_SHARED_SIGNS, *_CODES["known"], *_CODES["in_lower_case"]]),
    "sign_behind": _join_alternatives(
        [*SIGNS, *_SHARED_SIGNS, *NAMES, *CENTS, *_CODES["known"], *_CODES["in_lower_case"]]
    ),
    "money_name": _join_alternatives([*NAMES, *CENTS[1:]]),
    "dollar": "|".join(_CODES["dollars"]),
    "how": _join_alternatives(BILLINGS),
    "person": _join_alternatives(_DECLARED["units"]["user"] + _DECLARED["units"]["seat"]),
    "code_apart": "|".join(code for code in _CODES["known"] if code not in _CODES["english_words"]),
}
_LIST = re.compile(r"\{([a-z_]+)\}")


def _expand_lists(pattern: str) -> str:
    spaced = pattern.replace("\n", "").replace(" ", r"\s")
    return _LIST.sub(lambda name: f"(?:{_list_words(name[1])})", spaced)


def _list_words(name: str) -> str:
    if name not in _WORDS:
        _WORDS[name] = "|".join(map(_expand_lists, _DECLARED["words"][name]))
    return _WORDS[name]


def compile_pattern(pattern: str, flags: re.RegexFlag = re.IGNORECASE) -> re.Pattern[str]:
    """A pattern in which `{time}` stands for the words of that list, and a blank for any white space."""
    return re.compile(_expand_lists(pattern), flags)


SHARED = tuple((code, compile_pattern(words)) for code, words in _DECLARED["shared"].items())
"""The country of kroner, by the words beside them."""

PATTERNS: Mapping[str, re.Pattern[str]] = {
    name: compile_pattern(pattern) for name, pattern in _DECLARED["patterns"].items()
}
QUANTITIES = tuple((compile_pattern(pattern), short) for pattern, short in _DECLARED["quantities"].items())
KINDS: tuple[tuple[PriceKind, re.Pattern[str]], ...] = tuple(
    (declared["kind"], compile_pattern(declared["words"])) for declared in _DECLARED["kinds"]
)


REACH = 48
"""A word that belongs to an amount begins at most so many characters before it."""

_LETTER = r"[^\W\u3005\u3040-\u9fff\uac00-\ud7af]"
"""A letter, but not of a script that does not separate words: `月額1,980円から`."""
_SCALE = r"(?:[kK]\b| ?(?:million|billion|lakhs?|crores?|mn|bn)\b|[万만]|M\b(?! +\w{0,20}(?:token|char|word|request)))"
_TO = r"(?: ?(?:-|–|—|〜|~|\bto\b|\bbis\b) ?|(?(between) and |(?!)))"
_WHOLE = r"(?:[.,][-–—])?(?![.,]?\d|[¹²³⁰⁴-⁹\u0336])(?!(?!(?:pm|pa|mo|mth|yr|hr|{dollar})\b)[a-zA-Z万億亿만억千])"
"""After an amount: `1.499,-`, `£7.99pm`; an amount is never the beginning of another word or number."""
_ENDS_RANGE = (
    r"(?= ?(?:$|p[./]|[/),;:|·.+*(\[]|(?:per|an?|each|every|pro|par|im|al|mo|pm|monthly|yearly|annually|weekly"
    r"|quarterly|for|billed|paid|one|lifetime|and|or|{dollar})\b))"
)
"""After `20` of `$10 - 20`: `$20 - 30 users` is not a range."""

_SIGN_AHEAD = (
    rf"(?:(?P<code_before>{{dollar}}) ?)?(?P<sign>(?:US|AU|CA|CAN|NZ|HK|SG|NT|MX) \$|{{sign}}|{{rand}}) ?"
    rf"(?P<low>{GROUPS_APART}|{NUMBER})(?P<scale>{_SCALE})?{_WHOLE}"
    rf"(?:{_TO}(?P<same>(?P=sign) ?)?(?P<high>{NUMBER})(?P<high_scale>{_SCALE})?{_WHOLE}(?! ?%)"
    rf"(?(same)|{_ENDS_RANGE}))?(?: ?(?P<code>{{dollar}})\b)?"
)
_SIGN_BEHIND = (
    rf"(?<!\d[.,]\s)(?P<low_behind>(?:{MYRIADS})?{SPACED_NUMBER})(?P<scale_behind>{_SCALE})?(?:[.,][-–—])?"
    rf"(?:(?: ?(?P<low_sign>{{sign_behind}}))?"
    rf"{_TO}(?P<high_behind>{SPACED_NUMBER})(?P<high_scale_behind>{_SCALE})?(?:[.,][-–—])?)?"
    rf" ?(?P<behind>{{sign_behind}})(?!{_LETTER}|'\w| ?\d(?![\d.,\s]{{0,12}}(?P=behind))"
    rf"| (?:cents?|ct)\b)"
)
MONEY = compile_pattern(
    rf"(?<!{_LETTER})(?<![$€£¥.,万億亿만억千])(?:(?P<between>[Bb]etween) )?(?:{_SIGN_AHEAD}|{_SIGN_BEHIND})"
    r"(?P<more>\+(?! ?[\d$€£]))?",
    re.NOFLAG,
)
_MINUS = re.compile(r"(?:^|\s)-$")


class Money(NamedTuple):
    """An amount in units of `currency` (ISO 4217), from `start` to `end` of the text. `most` ends a range.

    `may_be_decimals`: three digits stand behind its separator, as in `€1.299`.
    """

    amount: float
    most: float | None
    currency: str
    is_from: bool
    start: int
    end: int
    may_be_decimals: bool = False


class Price(NamedTuple):
    """An amount with what it pays for.

    `is_paid` is False for a discount, an old price, or what a plan includes. `start` and `end` are those of all its
    words in the tier.
    """

    money: Money
    period: Period | None
    unit: str | None
    billing: Billing | None
    is_from: bool
    is_up_to: bool
    is_paid: bool
    start: int
    end: int


class _Terms(NamedTuple):
    """What an amount pays for, and where its words end."""

    period: Period | None
    units: tuple[str, ...]
    end: int


def find_amounts(text: str) -> list[Money]:
    """Every amount with its currency, in order. A number whose separators fit no country is left out."""
    return [money for match in MONEY.finditer(text) if (money := _parse_money(text, match)) is not None]


def _parse_money(text: str, match: re.Match[str]) -> Money | None:
    sign = "".join((match["sign"] or "").split()) or match["behind"]
    low_raw, high_raw = match["low"] or match["low_behind"], match["high"] or match["high_behind"]
    low_scale, high_scale = match["scale"] or match["scale_behind"], match["high_scale"] or match["high_scale_behind"]
    low, high = _parse_scaled(low_raw, low_scale), _parse_scaled(high_raw or low_raw, high_scale)
    code = (match["code"] or match["code_before"] or "").upper()
    currency = code or CURRENCIES.get(sign) or next((code for code, words in SHARED if words.search(text)), None)
    if low is None or high is None or currency is None or _is_contradictory(text, match, sign):
        return None
    if high_raw and high_scale and not low_scale and low.value < high.value:
        low = _parse_scaled(low_raw, high_scale) or low
    may_be_decimals = low.otherwise is not None or high.otherwise is not None
    if high_raw and high.value <= low.value:
        return None
    if may_be_decimals and currency not in GROUP_BY_DOTS and "." in f"{low_raw}{high_raw}":
        return None
    part = 100 if sign in CENTS else 1
    most = high.value / part if high_raw else None
    return Money(low.value / part, most, currency, bool(match["more"]), *match.span(), may_be_decimals)


def _is_contradictory(text: str, match: re.Match[str], sign: str) -> bool:
    """`-$20`, `between $10` and nothing, `10€-20$`."""
    start = match.start()
    return bool(
        (not match[0][0].isalpha() and _MINUS.search(text, max(start - 2, 0), start))
        or (match["between"] and not (match["high"] or match["high_behind"]))
        or match["low_sign"] not in {None, sign}
    )


def _parse_scaled(raw: str, scale: str | None) -> Reading | None:
    """`1.125M` is more than a million, never a thousand of them; `39,800万` is so many ten thousands."""
    read = parse_number(raw)
    if read is None or scale is None:
        return read
    value = read.value if read.otherwise is None or scale in "万만" else read.otherwise
    return Reading(round(value * SCALES[scale.strip().lower()], 6))


def read_price(text: str, money: Money) -> Price | None:
    """The price with the amount `money` in `text`, and the words around the amount that belong to it.

    None if the words show that the amount pays for something else: `7-day trial for $1`.
    """
    period, units, end = _read_terms(text, money.end)
    start, billing = money.start, None
    is_from = is_up_to = False
    if match := PATTERNS["and_up"].match(text, end):
        is_from, end = True, match.end()
    if match := PATTERNS["billing"].match(text, end) or (period and PATTERNS["billing_adverb"].match(text, end)):
        how = PATTERNS["how"].search(match[0])
        billing, end = BILLINGS[how[0].lower()] if how else "once", match.end()
    if before := _match_before("from_before", text, start):
        is_from, start = is_from or money.most is None, before.start()
    elif before := _match_before("up_to_before", text, start):
        is_up_to, start = True, before.start()
    if period is None and billing in {None, "once"} and (before := _match_before("once_before", text, start)):
        billing, start = "once", before.start()
    elif before := _match_before("time_before", text, start):
        stated = PERIODS.get(before["time"].lower(), "year")
        # `Annual $16` may be sixteen a month: without a period it stays unread.
        if stated == period or (
            period is None and (stated != "year" or before["per"] or before["time"].lower() in AHEAD)
        ):
            period, start = stated, before.start()
    if before := _match_before("unit_before", text, start):
        named = next(before[name] for name in ("unit", "person", "by", "each", "one", "count") if before[name])
        units, start = (*units, _shorten_unit(named)), before.start()
        period = PERIODS[before["time"].lower()] if before["time"] else period
    not_paid = _match_before("not_paid_before", text, start)
    given = PATTERNS["not_paid_behind"].match(text, end)
    is_paid = not (not_paid or given)
    if is_paid and (_match_before("not_read_before", text, start) or PATTERNS["not_read_behind"].match(text, end)):
        return None
    unit = "/".join(units) or None
    # A price by use may have three decimals: `€1.125 per 1M tokens`. One for a time may not: `€1.299/mo`.
    if money.may_be_decimals and money.currency in GROUP_BY_DOTS and is_by_use(unit, period):
        return None
    start = not_paid.start() if not_paid else start
    end = given.end() if given else end
    return Price(money, period, unit, billing, is_from, is_up_to, is_paid, start, end)


def is_by_use(unit: str | None, period: Period | None) -> bool:
    """Whether a price is paid by use, not for a time."""
    if unit is None or period is not None:
        return False
    return not all(part.rpartition(" ")[2].lower().removesuffix("s") in SEATS for part in unit.split("/"))


def _match_before(name: str, text: str, start: int) -> re.Match[str] | None:
    return PATTERNS[name].search(text, max(start - REACH, 0), start)


def _read_terms(text: str, end: int) -> _Terms:
    read = _read_more_terms(text, _Terms(None, (), end))
    if opening := PATTERNS["terms_in_parentheses"].match(text, read.end):
        inside = _read_more_terms(text, read._replace(end=opening.end()))
        if inside.end > opening.end() and (closing := PATTERNS["closing"].match(text, inside.end)):
            return inside._replace(end=closing.end())
    return read


def _read_more_terms(text: str, read: _Terms) -> _Terms:
    """`read` with the terms after it, up to a word that names nothing for sale."""
    while (term := PATTERNS["term"].match(text, read.end)) and (name := term.lastgroup):
        is_time = name.endswith("time")
        if is_time and read.period:
            return read
        period = PERIODS[re.sub(r"[./]\s?", "", term[name]).lower()] if is_time else read.period
        unit = term["held"] if is_time else _shorten_unit(term[name])
        if unit and not is_time and PATTERNS["no_unit"].search(unit):
            return read
        read = _Terms(period, (*read.units, _shorten_unit(unit)) if unit else read.units, term.end())
    return read


def _shorten_unit(raw: str) -> str:
    """`seats` is `seat`, `million input tokens` is `1M input tokens`; a quantity of digits stays as printed."""
    words = " ".join(raw.split())
    for pattern, short in QUANTITIES:
        words = pattern.sub(short, words)
    if any(letter.isdigit() for letter in words):
        return words if " " in words or words[0].isdigit() else words.upper()
    word = UNIT_NAMES.get(words.lower()) or " ".join(UNIT_NAMES.get(part, part) for part in words.lower().split())
    is_plural = word.endswith("s") and word.isascii() and not word.endswith("ss") and word not in UNIT_NAMES.values()
    return word[:-1] if is_plural else word
