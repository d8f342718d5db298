"""The review round: tools, seats, evidence and rows of the reviews that a night touches."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from typing import Any, NamedTuple

from corpus.rows.reviews import ReviewRow
from extract.panel.words.profile import Profiles
from normalize.dedup.mention_records import Mention
from normalize.identity.tool_days import ToolDay
from normalize.judged_reviews import DOUBTS, REVIEWS, Doubt, JudgedReview
from normalize.reviews.confirmed import PLAIN_REVIEWS, Confirmed, PlainReview, confirm, plain_review
from normalize.reviews.judged_rows import review_doubts, review_rows
from normalize.reviews.judging import Judging, judge
from normalize.reviews.seats import infer_seats, note_seats
from normalize.rows.ranges import fitting
from normalize.rows.reviews import appearance_rows, evidence_rows
from normalize.state.relation import State


class Touched(NamedTuple):
    """What the rounds before did: `pages` have other takes, `shifted` ones takes of other reviews.

    `reviews` have other mentions or texts, or quote names that have changed; `grown` ones have at most more mentions.
    `before` and `now` are all mentions of the pages. `tool_days` are page versions that are new, gone, or have other
    takes.
    """

    pages: Collection[str]
    shifted: Collection[str]
    reviews: Collection[str]
    grown: Collection[str]
    before: Sequence[Mention]
    now: Sequence[Mention]
    tool_days: Collection[ToolDay]


class ReviewDelta(NamedTuple):
    """Rows, and what they decide: of `reviews` the row itself, of `rejudged` ones all appearances and evidence too.

    `doubted` are pages whose discrepancies are others now.
    """

    rows: dict[str, list[Any]]
    reviews: frozenset[str]
    rejudged: frozenset[str]
    doubted: frozenset[str]


def review_round(state: State, touched: Touched, profiles: Profiles) -> ReviewDelta:
    """Judges the touched reviews and the open ones that hang together with them, and gives their rows.

    Writes REVIEWS, OPEN_REVIEWS, SEAT_RANGES, and the DOUBTS of reviews.
    """
    judging = Judging(state)
    again = {*touched.pages, *touched.shifted}
    confirmed = confirm(state, touched.grown, touched.before, touched.now)
    judge(judging, {*touched.reviews, *touched.grown} - confirmed.keys(), touched.tool_days, again)
    seated = infer_seats(judging, again, profiles)
    if seated:
        judge(judging, seated.keys(), (), ())
        note_seats(judging, seated)
    still = {review_id: found for review_id, found in confirmed.items() if review_id not in judging.asked}
    rejudged = frozenset(one for one in judging.asked if _digest(judging.before, one) != _digest(judging.now, one))
    rows, beyond = fitting(_rows(judging, still, rejudged, frozenset(touched.pages)))
    doubts = review_doubts(judging, beyond)
    doubted = _note_doubts(judging, doubts)
    state.replace(REVIEWS, "review_id", judging.asked, judging.now.values())
    state.replace(PLAIN_REVIEWS, "review_id", {*judging.asked, *still}, _plain(judging, still, rows["reviews"], doubts))
    return ReviewDelta(rows, frozenset(judging.asked.union(still)), rejudged, doubted)


def _plain(
    judging: Judging, confirmed: Mapping[str, Confirmed], rows: Iterable[ReviewRow], doubts: Iterable[Doubt]
) -> Iterator[PlainReview]:
    doubtful = {doubt.source for doubt in doubts}
    for row in rows:
        review_id = row.review_id
        if review_id in confirmed:
            yield confirmed[review_id].plain
        elif review_id not in doubtful and (plain := plain_review(judging.reviews[review_id], row)) is not None:
            yield plain


def _digest(reviews: Mapping[str, JudgedReview], review_id: str) -> str | None:
    return reviews[review_id].digest if review_id in reviews else None


def _rows(
    judging: Judging, confirmed: Mapping[str, Confirmed], rejudged: Collection[str], pages: Collection[str]
) -> dict[str, list[Any]]:
    rows = review_rows(judging, rejudged, pages)
    for found in confirmed.values():
        rows["reviews"].append(found.plain.row)
        rows["appearances"] += appearance_rows(found.review, pages)
        rows["attribution_evidence"] += evidence_rows(found.review, pages)
    return rows


def _note_doubts(judging: Judging, now: Set[Doubt]) -> frozenset[str]:
    """Writes the contradictions of the judged reviews; gives the pages that have others than before."""
    before = {*judging.state.find(DOUBTS, "source", judging.asked)}
    judging.state.replace(DOUBTS, "source", judging.asked, now)
    return frozenset(doubt.page_id for doubt in before ^ now)
