"""Stage `open`: reviews that their own mentions leave open, decided by their pages and others beside these.

The planner learns which page versions there are to compare (`comparing_bin`), puts open reviews that hang together into
one bin, and has their pages visit it (`visiting_bin`).
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
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


def comparing_bin(inbox: Inbox, wanted: Collection[Moment], outbox: Outbox) -> None:
    """Sends the planner those TOOL_DAYS of the tools of a bin that any open review is compared with, each once."""
    fetched: dict[tuple[str, str], list[datetime]] = defaultdict(list)
    for moment in wanted:
        fetched[moment.tool_id, moment.crawl_day].append(moment.fetched_at)
    around = {day for tool_id, crawl_day in fetched for day in days_around(tool_id, crawl_day)}
    most = max((moment.most for moment in wanted), default=0)
    found = compared_days((day for day in inbox[TOOL_DAYS.name] if day.tool_day in around), fetched, most)
    outbox.send_to("planner", EVERYBODY, TOOL_DAYS, {*found})


class Visits(NamedTuple):
    """Pages with the bins of the stage `open` that they visit, the bin of each open review, and what each compares."""

    moves: Sequence[Move]
    bin_of_review: Mapping[str, int]
    days: Mapping[int, Collection[ToolDay]]


def visits(reviews: Collection[OpenReview], days: Collection[ToolDay], bins: int) -> Visits:
    """The pages of open reviews, and those beside them, with the bins that decide these reviews.

    Reviews that stand on one page, however indirectly, are decided together.
    """
    first = joined((review.review_id, f"on {review.page_id}") for review in reviews)
    bin_of_review = {review.review_id: bin_of(first[review.review_id], bins) for review in reviews}
    by_day: dict[str, list[ToolDay]] = defaultdict(list)
    for day in days:
        by_day[day.tool_day].append(day)
    asked: dict[int, set[str]] = defaultdict(set)
    for review in reviews:
        asked[bin_of_review[review.review_id]].update(days_around(*split_day(review.tool_day)))
    shown = {number: [day for name in sorted(names) for day in by_day.get(name, ())] for number, names in asked.items()}
    moves = {(review.page_id, bin_of_review[review.review_id]) for review in reviews}
    moves |= {(day.page_id, number) for number, of_bin in shown.items() for day in of_bin}
    return Visits([Move(*move) for move in sorted(moves)], bin_of_review, shown)


def visiting_bin(inbox: Inbox, moves: Mapping[str, Sequence[int]], outbox: Outbox) -> None:
    """Sends pages, with all that is known of their takes, to the bins of the stage `open` that they visit."""
    by_page: dict[str, list[Mention]] = defaultdict(list)
    for mention in sent_mentions(inbox):
        by_page[mention.page_id].append(mention)
    texts: dict[str, FoldedText] = {text.text_id: text for text in inbox[TEXTS.name]}
    homed: dict[str, HomedReview] = {item.review_id: item for item in inbox[HOMED_REVIEWS.name]}
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


def open_bin(number: int, inbox: Inbox, asked: Inbox, shared: Shared, outbox: Outbox) -> Rows:
    """Decides the open reviews of a bin: rows as `folds` gives them of others, and HOMED_REVIEWS to their pages.

    `asked` are its OPEN_REVIEWS and the TOOL_DAYS that they are compared with, `inbox` what was sent of their pages.
    """
    reviews: list[OpenReview] = asked[OPEN_REVIEWS.name]
    mentions = [*sent_mentions(inbox)]
    state = state_of(mentions, shared)
    state.replace(MENTIONS, "text_id", (), mentions)
    # A text stands on pages of several bins.
    state.replace(TEXTS, "text_id", (), {text.text_id: text for text in inbox[TEXTS.name]}.values())
    known = {item.review_id: item.review for item in inbox[HOMED_REVIEWS.name]}
    state.replace(REVIEWS, "review_id", (), known.values())
    state.replace(TOOL_DAYS, "tool_day", (), asked[TOOL_DAYS.name])
    state.replace(OPEN_REVIEWS, "review_id", (), reviews)
    judging = Judging(state)
    judge(judging, {review.review_id for review in reviews}, (), ())
    home = outbox.bins + number
    shown = ((item.version.page_id, one) for one, review in judging.reviews.items() for item in review.mentions)
    send_homed(judging, shown, home, outbox)
    return settled_rows(judging, home, outbox)
