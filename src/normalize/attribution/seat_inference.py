"""Seats of takes that no page labels, where the rows leave one alone.

A scorecard reads row by row, a row a seat, A before B, seats always in one order. So an unlabelled take between two
whose seats are known elsewhere can only have a seat between theirs.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import NamedTuple, TypeAlias

from extract.panel.profile import SiteProfile
from normalize.attribution.candidates import Case, Scorecard

SeatOrder: TypeAlias = tuple[str, ...]


class Span(NamedTuple):
    """The first and the last seat, by place in the site's page order, that a take can have.

    The place after the last one stands for a seat whose row was never seen: it stays open.
    """

    first: int
    last: int


def infer_seats(
    cards: Iterable[Scorecard], cases: Mapping[str, Case], labelled: Mapping[str, str | None]
) -> Mapping[str, str]:
    """Review id to seat, for reviews without a label. `labelled` gives the seats that labels say.

    Rows are believed only on pages all of whose takes have their tool by more than row order, so that no guess rests on
    a guess.
    """
    spans: dict[tuple[SeatOrder, str], Span] = {}
    for card in cards:
        if any(cases[review].kind in {None, "ordered"} for review in card.reviews):
            continue
        if all(labelled.get(review) for review in card.reviews):
            continue
        order = _page_order(card.view.profile)
        for review, span in zip(card.reviews, _spans(card, cases, labelled, order), strict=True):
            before = spans.get((order, review), Span(0, len(order)))
            spans[order, review] = Span(max(before.first, span.first), min(before.last, span.last))
    return {
        review: order[span.first]
        for (order, review), span in spans.items()
        if not labelled.get(review) and span.first == span.last < len(order)
    }


@cache
def _page_order(profile: SiteProfile) -> SeatOrder:
    return tuple(profile.scorecard.seats_in_page_order.values())


def _spans(
    card: Scorecard, cases: Mapping[str, Case], labelled: Mapping[str, str | None], order: SeatOrder
) -> Iterator[Span]:
    places = [_place(labelled.get(review), order) for review in card.reviews]
    is_b = [cases[review].tool_id == card.view.tools[1] for review in card.reviews]
    firsts: list[int] = []
    for index, place in enumerate(places):
        least = 0 if index == 0 else firsts[-1] + _step(is_b[index - 1], is_b[index])
        firsts.append(least if place is None else place)
    lasts: list[int] = []
    for index, place in reversed(list(enumerate(places))):
        most = len(order) if not lasts else lasts[-1] - _step(is_b[index], is_b[index + 1])
        lasts.append(most if place is None else place)
    return (Span(first, last) for first, last in zip(firsts, reversed(lasts), strict=True))


def _step(was_b: bool, is_b: bool) -> int:
    """Rows from one take to the next, at least: B may stand in A's row, all else begins another."""
    return 0 if is_b and not was_b else 1


def _place(seat: str | None, order: SeatOrder) -> int | None:
    return None if seat not in order else order.index(seat)
