"""Seats of takes that no page labels, where the rows leave one alone.

A scorecard reads row by row, a row a seat, A before B, seats always in one order. So an unlabelled take between two
whose seats are known elsewhere can only have a seat between theirs.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from normalize.attribution.candidates import Case, Scorecard

ORDER = ("Builder", "Skeptic", "Futurist", "PM", "Founder")
"""Seats in page order. The site also has a Creator, whose row was never seen: the last seat stays open."""

_LAST = len(ORDER)


class Span(NamedTuple):
    """The first and the last seat, by place in `ORDER`, that a take can have."""

    first: int
    last: int


def infer_seats(
    cards: Iterable[Scorecard], cases: Mapping[str, Case], labelled: Mapping[str, str | None]
) -> Mapping[str, str]:
    """Review id to seat, for reviews without a label. `labelled` gives the seats that labels say.

    Rows are believed only on pages all of whose takes have their tool by more than row order, so that no guess rests on
    a guess.
    """
    spans: dict[str, Span] = {}
    for card in cards:
        if any(cases[review].kind in {None, "ordered"} for review in card.reviews):
            continue
        if all(labelled.get(review) for review in card.reviews):
            continue
        for review, span in zip(card.reviews, _spans(card, cases, labelled), strict=True):
            held = spans.get(review, Span(0, _LAST))
            spans[review] = Span(max(held.first, span.first), min(held.last, span.last))
    return {
        review: ORDER[span.first]
        for review, span in spans.items()
        if not labelled.get(review) and span.first == span.last < _LAST
    }


def _spans(card: Scorecard, cases: Mapping[str, Case], labelled: Mapping[str, str | None]) -> Iterator[Span]:
    known = [_place(labelled.get(review)) for review in card.reviews]
    is_b = [cases[review].tool_id == card.view.tools[1] for review in card.reviews]
    firsts: list[int] = []
    for at, place in enumerate(known):
        least = 0 if at == 0 else firsts[-1] + _step(is_b[at - 1], is_b[at])
        firsts.append(least if place is None else place)
    lasts: list[int] = []
    for at in range(len(known) - 1, -1, -1):
        most = _LAST if not lasts else lasts[-1] - _step(is_b[at], is_b[at + 1])
        lasts.append(most if known[at] is None else known[at] or 0)
    return (Span(first, last) for first, last in zip(firsts, reversed(lasts), strict=True))


def _step(was_b: bool, is_b: bool) -> int:
    """Rows from one take to the next, at least: B may stand in A's row, all else begins another."""
    return 0 if is_b and not was_b else 1


def _place(seat: str | None) -> int | None:
    return ORDER.index(seat) if seat in ORDER else None
