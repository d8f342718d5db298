"""Rows of reviews, their appearances and the evidence for their tools, from attributed reviews."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from verdicts.corpus.enumerations import SIDES, Attribution, Side
from verdicts.corpus.rows.reviews import AppearanceRow, AttributionEvidenceRow, LookalikeRow, ReviewAliasRow, ReviewRow
from verdicts.corpus.rows.runs import DiscrepancyRow
from verdicts.normalize.attribution.review_attribution import ReviewAttribution
from verdicts.normalize.dedup.mentions import FoldedText, Mention
from verdicts.normalize.rows.review_history import ReviewHistory


def make_review_row(review: ReviewAttribution, history: ReviewHistory) -> ReviewRow:
    """The row of a review: its last state."""
    mentions, state = review.mentions, history.state
    versions = {mention.version.location: mention.version for mention in mentions}.values()
    times = {version.fetched_at for version in versions}
    return ReviewRow(
        review_id=review.review_id,
        tool_id=review.tool_id,
        reviewer=state.reviewer,
        reviewer_source="label" if state.reviewer else None,
        score=state.score,
        verdict=state.verdict,
        text=state.text,
        is_shown=history.is_shown,
        attribution=review.kind or "ordered",
        confidence=round(review.confidence, 4),
        hosts=tuple(sorted({version.host for version in versions if version.host is not None})),
        appearances=len({(mention.version.page_id, mention.text_id) for mention in mentions}),
        first_seen_at=min(times),
        last_seen_at=max(times),
    )


def make_appearance_rows(review: ReviewAttribution) -> Iterator[AppearanceRow]:
    """One row per distinct text of a take on a page, with the words and position of its freshest mention."""
    groups: dict[tuple[str, str], list[Mention]] = defaultdict(list)
    labelled_pages = set()
    for mention in review.mentions:
        page_id = mention.version.page_id
        groups[page_id, mention.text_id].append(mention)
        if mention.label is not None:
            labelled_pages.add(page_id)
    tool_id = review.tool_id
    for (page_id, _), mentions in groups.items():
        yield _make_appearance(review, tool_id, mentions, is_labelled=page_id in labelled_pages)


def _make_appearance(
    review: ReviewAttribution, tool_id: str, mentions: Sequence[Mention], *, is_labelled: bool
) -> AppearanceRow:
    """`mentions` are those of one text on one page, oldest first; `tool_id` is the review's tool."""
    freshest = mentions[-1]
    version, take, text = freshest.version, freshest.take, review.texts[freshest.text_id]
    times = [mention.version.fetched_at for mention in mentions]
    return AppearanceRow(
        page_id=version.page_id,
        text_id=text.text_id,
        review_id=review.review_id,
        review_number=take.position,
        side=_find_side(review, tool_id, mentions),
        match=text.kind,
        similarity=round(text.similarity, 4),
        attribution=_find_page_attribution(review, is_labelled=is_labelled),
        text=take.text,
        segment=version.location.segment,
        segment_offset=version.location.offset,
        first_block=take.first_block,
        last_block=take.last_block,
        first_seen_at=min(times),
        last_seen_at=max(times),
    )


def _find_side(review: ReviewAttribution, tool_id: str, mentions: Sequence[Mention]) -> Side | None:
    """The side of the last label, else the side of the review's tool."""
    for mention in reversed(mentions):
        if mention.take.side is not None and review.kind != "corrected":
            return mention.take.side
    tool_ids = review.list_tools(mentions[-1].version)
    return SIDES[tool_ids.index(tool_id)] if tool_id in tool_ids else None


def _find_page_attribution(review: ReviewAttribution, *, is_labelled: bool) -> Attribution:
    if is_labelled and review.kind != "corrected":
        return "observed"
    return "matched" if review.kind == "observed" else review.kind or "ordered"


def make_evidence_rows(review: ReviewAttribution) -> Iterator[AttributionEvidenceRow]:
    """One row for each kind of evidence and page."""
    for (kind, page_id), reason in review.evidence.items():
        yield AttributionEvidenceRow(review.review_id, kind, page_id, round(reason.weight, 4), reason.detail)


def make_reviewer_conflicts(review: ReviewAttribution) -> Iterator[DiscrepancyRow]:
    """One row for each mention on pages now with another reviewer than the first label on its host."""
    first_reviewers: dict[str | None, str] = {}
    for mention in review.mentions_with_label:
        reviewer = mention.take.reviewer
        if not mention.version.is_standing:
            continue
        if reviewer is not None and reviewer != (first_reviewer := first_reviewers.setdefault(mention.label, reviewer)):
            expected = f"{first_reviewer}: {mention.quote}"
            yield DiscrepancyRow(mention.version.page_id, mention.label, "reviewer_conflict", expected, reviewer)


def make_alias_rows(texts: Iterable[FoldedText], reasons: Mapping[str, str]) -> Iterator[ReviewAliasRow]:
    """One row for each text but the oldest of a review: it may have been a review of its own in an earlier load.

    `reasons` has the decisions of people on texts.
    """
    for text in texts:
        if text.review_id != text.text_id:
            reason = reasons.get(text.text_id, f"{text.similarity:.0%} alike, and about one tool")
            yield ReviewAliasRow(text.text_id, text.review_id, reason)


def make_lookalike_rows(lookalikes: Mapping[tuple[str, str], float]) -> Iterator[LookalikeRow]:
    """One row per two reviews with similar texts."""
    for (review_id, other_id), similarity in lookalikes.items():
        yield LookalikeRow(review_id, other_id, round(similarity, 4))
