"""Seats of takes that no page labels, where the row order allows one seat only.

A scorecard reads row by row, one row per seat, A before B, seats always in one order. So an unlabelled take between two
whose seats are known from other pages can only have a seat between theirs.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import msgspec

from verdicts.extract.panel.profile import Profiles, SiteProfile
from verdicts.normalize.attribution.page_takes import PageTakes
from verdicts.normalize.attribution.review_attribution import JudgedReview


class SeatRange(msgspec.Struct, frozen=True, array_like=True):
    """The first and the last seat that a review can have by one page, by index in the page order of the site's seats.

    The index after the last one stands for a seat whose row was never seen: it is never inferred.
    """

    review_id: str
    page_id: str
    profile: str
    first: int
    last: int


@dataclass(frozen=True, slots=True, eq=False)
class SeatOrder:
    """A site's seats in page order, and the place of each. Seats whose row was never seen are not among them.

    Sites with the same seats share one.
    """

    seats: tuple[str, ...]
    places: Mapping[str, int]


def seat_ranges(page: PageTakes, reviews: Mapping[str, JudgedReview], profiles: Profiles) -> list[SeatRange]:
    """The seats that the reviews of a page can have of which no label shows one.

    None where a take has its tool by row order alone, so that no guess rests on a guess.
    """
    in_page_order = [reviews[review_id] for review_id in page.review_ids]
    if any(review.kind == "ordered" for review in in_page_order):
        return []
    version = page.version
    order = _page_order(profiles[version.profile])
    places = [order.places.get(review.seat) if review.seat else None for review in in_page_order]
    tool_b = version.tool_ids[1]
    is_b = [review.tool_id == review.at_home(tool_b) for review in in_page_order]
    return [
        SeatRange(review.review_id, version.page_id, version.profile, first, last)
        for review, first, last in zip(in_page_order, *_seat_ranges(places, is_b, len(order.seats)), strict=True)
        if not review.seat
    ]


def inferred_seats(ranges: Iterable[SeatRange], profiles: Profiles) -> Mapping[str, str]:
    """Review id to seat, where all pages of a site together leave one."""
    allowed: dict[tuple[str, SeatOrder], tuple[int, int]] = {}
    for found in ranges:
        order = _page_order(profiles[found.profile])
        key = (found.review_id, order)
        first, last = allowed.get(key, (0, len(order.seats)))
        allowed[key] = (max(first, found.first), min(last, found.last))
    seats = [
        (review_id, order.seats[first])
        for (review_id, order), (first, last) in allowed.items()
        if first == last < len(order.seats)
    ]
    # Of sites with other seats the first in the alphabet: a review of two is rare.
    return dict(sorted(seats, reverse=True))


@cache
def _page_order(profile: SiteProfile) -> SeatOrder:
    return _seat_order(tuple(profile.scorecard.seats_in_page_order.values()))


@cache
def _seat_order(seats: tuple[str, ...]) -> SeatOrder:
    return SeatOrder(seats, {seat: seats.index(seat) for seat in seats})


def _seat_ranges(places: Sequence[int | None], is_b: Sequence[bool], seats: int) -> tuple[Sequence[int], Sequence[int]]:
    """The first and the last place that each take of a page can have, between those whose seats are labelled.

    `places` are those of the labelled seats, `seats` is how many a site has.
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
    """Rows from one take to the next, at least: B may stand in A's row, everything else begins another row."""
    return 0 if is_b and not was_b else 1
