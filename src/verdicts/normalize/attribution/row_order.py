"""Infers the tool (ordered) and the seat of a take from the order of rows.

A scorecard has one row for each seat, A before B, always in the same order. A missing take leaves no gap.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from typing import NamedTuple, TypeAlias

import msgspec

from verdicts.extract.panel.profile import Profiles, SiteProfile
from verdicts.normalize.attribution.page_takes import PageTakes, PageTakesIndex, page_panel_sizes
from verdicts.normalize.attribution.review_attribution import JudgedReview, Reason, ReviewAttribution, ordered_weight

SideIndex: TypeAlias = int
"""0 for A, 1 for B."""

Placement: TypeAlias = tuple[SideIndex, float]
"""The side of a take, and the share (0 to 1) of best alignments that agree."""


class _State(NamedTuple):
    """The side of a take, and the number of A's takes up to it (always 0 if the size of A's panel is unknown)."""

    side: SideIndex
    count_a: int


_START = _State(1, 0)
"""The state before the first take: as after a take of B, because a new row begins."""

_Ways: TypeAlias = tuple[int, int]
"""The largest number of full rows, and the number of ways to reach it."""

_Layer: TypeAlias = dict[_State, _Ways]


def align(known: Sequence[SideIndex | None], size_a: int | None) -> Sequence[Placement]:
    """The side of every take in the best alignment, and the share of equally good alignments that agree.

    The best alignments fit the known sides and the size of A's panel and have the fewest rows with one take: most rows
    of real panels are full. Of these, the one with full early rows is returned, because late seats are missing more
    often. An impossible size is ignored. Cost: number of takes times panel size.
    """
    return _solve(tuple(known), size_a) or _solve(tuple(known), None) or ()


@lru_cache(maxsize=16_384)
def _solve(known: tuple[SideIndex | None, ...], size_a: int | None) -> tuple[Placement, ...] | None:
    prefixes = _prefixes(known, size_a)
    suffixes = _suffixes(known, size_a, prefixes)
    if not suffixes[0]:
        return None
    most_rows, most_ways = suffixes[0][_START]
    state, rows_so_far = _START, 0
    placed: list[Placement] = []
    for fixed, prefix, suffix in zip(known, prefixes[1:], suffixes[1:], strict=True):
        # In full rows B follows A, and A follows B.
        for side in (1 - state.side, state.side):
            following = _following(state, side, size_a)
            rows = rows_so_far + (state.side < side)
            if fixed in {None, side} and following in suffix and rows + suffix[following][0] == most_rows:
                break
        state, rows_so_far = following, rows
        agreeing = sum(
            prefix[candidate][1] * ways
            for candidate, (rest, ways) in suffix.items()
            if candidate.side == side and candidate in prefix and prefix[candidate][0] + rest == most_rows
        )
        placed.append((side, agreeing / most_ways))
    return tuple(placed)


def _prefixes(known: Sequence[SideIndex | None], size_a: int | None) -> list[_Layer]:
    """The best ways to reach each state: one layer before the first take, and one after each take."""
    prefixes: list[_Layer] = [{_START: (0, 1)}]
    for fixed in known:
        reached: _Layer = {}
        for state, (rows, ways) in prefixes[-1].items():
            for side in _allowed(fixed):
                _add(reached, _following(state, side, size_a), rows + (state.side < side), ways)
        prefixes.append(reached)
    return prefixes


def _suffixes(known: Sequence[SideIndex | None], size_a: int | None, prefixes: Sequence[_Layer]) -> list[_Layer]:
    """The best ways from each state to an end with A's panel size, in the same layers."""
    suffixes: list[_Layer] = [{state: (0, 1) for state in prefixes[-1] if size_a is None or state.count_a == size_a}]
    for fixed, layer in zip(reversed(known), reversed(prefixes[:-1]), strict=True):
        leaving: _Layer = {}
        for state in layer:
            for side in _allowed(fixed):
                following = _following(state, side, size_a)
                if following in suffixes[-1]:
                    rows, ways = suffixes[-1][following]
                    _add(leaving, state, rows + (state.side < side), ways)
        suffixes.append(leaving)
    return suffixes[::-1]


def _allowed(fixed: SideIndex | None) -> tuple[SideIndex, ...]:
    return (0, 1) if fixed is None else (fixed,)


def _following(state: _State, side: SideIndex, size_a: int | None) -> _State:
    return _State(side, 0 if size_a is None else state.count_a + (side == 0))


def _add(layer: _Layer, state: _State, rows: int, ways: int) -> None:
    best_rows, ways_so_far = layer.get(state, (-1, 0))
    if rows > best_rows:
        layer[state] = (rows, ways)
    elif rows == best_rows:
        layer[state] = (rows, ways_so_far + ways)


class RowOrderGuess(NamedTuple):
    """The side of a take by row order, and the share (0 to 1) of best alignments that agree."""

    share: float
    tool_id: str
    page_id: str
    side: str


def assign_by_row_order(attributions: Mapping[str, ReviewAttribution], index: PageTakesIndex) -> None:
    """Assigns every review that is still undecided."""
    for review_id, guess in guess_by_row_order(attributions, index).items():
        share = f", as in {guess.share:.0%} of the ways to fill the rows best" if guess.share < 1 else ""
        reason = Reason(ordered_weight(guess.share), f"row order puts it on side {guess.side}{share}")
        attributions[review_id].assign(guess.tool_id, "ordered", guess.page_id, reason)


def guess_by_row_order(
    attributions: Mapping[str, ReviewAttribution], index: PageTakesIndex
) -> Mapping[str, RowOrderGuess]:
    """Review id to its guess with the largest share (if equal, on the newest page), for every undecided review."""
    guesses: dict[str, RowOrderGuess] = {}
    for page in reversed(index.pages):
        if all(attributions[review_id].kind is not None for review_id in page.review_ids):
            continue
        known_sides = [
            _known_side(attributions[review_id], label, page)
            for review_id, label in zip(page.review_ids, page.labels, strict=True)
        ]
        placements = align(known_sides, page_panel_sizes(page, index)[0])
        for review_id, (side, share) in zip(page.review_ids, placements, strict=True):
            attribution = attributions[review_id]
            is_surer = review_id not in guesses or share > guesses[review_id].share
            if attribution.kind is None and is_surer:
                tool_id = attribution.tools_on(page.version)[side]
                guesses[review_id] = RowOrderGuess(share, tool_id, page.version.page_id, "AB"[side])
    return guesses


def _known_side(attribution: ReviewAttribution, label: str | None, page: PageTakes) -> int | None:
    if label is not None:
        return page.version.tool_ids.index(label)
    tools = attribution.tools_on(page.version)
    tool_id = attribution.tool_id if len(attribution.candidate_tools) == 1 else None
    return tools.index(tool_id) if tool_id in tools else None


class SeatRange(msgspec.Struct, frozen=True, array_like=True):
    """The first and the last possible seat of a review on a page, as indexes in the page order of the site's seats.

    The index after the last seat means a seat with an unknown row, which is never inferred.
    """

    review_id: str
    page_id: str
    profile: str
    first: int
    last: int


def seat_ranges(page: PageTakes, reviews: Mapping[str, JudgedReview], profiles: Profiles) -> list[SeatRange]:
    """The possible seats of the reviews of a page without a labelled seat.

    Empty if row order alone decided the tool of a take, so that no guess depends on a guess.
    """
    in_page_order = [reviews[review_id] for review_id in page.review_ids]
    if any(review.kind == "ordered" for review in in_page_order):
        return []
    version = page.version
    seats = _seats(profiles[version.profile])
    places = [seats.index(review.seat) if review.seat in seats else None for review in in_page_order]
    tool_b = version.tool_ids[1]
    is_b = [review.tool_id == review.at_home(tool_b) for review in in_page_order]
    return [
        SeatRange(review.review_id, version.page_id, version.profile, first, last)
        for review, first, last in zip(in_page_order, *_seat_ranges(places, is_b, len(seats)), strict=True)
        if not review.seat
    ]


def inferred_seats(ranges: Iterable[SeatRange], profiles: Profiles) -> Mapping[str, str]:
    """Review id to seat, if all pages of a site together allow only one."""
    allowed: dict[tuple[str, tuple[str, ...]], tuple[int, int]] = {}
    for found in ranges:
        order = _seats(profiles[found.profile])
        key = (found.review_id, order)
        first, last = allowed.get(key, (0, len(order)))
        allowed[key] = (max(first, found.first), min(last, found.last))
    seats = [
        (review_id, order[first]) for (review_id, order), (first, last) in allowed.items() if first == last < len(order)
    ]
    # A review on sites with different seats is rare: the first in alphabetical order counts.
    return dict(sorted(seats, reverse=True))


@cache
def _seats(profile: SiteProfile) -> tuple[str, ...]:
    """A site's seats in page order, without those with an unknown row."""
    return tuple(profile.scorecard.seats_in_page_order.values())


def _seat_ranges(places: Sequence[int | None], is_b: Sequence[bool], seats: int) -> tuple[Sequence[int], Sequence[int]]:
    """The first and the last possible place of each take of a page, between labelled seats.

    `places` has the places of labelled seats; `seats` is the number of seats of the site.
    """
    firsts: list[int] = []
    for position, place in enumerate(places):
        lowest = 0 if position == 0 else firsts[-1] + _rows_between(is_b[position - 1], is_b[position])
        firsts.append(lowest if place is None else place)
    lasts: list[int] = []
    for position in range(len(places) - 1, -1, -1):
        place = places[position]
        highest = seats if not lasts else lasts[-1] - _rows_between(is_b[position], is_b[position + 1])
        lasts.append(highest if place is None else place)
    return firsts, lasts[::-1]


def _rows_between(was_b: bool, is_b: bool) -> int:
    """Least rows from one take to the next: B may be in A's row, everything else begins another row."""
    return 0 if is_b and not was_b else 1
