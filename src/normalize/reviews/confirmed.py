"""Reviews that a night confirms: it brings more mentions that say what was known, so that the others need no reading.

A review on a thousand pages is confirmed by what is kept of it and by its mentions on the night's pages alone. It gets
the rows that judging it by all its mentions would give.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec

from corpus.enumerations import Attribution
from corpus.rows.reviews import ReviewRow
from normalize.attribution.confidence import WEIGHT
from normalize.attribution.labels import label_of
from normalize.attribution.review_attribution import Reason, ReviewAttribution
from normalize.dedup.mention_records import TEXTS, FoldedText, Mention
from normalize.dedup.mentions import TakeMention
from normalize.judged_reviews import REVIEWS, JudgedReview
from normalize.parse.values import readable, score, take_verdict
from normalize.rows.ranges import fitting
from normalize.rows.reviews import fullest
from normalize.state.relation import Relation, State


class PlainReview(msgspec.Struct, frozen=True, array_like=True):
    """A review whose tool is on all its pages, by all its labels, or as the only one on all of them.

    Nothing contradicts it. `counts` are how often each of its texts is mentioned, by id. `reason` is why a page without
    a label shows the tool's take; `newest` is how fresh its freshest mention is.
    """

    row: ReviewRow
    counts: dict[str, int]
    reason: Reason
    newest: tuple[str, int, str, str, str]

    @property
    def review_id(self) -> str:
        return self.row.review_id


PLAIN_REVIEWS = Relation("plain_reviews", PlainReview, ("review_id",))


def plain_review(review: ReviewAttribution, row: ReviewRow) -> PlainReview | None:
    """What is kept of a review that nothing contradicts, if it is plain."""
    kind, tool_id, mentions = review.kind, review.tool_id, review.mentions
    if kind not in {"observed", "intersected"} or review.counterparts:
        return None
    for item in mentions:
        if tool_id not in item.version.tool_ids or item.label not in {None, tool_id}:
            return None
    shown = "matched" if kind == "observed" else "intersected"
    reason = next((reason for (of, _), reason in review.evidence.items() if of == shown), None)
    if reason is None:
        first = next(item for item in mentions if item.label is not None)
        reason = Reason(WEIGHT["matched"], f"stands labelled {label_of(first)} on '{first.version.title}'")
    counts = Counter(item.text.text_id for item in mentions)
    return PlainReview(row, dict(counts), reason, mentions[-1].version.freshness)


class Confirmed(NamedTuple):
    """What is kept of a review now, and the review with its mentions on the night's pages alone."""

    plain: PlainReview
    review: ReviewAttribution


def confirm(
    state: State, review_ids: Collection[str], before: Sequence[Mention], now: Sequence[Mention]
) -> dict[str, Confirmed]:
    """Those of the reviews that a night confirms. `before` and `now` are all mentions of the night's pages."""
    plain = {known.review_id: known for known in state.find(PLAIN_REVIEWS, "review_id", review_ids)}
    judged = {review.review_id: review for review in state.find(REVIEWS, "review_id", plain)}
    texts = {text.text_id: text for text in state.find(TEXTS, "review_id", plain)}
    earlier, later = _by_review(before, texts), _by_review(now, texts)
    found = {}
    for review_id, known in plain.items():
        confirmed = _confirmed(known, judged[review_id], texts, earlier[review_id], later[review_id])
        if confirmed is not None:
            found[review_id] = confirmed
    return found


def _by_review(mentions: Sequence[Mention], texts: Mapping[str, FoldedText]) -> Mapping[str, Sequence[Mention]]:
    by_review: dict[str, list[Mention]] = defaultdict(list)
    for mention in mentions:
        if mention.text_id in texts:
            by_review[texts[mention.text_id].review_id].append(mention)
    return by_review


def _confirmed(
    known: PlainReview,
    judged: JudgedReview,
    texts: Mapping[str, FoldedText],
    before: Sequence[Mention],
    now: Sequence[Mention],
) -> Confirmed | None:
    earlier = {(item.version.location, item.take.position): item for item in before}
    new = []
    for item in now:
        was = earlier.pop((item.version.location, item.take.position), None)
        if was is None:
            new.append(item)
        elif _read_of(was) != _read_of(item):
            return None
    if earlier or not all(_says_the_same(item, known, judged) for item in new):
        return None
    new.sort(key=_age)
    counts = Counter(known.counts)
    counts.update(item.text_id for item in new)
    shown = [texts[text_id] for text_id in counts]
    text = _published(known, new, fullest(shown, counts), fullest(shown, known.counts))
    if text is None:
        return None
    row = _grown_row(known.row, new, text, {(item.page_id, item.text_id) for item in before})
    if fitting({"reviews": [row]}).beyond:
        return None
    newest = max([known.newest, *(item.version.freshness for item in new)])
    plain = PlainReview(row, dict(counts), known.reason, newest)
    mentions = [TakeMention(item.version, item.take, item.label, texts[item.text_id]) for item in sorted(now, key=_age)]
    review = ReviewAttribution(row.review_id, "", mentions, {row.tool_id}, judged.kind)
    review.evidence.update(_evidence(plain, judged, mentions))
    return Confirmed(plain, review)


def _published(known: PlainReview, new: Sequence[Mention], fullest_now: str, fullest_before: str) -> str | None:
    """The words of the fullest text as last published; None where only mentions of before show them."""
    of_text = [item for item in new if item.text_id == fullest_now]
    if of_text:
        return next(item.take.text for item in of_text if item.version.location == of_text[-1].version.location)
    return known.row.text if fullest_now == fullest_before else None


def _read_of(item: Mention) -> tuple[object, ...]:
    version = item.version
    return version.page_id, version.host, version.tool_ids, version.title, item.take, item.label


def _says_the_same(item: Mention, known: PlainReview, judged: JudgedReview) -> bool:
    version, tool_id = item.version, known.row.tool_id
    return (
        version.host in known.row.hosts
        and tool_id in version.tool_ids
        and (item.label is None or (item.label == tool_id and judged.kind == "observed"))
        and item.take.seat in {None, judged.seat}
        and version.freshness > known.newest
    )


def _age(item: Mention) -> tuple[tuple[str, int, str, str, str], int]:
    return item.version.freshness, item.take.position


def _grown_row(row: ReviewRow, new: Sequence[Mention], text: str, places: Collection[tuple[str, str]]) -> ReviewRow:
    """The row with mentions that are newer than all others, oldest first; `places` had a text of it on a page."""
    if not new:
        return row
    labelled = [item.take for item in new if item.label is not None]
    scores = [found for take in labelled if (found := readable(score, take.score)) is not None]
    verdicts = [said for take in labelled if (said := readable(take_verdict, take.verdict)) is not None]
    times = [item.version.fetched_at for item in new]
    return msgspec.structs.replace(
        row,
        score=scores[-1] if scores else row.score,
        verdict=verdicts[-1] if verdicts else row.verdict,
        text=text,
        appearances=row.appearances + len({(item.page_id, item.text_id) for item in new}.difference(places)),
        first_seen_at=min(row.first_seen_at, *times),
        last_seen_at=max(row.last_seen_at, *times),
    )


def _evidence(
    known: PlainReview, judged: JudgedReview, mentions: Sequence[TakeMention]
) -> Iterator[tuple[tuple[Attribution, str], Reason]]:
    """By kind and page: a page that labels the take bears the first of its labels, any other what is known."""
    labels: dict[str, Reason] = {}
    for item in mentions:
        if item.label is not None and item.version.page_id not in labels:
            labels[item.version.page_id] = Reason(WEIGHT["observed"], f"stands labelled {label_of(item)} on this page")
    kind: Attribution = "matched" if judged.kind == "observed" else "intersected"
    for page_id in {item.version.page_id for item in mentions}:
        if page_id in labels:
            yield ("observed", page_id), labels[page_id]
        else:
            yield (kind, page_id), known.reason
