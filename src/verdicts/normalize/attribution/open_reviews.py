"""Finds the pages to compare with, for reviews that do not find their tool by their own mentions.

The tool of such a review depends on the takes beside it and on a few other pages of its tools in the same state. So it
also depends on other open reviews on its pages.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from operator import attrgetter

import msgspec

from verdicts.corpus.rows.runs import DiscrepancyRow
from verdicts.normalize.attribution.exclusion import ABSENCE_PAGES, assign_by_absence
from verdicts.normalize.attribution.page_takes import PANEL_PAGES, PageTakesIndex, takes_by_page
from verdicts.normalize.attribution.review_attribution import JudgedReview, ReviewAttribution
from verdicts.normalize.attribution.row_order import assign_by_row_order, guess_by_row_order
from verdicts.normalize.dedup.mentions import FoldedText, Mention
from verdicts.normalize.identity.ids import KnownTool
from verdicts.normalize.identity.page_versions import ToolDay, tool_day


class OpenPlace(msgspec.Struct, frozen=True, array_like=True):
    """An open review on a page of a tool on a crawl day (`tool_day`).

    It is compared with at most `most` other pages of the tool in the same state.
    """

    review_id: str
    page_id: str
    tool_day: str
    most: int


def find_places(review: ReviewAttribution) -> set[OpenPlace]:
    """The pages of an open review, for each tool with other pages to compare."""
    pages = {mention.version.page_id for mention in review.mentions}
    most = max(ABSENCE_PAGES + len(pages), PANEL_PAGES)
    return {
        OpenPlace(
            review.review_id,
            mention.version.page_id,
            tool_day(tool_id, mention.version.crawl_day),
            most,
        )
        for mention in review.mentions
        for tool_id in {*mention.version.tool_ids, *review.candidate_tools}
    }


def find_compared(places: Collection[OpenPlace], tool_days: Iterable[ToolDay]) -> set[ToolDay]:
    """The page versions that open reviews are compared with.

    The oldest ones of each tool and day, as many as any review needs.
    """
    by_day: dict[str, list[ToolDay]] = {place.tool_day: [] for place in places}
    for day in tool_days:
        if day.tool_day in by_day:
            by_day[day.tool_day].append(day)
    most = max((place.most for place in places), default=0)
    return {day for days in by_day.values() for day in sorted(days, key=attrgetter("freshness"))[:most]}


def decide_open(
    reviews: Mapping[str, ReviewAttribution],
    mentions: Sequence[Mention],
    texts: Mapping[str, FoldedText],
    compared: Iterable[ToolDay],
    judged: Mapping[str, JudgedReview],
    tools: Mapping[str, KnownTool],
) -> dict[str, DiscrepancyRow]:
    """Decides open reviews by their pages and others. Returns the contradictions by review.

    `mentions` has all mentions on the pages of the reviews and on the pages to compare with; `judged` has the decided
    reviews there.
    """
    own = {mention.version.page_id for review in reviews.values() for mention in review.mentions}
    places = {day.location for day in compared}
    takes = takes_by_page(mentions, texts)
    others = [page for page in takes if page.version.location in places or page.version.page_id in own]
    decided = [page for page in takes if page.version.page_id in own and not reviews.keys().isdisjoint(page.review_ids)]
    index = PageTakesIndex(decided, others)
    shown = {review_id for page in decided for review_id in page.review_ids}
    on_pages = {
        review_id: reviews.get(review_id) or _restore_attribution(judged[review_id]) for review_id in sorted(shown)
    }
    names = {tool_id: tool.name for tool_id, tool in tools.items()}
    conflicts = assign_by_absence(on_pages.values(), index, names)
    conflicts |= assign_by_absence(on_pages.values(), index, names, guess_by_row_order(on_pages, index))
    assign_by_row_order(on_pages, index)
    return conflicts


def _restore_attribution(review: JudgedReview) -> ReviewAttribution:
    return ReviewAttribution(review.review_id, [], {}, {review.tool_id}, review.kind, counterparts=review.counterparts)
