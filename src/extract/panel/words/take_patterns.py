"""Patterns of the scorecard, made of a profile's words: what opens a take, and what hangs on it."""

import re
from collections.abc import Iterable

from verdicts.extract.panel.words.profile import SiteProfile

_JOINT = r"[\s·•|,:()\u2013\u2014-]"
_NUMBER = r"\d{1,3}(?:[.,]\d{1,2})?"


def any_of(texts: Iterable[str]) -> str:
    """An expression for one of several texts, the longest first."""
    return "|".join(map(re.escape, sorted(texts, key=len, reverse=True)))


def head_token(profile: SiteProfile) -> re.Pattern[str]:
    """A part of what opens a take.

    Groups: `score` (with `of_scale` and `scale`, or with `of_hundred`), `number`, `verdict`, `fill` (a word that may
    stand there), `sign`, `other`.
    """
    fill = any_of(profile.scorecard.head_words)
    # `-1/100` is no score of 1: the row says that it is out of range.
    number = rf"(?:(?<!\S)[-\u2212])?{_NUMBER}"
    of_scale = rf"(?P<of_scale>{number})\s?(?:{_of(profile)})\s?(?P<scale>100|10|5)(?![\d%]|[.,]\d)"
    return re.compile(
        rf"(?P<score>(?<![\w.,])(?:{of_scale}|(?P<of_hundred>{_NUMBER})\s?%))"
        rf"|(?P<number>(?<![\d.,]){_NUMBER}(?![\w%]))"
        rf"|(?P<verdict>{_verdict(profile)})"
        rf"|(?P<fill>\b(?:{fill})\b)"
        r"|(?P<sign>[^\w\s“”\"'’.!?]+)"
        r"|(?P<other>[\w'’]+|\S)",
        re.IGNORECASE,
    )


def fact(profile: SiteProfile) -> re.Pattern[str]:
    """What every head says somewhere: a number or a verdict."""
    return re.compile(rf"\d|{_verdict(profile)}", re.IGNORECASE)


def head_before_take(profile: SiteProfile) -> re.Pattern[str]:
    """`88/100 · ship — ` before the words of a take in one text. Group `head`."""
    return re.compile(rf"(?P<head>{_whole_head(profile)}){_JOINT}{{0,5}}(?=\S)", re.IGNORECASE)


def head_behind_take(profile: SiteProfile) -> re.Pattern[str]:
    """` — 88/100 · ship` behind the words of a take in one text. Group `head`."""
    return re.compile(rf"{_JOINT}{{1,5}}(?P<head>{_whole_head(profile)})[)\]]?$", re.IGNORECASE)


def _whole_head(profile: SiteProfile) -> str:
    score = rf"{_NUMBER}(?:\s?(?:{_of(profile)})\s?(?:100|10|5)(?!\d)|\s?%)"
    fill = any_of(profile.scorecard.head_words)
    return rf"{score}{_JOINT}{{0,5}}(?:(?:{fill})\s)?{_verdict(profile)}"


def _verdict(profile: SiteProfile) -> str:
    """A word of its own, but numbers may touch it where elements do: `88/100ship8 days ago`."""
    return rf"(?<![^\W\d])(?:{any_of(profile.values.verdicts)})(?![^\W\d]|['’-]\w)"


def seat_with_remark(profile: SiteProfile) -> re.Pattern[str]:
    """`Builder · ships weekly`, `The Skeptic (CTO)`, `01 Builder`, `Builder:`. Group `seat`."""
    seats = any_of(profile.seats)
    return re.compile(
        rf"[^\w“\"]{{0,5}}(?:\d{{1,2}}[.)]?\s)?(?:the\s)?(?P<seat>{seats})(?:[^\w]{{0,3}}$|\s?[·•|,:(\u2013\u2014-])",
        re.IGNORECASE,
    )


def advert(profile: SiteProfile) -> re.Pattern[str]:
    """The beginning of what names itself as paid for: `Sponsored`, `Ad · Try this`."""
    return re.compile(rf"(?:{any_of(profile.page.adverts)})(?:$|\s?[:·•|\u2013\u2014-]|\sby\s)", re.IGNORECASE)


def furniture(profile: SiteProfile) -> re.Pattern[str]:
    """The whole of a text that hangs on a take: `Share · Report`, `12 found this helpful`."""
    actions, counted = any_of(profile.page.actions), any_of(profile.page.counted)
    part = rf"(?:(?:{actions})\b|\d[\d.,]*+\s?k?\s?(?:{counted})\b|(?:{counted})\b)"
    joint = r"[^\w“”\"'’.!]"
    return re.compile(rf"{joint}*+{part}(?:{joint}++{part})*+{joint}*+", re.IGNORECASE)


def count_beside_take(profile: SiteProfile) -> re.Pattern[str]:
    """A count or an age that an element puts against the words of a take: `29 days agoThe demo`, `so.12 likes`."""
    count = rf"\d[\d.,]{{0,12}}+\s?(?:{any_of(profile.page.counted)})"
    return re.compile(rf"^(?i:{count})\s?(?=[^\W\d_a-z]|[“\"])|(?<=[.!?”\"…])\s?(?i:{count})$")


def _of(profile: SiteProfile) -> str:
    return any_of(("/", *profile.scorecard.scale_words))
