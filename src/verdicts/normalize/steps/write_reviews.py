"""The last rows: reviews with their reviewers, and contradictions on pages."""

from collections.abc import Iterable, Mapping, Sequence
from operator import attrgetter

from msgspec.structs import replace

from verdicts.corpus.rows.reviews import ReviewHistoryRow, ReviewRow
from verdicts.corpus.rows.runs import DiscrepancyRow
from verdicts.corpus.tables import TABLES
from verdicts.extract.panel.profile import Profiles
from verdicts.normalize.attribution.page_takes import list_takes_by_page
from verdicts.normalize.attribution.review_attribution import JudgedReview
from verdicts.normalize.attribution.row_order import ReviewerRange, choose_reviewers, find_reviewer_ranges
from verdicts.normalize.dedup.mentions import FoldedText, Mention
from verdicts.normalize.steps.attribute_reviews import Reviews
from verdicts.normalize.work import Output

_DISCREPANCY_KEY = attrgetter(*TABLES["discrepancies"].key)


def infer_reviewers(
    mentions: Sequence[Mention],
    texts: Mapping[str, FoldedText],
    judged: Mapping[str, JudgedReview],
    profiles: Profiles,
) -> Mapping[str, str]:
    """By the ids of reviews without a printed reviewer: the only one that the order of rows allows."""
    return choose_reviewers(find_ranges(mentions, texts, judged, profiles), profiles)


def find_ranges(
    mentions: Sequence[Mention],
    texts: Mapping[str, FoldedText],
    judged: Mapping[str, JudgedReview],
    profiles: Profiles,
) -> list[ReviewerRange]:
    """The possible reviewers of reviews without a printed one, on each of these pages."""
    unseated = {item.version.location for item in mentions if not judged[texts[item.text_id].review_id].reviewer}
    pages = list_takes_by_page((item for item in mentions if item.version.location in unseated), texts)
    return [possible for page in pages for possible in find_reviewer_ranges(page, judged, profiles)]


def keep_reviews(reviews: Reviews, reviewers: Mapping[str, str], output: Output) -> None:
    """Keeps the rows of reviews and of their history, with the reviewers that were inferred."""
    keep_review_rows(reviews.rows, reviews.states, reviewers, output)


def keep_review_rows(
    rows: Iterable[ReviewRow], states: Iterable[ReviewHistoryRow], reviewers: Mapping[str, str], output: Output
) -> None:
    """As `keep_reviews`, for a share of the rows."""
    complete = (
        replace(row, reviewer=reviewer, reviewer_source="row_order")
        if not row.reviewer and (reviewer := reviewers.get(row.review_id))
        else row
        for row in rows
    )
    output.keep_corrected("reviews", complete)
    complete_states = (
        replace(row, reviewer=reviewer) if row.reviewer is None and (reviewer := reviewers.get(row.review_id)) else row
        for row in states
    )
    output.keep_corrected("review_history", complete_states)


def keep_discrepancies(rows: Iterable[DiscrepancyRow], output: Output) -> None:
    """Keeps contradictions on pages, each once. Of equal ones, the first by tool counts."""
    ordered = sorted(rows, key=lambda row: row.tool_id or "", reverse=True)
    output.keep("discrepancies", [*{_DISCREPANCY_KEY(row): row for row in ordered}.values()])
