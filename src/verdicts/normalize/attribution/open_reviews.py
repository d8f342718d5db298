"""Finds the pages to compare with, for reviews that do not find their tool by their own mentions.

The tool of such a review depends on the takes beside it and on a few other pages of its tools in the same state. So it
also depends on other open reviews on its pages.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from operator import attrgetter
from typing import TypeAlias

import msgspec

from verdicts.corpus.rows.runs import DiscrepancyRow
from verdicts.normalize.attribution.exclusion import ABSENCE_PAGES, assign_by_absence, assign_by_full_panels
from verdicts.normalize.attribution.page_takes import PANEL_PAGES, PageTakesIndex, list_takes_by_page
from verdicts.normalize.attribution.review_attribution import JudgedReview, ReviewAttribution
from verdicts.normalize.attribution.row_order import assign_by_row_order, guess_by_row_order
from verdicts.normalize.dedup.mentions import FoldedText, Mention
from verdicts.normalize.identity.ids import KnownTool
from verdicts.normalize.identity.page_versions import VersionHead

State: TypeAlias = tuple[str, str]
"""A tool on a crawl day: pages show it in the same state."""


class OpenReview(msgspec.Struct, frozen=True, array_like=True):
    """A review whose own mentions do not decide its tool, with its pages and the states to compare it with."""

    review_id: str
    page_ids: frozenset[str]
    states: frozenset[State]

    @property
    def compared_pages(self) -> int:
        """At most so many pages of a state are compared."""
        return max(ABSENCE_PAGES + len(self.page_ids), PANEL_PAGES)


def describe_open(review: ReviewAttribution) -> OpenReview:
    """The pages of a review, and the states in which they show any tool that it may be about."""
    versions = [mention.version for mention in review.mentions]
    states = {
        (tool_id, version.crawl_day) for version in versions for tool_id in {*version.tool_ids, *review.candidate_tools}
    }
    return OpenReview(review.review_id, frozenset(version.page_id for version in versions), frozenset(states))


def find_compared(open_reviews: Collection[OpenReview], versions: Iterable[VersionHead]) -> list[VersionHead]:
    """The versions that open reviews are compared with: the oldest of each state, as many as any review needs."""
    by_state: dict[State, list[VersionHead]] = {state: [] for review in open_reviews for state in review.states}
    for version in {version.location: version for version in versions}.values():
        for tool_id in {*version.tool_ids}:
            if (of_state := by_state.get((tool_id, version.crawl_day))) is not None:
                of_state.append(version)
    most = max((review.compared_pages for review in open_reviews), default=0)
    return [
        version for of_state in by_state.values() for version in sorted(of_state, key=attrgetter("freshness"))[:most]
    ]


def select_compared(
    open_reviews: Collection[OpenReview], mentions: Sequence[Mention]
) -> tuple[list[VersionHead], list[Mention]]:
    """The versions to compare, and all mentions on their pages and on those of open reviews."""
    compared = find_compared(open_reviews, (mention.version for mention in mentions))
    needed = {version.page_id for version in compared}.union(*(review.page_ids for review in open_reviews))
    return compared, [mention for mention in mentions if mention.page_id in needed]


def decide_open(
    reviews: Mapping[str, ReviewAttribution],
    mentions: Sequence[Mention],
    texts: Mapping[str, FoldedText],
    compared: Iterable[VersionHead],
    judged: Mapping[str, JudgedReview],
    tools: Mapping[str, KnownTool],
) -> dict[str, DiscrepancyRow]:
    """Decides open reviews by their pages and others. Returns the contradictions by review.

    `mentions` has all mentions on the pages of the reviews and on the pages to compare with; `judged` has the decided
    reviews there.
    """
    page_ids = {mention.version.page_id for review in reviews.values() for mention in review.mentions}
    locations = {version.location for version in compared}
    takes = list_takes_by_page(mentions, texts)
    others = [page for page in takes if page.version.location in locations or page.version.page_id in page_ids]
    decided = [
        page for page in takes if page.version.page_id in page_ids and not reviews.keys().isdisjoint(page.review_ids)
    ]
    index = PageTakesIndex(decided, others)
    review_ids = {review_id for page in decided for review_id in page.review_ids}
    on_pages = {
        review_id: reviews.get(review_id) or _restore_attribution(judged[review_id]) for review_id in sorted(review_ids)
    }
    names = {tool_id: tool.name for tool_id, tool in tools.items()}
    conflicts = assign_by_absence(on_pages.values(), index, names)
    assign_by_full_panels(on_pages, index, names)
    conflicts |= assign_by_absence(on_pages.values(), index, names, guess_by_row_order(on_pages, index))
    assign_by_full_panels(on_pages, index, names)
    assign_by_row_order(on_pages, index)
    return conflicts


def _restore_attribution(review: JudgedReview) -> ReviewAttribution:
    return ReviewAttribution(
        review.review_id, "", [], {}, {review.tool_id}, review.kind, counterparts=review.counterparts
    )
