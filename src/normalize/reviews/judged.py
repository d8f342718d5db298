"""What is kept of a review once its tool is found."""

import hashlib

import msgspec

from normalize.attribution.review_attribution import ReviewAttribution
from normalize.judged_reviews import JudgedReview

_ENCODER = msgspec.msgpack.Encoder()

ON_EVERY_PAGE = {"observed", "matched", "intersected"}
"""Kinds of evidence that each page of a review bears or not by what it shows itself."""


def judged(review: ReviewAttribution, *, is_settled: bool) -> JudgedReview:
    """The record of a review, its seat not inferred yet."""
    return JudgedReview(
        review_id=review.review_id,
        tool_id=review.tool_id,
        kind=review.kind or "ordered",
        is_settled=is_settled,
        seat=review.seat,
        inferred_seat=None,
        counterparts=dict(review.counterparts),
        digest=_digest(review),
    )


def _digest(review: ReviewAttribution) -> str:
    """Of all that the rows of a review on a page depend on, but what the page itself shows."""
    reasons = {
        (kind, "" if kind in ON_EVERY_PAGE else page_id, *reason) for (kind, page_id), reason in review.evidence.items()
    }
    texts = {(item.text.text_id, item.text.kind, item.text.similarity) for item in review.mentions}
    parts = (review.tool_id, review.kind, sorted(review.counterparts.items()), sorted(reasons), sorted(texts))
    return hashlib.blake2b(_ENCODER.encode(parts), digest_size=8).hexdigest()
