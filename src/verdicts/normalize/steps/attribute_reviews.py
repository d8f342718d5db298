"""Which tool each review is about, by its own mentions first, then by other pages and the takes beside it."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import TypeAlias

from verdicts.corpus.rows.reviews import ReviewHistoryRow, ReviewRow
from verdicts.corpus.rows.runs import DiscrepancyRow
from verdicts.normalize.attribution.attribute import attribute_by_own
from verdicts.normalize.attribution.open_reviews import decide_open, describe_open, select_compared
from verdicts.normalize.attribution.overruling import overrule
from verdicts.normalize.attribution.review_attribution import JudgedReview, ReviewAttribution, open_attributions
from verdicts.normalize.dedup.mentions import FoldedText, Mention
from verdicts.normalize.identity.page_versions import VersionHead
from verdicts.normalize.rows.review_history import make_review_history
from verdicts.normalize.rows.review_rows import (
    make_appearance_rows,
    make_evidence_rows,
    make_review_row,
    make_reviewer_conflicts,
)
from verdicts.normalize.steps.read_pages import Pages
from verdicts.normalize.steps.trace_tools import Tools
from verdicts.normalize.work import Output

AT_A_TIME = 10_000
"""Reviews whose evidence and rows are in memory at once."""


Conflicts: TypeAlias = Mapping[str, Sequence[DiscrepancyRow]]
"""Contradictions by review."""


@dataclass(frozen=True, slots=True)
class Reviews:
    """Reviews with their tools, by id: those that people declare to be about no tool have no row.

    `rows` and `states`, which are the rows of their history, have no inferred reviewers yet.
    """

    judged: dict[str, JudgedReview] = field(default_factory=dict)
    rows: list[ReviewRow] = field(default_factory=list)
    states: list[ReviewHistoryRow] = field(default_factory=list)
    discrepancies: list[DiscrepancyRow] = field(default_factory=list)

    def add(self, part: "Reviews") -> None:
        self.judged.update(part.judged)
        self.rows.extend(part.rows)
        self.states.extend(part.states)
        self.discrepancies.extend(part.discrepancies)


def attribute_reviews(pages: Pages, texts: Mapping[str, FoldedText], tools: Tools, output: Output) -> Reviews:
    """All reviews with their tools. Keeps the rows of their appearances and evidence."""
    reviews, undecided, conflicts = attribute_by_mentions(pages.mentions, texts, tools, output)
    if undecided:
        compared, mentions = select_compared([*map(describe_open, undecided)], pages.mentions)
        reviews.add(attribute_by_pages(undecided, conflicts, mentions, texts, compared, reviews.judged, tools, output))
    return reviews


def attribute_by_mentions(
    mentions: Iterable[Mention], texts: Mapping[str, FoldedText], tools: Tools, output: Output
) -> tuple[Reviews, list[ReviewAttribution], Conflicts]:
    """Reviews whose own mentions decide their tool; the undecided ones, with the contradictions of these by review."""
    reviews, undecided, open_conflicts = Reviews(), list[ReviewAttribution](), dict[str, Sequence[DiscrepancyRow]]()
    waiting = [*open_attributions(mentions, texts).values()]
    while waiting:
        part = waiting[-AT_A_TIME:]
        del waiting[-AT_A_TIME:]
        conflicts = attribute_by_own(part, tools.by_id)
        still_open = [review for review in part if review.kind is None]
        undecided += still_open
        open_conflicts |= {
            review.review_id: conflicts[review.review_id] for review in still_open if review.review_id in conflicts
        }
        reviews.add(_finish([review for review in part if review.kind is not None], conflicts, tools, output))
    return reviews, undecided, open_conflicts


def attribute_by_pages(
    undecided: Sequence[ReviewAttribution],
    own_conflicts: Conflicts,
    mentions: Sequence[Mention],
    texts: Mapping[str, FoldedText],
    compared: Iterable[VersionHead],
    judged: Mapping[str, JudgedReview],
    tools: Tools,
    output: Output,
) -> Reviews:
    """Reviews that other pages, and the takes beside them, decide. See `decide_open`."""
    conflicts = {review_id: [*contradiction] for review_id, contradiction in own_conflicts.items()}
    by_id = {review.review_id: review for review in sorted(undecided, key=lambda review: review.review_id)}
    for review_id, contradiction in decide_open(by_id, mentions, texts, compared, judged, tools.by_id).items():
        conflicts.setdefault(review_id, []).append(contradiction)
    return _finish(by_id.values(), conflicts, tools, output)


def _finish(
    decided: Collection[ReviewAttribution],
    conflicts: Conflicts,
    tools: Tools,
    output: Output,
) -> Reviews:
    """Applies what people decided about the tools of reviews, and keeps the rows of appearances and evidence."""
    left_out, outcomes = overrule(decided, output.corrections, tools.by_id, tools.aliases)
    output.outcomes += outcomes
    kept = [review for review in decided if review.review_id not in left_out]
    output.keep_corrected("appearances", chain.from_iterable(map(make_appearance_rows, kept)))
    output.keep_corrected("attribution_evidence", chain.from_iterable(map(make_evidence_rows, kept)))
    histories = {review.review_id: make_review_history(review) for review in decided}
    return Reviews(
        {review.review_id: review.judge(histories[review.review_id].state.reviewer) for review in decided},
        [make_review_row(review, histories[review.review_id]) for review in kept],
        [row for review in kept for row in histories[review.review_id].rows],
        [row for review in kept for row in {*conflicts.get(review.review_id, ()), *make_reviewer_conflicts(review)}],
    )
