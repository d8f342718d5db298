"""Reviews, their appearances and the evidence for their tools, from attributed reviews."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from corpus.enumerations import SIDES, Attribution
from corpus.rows.doubts import DiscrepancyRow
from corpus.rows.reviews import AppearanceRow, AttributionEvidenceRow, ReviewRow
from normalize.attribution.attribute import AttributedReviews
from normalize.attribution.review_attribution import ReviewAttribution
from normalize.dedup.mentions import TakeMention
from normalize.dedup.thresholds import THRESHOLDS
from normalize.parse.values import readable, score, take_verdict


def review_rows(attributed: AttributedReviews) -> Iterator[ReviewRow]:
    """One row per review, with the first seat shown and the last score and verdict."""
    for review_id, review in attributed.reviews.items():
        mentions, labelled, seat = review.mentions, review.labelled, review.seat
        inferred_seat = attributed.inferred_seats.get(review_id)
        scores = [value for item in labelled if (value := readable(score, item.take.score)) is not None]
        verdicts = [word for item in labelled if (word := readable(take_verdict, item.take.verdict)) is not None]
        yield ReviewRow(
            review_id=review_id,
            tool_id=review.tool_id,
            seat=seat or inferred_seat,
            seat_source="label" if seat else "row_order" if inferred_seat else None,
            score=scores[-1] if scores else None,
            verdict=verdicts[-1] if verdicts else None,
            text=_fullest_text(mentions),
            attribution=review.kind or "ordered",
            confidence=round(review.confidence, 4),
            hosts=tuple(sorted({mention.version.host for mention in mentions if mention.version.host is not None})),
            appearances=len({(mention.version.page_id, mention.text_id) for mention in mentions}),
            first_seen_at=min(mention.version.fetched_at for mention in mentions),
            last_seen_at=max(mention.version.fetched_at for mention in mentions),
        )


def _fullest_text(mentions: Sequence[TakeMention]) -> str:
    """The most frequent of the texts that are not truncated, as last published."""
    longest = max(len(mention.member.match_key) for mention in mentions)
    full_length = THRESHOLDS.prefix_share * longest
    full = [mention for mention in mentions if len(mention.member.match_key) >= full_length]
    counts = Counter(mention.text_id for mention in full)
    return max(full, key=lambda item: (counts[item.text_id], item.text_id, item.version.freshness)).take.text


def appearance_rows(attributed: AttributedReviews) -> Iterator[AppearanceRow]:
    """One row per distinct text of a take on a page, with the words and position of its freshest mention."""
    for review in attributed.reviews.values():
        groups: dict[tuple[str, str], list[TakeMention]] = defaultdict(list)
        for mention in review.mentions:
            groups[mention.version.page_id, mention.text_id].append(mention)
        labelled_pages = {mention.version.page_id for mention in review.mentions if mention.tool_id is not None}
        for (page_id, _), mentions in groups.items():
            yield _appearance(review, mentions, is_labelled=page_id in labelled_pages)


def _appearance(review: ReviewAttribution, mentions: Sequence[TakeMention], *, is_labelled: bool) -> AppearanceRow:
    """`mentions` are those of one text on one page, oldest first."""
    freshest = mentions[-1]
    version, take, member = freshest.version, freshest.take, freshest.member
    tool_ids = review.tools_on(version)
    attributed_side = SIDES[tool_ids.index(review.tool_id)] if review.tool_id in tool_ids else None
    labelled_sides = (mention.take.side for mention in reversed(mentions) if mention.take.side is not None)
    return AppearanceRow(
        page_id=version.page_id,
        text_id=freshest.text_id,
        review_id=review.review_id,
        position=take.position,
        side=next(labelled_sides, attributed_side),
        match=member.kind,
        similarity=round(member.similarity, 4),
        attribution=_page_attribution(review, is_labelled=is_labelled),
        text=take.text,
        segment=version.location.segment,
        segment_offset=version.location.offset,
        first_block=take.span.first,
        last_block=take.span.last,
        first_seen_at=min(mention.version.fetched_at for mention in mentions),
        last_seen_at=max(mention.version.fetched_at for mention in mentions),
    )


def _page_attribution(review: ReviewAttribution, *, is_labelled: bool) -> Attribution:
    if is_labelled:
        return "observed"
    return "matched" if review.kind == "observed" else review.kind or "ordered"


def evidence_rows(attributed: AttributedReviews) -> Iterator[AttributionEvidenceRow]:
    """One row per review, kind of evidence and page."""
    for review_id, review in attributed.reviews.items():
        for (kind, page_id), reason in review.evidence.items():
            yield AttributionEvidenceRow(review_id, kind, page_id, round(reason.weight, 4), reason.detail)


def seat_conflict_rows(attributed: AttributedReviews) -> Iterator[DiscrepancyRow]:
    """One row for every mention of a review with another seat than the first that its host labels it with."""
    for review in attributed.reviews.values():
        first_seats: dict[str | None, str] = {}
        for mention in review.labelled_anywhere:
            seat = mention.take.seat
            if seat is not None and seat != (first_seat := first_seats.setdefault(mention.tool_id, seat)):
                expected = f"{first_seat}: {mention.quote}"
                yield DiscrepancyRow(mention.version.page_id, mention.tool_id, "seat_conflict", expected, seat)
