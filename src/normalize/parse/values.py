"""Numbers and words out of the site's strings. Absent is None; broken raises; the raw string stays beside the value."""

import re
from collections.abc import Callable
from typing import NamedTuple, TypeVar

from corpus.enumerations import TAKE_VERDICTS, VERDICTS, TakeVerdict, Verdict

_PERCENT = re.compile(r"(\d{1,3})\s*%")
_SCORE = re.compile(r"(\d{1,3})\s*/\s*100")
_COMMUNITY = re.compile(r"(?P<pct>\d{1,3}\s*%)(?:\s*·?\s*(?P<votes>[\d,]+)\s+votes?)?", re.IGNORECASE)
_VERDICT = re.compile(r"(?P<word>[^\W\d]+)?\s*·?\s*(?:(?P<ship>\d+)\s+ship\s*/\s*(?P<skip>\d+)\s+skip)?", re.IGNORECASE)
_DASHES = frozenset("-–—")
_NO_VOTES = "no community votes"

Parsed = TypeVar("Parsed")
Word = TypeVar("Word", bound=str)


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

    verdict: Verdict | None
    ship_votes: int | None
    skip_votes: int | None


class Community(NamedTuple):
    """`62% · 130 votes`: percent that would ship, votes cast."""

    pct: int | None
    votes: int | None


def readable(parse: Callable[[str | None], Parsed], raw: str | None) -> Parsed:
    """The value, read as absent where it is broken."""
    try:
        return parse(raw)
    except BrokenValue:
        return parse(None)


def percent(raw: str | None) -> int | None:
    """`75%` is 75, a dash is None. Raises for `140%`."""
    return _bounded(_PERCENT, "percent", raw)


def score(raw: str | None) -> int | None:
    """`88/100` is 88. Raises for `108/100`."""
    return _bounded(_SCORE, "score", raw)


def verdict_word(raw: str | None) -> Verdict | None:
    """A chip: `Ship` is `ship`. Raises for a word that is no verdict."""
    return _word("verdict", VERDICTS, raw)


def take_verdict(raw: str | None) -> TakeVerdict | None:
    """One reviewer's verdict: `ship` or `skip`. Raises for any other word."""
    return _word("take_verdict", TAKE_VERDICTS, raw)


def verdict_line(raw: str | None) -> VerdictLine:
    """The panel's verdict and votes. Raises where the words are neither."""
    text = _text(raw)
    if text is None:
        return VerdictLine(None, None, None)
    found = _VERDICT.fullmatch(text)
    if found is None:
        raise BrokenValue("panel_verdict", text)
    ship, skip = found["ship"], found["skip"]
    votes = (None, None) if ship is None else (int(ship), int(skip))
    return VerdictLine(_word("panel_verdict", VERDICTS, found["word"]), *votes)


def community(raw: str | None) -> Community:
    """`62% · 1,130 votes` is (62, 1130), `No community votes yet` is (None, 0), a dash nothing. Raises for else."""
    text = _text(raw)
    if text is None:
        return Community(None, None)
    if text.lower().startswith(_NO_VOTES):
        return Community(None, 0)
    found = _COMMUNITY.fullmatch(text)
    if found is None:
        raise BrokenValue("community", text)
    votes = found["votes"]
    return Community(_bounded(_PERCENT, "community", found["pct"]), int(votes.replace(",", "")) if votes else None)


def _text(raw: str | None) -> str | None:
    """None for what the site prints in place of a value."""
    text = raw.strip() if raw else ""
    return None if not text or text in _DASHES else text


def _bounded(pattern: re.Pattern[str], field: str, raw: str | None) -> int | None:
    text = _text(raw)
    if text is None:
        return None
    found = pattern.fullmatch(text)
    if found is None or int(found[1]) > 100:
        raise BrokenValue(field, text)
    return int(found[1])


def _word(field: str, known: tuple[Word, ...], raw: str | None) -> Word | None:
    text = _text(raw)
    if text is None:
        return None
    word = next((word for word in known if word == text.lower()), None)
    if word is None:
        raise BrokenValue(field, text)
    return word
