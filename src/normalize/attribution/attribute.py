"""Who a review is about: every page narrows it, the strongest evidence decides, and the reason is kept.

The evidence rests on one fact of such sites: a tool's takes are the same on every page it is on. Kinds, strongest
first: observed, matched, intersected, excluded, ordered. Evidence that contradicts is reported, never averaged.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from corpus.rows.doubts import DiscrepancyRow
from normalize.attribution.candidates import (
    Case,
    Reason,
    Scorecard,
    intersect,
    observe,
    open_cases,
    opening,
    scorecards,
)
from normalize.attribution.confidence import ordered_weight
from normalize.attribution.exclusion import Absence, Shelf, exclude_absent, exclude_by_panel, sizes_of
from normalize.attribution.row_alignment import align
from normalize.attribution.seat_inference import infer_seats
from normalize.dedup.mentions import Sighting

UNDECIDED = 0.5
"""A row order that half of the best alignments share says nothing."""


class Guess(NamedTuple):
    """Where row order puts a take, and the share of the best alignments that agree."""

    share: float
    tool_id: str
    page_id: str
    side: str


class Attributed(NamedTuple):
    """Solved cases by review id, the seats that rows leave alone, and what contradicts."""

    cases: Mapping[str, Case]
    seats: Mapping[str, str]
    conflicts: Sequence[DiscrepancyRow]


def attribute(sightings: Sequence[Sighting], names: Mapping[str, str]) -> Attributed:
    """Solves every review. `sightings` come oldest first; `names` gives tools' names for the reasons."""
    conflicts: list[DiscrepancyRow] = []
    cases = open_cases(sightings)
    for case in cases.values():
        conflicts += observe(case, names)
        if case.kind is None:
            conflicts += intersect(case, names)
    shelf = Shelf(scorecards(sightings))
    doubtful, torn = exclude_absent(cases, shelf, names)
    conflicts += torn
    exclude_by_panel(cases, shelf, names)
    conflicts += _weigh(doubtful, cases, shelf, names)
    exclude_by_panel(cases, shelf, names)
    for review_id, guess in _order(cases, shelf).items():
        share = f", as in {guess.share:.0%} of the ways to fill the rows best" if guess.share < 1 else ""
        reason = Reason(ordered_weight(guess.share), f"row order puts it on side {guess.side}{share}")
        cases[review_id].place(guess.tool_id, "ordered", guess.page_id, reason)
    labelled = {review_id: case.seat for review_id, case in cases.items()}
    return Attributed(cases, infer_seats(shelf.cards, cases, labelled), conflicts)


def _weigh(
    doubtful: Sequence[Absence], cases: Mapping[str, Case], shelf: Shelf, names: Mapping[str, str]
) -> list[DiscrepancyRow]:
    """Places what a single page without the take says, unless the row order says it is the other tool's."""
    waiting = [absence for absence in doubtful if absence.case.kind is None]
    guesses = _order(cases, shelf) if waiting else {}
    conflicts = []
    for absence in waiting:
        case = absence.case
        guess = guesses[case.review_id]
        if guess.tool_id == absence.tool_id or guess.share <= UNDECIDED:
            absence.place(names)
            continue
        expected = f"{names[absence.other]} by row order: {opening(case.sightings[0])}"
        found = f"absent from '{absence.card.view.comparison.title}', where it also stands"
        conflicts.append(DiscrepancyRow(guess.page_id, absence.other, "attribution_conflict", expected, found))
    return conflicts


def _order(cases: Mapping[str, Case], shelf: Shelf) -> Mapping[str, Guess]:
    """The surest guess for every open case: a page's rows, around what is placed; of equals the newest page's."""
    guesses: dict[str, Guess] = {}
    for card in reversed(shelf.cards):
        if all(cases[review].kind is not None for review in card.reviews):
            continue
        tools = card.view.tools
        sides = [_side(cases[review], label, card) for review, label in zip(card.reviews, card.labels, strict=True)]
        for review, (side, share) in zip(card.reviews, align(sides, sizes_of(card, shelf)), strict=True):
            guess = Guess(share, tools[side], card.view.page_id, "AB"[side])
            if cases[review].kind is None and (review not in guesses or guess.share > guesses[review].share):
                guesses[review] = guess
    return guesses


def _side(case: Case, label: str | None, card: Scorecard) -> int | None:
    tool = label or (case.tool_id if len(case.candidates) == 1 else None)
    return card.view.tools.index(tool) if tool in card.view.tools else None
