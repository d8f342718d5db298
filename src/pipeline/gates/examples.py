"""A page that lost something, in words: its address, what it said before, and what it says now."""

from collections.abc import Mapping, Sequence

from corpus.enumerations import GateMeasure
from extract.model.records import Document, Extracted, Reject
from pipeline.gates.compare import Loss
from pipeline.gates.measures import PAGE_MEASURES, places_of
from pipeline.gates.thresholds import EXAMPLES

WORDS_MAX = 80
"""Characters of each side of the arrow: a take is longer."""


def chosen(losses: Sequence[Loss]) -> Sequence[Loss]:
    """The losses to show: from the first to the last address, as they say more than neighbours."""
    count = min(EXAMPLES, len(losses))
    return [losses[number * (len(losses) - 1) // max(1, count - 1)] for number in range(count)]


def examples(measure: GateMeasure, losses: Sequence[Loss], read: Mapping[int, Extracted]) -> tuple[str, ...]:
    """The words of the chosen losses, before and after."""
    return tuple(
        f"{loss.page}: {_says(measure, read.get(loss.before))} → {_says(measure, read.get(loss.after))}"
        for loss in losses
    )


def _says(measure: GateMeasure, extracted: Extracted | None) -> str:
    if extracted is None:
        return "(its record is lost)"
    if isinstance(extracted, Reject):
        return _cut(f"({extracted.reason}: {extracted.detail})")
    if isinstance(extracted, Document) and measure == "comparison" and extracted.side_by_side is None:
        return _cut(f"(no comparison: {extracted.title or extracted.text})")
    if measure not in PAGE_MEASURES:
        measure = "comparison"
    places = places_of(extracted).get(measure, ())
    words = [place.words for place in places if place.words is not None]
    if measure in {"takes", "take_text"}:
        return _cut(f"{len(words)} takes, {sum(map(len, words)):,} characters: {words[0]}") if words else "no takes"
    return _cut(" / ".join(words)) if words else "nothing"


def _cut(words: str) -> str:
    line = " ".join(words.split())
    return line if len(line) <= WORDS_MAX else f"{line[: WORDS_MAX - 1]}…"
