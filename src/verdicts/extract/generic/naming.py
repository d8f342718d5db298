"""Headings as names of tools: rank, name and words about it; which of them can be names, and are used as one. Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Literal, NamedTuple, TypeAlias

from verdicts.extract.generic.bare_values import PRICE_ALONE, PRICE_BEHIND, RATED_NAME, STARS_BEHIND
from verdicts.extract.generic.label_words import (
    ASIDES,
    BADGES,
    CALENDAR_WORDS,
    GUIDE_WORDS,
    LABELS,
    NAME_MAX,
    NAME_PARTS,
    OPENING_WORDS,
    PART_WORDS,
    PRAISE,
    QUESTION_WORDS,
    RANKED,
    TO_AMOUNTS,
    WORDS_MAX,
    is_award,
    remove_rank,
)
from verdicts.extract.generic.promise import VERSUS, has_audience, is_advice, promises_list
from verdicts.extract.generic.stated import key
from verdicts.extract.model.blocks import fold

_BRACKET = re.compile(r"(.*\S)\s\(([^()]+)\)")
"""`Alpha (best overall)`, `Alpha ($750)`; a year, a version and a short name belong to the name: `Alpha (2023)`."""

_QUOTED = re.compile(r"[“„«‘\"][^“”„»«‘’\"]+[”“»’\"](?!\w)")
"""A name in quotes stays whole: `“Alpha: The Return” – best for teams`."""

_FREE_LOUD = re.compile(r"(\S.{0,120}?)\s\(?(FREE)\)?")
_FREE_BEHIND = re.compile(r"(\S.{0,120}?)\s(?:[-–—|]\s)?\(?(free|gratis|kostenlos|gratuit|免费|無料)\)?", re.IGNORECASE)
_GLUED = re.compile(r"(?<=[a-z\d)])(?=[A-Z])")
_ADDRESS_BEHIND = re.compile(r"(\S.*)\s((?:[\w-]+\.)+[a-z]{2,})")
_DRAWN_BEHIND = re.compile(r"(?<![★☆⭐½])\s?[★☆⭐½]++$")

PRICED_MIN, TAILS_MAX, BADGE_WORDS_MAX = 2, 4, 4
"""The fewest names with prices that make `Free` a price; the most parts behind a name, and words of a badge."""

_SMALL_WORD_MAX = 3
"""The letters of words without a capital in titles: `of`, `and`, `the`."""

_SENTENCE = re.compile(r"[?:…→›»]$|\s\S+\s\S+!$|\w{5}\.$")
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
    """The words say why it is picked: `Best for teams`, `Best overall`."""

    @property
    def has_audience(self) -> bool:
        """Whether the words say whom the tool is best for."""
        return self.is_praised and self.said is not None and has_audience(self.said)


def read_rank(heading: str) -> int | None:
    ranked = RANKED.fullmatch(heading)
    return None if ranked is None else int(ranked[1] or ranked[3])


Behind: TypeAlias = Literal["kinds", "awards"]
"""Words before a colon and the name: `2. Business certification: CMC`, `Easiest assembly: Alpha`."""


def name_headings(
    headings: Sequence[str], awards: Sequence[str | None] | None = None, behind: Behind | None = None
) -> list[Named]:
    """The names in headings of one level, and the words about them.

    `awards` stand above the headings. `behind`: the kind of words before a colon and the name. `Alpha Free` is a name
    and a price below `Beta $9`; a name alone among others has a colon of its own: `RIGS: Mechanized Combat League`.
    """
    cut = [cut_name(remove_rank(heading)) for heading in headings]
    if sum(one.price is not None for one in cut) >= PRICED_MIN:
        cut = [cut_name(remove_rank(heading), is_priced=True) for heading in headings]
    with_colons = sum(": " in _QUOTED.sub("", one.name) for one in cut)
    has_taglines = with_colons * 2 > len(cut)
    return [
        _make_named(heading, one, award, behind, has_taglines=has_taglines)
        for heading, one, award in zip(headings, cut, awards or [None] * len(cut), strict=True)
    ]


def _make_named(heading: str, cut: "CutName", award: str | None, behind: Behind | None, *, has_taglines: bool) -> Named:
    said: str | None
    if behind and ": " in cut.name:
        said, _, name = cut.name.partition(": ")
    else:
        name, said = _split_tagline(cut.name, has_taglines=has_taglines)
    is_praised = bool(said or award) and (behind == "awards" or is_award(said or award or ""))
    return Named(read_rank(heading), name, said or award, cut.price, cut.rating, cut.name, is_praised)


class CutName(NamedTuple):
    """A name, and the price and the rating that stood behind it."""

    name: str
    price: str | None
    rating: str | None


@lru_cache(maxsize=4096)
def cut_name(text: str, *, is_priced: bool = False) -> CutName:
    """Cuts what stands behind a name: `Otter.ai Free / $16/mo`, `Sonos Move for $400`, `Claude FREE`, `Alpha ★ 4.8`.

    `is_priced`: other names beside it have prices, so `Free` is one. An amount may also end a phrase: `Under $500`.
    """
    price = rating = None
    for _ in range(TAILS_MAX):
        rated, starred = RATED_NAME.fullmatch(text), STARS_BEHIND.fullmatch(text)
        bracket, priced = _BRACKET.fullmatch(text), PRICE_BEHIND.fullmatch(text)
        free = (_FREE_BEHIND if is_priced else _FREE_LOUD).fullmatch(text)
        if rated is not None and rating is None:
            text, rating = _DRAWN_BEHIND.sub("", rated[1]), rated[2]
        elif starred is not None and rating is None:
            text, rating = starred[1], starred[2]
        elif bracket is not None and price is None and PRICE_ALONE.match(bracket[2]):
            text, price = bracket[1], bracket[2]
        elif priced is not None and price is None and _can_be_priced(priced[1]):
            text, price = priced[1], priced[2]
        elif free is not None and price is None:
            text, price = free[1], free[2]
        elif (addressed := _ADDRESS_BEHIND.fullmatch(text)) is not None and _is_address(addressed):
            text = addressed[1]
        elif (badged := _cut_badge(text)) != text:
            text = badged
        else:
            break
    return CutName(text, price, rating)


def _can_be_priced(name: str) -> bool:
    """Whether an amount behind these words is the price of what they name: not `Under $500`, `2.9% + $0.30`."""
    last = key(name.rsplit(maxsplit=1)[-1])
    return any(map(str.isalpha, name)) and last != "" and last not in TO_AMOUNTS


def _is_address(behind: re.Match[str]) -> bool:
    """Whether it is the address of what stands before: `Reglyze reglyze.com`, `ISMS.online isms.online`."""
    host, name = behind[2].casefold().removeprefix("www."), key(behind[1]).replace(" ", "")
    return name.startswith(host.partition(".")[0]) or host.replace(".", "").startswith(name)


def _cut_badge(text: str) -> str:
    """A name without the badge behind it: `Alpha NEW`, `AlphaEditor’s Choice`, `Alpha Top Pick`."""
    words = text.split()
    badges = (
        " ".join(words[place:])
        for place in range(max(1, len(words) - BADGE_WORDS_MAX), len(words))
        if words[place][0].isalnum()
    )
    behind = [badge for badge in badges if key(badge) in BADGES and (badge.isupper() or " " in key(badge))]
    glued = (text[edge.start() :] for edge in _GLUED.finditer(text))
    behind += (badge for badge in glued if key(badge) in BADGES or is_award(badge))
    before = text.removesuffix(behind[0]).strip() if behind else text
    return text if before.endswith((":", "–", "—", "-", "|", ",")) else before


def _split_tagline(text: str, *, has_taglines: bool) -> tuple[str, str | None]:
    bracket = _BRACKET.fullmatch(text)
    if bracket is not None and (PRAISE.match(bracket[2]) or bracket[2][0].islower()):
        return bracket[1], bracket[2]
    quoted = _QUOTED.match(text)
    parts = NAME_PARTS.finditer(text, 0 if quoted is None else quoted.end())
    parted = next((part for part in parts if part[0] != "("), None)
    if parted is None:
        return text, None
    before, behind = text[: parted.start()].strip(), text[parted.end() :].strip()
    if parted[0] == ":" and not has_taglines and _is_title(behind):
        return text, None
    return (behind, before) if PRAISE.match(before) and not PRAISE.match(behind) else (before, behind or None)


def _is_title(text: str) -> bool:
    """Whether words go on with a name: all longer ones have capital letters, and they are no praise."""
    words = [word for word in text.split() if len(word) > _SMALL_WORD_MAX]
    return bool(words) and all(map(_CAPITAL.match, words)) and not is_award(text)


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
    if (
        not can_be_name(name, longer)
        or words[0] in QUESTION_WORDS
        or {*words} <= CALENDAR_WORDS
        or words[-1] in PART_WORDS
    ):
        return False
    is_title = len(words) >= _TITLE_WORDS_MIN and (words[0] in OPENING_WORDS or is_advice(name))
    return not (is_title or promises_list(name) or VERSUS.search(name))


def is_proper(name: str, text: str, titles: Sequence[str]) -> bool:
    """Whether a text has the name, or a word of its own, with a capital letter where others have none.

    Words of the page's titles are not a name's own: `Coffee` on a page of coffee makers.
    """
    words = [word.strip("()“”„‘’«»\"':,") for word in name.split()]
    capitals = [word for word in words if _CAPITAL.match(word)]
    if len(capitals) > 1 and name in text:
        return True
    known = {fold(word) for title in titles for word in title.split()}
    own = (word for word in capitals if len(word) > 2 and fold(word) not in known)
    forms = [name, *islice(own, _OWN_WORDS_MAX if len(words) > 1 else 0)] if capitals else []
    return any(_is_capital_within(form, text) for form in forms)


def _is_capital_within(word: str, text: str) -> bool:
    """Whether a word stands within a sentence with its capital letter, and nowhere without one: no common word does."""
    places = find_word(word, text)
    if not any(_WITHIN.search(text, max(0, place - 2), place) for place in places):
        return False
    return word == word.lower() or not find_word(word.lower(), text)


def find_word(word: str, text: str) -> list[int]:
    positions = []
    position = text.find(word)
    while position >= 0:
        end = position + len(word)
        if not text[end : end + 1].isalnum() and not text[position - 1 : position].isalnum():
            positions.append(position)
        position = text.find(word, end)
    return positions
