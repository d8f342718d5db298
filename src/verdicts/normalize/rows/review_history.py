"""A review over time: when pages show it, and its tool, reviewer, score, verdict and words.

A review is shown while any page shows it. Its values come from one reading at a time: the newest reading with labels,
on any page. Within a crawl day the freshest page counts. A page that repeats its earlier statement reports nothing. So
if two pages disagree, the one fetched last does not win again on every crawl.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from verdicts.corpus.enumerations import ReviewVerdict
from verdicts.corpus.rows.reviews import ReviewHistoryRow
from verdicts.normalize.attribution.review_attribution import ReviewAttribution
from verdicts.normalize.dedup.mentions import Mention
from verdicts.normalize.dedup.similarity import THRESHOLDS
from verdicts.normalize.identity.page_versions import Interval
from verdicts.normalize.parse.match_keys import take_key


class ReviewState(NamedTuple):
    """The values of a reading. Missing values are None."""

    tool_id: str
    reviewer: str | None
    score: int | None
    verdict: ReviewVerdict | None
    text: str


class ReviewHistory(NamedTuple):
    """A review over time: its last state, and a row for each period in which pages showed a state, oldest first.

    Without a row no page shows the review at any time: of the renderings of one day the richer one counts.
    """

    state: ReviewState
    rows: Sequence[ReviewHistoryRow]

    @property
    def is_shown(self) -> bool:
        return bool(self.rows) and self.rows[-1].valid_to is None


def make_review_history(review: ReviewAttribution) -> ReviewHistory:
    """The history of an attributed review."""
    changes = _list_changes(_list_reports(review))
    # Current pages may label it with two tools: attribution decides between them.
    changes[-1] = (changes[-1][0], changes[-1][1]._replace(tool_id=review.tool_id))
    periods = [
        period
        for interval in _unite(time for mention in review.mentions for time in mention.version.shown)
        for period in _cut_periods(interval, changes)
    ]
    rows = [ReviewHistoryRow(review.review_id, *state, *time) for state, time in periods]
    return ReviewHistory(periods[-1][0] if periods else changes[-1][1], rows)


def _select_mentions(review: ReviewAttribution) -> Sequence[Mention]:
    """The mentions with a label, but of pages that still label the review with another tool than its own.

    Those of mirrors only if its home host has none. Without any such mention, all.
    """
    labelled = [mention for mention in review.mentions if mention.label is not None]
    if review.kind == "corrected":
        return labelled or review.mentions
    others = {
        (mention.version.page_id, mention.label)
        for mention in labelled
        if mention.version.is_standing and review.find_labelled_tool(mention) != review.tool_id
    }
    telling = [mention for mention in labelled if (mention.version.page_id, mention.label) not in others]
    return [mention for mention in telling if mention.label not in review.counterparts] or telling or review.mentions


def _list_reports(review: ReviewAttribution) -> Iterator[tuple[Mention, ReviewState]]:
    """What is new on each page, oldest first. If a version shows a review twice, the first mention counts."""
    last_states: dict[str, ReviewState] = {}
    for _, of_version in groupby(_select_mentions(review), key=attrgetter("version.location")):
        mention = next(of_version)
        take, page_id = mention.take, mention.version.page_id
        state = ReviewState(
            review.tool_id if review.kind == "corrected" else review.find_labelled_tool(mention) or review.tool_id,
            take.reviewer,
            take.score,
            take.verdict,
            take.text,
        )
        if state != last_states.get(page_id):
            last_states[page_id] = state
            yield mention, state


def _list_changes(reports: Iterable[tuple[Mention, ReviewState]]) -> list[tuple[datetime, ReviewState]]:
    """Each state with the time at which it was first reported."""
    changes: list[tuple[datetime, ReviewState]] = []
    for _, of_day in groupby(reports, key=lambda report: report[0].version.crawl_day):
        day = [*of_day]
        moment = min(mention.version.fetched_at for mention, _ in day)
        state = changes[-1][1] if changes else day[0][1]
        for _, reported in day:
            state = _update_state(state, reported)
        if changes and (moment <= changes[-1][0] or not _is_change(changes[-1][1], state)):
            changes[-1] = (changes[-1][0], state)
        else:
            changes.append((moment, state))
    return changes


def _update_state(before: ReviewState, reported: ReviewState) -> ReviewState:
    """What a report makes of a state. Beside the same words, a value that the report lacks stays."""
    text = _choose_fuller_text(before.text, reported.text)
    if text is None:
        return reported
    return ReviewState(
        reported.tool_id,
        before.reviewer if reported.reviewer is None else reported.reviewer,
        before.score if reported.score is None else reported.score,
        before.verdict if reported.verdict is None else reported.verdict,
        text,
    )


def _is_change(before: ReviewState, after: ReviewState) -> bool:
    """A value that was unknown before is not a change, nor are words that were cut short before."""
    is_other = any(old not in {None, new} for old, new in zip(before[:-1], after[:-1], strict=True))
    return is_other or _choose_fuller_text(before.text, after.text) is None


def _choose_fuller_text(before: str, after: str) -> str | None:
    """The text that is not cut short, the later one of equal texts. None if the words differ."""
    old, new = (before, after) if before == after else (take_key(before), take_key(after))
    if old == new:
        return after
    if len(new) < THRESHOLDS.prefix_share * len(old) and old.startswith(new):
        return before
    return after if len(old) < THRESHOLDS.prefix_share * len(new) and new.startswith(old) else None


def _unite(times: Iterable[Interval]) -> list[Interval]:
    """The times without overlaps, in order; adjacent ones are one."""
    united: list[Interval] = []
    for time in sorted(times, key=lambda time: time.since):
        if united and (united[-1].until is None or time.since <= united[-1].until):
            since, until = united[-1]
            united[-1] = Interval(since, None if until is None or time.until is None else max(until, time.until))
        else:
            united.append(time)
    return united


def _cut_periods(
    interval: Interval, changes: Sequence[tuple[datetime, ReviewState]]
) -> Iterator[tuple[ReviewState, Interval]]:
    """The states of one time in which the review is shown. The first state also holds before it was reported."""
    ends = [*(moment for moment, _ in changes[1:]), None]
    for number, ((moment, state), end) in enumerate(zip(changes, ends, strict=True)):
        since = interval.since if number == 0 else max(interval.since, moment)
        until = min((time for time in (interval.until, end) if time is not None), default=None)
        if until is None or since < until:
            yield state, Interval(since, until)
