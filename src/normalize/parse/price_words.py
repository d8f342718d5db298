"""The words of pricing strings, by what they say, and the patterns made of them. All are data: `price_words.toml`."""

import re
from collections.abc import Iterable, Iterator, Mapping

from verdicts.corpus.enumerations import Billing, Period, PriceKind
from verdicts.normalize.parse.text import declared

_DECLARED = declared(__file__, "price_words.toml")


def _by_word(declared: Mapping[str, Iterable[str]]) -> Iterator[tuple[str, str]]:
    return ((word, meaning) for meaning, words in declared.items() for word in words)


def _any_of(words: Iterable[str]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


_CODES = _DECLARED["codes"]
SIGNS = dict(_by_word(_DECLARED["signs"]))
NAMES = dict(_by_word(_DECLARED["names"]))
CENTS = ("¢", "cent", "cents")
"""Hundredths of a dollar, as a bare `$` is the US dollar."""
CURRENCIES: Mapping[str, str] = {
    **dict.fromkeys(CENTS, "USD"),
    "R": "ZAR",
    **SIGNS,
    **NAMES,
    **{code: code for code in _CODES["known"]},
    **{code: code.upper() for code in _CODES["in_lower_case"]},
}
"""Signs, names and codes to codes (ISO 4217)."""
DOLLARS = frozenset(_CODES["dollars"])
GROUP_BY_DOTS = frozenset(_CODES["group_by_dots"])
SCALES: Mapping[str, float] = _DECLARED["scales"]

PERIODS: Mapping[str, Period] = {
    word: period
    for period, by_language in _DECLARED["periods"].items()
    for words in by_language.values()
    for word in words
}
BILLINGS: Mapping[str, Billing] = {word: billing for billing, words in _DECLARED["billings"].items() for word in words}
BILLING_OF: Mapping[Period, Billing] = _DECLARED["billing_of"]
UNIT_NAMES: Mapping[str, str] = dict(_by_word(_DECLARED["units"]))
AHEAD = frozenset(_DECLARED["words"]["ahead"])
SEATS = frozenset(_DECLARED["words"]["seat"])

_SHARED_SIGNS = ("kr.", "kr")
_WORDS: dict[str, str] = {
    "time": _any_of(PERIODS),
    "long_time": _any_of(word for word, period in PERIODS.items() if period in {"month", "quarter", "year"}),
    "sign": _any_of([*SIGNS, *_SHARED_SIGNS, *_CODES["known"], *_CODES["in_lower_case"]]),
    "sign_behind": _any_of([*SIGNS, *_SHARED_SIGNS, *NAMES, *CENTS, *_CODES["known"], *_CODES["in_lower_case"]]),
    "money_name": _any_of([*NAMES, *CENTS[1:]]),
    "dollar": "|".join(_CODES["dollars"]),
    "how": _any_of(BILLINGS),
    "person": _any_of(_DECLARED["units"]["user"] + _DECLARED["units"]["seat"]),
    "code_apart": "|".join(code for code in _CODES["known"] if code not in _CODES["english_words"]),
}
_LIST = re.compile(r"\{([a-z_]+)\}")


def _expanded(pattern: str) -> str:
    spaced = pattern.replace("\n", "").replace(" ", r"\s")
    return _LIST.sub(lambda name: f"(?:{_words(name[1])})", spaced)


def _words(name: str) -> str:
    if name not in _WORDS:
        _WORDS[name] = "|".join(map(_expanded, _DECLARED["words"][name]))
    return _WORDS[name]


def compiled(pattern: str, flags: re.RegexFlag = re.IGNORECASE) -> re.Pattern[str]:
    """A pattern in which `{time}` stands for the words of that list, and a blank for any white space."""
    return re.compile(_expanded(pattern), flags)


SHARED = tuple((code, compiled(words)) for code, words in _DECLARED["shared"].items())
"""Whose kroner they are, by the words beside them."""

PATTERNS: Mapping[str, re.Pattern[str]] = {name: compiled(pattern) for name, pattern in _DECLARED["patterns"].items()}
QUANTITIES = tuple((compiled(pattern), short) for pattern, short in _DECLARED["quantities"].items())
KINDS: tuple[tuple[PriceKind, re.Pattern[str]], ...] = tuple(
    (declared["kind"], compiled(declared["words"])) for declared in _DECLARED["kinds"]
)
