"""Reviews and their appearances, from folded sightings and their attribution."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from normalize.attribution import Verdict
from normalize.folding import Match, Sighting
from normalize.rows import AppearanceRow, Attribution, AttributionEvidenceRow, DiscrepancyRow, ReviewRow
from normalize.values import score, verdict_word
from normalize.views import SIDES


@dataclass(frozen=True, slots=True)
class ReviewRows:
    """The rows of four tables."""

    reviews: tuple[ReviewRow, ...]
    appearances: tuple[AppearanceRow, ...]
    evidence: tuple[AttributionEvidenceRow, ...]
    discrepancies: tuple[DiscrepancyRow, ...]


def review_rows(
    sightings: Sequence[Sighting], matches: Mapping[str, Match], verdicts: Mapping[str, Verdict]
) -> ReviewRows:
    """A row a review, a row an appearance: a wording of a take on a page. Sightings come oldest first."""
    by_review: dict[str, list[Sighting]] = defaultdict(list)
    for sighting in sightings:
        by_review[matches[sighting.text_id].review_id].append(sighting)
    reviews, appearances, evidence, doubts = [], [], [], []
    for review_id, seen in by_review.items():
        verdict = verdicts[review_id]
        shown = _appearances(review_id, seen, matches, verdict)
        appearances += shown
        evidence += [
            AttributionEvidenceRow(review_id, item.kind, item.page_id, item.detail) for item in verdict.evidence
        ]
        labelled = [item for item in seen if item.take.seat is not None]
        seats = list(dict.fromkeys(item.take.seat for item in labelled))
        if len(seats) > 1:
            page = labelled[0].view.page_id
            doubts.append(
                DiscrepancyRow(page, verdict.tool_id, "seat_conflict", str(seats[0]), ", ".join(map(str, seats[1:])))
            )
        scores = [points for item in labelled if (points := score(item.take.score)) is not None]
        words = [value for item in labelled if (value := verdict_word(item.take.verdict)) is not None]
        reviews.append(
            ReviewRow(
                review_id=review_id,
                tool_id=verdict.tool_id,
                seat=seats[0] if seats else None,
                score=scores[-1] if scores else None,
                verdict=words[-1] if words else None,
                text=max(seen, key=lambda item: (len(item.skeleton), item.view.freshness, item.take.text)).take.text,
                attribution=verdict.kind,
                confidence=verdict.confidence,
                appearances=len(shown),
                first_seen_at=min(item.view.fetched_at for item in seen),
                last_seen_at=max(item.view.fetched_at for item in seen),
            )
        )
    return ReviewRows(tuple(reviews), tuple(appearances), tuple(evidence), tuple(doubts))


def _appearances(
    review_id: str, seen: Sequence[Sighting], matches: Mapping[str, Match], verdict: Verdict
) -> list[AppearanceRow]:
    """One row for each wording on each page; its words and place are those of its freshest sighting."""
    groups: dict[tuple[str, str], list[Sighting]] = defaultdict(list)
    for sighting in seen:
        groups[sighting.view.page_id, sighting.text_id].append(sighting)
    rows = []
    for (page_id, text_id), group in groups.items():
        last = group[-1]
        match = matches[text_id]
        tools = last.view.tools
        side = last.side or (SIDES[tools.index(verdict.tool_id)] if verdict.tool_id in tools else None)
        known_as: Attribution = verdict.kind
        if any(item.side is not None for item in group):
            known_as = "observed"
        elif verdict.kind == "observed":
            known_as = "matched"
        rows.append(
            AppearanceRow(
                page_id=page_id,
                text_id=text_id,
                review_id=review_id,
                position=last.take.position,
                side=side,
                match=match.kind,
                similarity=round(match.similarity, 4),
                attribution=known_as,
                text=last.take.text,
                segment=last.view.location.segment,
                segment_offset=last.view.location.offset,
                first_block=last.take.span.first,
                last_block=last.take.span.last,
                first_seen_at=min(item.view.fetched_at for item in group),
                last_seen_at=max(item.view.fetched_at for item in group),
            )
        )
    return rows
