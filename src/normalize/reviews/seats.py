"""Seats that no label shows, inferred again where a night changed what they rest on."""

from collections.abc import Collection, Iterable, Mapping

from msgspec.structs import replace

from extract.panel.words.profile import Profiles
from normalize.attribution.page_takes import takes_by_page
from normalize.attribution.seat_inference import inferred_seats, seat_ranges
from normalize.dedup.mentions import TakeMention
from normalize.judged_reviews import REVIEWS, SEAT_RANGES, JudgedReview, SeatRange
from normalize.reviews.judging import Judging, is_placed_anew, pages_of
from normalize.reviews.loaded import mentions_on_pages


def infer_seats(judging: Judging, pages: Collection[str], profiles: Profiles) -> Mapping[str, str]:
    """The seats of reviews that have another one now and are not being judged, after noting those of the judged.

    `pages` have other takes, or takes of other reviews, than before. Writes SEAT_RANGES.
    """
    state, now = judging.state, judging.now
    moved = (review for review_id, review in judging.reviews.items() if is_placed_anew(judging, review_id))
    again = {*pages, *pages_of(moved)}
    mentions = mentions_on_pages(state, again)
    reviews = _known(judging, {mention.text.review_id for mention in mentions})
    ranges = ranges_on_pages(mentions, reviews, profiles)
    before = state.find(SEAT_RANGES, "page_id", again)
    state.replace(SEAT_RANGES, "page_id", again, ranges)
    asked = {item.review_id for item in {*before}.symmetric_difference(ranges)} | now.keys()
    reviews = _known(judging, asked)
    unlabelled = {review_id for review_id in asked if review_id in reviews and not reviews[review_id].seat}
    seats = inferred_seats(state.find(SEAT_RANGES, "review_id", unlabelled), profiles)
    note_seats(judging, seats)
    return {
        review_id: seats.get(review_id, "")
        for review_id in unlabelled - now.keys()
        if reviews[review_id].inferred_seat != seats.get(review_id)
    }


def ranges_on_pages(
    mentions: Collection[TakeMention], reviews: Mapping[str, JudgedReview], profiles: Profiles
) -> list[SeatRange]:
    """The seats that the reviews of some pages can have, by each page version with one that no label seats.

    `mentions` are all of these pages, `reviews` those that they are of.
    """
    unseated = {item.version.location for item in mentions if not reviews[item.text.review_id].seat}
    shown = takes_by_page(item for item in mentions if item.version.location in unseated)
    return [found for page in shown for found in seat_ranges(page, reviews, profiles)]


def note_seats(judging: Judging, seats: Mapping[str, str]) -> None:
    """Notes the inferred seats of the judged reviews."""
    for review_id, review in judging.now.items():
        seat = seats.get(review_id)
        if seat:
            judging.now[review_id] = replace(review, inferred_seat=seat)


def _known(judging: Judging, review_ids: Iterable[str]) -> dict[str, JudgedReview]:
    others = judging.state.find(REVIEWS, "review_id", {one for one in review_ids if one not in judging.now})
    return {review.review_id: review for review in others} | judging.now
