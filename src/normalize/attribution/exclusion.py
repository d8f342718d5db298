"""Exclusion: a take that cannot be one tool's is the other's. Rests on pages being complete."""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import islice
from typing import NamedTuple

from rapidfuzz.fuzz import ratio

from corpus.tables import DiscrepancyRow
from normalize.attribution.candidates import Case, Reason, Scorecard, opening
from normalize.attribution.confidence import WEIGHT
from normalize.attribution.panel_sizes import Sizes, panel_sizes
from normalize.dedup.thresholds import RULES

SAME_NIGHT = timedelta(hours=12)
"""Views this close, or of one crawl, show the same state of a tool. A night later its takes may be others."""

MAYBE_EDITED = 60.0
"""A take this like another may be its edit, though unproved: then neither counts as absent. Distinct ones reach 54."""

PAGES_ASKED = 8
"""Other pages of a tool that are asked for a take; if it is the tool's, all carry it, else the first does not."""


class Shelf:
    """The scorecards of each tool, found by time."""

    def __init__(self, cards: Sequence[Scorecard]) -> None:
        self.cards = cards
        self._by_era: dict[tuple[str, str], list[int]] = defaultdict(list)
        self._by_time: dict[str, list[tuple[datetime, int]]] = defaultdict(list)
        for at, card in enumerate(cards):
            for tool in set(card.view.tools):
                self._by_era[tool, card.view.era].append(at)
                self._by_time[tool].append((card.view.fetched_at, at))
        for times in self._by_time.values():
            times.sort()

    def same_night(self, tool: str, era: str, moment: datetime) -> Iterator[Scorecard]:
        """Scorecards of a tool in the same state as one of this crawl or moment."""
        for at in self._by_era.get((tool, era), ()):
            yield self.cards[at]
        times = self._by_time.get(tool, [])
        start = bisect_left(times, (moment - SAME_NIGHT, -1))
        for _, at in times[start : bisect_right(times, (moment + SAME_NIGHT, len(self.cards)))]:
            if self.cards[at].view.era != era:
                yield self.cards[at]


class Absence(NamedTuple):
    """A take that another page of `other` does not show, so that it is `tool_id`'s."""

    case: Case
    tool_id: str
    other: str
    card: Scorecard

    def place(self, names: Mapping[str, str]) -> None:
        reason = f"absent from '{self.card.view.comparison.title}', where {names[self.other]} also stands"
        page_id = self.case.sightings[0].view.page_id
        self.case.place(self.tool_id, "excluded", page_id, Reason(WEIGHT["excluded"], reason))


def exclude_absent(
    cases: Mapping[str, Case], shelf: Shelf, names: Mapping[str, str]
) -> tuple[list[Absence], list[DiscrepancyRow]]:
    """A take that is missing from other pages of a tool in the same night is not that tool's.

    One page may have lost it: what only one attests is given back, to be placed where the row order does not gainsay.
    """
    conflicts = []
    doubtful = []
    for case in cases.values():
        if case.kind is not None or case.is_torn or len(case.candidates) < 2:
            continue
        absent = {tool: list(islice(_pages_without(case, tool, shelf), 2)) for tool in sorted(case.candidates)}
        left = [tool for tool, pages in absent.items() if not pages]
        page_id = case.sightings[0].view.page_id
        if len(left) == 1:
            other, pages = next((tool, pages) for tool, pages in absent.items() if pages)
            absence = Absence(case, left[0], other, pages[0])
            if len(pages) > 1:
                absence.place(names)
            else:
                doubtful.append(absence)
        elif not left:
            tools = " or ".join(names[tool] for tool in sorted(case.candidates))
            expected = f"{tools}: {opening(case.sightings[0])}"
            found = "absent from other pages of each"
            conflicts.append(DiscrepancyRow(page_id, None, "attribution_conflict", expected, found))
    return doubtful, conflicts


def _pages_without(case: Case, tool: str, shelf: Shelf) -> Iterator[Scorecard]:
    own_pages = {item.view.page_id for item in case.sightings}
    for view in {item.view.era: item.view for item in case.sightings}.values():
        for card in islice(shelf.same_night(tool, view.era, view.fetched_at), PAGES_ASKED + len(own_pages)):
            if card.view.page_id in own_pages or case.review_id in card.reviews:
                continue
            if not any(_may_be_edit(case.skeleton, skeleton) for skeleton in card.skeletons):
                yield card


def _may_be_edit(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    return bool(
        ratio(short, long, score_cutoff=MAYBE_EDITED)
        or (len(short) >= RULES.prefix_min and ratio(short, long[: len(short)], score_cutoff=MAYBE_EDITED))
    )


def exclude_by_panel(cases: Mapping[str, Case], shelf: Shelf, names: Mapping[str, str]) -> None:
    """Once a tool's whole panel is placed on a page, what is left is the other tool's. Runs until nothing moves."""
    cards = shelf.cards
    cards_of: dict[str, list[int]] = defaultdict(list)
    waiting = []
    for at, card in enumerate(cards):
        opened = [review for review in card.reviews if cases[review].kind is None]
        if opened:
            waiting.append(at)
        for review in opened:
            cards_of[review].append(at)
    queued = set(waiting)
    while waiting:
        at = waiting.pop()
        queued.discard(at)
        for case in _place_rest(cards[at], cases, shelf, names):
            for touched in cards_of[case.review_id]:
                if touched not in queued:
                    queued.add(touched)
                    waiting.append(touched)


def _place_rest(card: Scorecard, cases: Mapping[str, Case], shelf: Shelf, names: Mapping[str, str]) -> list[Case]:
    """The cases that one page settles."""
    tools = card.view.tools
    here = [cases[review] for review in card.reviews]
    opened = [case for case in here if case.kind is None and not case.is_torn]
    if not opened or tools[0] == tools[1]:
        return []
    sizes = sizes_of(card, shelf)
    for tool, other, size in ((tools[0], tools[1], sizes[0]), (tools[1], tools[0], sizes[1])):
        placed = sum(1 for case in here if case.kind is not None and tool in case.candidates)
        if size is None or size == 0 or placed != size:
            continue
        settled = [case for case in opened if other in case.candidates]
        for case in settled:
            reason = f"all {size} takes of {names[tool]} on this page are placed"
            case.place(other, "excluded", card.view.page_id, Reason(WEIGHT["excluded"], reason))
        return settled
    return []


def sizes_of(card: Scorecard, shelf: Shelf) -> Sizes:
    """The panel sizes of a page, with the help of labelled pages of the same night."""
    view = card.view
    known: dict[int, int] = {}
    for index, tool in enumerate(view.tools):
        for other in islice(shelf.same_night(tool, view.era, view.fetched_at), PAGES_ASKED):
            if other.is_labelled:
                known[index] = other.labels.count(tool)
                break
    return panel_sizes(view.comparison, view.profile, known)
