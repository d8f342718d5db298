"""Reviews whose own mentions do not decide their tool: the pages that they are compared with.

The tool of such a review depends on the takes beside it, on a few other pages of its tools in the same state, and so on
other open reviews on its pages.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta

import msgspec

from verdicts.corpus.rows.runs import DiscrepancyRow
from verdicts.normalize.attribution.exclusion import ABSENCE_PAGES, OpenReviews
from verdicts.normalize.attribution.page_takes import PANEL_PAGES, SAME_STATE, PageTakesIndex, takes_by_page
from verdicts.normalize.attribution.review_attribution import JudgedReview, ReviewAttribution
from verdicts.normalize.dedup.mentions import FoldedText, Mention
from verdicts.normalize.identity.ids import KnownTool
from verdicts.normalize.identity.page_versions import ToolDay, split_day, tool_day

DAY = "%Y%m%d"


class OpenPlace(msgspec.Struct, frozen=True, array_like=True):
    """An open review on a page of a tool on a crawl day (`tool_day`).

    It is compared with at most `most` other pages of the tool in the same state.
    """

    review_id: str
    page_id: str
    tool_day: str
    fetched_at: datetime
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
            mention.version.fetched_at,
            most,
        )
        for mention in review.mentions
        for tool_id in {*mention.version.tool_ids, *review.candidate_tools}
    }


def days_around(tool_id: str, crawl_day: str) -> Iterator[str]:
    """The days on which pages of a tool may show it in the same state as on this day."""
    day = datetime.strptime(crawl_day, DAY)  # noqa: DTZ007  a day of UTC without its hours
    for other in (day - timedelta(days=1), day, day + timedelta(days=1)):
        yield tool_day(tool_id, f"{other:{DAY}}")


def find_compared(places: Iterable[OpenPlace], tool_days: Iterable[ToolDay]) -> set[ToolDay]:
    """The page versions that open reviews are compared with.

    The oldest ones of each tool and day, as many as any review needs; if there are fewer, also those of the days beside
    that are near.
    """
    places = [*places]
    moments: dict[tuple[str, str], list[datetime]] = defaultdict(list)
    for place in places:
        moments[split_day(place.tool_day)].append(place.fetched_at)
    around = {day for key in moments for day in days_around(*key)}
    by_day: dict[str, list[ToolDay]] = defaultdict(list)
    for day in tool_days if around else ():
        if day.tool_day in around:
            by_day[day.tool_day].append(day)
    most = max((place.most for place in places), default=0)
    chosen: set[ToolDay] = set()
    for key, fetched in moments.items():
        before, same, after = (by_day.get(day, []) for day in days_around(*key))
        if len(same) > most:
            chosen.update(sorted(same, key=lambda day: day.freshness)[:most])
            continue
        first, last = min(fetched) - SAME_STATE, max(fetched) + SAME_STATE
        chosen.update((*same, *(day for day in (*before, *after) if first <= day.fetched_at <= last)))
    return chosen


def decide_open(
    reviews: Mapping[str, ReviewAttribution],
    mentions: Sequence[Mention],
    texts: Mapping[str, FoldedText],
    compared: Iterable[ToolDay],
    judged: Mapping[str, JudgedReview],
    tools: Mapping[str, KnownTool],
) -> dict[str, list[DiscrepancyRow]]:
    """Decides open reviews by their pages and others. Returns the contradictions by review.

    `mentions` are all on the pages of the reviews and on those to compare with, `judged` the decided reviews there.
    """
    own = {mention.version.page_id for review in reviews.values() for mention in review.mentions}
    places = {day.location for day in compared}
    takes = takes_by_page(mentions, texts)
    others = [page for page in takes if page.version.location in places or page.version.page_id in own]
    decided = [page for page in takes if page.version.page_id in own and not reviews.keys().isdisjoint(page.review_ids)]
    index = PageTakesIndex(decided, others)
    shown = {review_id for page in decided for review_id in page.review_ids}
    on_pages = {review_id: reviews.get(review_id) or _decided(judged[review_id]) for review_id in sorted(shown)}
    names = {tool_id: tool.name for tool_id, tool in tools.items()}
    return OpenReviews(on_pages, index, names).decide()


def _decided(review: JudgedReview) -> ReviewAttribution:
    return ReviewAttribution(
        review.review_id, "", [], {}, {review.tool_id}, review.kind, counterparts=review.counterparts
    )
