"""Reviews whose own mentions leave their tool open: which hang together, and the pages that decide on them.

What becomes of one depends on the takes beside it, on the first few other pages of its tools in the same state, and so
on the open reviews on its pages. These sets are small: mostly one page.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta

from normalize.attribution import absence, panel_sizes
from normalize.attribution.page_takes import SAME_STATE, PageTakesIndex, takes_by_page
from normalize.attribution.review_attribution import ReviewAttribution
from normalize.identity.tool_days import TOOL_DAYS, ToolDay, split_day, tool_day
from normalize.judged_reviews import OPEN_REVIEWS, OpenReview
from normalize.reviews.loaded import mentions_on_pages
from normalize.state.relation import State

DAY = "%Y%m%d"


def days_around(tool_id: str, crawl_day: str) -> Iterator[str]:
    """The days of a tool whose pages may show it in the same state as one of this day."""
    day = datetime.strptime(crawl_day, DAY)  # noqa: DTZ007  a day of UTC without its hours
    for other in (day - timedelta(days=1), day, day + timedelta(days=1)):
        yield tool_day(tool_id, f"{other:{DAY}}")


def open_records(review: ReviewAttribution) -> Iterator[OpenReview]:
    """Where an open review stands, for each tool that its page may be compared with others of."""
    seen = {
        (mention.version.page_id, tool_day(tool_id, mention.version.crawl_day), mention.version.fetched_at)
        for mention in review.mentions
        for tool_id in {*mention.version.tool_ids, *review.candidate_tools}
    }
    for place in seen:
        yield OpenReview(review.review_id, *place)


def comparable(state: State, changed: Collection[ToolDay]) -> set[str]:
    """The open reviews that are compared with these page versions: those that show their tools in the same state."""
    moments: dict[str, list[datetime]] = defaultdict(list)
    for day in changed:
        moments[day.tool_day].append(day.fetched_at)
    around = {other for day in moments for other in days_around(*split_day(day))}
    return {
        record.review_id
        for record in state.find(OPEN_REVIEWS, "tool_day", around)
        if record.tool_day in moments or _is_near(record, moments)
    }


def _is_near(record: OpenReview, moments: Mapping[str, Collection[datetime]]) -> bool:
    days = days_around(*split_day(record.tool_day))
    return any(abs(moment - record.fetched_at) <= SAME_STATE for day in days for moment in moments.get(day, ()))


def hang_together(state: State, reviews: Collection[str]) -> frozenset[str]:
    """These open reviews, and all that stand on a page with one of them, and so on."""
    reached: frozenset[str] = frozenset(reviews)
    pages: frozenset[str] = frozenset()
    ahead: Collection[str] = reached
    while ahead:
        shown = frozenset(record.page_id for record in state.find(OPEN_REVIEWS, "review_id", ahead)) - pages
        pages |= shown
        beside = frozenset(record.review_id for record in state.find(OPEN_REVIEWS, "page_id", shown))
        ahead = beside - reached
        reached |= beside
    return reached


def deciding_pages(state: State, reviews: Mapping[str, ReviewAttribution]) -> PageTakesIndex:
    """The page versions that show one of these open reviews, and those that they are compared with."""
    own = {mention.version.page_id for review in reviews.values() for mention in review.mentions}
    most = max(
        (absence.MAX_PAGES + len({item.version.page_id for item in review.mentions}) for review in reviews.values()),
        default=0,
    )
    moments: dict[tuple[str, str], list[datetime]] = defaultdict(list)
    for review in reviews.values():
        for item in review.mentions:
            for tool_id in {*item.version.tool_ids, *review.candidate_tools}:
                moments[tool_id, item.version.crawl_day].append(item.version.fetched_at)
    wanted = {day for tool_id, crawl_day in moments for day in days_around(tool_id, crawl_day)}
    compared = compared_days(state.find(TOOL_DAYS, "tool_day", wanted), moments, max(most, panel_sizes.MAX_PAGES))
    takes = takes_by_page(mentions_on_pages(state, own | {day.page_id for day in compared}))
    places = {day.location for day in compared}
    others = [page for page in takes if page.version.location in places or page.version.page_id in own]
    decided = [page for page in takes if page.version.page_id in own and not reviews.keys().isdisjoint(page.review_ids)]
    return PageTakesIndex(decided, others)


def compared_days(
    found: Iterable[ToolDay], moments: Mapping[tuple[str, str], Sequence[datetime]], most: int
) -> list[ToolDay]:
    """The oldest of each tool and day, as many as are ever looked at; where there are fewer, those around `moments`."""
    by_day: dict[str, list[ToolDay]] = defaultdict(list)
    for day in found:
        by_day[day.tool_day].append(day)
    chosen: list[ToolDay] = []
    for (tool_id, crawl_day), fetched in moments.items():
        before, same, after = (by_day.get(key, []) for key in days_around(tool_id, crawl_day))
        if len(same) > most:
            chosen += sorted(same, key=lambda day: day.freshness)[:most]
            continue
        first, last = min(fetched) - SAME_STATE, max(fetched) + SAME_STATE
        chosen += [*same, *(day for day in (*before, *after) if first <= day.fetched_at <= last)]
    return chosen
