"""Reviews and their appearances, from solved cases."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from corpus.enumerations import Attribution
from corpus.rows.doubts import DiscrepancyRow
from corpus.rows.reviews import AppearanceRow, AttributionEvidenceRow, ReviewRow
from normalize.attribution.attribute import Attributed
from normalize.attribution.candidates import Case, opening
from normalize.dedup.mentions import Sighting
from normalize.dedup.thresholds import RULES
from normalize.identity.page_versions import SIDES
from normalize.parse.values import readable, score, take_verdict


def review_rows(attributed: Attributed) -> Iterator[ReviewRow]:
    """A row a review. Its seat is the first one shown, its score and verdict the last; its text the longest wording."""
    for review_id, case in attributed.cases.items():
        seen = case.sightings
        labelled = case.labelled
        seat = case.seat
        scores = [value for item in labelled if (value := readable(score, item.take.score)) is not None]
        verdicts = [word for item in labelled if (word := readable(take_verdict, item.take.verdict)) is not None]
        yield ReviewRow(
            review_id=review_id,
            tool_id=case.tool_id,
            seat=seat or attributed.seats.get(review_id),
            seat_source="label" if seat else "row_order" if review_id in attributed.seats else None,
            score=scores[-1] if scores else None,
            verdict=verdicts[-1] if verdicts else None,
            text=_fullest(seen),
            attribution=case.kind or "ordered",
            confidence=round(case.confidence, 4),
            appearances=len({(item.view.page_id, item.text_id) for item in seen}),
            first_seen_at=min(item.view.fetched_at for item in seen),
            last_seen_at=max(item.view.fetched_at for item in seen),
        )


def _fullest(seen: Sequence[Sighting]) -> str:
    """The words to show: of the wordings that are not cut off, the most frequent one as last published."""
    longest = max(len(item.variant.skeleton) for item in seen)
    whole = [item for item in seen if len(item.variant.skeleton) >= RULES.prefix_share * longest]
    counts = Counter(item.text_id for item in whole)
    return max(whole, key=lambda item: (counts[item.text_id], item.text_id, item.view.freshness)).take.text


def appearance_rows(attributed: Attributed) -> Iterator[AppearanceRow]:
    """A row a wording of a take on a page; its words and place are those of its freshest sighting."""
    for review_id, case in attributed.cases.items():
        groups: dict[tuple[str, str], list[Sighting]] = defaultdict(list)
        labelled_pages = {item.view.page_id for item in case.sightings if item.tool_id is not None}
        for item in case.sightings:
            groups[item.view.page_id, item.text_id].append(item)
        for (page_id, text_id), group in groups.items():
            freshest = group[-1]
            variant = freshest.variant
            tools = freshest.view.tools
            placed = SIDES[tools.index(case.tool_id)] if case.tool_id in tools else None
            yield AppearanceRow(
                page_id=page_id,
                text_id=text_id,
                review_id=review_id,
                position=freshest.take.position,
                side=next((item.take.side for item in reversed(group) if item.take.side is not None), placed),
                match=variant.kind,
                similarity=round(variant.similarity, 4),
                attribution=_attribution(case, is_labelled=page_id in labelled_pages),
                text=freshest.take.text,
                segment=freshest.view.location.segment,
                segment_offset=freshest.view.location.offset,
                first_block=freshest.take.span.first,
                last_block=freshest.take.span.last,
                first_seen_at=min(item.view.fetched_at for item in group),
                last_seen_at=max(item.view.fetched_at for item in group),
            )


def evidence_rows(attributed: Attributed) -> Iterator[AttributionEvidenceRow]:
    """A row a reason."""
    for review_id, case in attributed.cases.items():
        for (kind, page_id), reason in case.evidence.items():
            yield AttributionEvidenceRow(review_id, kind, page_id, round(reason.weight, 4), reason.detail)


def seat_conflicts(attributed: Attributed) -> Iterator[DiscrepancyRow]:
    """A row for every page that shows a review under another seat than the first page did."""
    for case in attributed.cases.values():
        seated = [item for item in case.labelled if item.take.seat is not None]
        for item in seated:
            if item.take.seat != seated[0].take.seat:
                expected = f"{seated[0].take.seat}: {opening(item)}"
                yield DiscrepancyRow(item.view.page_id, case.tool_id, "seat_conflict", expected, str(item.take.seat))


def _attribution(case: Case, *, is_labelled: bool) -> Attribution:
    if is_labelled:
        return "observed"
    return "matched" if case.kind == "observed" else case.kind or "ordered"
