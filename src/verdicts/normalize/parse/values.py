"""Numbers and words from a page's strings. Absent is None; broken raises; the string stays beside the value."""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Concatenate, NamedTuple, ParamSpec, TypeVar

from verdicts.corpus.enumerations import TAKE_VERDICTS, VERDICTS, TakeVerdict, Verdict
from verdicts.extract.model.records import Comparison
from verdicts.extract.panel.profile import SiteProfile, read_verdict_line, rounded_pct
from verdicts.normalize.parse.text import remembered


def in_corpus_words(comparison: Comparison, profile: SiteProfile) -> Comparison:
    """The comparison with `ship` for `Nehmen` and `Free` for `Kostenlos`. Lines of text, and unknown words, stay.

    A word that differs from the corpus' word only in case stays as printed.
    """
    if _speaks_as_the_corpus(profile):
        return comparison
    seats, entries, verdicts = profile.seats, profile.values.entries, verdict_words(profile)

    def verdict(word: str | None) -> str | None:
        return None if word is None else verdicts.get(word.casefold(), word)

    first, second = (
        replace(card, chip=verdict(card.chip), entry=card.entry and entries.get(card.entry, card.entry))
        for card in comparison.cards
    )
    return replace(
        comparison,
        cards=(first, second),
        takes=tuple(
            replace(take, seat=take.seat and seats.get(take.seat, take.seat), verdict=verdict(take.verdict))
            for take in comparison.takes
        ),
        missing_takes=tuple(replace(cell, seat=seats.get(cell.seat, cell.seat)) for cell in comparison.missing_takes),
    )


@cache
def _speaks_as_the_corpus(profile: SiteProfile) -> bool:
    words = {**profile.values.verdicts, **profile.values.entries, **profile.seats}
    return all(word.casefold() == value.casefold() for word, value in words.items())


@cache
def verdict_words(profile: SiteProfile) -> Mapping[str, Verdict]:
    """The site's verdict words, lower case, to the corpus' verdicts."""
    return {word.casefold(): verdict for word, verdict in profile.values.verdicts.items()}


PERCENT = r"\d{1,3}(?:[.,]\d{1,4})?\s?(?:%|per\s?cent)"
"""`75%`, `75.0 %`, `75 percent`."""

DIGITS_MAX = 18
"""The most digits of a count: a database has 64 bits for it."""

SCORE_SCALES = (5, 10, 100)
"""Ends of the scales that reviewers score on: `4.4/5`, `8.5/10`, `88/100`."""

_PERCENT = re.compile(PERCENT, re.IGNORECASE)
_SCORE = re.compile(r"(?P<score>\d{1,3}(?:[.,]\d{1,4})?)\s?/\s?(?P<best>\d{1,3})")
_SHARE = re.compile(r"(\d{1,2})\s?/\s?(\d{1,2})")
_COUNT = rf"\d{{1,{DIGITS_MAX}}}"
_DASHES = frozenset("-–—")

Parsed = TypeVar("Parsed")
Word = TypeVar("Word", bound=str)
Arguments = ParamSpec("Arguments")


class BrokenValue(ValueError):
    """A string that cannot be the value that it should be: `140%`. Leave the value out and report the string.

    `field` names the value, to count by; `raw` is the string.
    """

    def __init__(self, field: str, raw: str) -> None:
        super().__init__(f"{field}: {raw!r}")
        self.field = field
        self.raw = raw


class VerdictLine(NamedTuple):
    """`Ship · 3 ship / 1 skip`."""

    verdict: Verdict | None
    ship_votes: int | None
    skip_votes: int | None


class Community(NamedTuple):
    """`62% · 130 votes`: percent that would ship, votes cast."""

    pct: int | None
    votes: int | None


def readable(
    parse: Callable[Concatenate[str | None, Arguments], Parsed],
    raw: str | None,
    *words: Arguments.args,
    **options: Arguments.kwargs,
) -> Parsed:
    """The value; None if it is broken."""
    try:
        return parse(raw, *words, **options)
    except BrokenValue:
        return parse(None, *words, **options)


@remembered
def percent(raw: str | None) -> int | None:
    """`75%`, `75.0 %`, `75 percent` and `3/4` are 75, a dash is None. Raises `BrokenValue` for `140%` and `75.5%`."""
    text = text_or_none(raw)
    share = None if text is None else _SHARE.fullmatch(text)
    if share is not None and int(share[1]) <= int(share[2]) and int(share[2]):
        return rounded_pct(int(share[1]), int(share[2]))
    return None if text is None else _percent("percent", text)


@remembered
def score(raw: str | None) -> int | None:
    """A score on the scale of a hundred: `88/100`, `88%`, `8.8/10` and `4.4/5` are 88.

    Raises `BrokenValue` for `108/100`, for a score that is not a whole number of a hundred (`8.55/10`), and for a
    number without a scale: `88`.
    """
    text = text_or_none(raw)
    if text is None:
        return None
    match = _SCORE.fullmatch(text)
    if match is None:
        return _percent("score", text)
    best = int(match["best"])
    if best not in SCORE_SCALES:
        raise BrokenValue("score", text)
    return _of_a_hundred("score", text, match["score"], best)


@remembered
def verdict_word(raw: str | None) -> Verdict | None:
    """A chip, in the corpus' words: `Ship` is `ship`. Raises `BrokenValue` for any other word."""
    return _word("verdict", VERDICTS, raw)


@remembered
def take_verdict(raw: str | None) -> TakeVerdict | None:
    """One reviewer's verdict, in the corpus' words: `ship` or `skip`. Raises `BrokenValue` for any other word."""
    return _word("take_verdict", TAKE_VERDICTS, raw)


@remembered
def verdict_line(raw: str | None, profile: SiteProfile) -> VerdictLine:
    """The panel's verdict and votes, from the site's words. Raises `BrokenValue` for other words."""
    text = text_or_none(raw)
    if text is None:
        return VerdictLine(None, None, None)
    read = read_verdict_line(text, profile)
    if read is None:
        raise BrokenValue("panel_verdict", text)
    word, votes = read
    verdict = None if word is None else verdict_words(profile).get(word.casefold())
    if word is not None and verdict is None:
        raise BrokenValue("panel_verdict", word)
    return VerdictLine(verdict, *(votes or (None, None)))


@remembered
def community(raw: str | None, profile: SiteProfile) -> Community:
    """The community's vote, from the site's words.

    `62% · 1,130 votes` is (62, 1130), `No community votes yet` is (None, 0), a dash (None, None). Raises `BrokenValue`
    for anything else.
    """
    text = text_or_none(raw)
    if text is None:
        return Community(None, None)
    if text.casefold().startswith(profile.values.no_community_votes.casefold()):
        return Community(None, 0)
    counted = read_verdict_line(text, profile)
    if counted is not None and counted[1] is not None and counted[0] is None:
        # `136 ship / 76 skip`
        return Community(rounded_pct(counted[1][0], sum(counted[1])), sum(counted[1]))
    match = _community_pattern(profile).fullmatch(text)
    if match is None:
        raise BrokenValue("community", text)
    votes = match["votes"]
    pct = _percent("community", match["pct"])
    return Community(pct, int(re.sub(r"\D", "", votes)) if votes else None)


@cache
def _community_pattern(profile: SiteProfile) -> re.Pattern[str]:
    """A dot before three digits parts thousands on any site, as votes have no fractions: `1.130 votes` are 1130."""
    separator = r"\s" if profile.values.thousands_separator.isspace() else re.escape(profile.values.thousands_separator)
    count = rf"\d{{1,3}}(?:(?:{separator}|\.)\d{{3}}){{1,{DIGITS_MAX // 3 - 1}}}|{_COUNT}"
    votes, ship = "|".join(map(re.escape, profile.values.community_votes)), re.escape(profile.values.ship_votes)
    behind = rf"(?:\s*+[·(]?\s*+(?P<votes>{count})\s+(?:{votes})\)?)?"
    return re.compile(rf"(?P<pct>{PERCENT})(?:\s+{ship}(?!\w))?{behind}", re.IGNORECASE)


def text_or_none(raw: str | None) -> str | None:
    """None for the signs that sites print instead of a missing value."""
    text = raw.strip() if raw else ""
    return None if not text or text in _DASHES else text


def _percent(field: str, text: str) -> int:
    if _PERCENT.fullmatch(text) is None:
        raise BrokenValue(field, text)
    return _of_a_hundred(field, text, re.split(r"[\s%p]", text, maxsplit=1, flags=re.IGNORECASE)[0], 100)


def _of_a_hundred(field: str, text: str, number: str, best: int) -> int:
    """`8.5` of 10 is 85. Exact: what is no whole number of a hundred, or more than that, is broken."""
    share = Fraction(number.replace(",", ".")) * 100 / best
    if share.denominator != 1 or share > 100:
        raise BrokenValue(field, text)
    return int(share)


def _word(field: str, known: tuple[Word, ...], raw: str | None) -> Word | None:
    text = text_or_none(raw)
    if text is None:
        return None
    word = next((word for word in known if word == text.lower()), None)
    if word is None:
        raise BrokenValue(field, text)
    return word
