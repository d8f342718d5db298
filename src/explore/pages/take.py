"""`/takes/TAKE`: a take, why it is its tool's, where it stands, and the words that were read there."""

from typing import Any

from verdicts.explore.pages.finding import full_id
from verdicts.explore.pages.tools import KNOWN
from verdicts.explore.pages.visit import Elsewhere, View, Visit
from verdicts.fetch.model.errors import StorageFailed
from verdicts.pipeline.source_words import Place, source_words

PLACES = 10
"""Places that are shown with their source words: each is read from the raw store."""


def page(visit: Visit) -> View | Elsewhere:
    wanted = visit.path["take"]
    card = visit.ask("take_card", take=wanted)
    if card.first is None:
        return Elsewhere(f"/takes/{full_id(visit, 'take', wanted)}")
    take = card.first["review_id"]
    appearances = visit.ask("take_appearances", take=take, limit=PLACES)
    return View(
        "take",
        {
            "card": card,
            "evidence": visit.ask("take_evidence", take=take),
            "doubts": visit.ask("take_doubts", take=take),
            "appearances": appearances,
            "sources": [_source(visit, row) for row in appearances.rows],
            "known": KNOWN,
        },
    )


def _source(visit: Visit, row: dict[str, Any]) -> tuple[str | None, str | None]:
    """The words of the blocks that were read, or why they are not shown."""
    place = Place(*(row[name] for name in Place.__slots__))
    try:
        words = source_words(visit.raw, place)
    except (StorageFailed, OSError):
        return None, "The record is not as it was written; 'verdicts verify' says more."
    return words, None if words is not None else "The raw store has no such record here."
