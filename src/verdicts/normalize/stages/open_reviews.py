"""Reviews whose own mentions do not decide their tool: `comparing`, `visits`, `visiting`, `open_reviews`.

The tool of such a review depends on the takes beside it, on a few other pages of its tools in the same state, and so on
other open reviews on its pages. Such a set of reviews is small, mostly one page. One partition decides each set, and
all needed pages are sent there.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta

from verdicts.normalize.attribution.attribute import attribute_by_own
from verdicts.normalize.attribution.exclusion import OpenReviews
from verdicts.normalize.attribution.page_takes import SAME_STATE, PageTakesIndex, takes_by_page
from verdicts.normalize.attribution.review_attribution import JudgedReview, ReviewAttribution, open_attributions
from verdicts.normalize.components import joined
from verdicts.normalize.dedup.mentions import Mention
from verdicts.normalize.identity.page_versions import ToolDay, split_day, tool_day
from verdicts.normalize.stages import relations as rel
from verdicts.normalize.stages.reviews import keep_reviews
from verdicts.normalize.work import Work

DAY = "%Y%m%d"


def comparing(work: Work) -> None:
    """Sends the page versions of the partition's tools that open reviews are compared with."""
    found = work.read(rel.COMPARED)
    fetched: dict[tuple[str, str], list[datetime]] = defaultdict(list)
    for review in found:
        fetched[split_day(review.tool_day)].append(review.fetched_at)
    around = {day for tool_id, crawl_day in fetched for day in days_around(tool_id, crawl_day)}
    most = max((review.most for review in found), default=0)
    shown = (day for day in work.read(rel.TOOL_DAYS) if day.tool_day in around) if around else ()
    work.send(rel.COMPARED_DAYS, {*compared_days(shown, fetched, most)})


def days_around(tool_id: str, crawl_day: str) -> Iterator[str]:
    """The days on which pages of a tool may show it in the same state as on this day."""
    day = datetime.strptime(crawl_day, DAY)  # noqa: DTZ007  a day of UTC without its hours
    for other in (day - timedelta(days=1), day, day + timedelta(days=1)):
        yield tool_day(tool_id, f"{other:{DAY}}")


def compared_days(
    found: Iterable[ToolDay], moments: Mapping[tuple[str, str], Sequence[datetime]], most: int
) -> list[ToolDay]:
    """The oldest `most` page versions of each tool and day. If there are fewer, also those near `moments`."""
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


def visits(work: Work) -> None:
    """Sends each open review, its pages and the pages to compare to the partition that decides it.

    Reviews that share pages, directly or indirectly, are decided together.
    """
    found = work.read(rel.OPEN_REVIEWS)
    first = joined((review.review_id, f"on {review.page_id}") for review in found)
    place = {review.review_id: work.known.partition_of("review", first[review.review_id]) for review in found}
    by_day: dict[str, list[ToolDay]] = defaultdict(list)
    for day in work.read(rel.COMPARED_DAYS):
        by_day[day.tool_day].append(day)
    asked: dict[int, set[str]] = defaultdict(set)
    for review in found:
        asked[place[review.review_id]].update(days_around(*split_day(review.tool_day)))
        work.send_to(rel.OPEN_HERE, place[review.review_id], (review,))
    moves = {rel.Move(review.page_id, place[review.review_id]) for review in found}
    for number, names in asked.items():
        shown = [day for name in sorted(names) for day in by_day.get(name, ())]
        work.send_to(rel.COMPARED_HERE, number, shown)
        moves |= {rel.Move(day.page_id, number) for day in shown}
    work.send(rel.PAGE_MOVES, moves)


def visiting(work: Work) -> None:
    """Sends pages with their takes to the partitions that need them."""
    moves: dict[str, list[int]] = defaultdict(list)
    for move in work.read(rel.PAGE_MOVES):
        moves[move.key].append(move.partition)
    if not moves:
        return
    texts = {text.text_id: text for text in work.read(rel.TEXTS)}
    judged = {review.review_id: review for review in work.read(rel.JUDGED)}
    visitors: dict[int, list[Mention]] = defaultdict(list)
    for mention in work.read(rel.MENTIONS_ON_PAGES):
        for number in moves.get(mention.page_id, ()):
            visitors[number].append(mention)
    for number, mentions in visitors.items():
        shown = [texts[text_id] for text_id in sorted({mention.text_id for mention in mentions})]
        work.send_to(rel.VISITING_MENTIONS, number, mentions)
        work.send_to(rel.VISITING_TEXTS, number, shown)
        reviews = sorted({text.review_id for text in shown} & judged.keys())
        work.send_to(rel.VISITING_REVIEWS, number, [judged[review_id] for review_id in reviews])


def open_reviews(work: Work) -> None:
    """Decides the open reviews of the partition by their pages and others. Makes rows as `folds` does."""
    tools = {tool.tool_id: tool for tool in work.read(rel.TOOLS)}
    texts = {text.text_id: text for text in work.read(rel.VISITING_TEXTS)}
    opened = {review.review_id for review in work.read(rel.OPEN_HERE)}
    if not opened:
        return
    mentions = work.read(rel.VISITING_MENTIONS)
    # The visiting pages have all mentions of an open review, with its canonical text.
    reviews = open_attributions((item for item in mentions if texts[item.text_id].review_id in opened), texts)
    reviews = {review_id: reviews[review_id] for review_id in sorted(opened)}
    conflicts = {review_id: [*found] for review_id, found in attribute_by_own(reviews.values(), tools).items()}
    index = _index(mentions, reviews, work)
    beside = {review.review_id: _decided(review) for review in work.read(rel.VISITING_REVIEWS)}
    shown = {review_id for page in index.pages for review_id in page.review_ids}
    on_pages = {review_id: reviews.get(review_id) or beside[review_id] for review_id in shown}
    names = {tool_id: tool.name for tool_id, tool in tools.items()}
    for review_id, found in OpenReviews(on_pages, index, names).decide().items():
        conflicts.setdefault(review_id, []).extend(found)
    keep_reviews(work, reviews.values(), conflicts, rel.JUDGED_BY_PAGES)


def _index(mentions: Sequence[Mention], reviews: Mapping[str, ReviewAttribution], work: Work) -> PageTakesIndex:
    """The page versions with an open review, and those to compare."""
    own = {mention.version.page_id for review in reviews.values() for mention in review.mentions}
    takes = takes_by_page(mentions, {text.text_id: text for text in work.read(rel.VISITING_TEXTS)})
    places = {day.location for day in work.read(rel.COMPARED_HERE)}
    others = [page for page in takes if page.version.location in places or page.version.page_id in own]
    decided = [page for page in takes if page.version.page_id in own and not reviews.keys().isdisjoint(page.review_ids)]
    return PageTakesIndex(decided, others)


def _decided(review: JudgedReview) -> ReviewAttribution:
    return ReviewAttribution(
        review.review_id, "", [], {}, {review.tool_id}, review.kind, counterparts=review.counterparts
    )
