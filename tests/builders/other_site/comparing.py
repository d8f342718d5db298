"""Values read from a page against its key: right, wrong or lost, each by the name of its field."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from builders.normalize_pages import rows
from builders.other_site.answers import Key, TakeKey, Values
from builders.other_site.facts import SIDES
from verdicts.extract.model.records import Comparison, Take
from verdicts.normalize.corpus import Corpus

INVISIBLE = dict.fromkeys(
    map(ord, "\u200b\u200c\u200e\u200f\u2066\u2067\u2068\u2069\u202a\u202b\u202c\u00ad\u2060\ufeff")
)
"""Characters that a reader cannot see."""

NUMBERS = ("panel_ship", "community")
"""Fields of a card that are compared as numbers."""


@dataclass(frozen=True)
class Value:
    """`at` is where it stands on the page, for a person."""

    field: str
    at: str
    expected: Any
    found: Any

    @property
    def outcome(self) -> Literal["right", "wrong", "lost"]:
        if self.expected == self.found:
            return "right"
        return "lost" if self.found is None else "wrong"


def seen(text: str | None) -> str | None:
    """A text as the eye has it: without invisible characters, with single spaces. No text at all is None."""
    if text is None:
        return None
    visible = unicodedata.normalize("NFC", text).translate(INVISIBLE)
    return " ".join(visible.split()) or None


def number(text: str | None) -> str | None:
    """The number of `75 %`; the words themselves where there is none."""
    found = re.search(r"\d+(\.\d+)?", seen(text) or "")
    return found[0] if found else seen(text)


def score(text: str | None) -> float | str | None:
    """`8.5/10` as 85, `88%` and `88` as 88; the words themselves where they are no score."""
    found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*(?:(?:/|out of)\s*(\d+)|%)?", seen(text) or "")
    if found is None:
        return seen(text)
    return round(float(found[1]) * 100 / int(found[2] or 100), 4)


def verdict(text: str | None) -> str | None:
    """`would ship` and `SHIP` are ship."""
    words = (seen(text) or "").lower().removeprefix("would ")
    return words or None


def values(found: Comparison, key: Key) -> Iterator[Value]:
    """Every value that the key or the record has."""
    for side, card in zip(SIDES, found.cards, strict=True):
        yield from _fields("card", side, key.cards[side], card, NUMBERS)
    columns = {column.side: column for column in found.decisions}
    for side in SIDES:
        if side in key.decisions or side in columns:
            yield from _fields("decision", side, key.decisions.get(side, {}), columns.get(side), ())
    yield from _takes(found.takes, key.takes)
    yield from _gaps(found, key)


DECIDED = ("verdict", "community", "pricing", "best_for", "category")


def _fields(part: str, side: str, expected: Values, record: Any, numbers: tuple[str, ...]) -> Iterator[Value]:
    for name in expected or dict.fromkeys(DECIDED):
        same = number if name in numbers else seen
        value = Value(f"{part} {name}", side, same(expected.get(name)), same(getattr(record, name, None)))
        if value.expected is not None or value.found is not None:
            yield value


def _takes(found: tuple[Take, ...], expected: tuple[TakeKey, ...]) -> Iterator[Value]:
    """Takes belong together by their text, then by their place; what is left over is lost, or too much."""
    left = list(found)
    unread: list[TakeKey] = []
    for take in expected:
        same = [one for one in left if seen(one.text) == seen(take.text)]
        place = next((one for one in same if (one.side, seen(one.seat)) == (take.side, take.seat)), None)
        twin = place or next(iter(same), None)
        if twin is None:
            unread.append(take)
            continue
        left.remove(twin)
        yield from _take(take, twin)
    for take in unread:
        there = [one for one in left if take.seat and (one.side, seen(one.seat)) == (take.side, take.seat)]
        if there:
            left.remove(there[0])
        yield from _take(take, there[0] if there else None)
    for one in left:
        yield Value("take text", f"{one.side} {one.seat}", None, seen(one.text))


def _take(expected: TakeKey, found: Take | None) -> Iterator[Value]:
    at = f"{expected.side} {expected.seat}"
    yield Value("take text", at, seen(expected.text), seen(found.text) if found else None)
    for name, wanted, got in (
        ("side", expected.side, found and found.side),
        ("seat", expected.seat, found and seen(found.seat)),
        ("score", expected.score, found and score(found.score)),
        ("verdict", expected.verdict, found and verdict(found.verdict)),
    ):
        if wanted is not None or got is not None:
            yield Value(f"take {name}", at, wanted, got)


def _gaps(found: Comparison, key: Key) -> Iterator[Value]:
    read = Counter((seen(gap.seat), gap.side) for gap in found.missing_takes)
    for gap in key.gaps:
        if read[gap] or not key.may_lack_gaps:
            yield Value("missing take", f"{gap[1]} {gap[0]}", gap, gap if read[gap] else None)
    for gap in read - Counter(key.gaps):
        yield Value("missing take", f"{gap[1]} {gap[0]}", None, gap)


def row_values(corpus: Corpus, key: Key) -> Iterator[Value]:
    for side in SIDES:
        yield from _card(corpus, key, side)
        yield from _votes(corpus, key, side)
    yield from _reviews(corpus, key)


def _card(corpus: Corpus, key: Key, side) -> Iterator[Value]:
    (card,) = rows(corpus, "tool_cards", side=side)
    expected = key.cards[side]
    for name, found in (("panel_ship", card.panel_ship_pct), ("community", card.community_pct)):
        wanted = expected[name]
        yield from _both(f"row card {name}", side, None if wanted is None else int(wanted), found)
    chip = expected["chip"]
    yield from _both("row card chip", side, chip.lower() if chip else None, card.chip)


def _votes(corpus: Corpus, key: Key, side) -> Iterator[Value]:
    found = rows(corpus, "verdicts", side=side)
    votes = re.findall(r"\d+", key.decisions[side]["verdict"] or "") if side in key.decisions else []
    wanted = [int(vote) for vote in votes] or [None, None]
    for name, number in zip(("ship_votes", "skip_votes"), wanted, strict=True):
        yield from _both(f"row {name}", side, number, getattr(found[0], name) if found else None)


def _reviews(corpus: Corpus, key: Key) -> Iterator[Value]:
    """Scores and verdicts of the reviews, by their text. Of a text that several takes share, one review may be made."""
    texts = Counter(seen(take.text) for take in key.takes)
    found = {seen(review.text): review for review in rows(corpus, "reviews")}
    for take in key.takes:
        text = seen(take.text)
        if texts[text] > 1 or text not in found:
            continue
        review, at = found[text], f"{take.side} {take.seat}"
        wanted = None if take.score is None else round(take.score)
        yield from _both("row review score", at, wanted, review.score)
        yield from _both("row review verdict", at, take.verdict, review.verdict)


def _both(field: str, at: str, expected, found) -> Iterator[Value]:
    if expected is not None or found is not None:
        yield Value(field, at, expected, found)
