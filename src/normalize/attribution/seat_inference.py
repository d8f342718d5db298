"""Seats of takes that no page labels, where the row order allows one seat only.

A scorecard reads row by row, one row per seat, A before B, seats always in one order. So an unlabelled take between two
whose seats are known from other pages can only have a seat between theirs.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import NamedTuple, TypeAlias

from extract.panel.words.profile import SiteProfile
from normalize.attribution.page_takes import PageTakes
from normalize.attribution.review_attribution import ReviewAttribution

SeatOrder: TypeAlias = tuple[str, ...]
"""A site's seats in page order. Seats whose row was never seen are not among them."""


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
        if any(attributions[review_id].kind in {None, "ordered"} for review_id in page.review_ids):
            continue
        if all(labelled.get(review_id) for review_id in page.review_ids):
            continue
        order = _page_order(page.version.profile)
        allowed_here = _seat_ranges(page, attributions, labelled, order)
        for review_id, allowed in zip(page.review_ids, allowed_here, strict=True):
            known = ranges.get((order, review_id), SeatRange(0, len(order)))
            ranges[order, review_id] = SeatRange(max(known.first, allowed.first), min(known.last, allowed.last))
    return {
        review_id: order[allowed.first]
        for (order, review_id), allowed in ranges.items()
        if not labelled.get(review_id) and allowed.first == allowed.last < len(order)
    }


@cache
def _page_order(profile: SiteProfile) -> SeatOrder:
    return tuple(profile.scorecard.seats_in_page_order.values())


def _seat_ranges(
    page: PageTakes,
    attributions: Mapping[str, ReviewAttribution],
    labelled: Mapping[str, str | None],
    order: SeatOrder,
) -> Iterator[SeatRange]:
    """The seats that each take of a page can have, between the labelled ones."""
    known = [_seat_index(labelled.get(review_id), order) for review_id in page.review_ids]
    in_review_order = [attributions[review_id] for review_id in page.review_ids]
    is_b = [review.tool_id == review.at_home(page.version.tool_ids[1]) for review in in_review_order]
    firsts: list[int] = []
    for position, seat in enumerate(known):
        lowest = 0 if position == 0 else firsts[-1] + _rows_between(is_b[position - 1], is_b[position])
        firsts.append(lowest if seat is None else seat)
    lasts: list[int] = []
    for position, seat in reversed(list(enumerate(known))):
        highest = len(order) if not lasts else lasts[-1] - _rows_between(is_b[position], is_b[position + 1])
        lasts.append(highest if seat is None else seat)
    return (SeatRange(first, last) for first, last in zip(firsts, reversed(lasts), strict=True))


def _rows_between(was_b: bool, is_b: bool) -> int:
    """Rows from one take to the next, at least: B may stand in A's row, everything else begins another row."""
    return 0 if is_b and not was_b else 1


def _seat_index(seat: str | None, order: SeatOrder) -> int | None:
    return None if seat not in order else order.index(seat)
