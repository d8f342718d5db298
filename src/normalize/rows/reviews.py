"""Reviews, their appearances and the evidence for their tools, from attributed reviews."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from corpus.enumerations import SIDES, Attribution, Side
from corpus.rows.doubts import DiscrepancyRow
from corpus.rows.reviews import AppearanceRow, AttributionEvidenceRow, ReviewRow
from normalize.attribution.review_attribution import ReviewAttribution, first_seat
from normalize.dedup.mention_records import FoldedText
from normalize.dedup.mentions import TakeMention
from normalize.dedup.thresholds import THRESHOLDS
from normalize.parse.values import readable, score, take_verdict

Value = TypeVar("Value")


def review_row(review: ReviewAttribution, inferred_seat: str | None) -> ReviewRow:
    """The row of a review, with the first seat shown and the last score and verdict."""
    mentions, labelled = review.mentions, review.labelled
    seat = first_seat(labelled)
    versions = {mention.version.location: mention.version for mention in mentions}.values()
    times = {version.fetched_at for version in versions}
    return ReviewRow(
        review_id=review.review_id,
        tool_id=review.tool_id,
        seat=seat or inferred_seat,
        seat_source="label" if seat else "row_order" if inferred_seat else None,
        score=_last(readable(score, mention.take.score) for mention in reversed(labelled)),
        verdict=_last(readable(take_verdict, mention.take.verdict) for mention in reversed(labelled)),
        text=_fullest_text(mentions),
        attribution=review.kind or "ordered",
        confidence=round(review.confidence, 4),
        hosts=tuple(sorted({version.host for version in versions if version.host is not None})),
        appearances=len({(mention.version.page_id, mention.text.text_id) for mention in mentions}),
        first_seen_at=min(times),
        last_seen_at=max(times),
    )


def _last(newest_first: Iterable[Value | None]) -> Value | None:
    return next((value for value in newest_first if value is not None), None)


def _fullest_text(mentions: Sequence[TakeMention]) -> str:
    """The most frequent of the texts that are not truncated, as last published."""
    texts = {mention.text.text_id: mention.text for mention in mentions}
    chosen = fullest(texts.values(), Counter(mention.text.text_id for mention in mentions))
    last = next(mention for mention in reversed(mentions) if mention.text.text_id == chosen)
    # Of one version that shows it twice, the first.
    same = (item for item in mentions if item.version.location == last.version.location and item.text.text_id == chosen)
    return next(same).take.text


def fullest(texts: Collection[FoldedText], counts: Mapping[str, int]) -> str:
    """The id of the most frequent of the texts that are not truncated. `counts` are by id."""
    full_length = THRESHOLDS.prefix_share * max(len(text.match_key) for text in texts)
    full = [text.text_id for text in texts if len(text.match_key) >= full_length]
    return max(full, key=lambda text_id: (counts[text_id], text_id))


def appearance_rows(review: ReviewAttribution, pages: Collection[str] | None) -> Iterator[AppearanceRow]:
    """One row per distinct text of a take on a page, with the words and position of its freshest mention.

    Of these pages alone, of all where they are None.
    """
    groups: dict[tuple[str, str], list[TakeMention]] = defaultdict(list)
    labelled_pages = set()
    for mention in review.mentions:
        page_id = mention.version.page_id
        if pages is None or page_id in pages:
            groups[page_id, mention.text.text_id].append(mention)
            if mention.label is not None:
                labelled_pages.add(page_id)
    tool_id = review.tool_id
    for (page_id, _), mentions in groups.items():
        yield _appearance(review, tool_id, mentions, is_labelled=page_id in labelled_pages)


def _appearance(
    review: ReviewAttribution, tool_id: str, mentions: Sequence[TakeMention], *, is_labelled: bool
) -> AppearanceRow:
    """`mentions` are those of one text on one page, oldest first; `tool_id` is the review's tool."""
    freshest = mentions[-1]
    version, take, text = freshest.version, freshest.take, freshest.text
    times = [mention.version.fetched_at for mention in mentions]
    return AppearanceRow(
        page_id=version.page_id,
        text_id=text.text_id,
        review_id=review.review_id,
        position=take.position,
        side=_side(review, tool_id, mentions),
        match=text.kind,
        similarity=round(text.similarity, 4),
        attribution=_page_attribution(review, is_labelled=is_labelled),
        text=take.text,
        segment=version.location.segment,
        segment_offset=version.location.offset,
        first_block=take.span.first,
        last_block=take.span.last,
        first_seen_at=min(times),
        last_seen_at=max(times),
    )


def _side(review: ReviewAttribution, tool_id: str, mentions: Sequence[TakeMention]) -> Side | None:
    """The side of the last label, else that of the review's tool."""
    for mention in reversed(mentions):
        if mention.take.side is not None:
            return mention.take.side
    tool_ids = review.tools_on(mentions[-1].version)
    return SIDES[tool_ids.index(tool_id)] if tool_id in tool_ids else None


def _page_attribution(review: ReviewAttribution, *, is_labelled: bool) -> Attribution:
    if is_labelled:
        return "observed"
    return "matched" if review.kind == "observed" else review.kind or "ordered"


def evidence_rows(review: ReviewAttribution, pages: Collection[str] | None) -> Iterator[AttributionEvidenceRow]:
    """One row per kind of evidence and page; of these pages alone, of all where they are None."""
    for (kind, page_id), reason in review.evidence.items():
        if pages is None or page_id in pages:
            yield AttributionEvidenceRow(review.review_id, kind, page_id, round(reason.weight, 4), reason.detail)


def seat_conflict_rows(review: ReviewAttribution) -> Iterator[DiscrepancyRow]:
    """One row for every mention of a review with another seat than the first that its host labels it with."""
    first_seats: dict[str | None, str] = {}
    for mention in review.labelled_anywhere:
        seat = mention.take.seat
        if seat is not None and seat != (first_seat := first_seats.setdefault(mention.label, seat)):
            expected = f"{first_seat}: {mention.quote}"
            yield DiscrepancyRow(mention.version.page_id, mention.label, "seat_conflict", expected, seat)
