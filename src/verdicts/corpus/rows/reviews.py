"""Reviews, the pages that show them, and the evidence for the tool of each."""

from datetime import datetime
from typing import Annotated

from verdicts.corpus.columns import COUNT, FROM_ONE, PCT, SHARE, Id, NotEmpty, References, RetiredFrom, Visit
from verdicts.corpus.declare import SEEN, VALID, InOrder, Row, table
from verdicts.corpus.enumerations import Attribution, Match, ReviewerSource, ReviewVerdict, Side


@table(
    "reviews",
    example="SELECT name, reviewer, score, text FROM reviews JOIN tools USING (tool_id) ORDER BY score LIMIT 5",
    key=("review_id",),
    cluster_by=("first_seen_at",),
    partition_by="first_seen_at",
    in_order=(SEEN,),
)
class ReviewRow(Row, frozen=True):
    """A distinct review: what one reviewer says about one tool, once, even if many pages and hosts repeat it.

    It is the newest state of the review, its last one if no page shows it any more (is_shown). Earlier states are in
    history.review_history. Its times are those when pages were read: no page of a panel says when a review was written.
    """

    review_id: Annotated[
        str,
        Id(),
        "Id of the review, 32 hex digits: that of its oldest wording. If an older wording is found, it gets the id of "
        "that one; review_aliases leads from every other id to it.",
    ]
    tool_id: Annotated[str, Id(), References("tools"), "Tool the review is about (tools.tool_id)."]
    reviewer: Annotated[
        str | None,
        "Reviewer on the panel as written: Builder, Skeptic, Futurist, PM, Founder, Creator. NULL: no page shows it.",
    ]
    reviewer_source: Annotated[
        ReviewerSource | None,
        "How the reviewer is known: label (a page shows it), row_order (only this reviewer fits between the known "
        "rows). NULL: no reviewer.",
    ]
    score: Annotated[int | None, PCT, "Reviewer's score, 0-100. NULL: no page shows it."]
    verdict: Annotated[ReviewVerdict | None, "Reviewer's verdict: ship, skip. NULL: no page shows it."]
    text: Annotated[
        str,
        NotEmpty(),
        "The review as published, from the reading that has its score and verdict; the full text if that reading "
        "cuts it short.",
    ]
    is_shown: Annotated[
        bool,
        "True: a page that is not gone shows it, in its newest reading with as many reviews as votes. False: it was "
        "withdrawn, and no view counts it.",
    ]
    attribution: Annotated[
        Attribution,
        "Strongest evidence that it is about this tool: corrected (a person says so), observed, matched, intersected, "
        "excluded, ordered (strongest first).",
    ]
    confidence: Annotated[
        float,
        SHARE,
        "Confidence in tool_id, 0-1. Evidence of the kind ordered is weak: filter it out where this matters.",
    ]
    hosts: Annotated[
        tuple[str, ...],
        "Hosts that show it, in alphabetical order. tool_id belongs to the host that showed it first; the others "
        "mirror it. Empty: it is only in files without an address.",
    ]
    appearances: Annotated[int, FROM_ONE, "Number of its rows in appearances."]
    first_seen_at: Annotated[datetime, "Fetch time of the oldest snapshot that shows it, not when it was written."]
    last_seen_at: Annotated[datetime, Visit(), "Fetch time of the newest snapshot whose content was read and shows it."]


@table(
    "review_history",
    schema="history",
    example="SELECT reviewer, score, valid_from FROM review_history WHERE valid_to IS NOT NULL ORDER BY ALL LIMIT 5",
    key=("review_id", "valid_from"),
    period=VALID,
)
class ReviewHistoryRow(Row, frozen=True):
    """What a review said over time: one row for each state in which pages showed it.

    Times of a review never overlap. Between two rows no page showed it: it was withdrawn and came back.
    """

    review_id: Annotated[str, Id(), References("reviews"), "Review (reviews.review_id)."]
    tool_id: Annotated[
        str,
        Id(),
        References("tools"),
        "Tool that it was about in this state (tools.tool_id): a site may move a review to another tool.",
    ]
    reviewer: Annotated[str | None, "Reviewer in this state. NULL: no page shows it."]
    score: Annotated[int | None, PCT, "Reviewer's score in this state, 0-100. NULL: no page shows it."]
    verdict: Annotated[ReviewVerdict | None, "Reviewer's verdict in this state: ship, skip. NULL: no page shows it."]
    text: Annotated[str, NotEmpty(), "The review as published in this state."]
    valid_from: Annotated[datetime, "When a snapshot first showed this state."]
    valid_to: Annotated[
        datetime | None,
        "When a snapshot first showed another state, or the last page dropped it or was gone, exclusive. NULL: pages "
        "show it now.",
    ]


@table("review_aliases", schema="evidence", key=("old_id",))
class ReviewAliasRow(Row, frozen=True):
    """An id that leads to a review: that of any of its wordings but the oldest. It may have been a review's own once.

    With it, an id that you stored still finds its review.
    """

    old_id: Annotated[
        str,
        Id(),
        RetiredFrom("reviews"),
        "The other id: the text_id of a wording.",
    ]
    review_id: Annotated[str, Id(), References("reviews"), "The review that has the wording (reviews.review_id)."]
    reason: Annotated[str, NotEmpty(), "Why the wording is of this review, in words."]


@table("lookalikes", schema="evidence", key=("review_id", "other_review_id"))
class LookalikeRow(Row, frozen=True):
    """Two reviews that are similar, but not enough to be merged. Few rows are normal; many are an alarm."""

    review_id: Annotated[str, Id(), References("reviews"), "Review with the smaller id (reviews.review_id)."]
    other_review_id: Annotated[str, Id(), References("reviews"), "The other review (reviews.review_id)."]
    similarity: Annotated[float, SHARE, "Similarity of their closest wordings, 0-1: from 0.70 to under 0.82."]


@table(
    "appearances",
    example="SELECT url, text FROM appearances JOIN pages USING (page_id) WHERE match = 'near' LIMIT 5",
    key=("page_id", "text_id"),
    cluster_by=("review_id",),
    in_order=(
        InOrder("first_block", "last_block"),
        SEEN,
    ),
)
class AppearanceRow(Row, frozen=True):
    """A distinct wording of a review on a page."""

    page_id: Annotated[str, Id(), References("pages"), "Page (pages.page_id)."]
    text_id: Annotated[str, Id(), "Id of the wording, 32 hex digits made of its letters and digits."]
    review_id: Annotated[str, Id(), References("reviews"), "Review (reviews.review_id)."]
    review_number: Annotated[
        int,
        COUNT,
        Visit(),
        "Number of the review on the page in reading order, from 0: row by row, a before b.",
    ]
    side: Annotated[
        Side | None,
        "Side of its tool on the page: a, b. NULL: neither this page nor other pages show it.",
    ]
    match: Annotated[
        Match,
        "How its letters and digits differ from the oldest wording of the review: exact, near (small edits), prefix "
        "(cut short).",
    ]
    similarity: Annotated[
        float,
        SHARE,
        "Similarity to the oldest wording of the review, 0-1; 1: the same letters and digits.",
    ]
    attribution: Annotated[
        Attribution,
        "Evidence for its tool on this page: corrected, observed (labelled here), matched, intersected, excluded, "
        "ordered.",
    ]
    text: Annotated[str, NotEmpty(), "The words on this page, as published."]
    segment: Annotated[str, NotEmpty(), Visit(), "Segment file of the raw store that holds its snapshot."]
    segment_offset: Annotated[int, COUNT, Visit(), "Offset of the snapshot's record in the segment, bytes."]
    first_block: Annotated[int, COUNT, Visit(), "First text block of the review in that snapshot, from 0."]
    last_block: Annotated[int, COUNT, Visit(), "Last text block of the review in that snapshot, inclusive."]
    first_seen_at: Annotated[datetime, "Fetch time of the oldest snapshot of the page with this wording."]
    last_seen_at: Annotated[
        datetime,
        Visit(),
        "Fetch time of the newest snapshot of the page with this wording whose content was read.",
    ]


@table(
    "attribution_evidence",
    example="SELECT kind, count(*) AS reasons FROM attribution_evidence GROUP BY kind ORDER BY reasons DESC",
    key=("review_id", "kind", "page_id"),
)
class AttributionEvidenceRow(Row, frozen=True):
    """A reason why a review is attributed to its tool."""

    review_id: Annotated[str, Id(), References("reviews"), "Review (reviews.review_id)."]
    kind: Annotated[Attribution, "Kind of evidence: corrected, observed, matched, intersected, excluded, ordered."]
    page_id: Annotated[str, Id(), References("pages"), "Page with the evidence (pages.page_id)."]
    weight: Annotated[
        float,
        SHARE,
        "How often evidence of this kind is right, 0-1, measured on answer keys. If pages label the review with "
        "several tools, it is multiplied by the share that agrees.",
    ]
    detail: Annotated[str, "The evidence in words."]
