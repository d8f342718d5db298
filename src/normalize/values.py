"""Numbers out of the site's strings. Absent or unreadable is None; the raw string stays beside the number."""

import re
from typing import NamedTuple

_PERCENT = re.compile(r"(\d{1,3})(?:\.\d+)?\s*%")
_SCORE = re.compile(r"(\d{1,3})(?:\.\d+)?\s*/\s*100")
_VERDICT = re.compile(r"\s*(?P<word>[A-Za-z]+)")
_VOTES = re.compile(r"(\d+)\s+(ship|skip)\b", re.IGNORECASE)
_COMMUNITY_VOTES = re.compile(r"([\d,]+)\s+votes?\b", re.IGNORECASE)

VERDICTS = {"ship": "ship", "mixed": "mixed", "skip": "skip"}


class VerdictLine(NamedTuple):
    """`Ship · 3 ship / 1 skip`."""

    verdict: str | None
    ship_votes: int | None
    skip_votes: int | None


def percent(raw: str | None) -> int | None:
    """`75%` is 75; `140%` is None."""
    return _bounded(_PERCENT, raw)


def score(raw: str | None) -> int | None:
    """`88/100` is 88."""
    return _bounded(_SCORE, raw)


def _bounded(pattern: re.Pattern[str], raw: str | None) -> int | None:
    found = pattern.search(raw) if raw else None
    value = int(found[1]) if found else None
    return value if value is not None and value <= 100 else None


def verdict_word(raw: str | None) -> str | None:
    """`Ship` is `ship`; a word that is no verdict is None."""
    found = _VERDICT.match(raw) if raw else None
    return VERDICTS.get(found["word"].lower()) if found else None


def verdict_line(raw: str | None) -> VerdictLine:
    """The verdict and the panel's votes."""
    votes = {word.lower(): int(count) for count, word in _VOTES.findall(raw or "")}
    return VerdictLine(verdict_word(raw), votes.get("ship"), votes.get("skip"))


def community_votes(raw: str | None) -> int | None:
    """`62% · 1,130 votes` is 1130; `No community votes yet` is 0."""
    if raw is None:
        return None
    if raw.lower().startswith("no community votes"):
        return 0
    found = _COMMUNITY_VOTES.search(raw)
    return int(found[1].replace(",", "")) if found else None
