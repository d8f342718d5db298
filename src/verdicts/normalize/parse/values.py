"""Parses numbers and words of a panel's strings. A broken string raises `BrokenValue`, an empty one is not given."""

import re
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple, TypeVar

from verdicts.corpus.enumerations import REVIEW_VERDICTS, VERDICTS, ReviewVerdict, Verdict
from verdicts.extract.panel.profile import SiteProfile, read_verdict_line, round_percentage


@cache
def list_verdict_words(profile: SiteProfile) -> Mapping[str, Verdict]:
    """The site's verdict words, lower case, to the corpus' verdicts."""
    return {word.casefold(): verdict for word, verdict in profile.values.verdicts.items()}


PERCENT = r"(?P<number>\d{1,3}(?:[.,]\d{1,4})?)\s?(?:%|per\s?cent)"
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

Word = TypeVar("Word", bound=str)


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


NO_PANEL, NO_COMMUNITY = VerdictLine(None, None, None), Community(None, None)
"""Where the page does not state them, or has other words."""


def parse_percent(text: str) -> int:
    """`75%`, `75.0%`, `75 percent` and `3/4` are 75. Raises `BrokenValue` for `140%` and `75.5%`."""
    share = _SHARE.fullmatch(text)
    pct = None if share is None else round_percentage(int(share[1]), int(share[2]))
    if pct is not None and pct <= 100:
        return pct
    return _parse_percent("percent", text)


def parse_score(text: str) -> int:
    """A score on the scale of a hundred: `88/100`, `88%`, `8.8/10` and `4.4/5` are 88.

    Raises `BrokenValue` for `108/100`, for a score that is not a whole number of a hundred (`8.55/10`), and for a
    number without a scale: `88`.
    """
    match = _SCORE.fullmatch(text)
    if match is None:
        return _parse_percent("score", text)
    best = int(match["best"])
    if best not in SCORE_SCALES:
        raise BrokenValue("score", text)
    return _scale_to_hundred("score", text, match["score"], best)


def parse_verdict(text: str, profile: SiteProfile) -> Verdict:
    """A chip: `Ship` is `ship`, in the site's words or those of the corpus. Raises `BrokenValue` for any other word."""
    return _find_word("verdict", VERDICTS, text, profile)


def parse_take_verdict(text: str, profile: SiteProfile) -> ReviewVerdict:
    """One reviewer's verdict, `ship` or `skip`. Raises `BrokenValue` for any other word."""
    return _find_word("take_verdict", REVIEW_VERDICTS, text, profile)


def parse_verdict_line(text: str, profile: SiteProfile) -> VerdictLine:
    """The panel's verdict and votes, from the site's words. Raises `BrokenValue` for other words."""
    read = read_verdict_line(text, profile)
    if read is None:
        raise BrokenValue("panel_verdict", text)
    word, votes = read
    verdict = None if word is None else list_verdict_words(profile).get(word.casefold())
    if word is not None and verdict is None:
        raise BrokenValue("panel_verdict", word)
    return VerdictLine(verdict, *(votes or (None, None)))


def parse_community(text: str, profile: SiteProfile) -> Community:
    """The community's vote, from the site's words.

    `62% · 1,130 votes` is (62, 1130), `No community votes yet` is (None, 0). Raises `BrokenValue` for anything else.
    """
    if text.casefold().startswith(profile.values.no_community_votes.casefold()):
        return Community(None, 0)
    counted = read_verdict_line(text, profile)
    if counted is not None and counted[1] is not None and counted[0] is None:
        # `136 ship / 76 skip`
        return Community(round_percentage(counted[1][0], sum(counted[1])), sum(counted[1]))
    match = _compile_community(profile).fullmatch(text)
    if match is None:
        raise BrokenValue("community", text)
    votes = match["votes"]
    pct = _parse_percent("community", match["pct"])
    return Community(pct, int(re.sub(r"\D", "", votes)) if votes else None)


@cache
def _compile_community(profile: SiteProfile) -> re.Pattern[str]:
    """A dot before three digits parts thousands on any site, as votes have no fractions: `1.130 votes` are 1130."""
    separator = r"\s" if profile.values.thousands_separator.isspace() else re.escape(profile.values.thousands_separator)
    count = rf"\d{{1,3}}(?:(?:{separator}|\.)\d{{3}}){{1,{DIGITS_MAX // 3 - 1}}}|{_COUNT}"
    votes, ship = "|".join(map(re.escape, profile.values.community_votes)), re.escape(profile.values.ship_votes)
    behind = rf"(?:\s*+[·(]?\s*+(?P<votes>{count})\s+(?:{votes})\)?)?"
    return re.compile(rf"(?P<pct>{PERCENT})(?:\s+{ship}(?!\w))?{behind}", re.IGNORECASE)


def strip_absent(raw: str | None) -> str | None:
    """None for the signs that sites print instead of a missing value."""
    text = raw.strip() if raw else ""
    return None if not text or text in _DASHES else text


def _parse_percent(field: str, text: str) -> int:
    match = _PERCENT.fullmatch(text)
    if match is None:
        raise BrokenValue(field, text)
    return _scale_to_hundred(field, text, match["number"], 100)


def _scale_to_hundred(field: str, text: str, number: str, best: int) -> int:
    """`8.5` of 10 is 85. Exact: what is no whole number of a hundred, or more than that, is broken."""
    whole, _, decimals = number.replace(",", ".").partition(".")
    parts: int = best * 10 ** len(decimals)
    share, rest = divmod(int(whole + decimals) * 100, parts)
    if rest or share > 100:
        raise BrokenValue(field, text)
    return share


def _find_word(field: str, words: tuple[Word, ...], text: str, profile: SiteProfile) -> Word:
    meant = list_verdict_words(profile).get(text.casefold(), text.lower())
    word = next((word for word in words if word == meant), None)
    if word is None:
        raise BrokenValue(field, text)
    return word
