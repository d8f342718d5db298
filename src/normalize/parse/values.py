"""Numbers and words out of a page's strings. Absent is None; broken raises; the raw string stays beside the value."""

import re
from collections.abc import Callable
from functools import cache
from typing import Concatenate, NamedTuple, ParamSpec, TypeVar, get_args

from extract.panel.profile import SiteProfile, Verdict
from normalize.parse.corpus_words import verdict_words

_PERCENT = re.compile(r"(\d{1,3})\s*%")
_SCORE = re.compile(r"(\d{1,3})\s*/\s*100")
_DASHES = frozenset("-–—")

VERDICTS: tuple[str, ...] = get_args(Verdict)
TAKE_VERDICTS = ("ship", "skip")

Parsed = TypeVar("Parsed")
Words = ParamSpec("Words")


class BrokenValue(ValueError):
    """A string stands where a value belongs, and it is none: `140%`. Leave the value out and report the string.

    `field` says which value, fit for counting; `raw` is the string.
    """

    def __init__(self, field: str, raw: str) -> None:
        super().__init__(f"{field}: {raw!r}")
        self.field = field
        self.raw = raw


class VerdictLine(NamedTuple):
    """`Ship · 3 ship / 1 skip`."""

    verdict: str | None
    ship_votes: int | None
    skip_votes: int | None


class Community(NamedTuple):
    """`62% · 130 votes`: percent that would ship, votes cast."""

    pct: int | None
    votes: int | None


def readable(
    parse: Callable[Concatenate[str | None, Words], Parsed],
    raw: str | None,
    *words: Words.args,
    **options: Words.kwargs,
) -> Parsed:
    """The value, read as absent where it is broken."""
    try:
        return parse(raw, *words, **options)
    except BrokenValue:
        return parse(None, *words, **options)


def percent(raw: str | None) -> int | None:
    """`75%` is 75, a dash is None. Raises `BrokenValue` for `140%`."""
    return _bounded(_PERCENT, "percent", raw)


def score(raw: str | None) -> int | None:
    """`88/100` is 88. Raises `BrokenValue` for `108/100`."""
    return _bounded(_SCORE, "score", raw)


def verdict_word(raw: str | None) -> str | None:
    """A chip, in the corpus' words: `Ship` is `ship`. Raises `BrokenValue` for a word that is no verdict."""
    return _word("verdict", VERDICTS, raw)


def take_verdict(raw: str | None) -> str | None:
    """One reviewer's verdict, in the corpus' words: `ship` or `skip`. Raises `BrokenValue` for any other word."""
    return _word("take_verdict", TAKE_VERDICTS, raw)


def verdict_line(raw: str | None, profile: SiteProfile) -> VerdictLine:
    """The panel's verdict and votes, in the site's words. Raises `BrokenValue` where the words are neither."""
    text = _text(raw)
    if text is None:
        return VerdictLine(None, None, None)
    match = _verdict_pattern(profile).fullmatch(text)
    if match is None:
        raise BrokenValue("panel_verdict", text)
    word, ship, skip = match["word"], match["ship"], match["skip"]
    verdict = None if word is None else verdict_words(profile).get(word.casefold())
    if word is not None and verdict is None:
        raise BrokenValue("panel_verdict", word)
    return VerdictLine(verdict, *((None, None) if ship is None else (int(ship), int(skip))))


def community(raw: str | None, profile: SiteProfile) -> Community:
    """The community's vote, in the site's words.

    `62% · 1,130 votes` is (62, 1130), `No community votes yet` is (None, 0), a dash (None, None). Raises `BrokenValue`
    for anything else.
    """
    text = _text(raw)
    if text is None:
        return Community(None, None)
    if text.casefold().startswith(profile.values.no_community_votes.casefold()):
        return Community(None, 0)
    match = _community_pattern(profile).fullmatch(text)
    if match is None:
        raise BrokenValue("community", text)
    votes = match["votes"]
    pct = _bounded(_PERCENT, "community", match["pct"])
    return Community(pct, int(votes.replace(profile.values.thousands_separator, "")) if votes else None)


@cache
def _verdict_pattern(profile: SiteProfile) -> re.Pattern[str]:
    ship, skip = re.escape(profile.values.ship_votes), re.escape(profile.values.skip_votes)
    return re.compile(
        rf"(?P<word>[^\W\d]+)?\s*·?\s*(?:(?P<ship>\d+)\s+{ship}\s*/\s*(?P<skip>\d+)\s+{skip})?", re.IGNORECASE
    )


@cache
def _community_pattern(profile: SiteProfile) -> re.Pattern[str]:
    separator = re.escape(profile.values.thousands_separator)
    votes = "|".join(map(re.escape, profile.values.community_votes))
    return re.compile(rf"(?P<pct>\d{{1,3}}\s*%)(?:\s*·?\s*(?P<votes>\d[\d{separator}]*)\s+(?:{votes}))?", re.IGNORECASE)


def _text(raw: str | None) -> str | None:
    """None for what sites print in place of a value."""
    text = raw.strip() if raw else ""
    return None if not text or text in _DASHES else text


def _bounded(pattern: re.Pattern[str], field: str, raw: str | None) -> int | None:
    text = _text(raw)
    if text is None:
        return None
    match = pattern.fullmatch(text)
    if match is None or int(match[1]) > 100:
        raise BrokenValue(field, text)
    return int(match[1])


def _word(field: str, known: tuple[str, ...], raw: str | None) -> str | None:
    text = _text(raw)
    if text is None:
        return None
    if text.lower() not in known:
        raise BrokenValue(field, text)
    return text.lower()
