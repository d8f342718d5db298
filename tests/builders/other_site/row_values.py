"""Numbers in the corpus' rows against the key: what normalization made of the strings."""

import re
from collections import Counter
from collections.abc import Iterator

from builders.normalize_pages import rows
from builders.other_site.answers import Key
from builders.other_site.comparing import Value, seen
from builders.other_site.facts import SIDES
from verdicts.normalize.corpus import Corpus


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
