"""Reviews, where each stands, and how it is known whose it is."""

from datetime import datetime
from typing import Annotated

from verdicts.corpus.columns import COUNT, FROM_ONE, PCT, SHARE, Id, NotEmpty, References, RetiredFrom
from verdicts.corpus.declare import SEEN, InOrder, Row, table
from verdicts.corpus.enumerations import Attribution, Match, SeatSource, Side, TakeVerdict


@table(
    "reviews",
    key=("review_id",),
    cluster_by=("first_seen_at",),
    partition_by="first_seen_at",
    in_order=(SEEN,),
)
class ReviewRow(Row, frozen=True):
    """A distinct take: what one reviewer says of one tool, however many pages and hosts repeat it."""

    review_id: Annotated[
        str,
        Id(),
        "Id of the take, 32 hex digits, stable from night to night; ids merged into it are in review_aliases.",
    ]
    tool_id: Annotated[str, Id(), References("tools"), "Tool the take is about (tools.tool_id)."]
    seat: Annotated[
        str | None,
        "Reviewer's seat on the panel as written: Builder, Skeptic, Futurist, PM, Founder, Creator. NULL: "
        "no page shows it.",
    ]
    seat_source: Annotated[
        SeatSource | None,
        "How the seat is known: label (a page says so), row_order (no other seat has its row free, "
        "between rows that are known). NULL: no seat.",
    ]
    score: Annotated[int | None, PCT, "Reviewer's score, 0-100. NULL: no page shows it."]
    verdict: Annotated[TakeVerdict | None, "Reviewer's verdict: ship, skip. NULL: no page shows it."]
    text: Annotated[str, NotEmpty(), "The take as published, in its fullest wording."]
    attribution: Annotated[
        Attribution,
        "Strongest evidence among its appearances that it is about this tool: observed, matched, "
        "intersected, excluded, ordered (strongest first).",
    ]
    confidence: Annotated[
        float,
        SHARE,
        "Confidence in tool_id, 0-1. Takes that are only ordered are weak: filter them where it matters.",
    ]
    hosts: Annotated[
        tuple[str, ...],
        "Hosts that show it, in the order of the alphabet. Of several, tool_id is the tool of the one that showed it "
        "first; the others mirror it. Empty: only files without an address show it.",
    ]
    appearances: Annotated[int, FROM_ONE, "Number of its rows in appearances."]
    first_seen_at: Annotated[datetime, "When the oldest snapshot that shows it was fetched."]
    last_seen_at: Annotated[datetime, "When the newest snapshot whose content was read and shows it was fetched."]


@table("review_aliases", key=("old_id",))
class ReviewAliasRow(Row, frozen=True):
    """An id of a review that was merged into another, so that a kept id never leads nowhere."""

    old_id: Annotated[
        str,
        Id(),
        RetiredFrom("reviews"),
        "The id that was given up; still the text_id of the wording that founded it.",
    ]
    review_id: Annotated[str, Id(), References("reviews"), "The review it was merged into (reviews.review_id)."]
    reason: Annotated[str, NotEmpty(), "Why the two are one review, in words."]


@table("lookalikes", key=("review_id", "other_id"))
class LookalikeRow(Row, frozen=True):
    """Two reviews too alike to pass over and too unlike to join. Few are expected; a table that fills is an alarm."""

    review_id: Annotated[str, Id(), References("reviews"), "The one with the smaller id (reviews.review_id)."]
    other_id: Annotated[str, Id(), References("reviews"), "The other one (reviews.review_id)."]
    similarity: Annotated[float, SHARE, "Likeness of their closest wordings, 0-1: from 0.70 to under 0.82."]


@table(
    "appearances",
    key=("page_id", "text_id"),
    cluster_by=("review_id",),
    in_order=(
        InOrder("first_block", "last_block"),
        SEEN,
    ),
)
class AppearanceRow(Row, frozen=True):
    """A distinct wording of a take on a page."""

    page_id: Annotated[str, Id(), References("pages"), "Page (pages.page_id)."]
    text_id: Annotated[str, Id(), "Id of the wording, 32 hex digits made of its folded text."]
    review_id: Annotated[str, Id(), References("reviews"), "The take it is a wording of (reviews.review_id)."]
    position: Annotated[
        int,
        COUNT,
        "Place among the takes of the page in reading order, from 0: row by row, a before b.",
    ]
    side: Annotated[
        Side | None,
        "Side of the page its tool stands on: a, b. NULL: neither the page nor other pages tell.",
    ]
    match: Annotated[
        Match,
        "How its words compare with the founding wording of the review once folded: exact, near (small "
        "edits), prefix (cut short).",
    ]
    similarity: Annotated[
        float,
        SHARE,
        "How alike its words and the founding wording of the review are, 0-1; 1 is the same text once folded.",
    ]
    attribution: Annotated[
        Attribution,
        "How this sighting got its tool: observed (labelled here), matched, intersected, excluded, ordered.",
    ]
    text: Annotated[str, NotEmpty(), "The words on this page, as published."]
    segment: Annotated[str, NotEmpty(), "Segment file of the raw store that holds the snapshot it was read from."]
    segment_offset: Annotated[int, COUNT, "Place of the snapshot's record in the segment, bytes."]
    first_block: Annotated[int, COUNT, "First text block of the take in that snapshot, from 0."]
    last_block: Annotated[int, COUNT, "Last text block of the take in that snapshot, inclusive."]
    first_seen_at: Annotated[datetime, "When the oldest snapshot of the page with this wording was fetched."]
    last_seen_at: Annotated[
        datetime,
        "When the newest snapshot of the page that was read and has this wording was fetched.",
    ]


@table("attribution_evidence", key=("review_id", "kind", "page_id"))
class AttributionEvidenceRow(Row, frozen=True):
    """A reason why a review is attributed to its tool."""

    review_id: Annotated[str, Id(), References("reviews"), "Review (reviews.review_id)."]
    kind: Annotated[Attribution, "Kind of evidence: observed, matched, intersected, excluded, ordered."]
    page_id: Annotated[str, Id(), References("pages"), "Page the evidence is on (pages.page_id)."]
    weight: Annotated[
        float,
        SHARE,
        "Share of such evidence that is right, 0-1, measured on answer keys; where pages label the take "
        "with several tools, times the share that agrees.",
    ]
    detail: Annotated[str, "The evidence in words."]
