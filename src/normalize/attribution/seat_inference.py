"""Seats of takes that no page labels, where the row order allows one seat only.

A scorecard reads row by row, one row per seat, A before B, seats always in one order. So an unlabelled take between two
whose seats are known from other pages can only have a seat between theirs.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from extract.panel.words.profile import SiteProfile
from normalize.attribution.page_takes import PageTakes
from normalize.attribution.review_attribution import ReviewAttribution


@dataclass(frozen=True, slots=True, eq=False)
class SeatOrder:
    """A site's seats in page order, and the place of each. Seats whose row was never seen are not among them.

    Sites with the same seats share one.
    """

    seats: tuple[str, ...]
    places: Mapping[str, int]


class SeatRange(NamedTuple):
    """The first and the last seat a take can have, by index in the site's page order.

    The index after the last one stands for a seat whose row was never seen: it is never inferred.
    """

    first: int
    last: int


def infer_seats(pages: Iterable[PageTakes], attributions: Mapping[str, ReviewAttribution]) -> Mapping[str, str]:
    """Review id to seat, for reviews without a labelled seat.

    Only pages whose takes all have their tool by more than row order are used, so that no guess rests on a guess.
    """
    labelled = {review_id: attribution.seat for review_id, attribution in attributions.items()}
    ranges: dict[tuple[SeatOrder, str], SeatRange] = {}
    for page in pages:
        if all(labelled[review_id] for review_id in page.review_ids):
            continue
        in_page_order = [attributions[review_id] for review_id in page.review_ids]
        if any(review.kind in {None, "ordered"} for review in in_page_order):
            continue
        order = _page_order(page.version.profile)
        places = [order.places.get(seat) if (seat := labelled[review_id]) else None for review_id in page.review_ids]
        tool_b = page.version.tool_ids[1]
        is_b = [review.tool_id == review.at_home(tool_b) for review in in_page_order]
        anywhere = SeatRange(0, len(order.seats))
        for review_id, first, last in zip(page.review_ids, *_seat_ranges(places, is_b, anywhere.last), strict=True):
            if not labelled[review_id]:
                known = ranges.get((order, review_id), anywhere)
                ranges[order, review_id] = SeatRange(max(known.first, first), min(known.last, last))
    return {
        review_id: order.seats[allowed.first]
        for (order, review_id), allowed in ranges.items()
        if allowed.first == allowed.last < len(order.seats)
    }


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
