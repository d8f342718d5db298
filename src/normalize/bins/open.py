"""Stage `open`: reviews that their own mentions leave open, decided by their pages and others beside these.

The planner learns which page versions there are to compare (`compared`), puts open reviews that hang together into one
bin, and has their pages visit it (`visiting_bin`).
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from normalize.attribution import absence, panel_sizes
from normalize.bins.folds import send_homed, settled_rows
from normalize.bins.messages import HOMED_REVIEWS, HomedReview, Moment, Move, send_mentions, sent_mentions
from normalize.bins.outbox import EVERYBODY, Inbox, Outbox, bin_of
from normalize.bins.pages import Rows
from normalize.bins.shared import Shared
from normalize.bins.texts import joined, state_of
from normalize.dedup.mention_records import MENTIONS, TEXTS, FoldedText, Mention
from normalize.identity.tool_days import TOOL_DAYS, ToolDay, split_day
from normalize.judged_reviews import OPEN_REVIEWS, REVIEWS, OpenReview
from normalize.reviews.judging import Judging, judge
from normalize.reviews.open_reviews import compared_days, days_around


def moments(reviews: Collection[OpenReview]) -> Iterator[Moment]:
    """What the open reviews are compared with."""
    pages: dict[str, set[str]] = defaultdict(set)
    for review in reviews:
        pages[review.review_id].add(review.page_id)
    most = max((absence.MAX_PAGES + len(of_review) for of_review in pages.values()), default=0)
    for tool_day, fetched_at in {(review.tool_day, review.fetched_at) for review in reviews}:
        yield Moment(*split_day(tool_day), fetched_at, max(most, panel_sizes.MAX_PAGES))


def compared(days: Iterable[ToolDay], moments: Collection[Moment]) -> list[ToolDay]:
    """Of all page versions those that any review may be compared with, each once.

    Of some bins' days it gives what is needed to choose again among those of all bins.
    """
    fetched: dict[tuple[str, str], list[datetime]] = defaultdict(list)
    for moment in moments:
        fetched[moment.tool_id, moment.crawl_day].append(moment.fetched_at)
    wanted = {day for tool_id, crawl_day in fetched for day in days_around(tool_id, crawl_day)}
    # One more than is looked at says that there are more, here or in all bins together.
    most = 1 + max((moment.most for moment in moments), default=0)
    return [*{*compared_days((day for day in days if day.tool_day in wanted), fetched, most)}]


class Visits(NamedTuple):
    """Pages with the bins of the stage `open` that they visit, and the bin of each open review."""

    moves: Sequence[Move]
    bin_of_review: Mapping[str, int]


def visits(reviews: Collection[OpenReview], days: Collection[ToolDay], bins: int) -> Visits:
    """The pages of open reviews, and those beside them, with the bins that decide these reviews.

    Reviews that stand on one page, however indirectly, are decided together.
    """
    first = joined((review.review_id, f"on {review.page_id}") for review in reviews)
    bin_of_review = {review.review_id: bin_of(first[review.review_id], bins) for review in reviews}
    by_day: dict[str, set[str]] = defaultdict(set)
    for day in days:
        by_day[day.tool_day].add(day.page_id)
    asked = {(bin_of_review[review.review_id], review.tool_day) for review in reviews}
    moves = {(review.page_id, bin_of_review[review.review_id]) for review in reviews}
    for number, tool_day in asked:
        for around in days_around(*split_day(tool_day)):
            moves |= {(page_id, number) for page_id in by_day.get(around, ())}
    return Visits([Move(*move) for move in sorted(moves)], bin_of_review)


def comparing_bin(inbox: Inbox, wanted: Collection[Moment], outbox: Outbox) -> None:
    """Sends the planner the TOOL_DAYS of a bin of pages that open reviews are compared with."""
    outbox.send_to("planner", EVERYBODY, TOOL_DAYS, compared(inbox[TOOL_DAYS.name], wanted))


def visiting_bin(inbox: Inbox, moves: Mapping[str, Sequence[int]], outbox: Outbox) -> None:
    """Sends pages, with all that is known of their takes, to the bins of the stage `open` that they visit."""
    by_page: dict[str, list[Mention]] = defaultdict(list)
    for mention in sent_mentions(inbox):
        by_page[mention.page_id].append(mention)
    texts: dict[str, FoldedText] = {text.text_id: text for text in inbox[TEXTS.name]}
    homed: dict[str, HomedReview] = {item.review_id: item for item in inbox[HOMED_REVIEWS.name]}
    days: dict[str, list[ToolDay]] = defaultdict(list)
    for day in inbox[TOOL_DAYS.name]:
        days[day.page_id].append(day)
    visitors: dict[int, list[str]] = defaultdict(list)
    for page_id in by_page.keys() & moves.keys():
        for number in moves[page_id]:
            visitors[number].append(page_id)
    for number, page_ids in visitors.items():
        mentions = [mention for page_id in page_ids for mention in by_page[page_id]]
        shown = [texts[text_id] for text_id in sorted({mention.text_id for mention in mentions})]
        reviews = sorted({text.review_id for text in shown} & homed.keys())
        send_mentions(outbox, "open", number, mentions)
        outbox.send_to("open", number, TEXTS, shown)
        outbox.send_to("open", number, HOMED_REVIEWS, [homed[review_id] for review_id in reviews])
        outbox.send_to("open", number, TOOL_DAYS, [day for page_id in page_ids for day in days[page_id]])


def open_bin(number: int, inbox: Inbox, reviews: Collection[OpenReview], shared: Shared, outbox: Outbox) -> Rows:
    """Decides the open reviews of a bin: rows as `folds` gives them of others, and HOMED_REVIEWS to their pages."""
    mentions = [*sent_mentions(inbox)]
    state = state_of(mentions, shared)
    state.replace(MENTIONS, "text_id", (), mentions)
    # A text stands on pages of several bins.
    state.replace(TEXTS, "text_id", (), {text.text_id: text for text in inbox[TEXTS.name]}.values())
    known = {item.review_id: item.review for item in inbox[HOMED_REVIEWS.name]}
    state.replace(REVIEWS, "review_id", (), known.values())
    state.replace(TOOL_DAYS, "tool_day", (), inbox[TOOL_DAYS.name])
    state.replace(OPEN_REVIEWS, "review_id", (), reviews)
    judging = Judging(state)
    judge(judging, {review.review_id for review in reviews}, (), ())
    home = outbox.bins + number
    shown = ((item.version.page_id, one) for one, review in judging.reviews.items() for item in review.mentions)
    send_homed(judging, shown, home, outbox)
    return settled_rows(judging, home, outbox)
