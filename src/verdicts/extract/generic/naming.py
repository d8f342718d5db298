"""Headings as names of tools: rank, name and words about it; which of them can be names, and are used as one. Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Literal, TypeAlias

from verdicts.extract.generic.bare_values import PRICE_ALONE, RATED_NAME
from verdicts.extract.generic.promise import VERSUS, is_advice, is_of_a_list
from verdicts.extract.generic.words import (
    ASIDES,
    CALENDAR_WORDS,
    GUIDE_WORDS,
    LABELS,
    NAME_MAX,
    NAME_PARTS,
    OPENING_WORDS,
    PRAISE,
    QUESTION_WORDS,
    RANKED,
    WORDS_MAX,
    is_award,
    unranked,
)
from verdicts.extract.model.blocks import fold

_BRACKET = re.compile(r"(.*\S)\s\(([^()]+)\)")
"""`Alpha (best overall)`, `Alpha ($750)`; a year, a version and a short name belong to the name: `Alpha (2023)`."""

_SENTENCE = re.compile(r"[?:…]$|\s\S+\s\S+!$|\w{5}\.$")
"""Ends of sentences and labels; `Crush it!` and `Gallagher & Co.` are names."""

_TITLE_WORDS_MIN = 3
"""`Iron Strategies` and `Get Going` are names; `Five Strategies That Work` and `Get your kid a tutor` are not."""

_OWN_WORDS_MAX = 3
"""The words of a name to look for in a text: its maker, its model."""

_CAPITAL = re.compile(r"[^\W\d_]*[A-Z0-9]")
_WITHIN = re.compile(r"[a-z,;:’'\")(&]\s$")
"""Before a word within a sentence: only a name has a capital letter there."""


@dataclass(frozen=True, slots=True)
class Named:
    """A heading as a name: `2. Alpha – best for teams ($9)`."""

    rank: int | None
    name: str
    said: str | None
    """The words about the tool, before or after its name."""
    price: str | None
    rating: str | None
    whole: str
    """The heading without its rank."""
    is_praised: bool = False
    """The words say why it is picked: `Best for teams`."""


def rank_of(heading: str) -> int | None:
    ranked = RANKED.fullmatch(heading)
    return None if ranked is None else int(ranked[1] or ranked[3])


Behind: TypeAlias = Literal["kinds", "awards"]
"""Words before a colon and the name: `2. Business certification: CMC`, `Easiest assembly: Alpha`."""


def named(heading: str, award: str | None = None, behind: Behind | None = None) -> Named:
    """Name and words about it: `Alpha: best for teams` and `Best for teams: Alpha` are the same.

    `award`: above it. `behind`: the name follows these.
    """
    whole = text = unranked(heading)
    rated = RATED_NAME.fullmatch(text)
    if rated is not None:
        text = rated[1]
    bracket = _BRACKET.fullmatch(text)
    price = bracket[2] if bracket is not None and PRICE_ALONE.match(bracket[2]) else None
    if bracket is not None and price is not None:
        text = bracket[1]
    said: str | None
    if behind and ": " in text:
        said, _, name = text.partition(": ")
    else:
        name, said = _parted(text)
    rating = None if rated is None else rated[2]
    is_praised = bool(said or award) and (behind == "awards" or is_award(said or award or ""))
    return Named(rank_of(heading), name, said or award, price, rating, whole, is_praised)


def _parted(text: str) -> tuple[str, str | None]:
    bracket = _BRACKET.fullmatch(text)
    if bracket is not None and (PRAISE.match(bracket[2]) or bracket[2][0].islower()):
        return bracket[1], bracket[2]
    parted = next((part for part in NAME_PARTS.finditer(text) if part[0] != "("), None)
    if parted is None:
        return text, None
    before, behind = text[: parted.start()].strip(), text[parted.end() :].strip()
    return (behind, before) if PRAISE.match(before) and not PRAISE.match(behind) else (before, behind or None)


def can_be_name(name: str, longer: int = 1) -> bool:
    """Whether a heading without rank and praise can be a name: no sentence, no label, no other part of a guide.

    `longer`: how many times longer than usual it may be.
    """
    words = fold(name).split()
    is_short = bool(words) and len(name) <= NAME_MAX * longer and len(words) <= WORDS_MAX * longer
    return is_short and not _SENTENCE.search(name) and fold(name) not in GUIDE_WORDS | LABELS | ASIDES


def is_name(name: str, longer: int = 1) -> bool:
    """Whether a heading that has no rank can be a name: also no question, invitation, date or title of an article."""
    words = fold(name).split()
    if not can_be_name(name, longer) or words[0] in QUESTION_WORDS or {*words} <= CALENDAR_WORDS:
        return False
    is_title = len(words) >= _TITLE_WORDS_MIN and (words[0] in OPENING_WORDS or is_advice(name))
    return not (is_title or is_of_a_list(name) or VERSUS.search(name))


def is_proper(name: str, text: str, titles: Sequence[str]) -> bool:
    """Whether a text has the name, or a word of its own, with a capital letter where others have none.

    Words of the page's titles are not a name's own: `Coffee` on a page of coffee makers.
    """
    words = name.split()
    capitals = [word for word in words if _CAPITAL.match(word)]
    if len(capitals) > 1 and name in text:
        return True
    known = {fold(word) for title in titles for word in title.split()}
    own = (word.strip("()") for word in capitals if len(word) > 2 and fold(word) not in known)
    forms = [name, *islice(own, _OWN_WORDS_MAX if len(words) > 1 else 0)] if capitals else []
    return any(_is_capital_within(form, text) for form in forms)


def _is_capital_within(word: str, text: str) -> bool:
    """Whether a word stands within a sentence with its capital letter, and nowhere without one: no common word does."""
    places = _places(word, text)
    if not any(_WITHIN.search(text, max(0, place - 2), place) for place in places):
        return False
    return word == word.lower() or not _places(word.lower(), text)


def _places(word: str, text: str) -> list[int]:
    places = []
    place = text.find(word)
    while place >= 0:
        end = place + len(word)
        if not text[end : end + 1].isalnum() and not text[place - 1 : place].isalnum():
            places.append(place)
        place = text.find(word, end)
    return places
