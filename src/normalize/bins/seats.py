"""Stages `seats` and `rows`: seats by the order of the rows of pages, and the rows of reviews with them."""

from collections.abc import Collection, Mapping

from msgspec.structs import replace

from corpus.rows.reviews import ReviewRow
from normalize.attribution.seat_inference import inferred_seats
from normalize.bins.messages import HOMED_REVIEWS, REVIEW_ROWS, HomedReview, sent_mentions
from normalize.bins.outbox import Inbox, Outbox
from normalize.bins.pages import Rows
from normalize.bins.shared import Shared
from normalize.dedup.mention_records import TEXTS, FoldedText
from normalize.dedup.mentions import TakeMention
from normalize.judged_reviews import DOUBTS, SEAT_RANGES, discrepancies
from normalize.reviews.seats import ranges_on_pages


def seat_bin(inbox: Inbox, decided: Inbox, doubts: Inbox, shared: Shared, outbox: Outbox) -> Rows:
    """The pages of a bin: rows of their discrepancies; SEAT_RANGES to where the rows of reviews wait.

    `decided` are HOMED_REVIEWS that were open, `doubts` all DOUBTS that were sent to these pages.
    """
    texts: dict[str, FoldedText] = {text.text_id: text for text in inbox[TEXTS.name]}
    homed: dict[str, HomedReview] = {item.review_id: item for of in (inbox, decided) for item in of[HOMED_REVIEWS.name]}
    mentions = [TakeMention(item.version, item.take, item.label, texts[item.text_id]) for item in sent_mentions(inbox)]
    reviews = {review_id: item.review for review_id, item in homed.items()}
    for found in ranges_on_pages(mentions, reviews, shared.profiles):
        outbox.send_to("rows", homed[found.review_id].home, SEAT_RANGES, (found,))
    return {"discrepancies": discrepancies(doubts[DOUBTS.name])}


def row_bin(inbox: Inbox, shared: Shared) -> Rows:
    """Rows of reviews, with the seats that the order of rows allows alone."""
    waiting: Mapping[str, ReviewRow] = {row.review_id: row for row in inbox[REVIEW_ROWS.name]}
    unlabelled: Collection[str] = {review_id for review_id, row in waiting.items() if not row.seat}
    ranges = [found for found in inbox[SEAT_RANGES.name] if found.review_id in unlabelled]
    seats = inferred_seats(ranges, shared.profiles)
    return {
        "reviews": [
            replace(row, seat=seats[one], seat_source="row_order") if seats.get(one) and one in unlabelled else row
            for one, row in waiting.items()
        ]
    }
