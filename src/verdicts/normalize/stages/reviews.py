"""From mentions to reviews, with what corrections did.

The stages are `texts`, `blocking`, `components`, `repartition`, `folds`, `seats`, `reviews`, `corrections`. Texts are
compared within a tool, so each text is sent to the partitions of all its possible tools. Texts without any direct or
indirect link can be folded in different partitions.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import chain
from operator import attrgetter

from msgspec.structs import replace

from verdicts.corpus.rows.runs import DiscrepancyRow
from verdicts.corpus.tables import TABLES
from verdicts.normalize.attribution.attribute import attribute_by_own
from verdicts.normalize.attribution.exclusion import ABSENCE_PAGES
from verdicts.normalize.attribution.overruling import by_review, overrule
from verdicts.normalize.attribution.page_takes import PANEL_PAGES, takes_by_page
from verdicts.normalize.attribution.review_attribution import JudgedReview, ReviewAttribution, open_attributions
from verdicts.normalize.attribution.row_order import inferred_seats, seat_ranges
from verdicts.normalize.components import joined
from verdicts.normalize.corrections import Correction, correction_rows
from verdicts.normalize.dedup.corrected import SAME_OR_NOT, takes_that_are_one
from verdicts.normalize.dedup.deduplicate import blocks_of, fold, texts_by_age
from verdicts.normalize.dedup.mentions import FoldedText, Mention, days_of
from verdicts.normalize.dedup.similarity import THRESHOLDS, Block, components_of, neighbours
from verdicts.normalize.identity.page_versions import tool_day
from verdicts.normalize.rows.review_history import review_history, review_history_rows
from verdicts.normalize.rows.reviews import (
    appearance_rows,
    evidence_rows,
    lookalike_rows,
    review_alias_rows,
    review_row,
    seat_conflict_rows,
)
from verdicts.normalize.stages import relations as rel
from verdicts.normalize.work import OUTCOMES, Relation, Work

AT_A_TIME = 10_000
"""Reviews whose evidence and rows are in memory at once."""

_DISCREPANCY_KEY = attrgetter(*TABLES["discrepancies"].key)


def texts(work: Work) -> None:
    """Sends each distinct text to the tools that it may be about."""
    aliases = {alias.alias_id: alias for alias in work.read(rel.ALIASES)}
    days = days_of(work.read(rel.MENTIONS), aliases, {tool.tool_id: tool for tool in work.read(rel.TOOLS)})
    by_age = texts_by_age(days)
    for block in blocks_of(days, by_age):
        text = by_age[block.text]
        blocked = rel.BlockedText(text.text_id, text.match_key, text.text, text.rank, block.tool_id, block.since)
        work.send(rel.BLOCKED_TEXTS, (blocked,))


def blocking(work: Work) -> None:
    """Sends the texts of a tool that must be folded together."""
    blocked = work.read(rel.BLOCKED_TEXTS)
    by_age = sorted({item.text_id: item for item in blocked}.values(), key=lambda item: item.age)
    numbers = {text.text_id: number for number, text in enumerate(by_age)}
    blocks = [Block(numbers[item.text_id], item.tool_id, item.since) for item in blocked]
    found = neighbours(by_age, blocks, THRESHOLDS)
    firsts = components_of(found)
    work.send(
        rel.TEXT_TIES,
        (rel.TextTie(by_age[first].text_id, by_age[text].text_id) for text, first in firsts.items() if first != text),
    )


def components(work: Work) -> None:
    """Sends the texts to fold to the partition of the first text of their component, if it is another one.

    Texts that people declare to be one, or to be different, are folded together.
    """
    known = work.known
    ties = {(tie.text_id, tie.other_id) for tie in work.read(rel.TEXT_TIES)}
    decided = (one for kind in SAME_OR_NOT for one in known.corrections.of(kind, "reviews"))
    for text_id, first in joined(ties | {(one.target, one.decision) for one in decided}).items():
        there = known.partition_of("text", first)
        if known.partition_of("text", text_id) != there:
            work.send(rel.TEXT_MOVES, (rel.Move(text_id, there),))


def repartition(work: Work) -> None:
    """Sends the mentions of texts that another partition folds."""
    moves = {move.key: move.partition for move in work.read(rel.TEXT_MOVES)}
    leaving: dict[int, list[Mention]] = defaultdict(list)
    for mention in work.read(rel.MENTIONS):
        if mention.text_id in moves:
            leaving[moves[mention.text_id]].append(mention)
    for there, mentions in leaving.items():
        work.send_to(rel.MOVED_MENTIONS, there, mentions)


def folds(work: Work) -> None:
    """Joins repeated takes into reviews, and decides the tool of reviews by their own mentions.

    Makes the rows of folding and of decided reviews, without their seats. Sends texts and decided reviews to their
    pages, and sends open reviews.
    """
    corrections = work.known.corrections
    aliases = {alias.alias_id: alias for alias in work.read(rel.ALIASES)}
    tools = {tool.tool_id: tool for tool in work.read(rel.TOOLS)}
    moved = {move.key for move in work.read(rel.TEXT_MOVES)}
    mentions = [mention for mention in work.read(rel.MENTIONS) if mention.text_id not in moved]
    mentions += work.read(rel.MOVED_MENTIONS)
    clusters = fold(days_of(mentions, aliases, tools), apart=corrections.apart("reviews"))
    into, outcomes = takes_that_are_one(clusters, corrections)
    clusters.join(into)
    work.send(OUTCOMES, outcomes)
    texts = {text_id: text.folded for text_id, text in clusters.texts.items()}
    lost = {review_id for review_id, found in by_review(corrections, texts).items() if _is_of_no_tool(found)}
    said = {one.target: f"{one.by} says so: {one.reason}" for one in corrections.of("same", "reviews")}
    kept = (text for text in texts.values() if text.review_id not in lost)
    alike = {pair: similarity for pair, similarity in clusters.lookalikes().items() if lost.isdisjoint(pair)}
    work.keep("review_aliases", [*review_alias_rows(kept, said)])
    work.keep("lookalikes", [*lookalike_rows(alike)])
    del clusters
    _send_texts(work, mentions, texts)
    waiting = [*open_attributions(mentions, texts).values()]
    while waiting:
        reviews = waiting[-AT_A_TIME:]
        del waiting[-AT_A_TIME:]
        conflicts = attribute_by_own(reviews, tools)
        for review in reviews:
            if review.kind is None:
                places = _places(review)
                work.send(rel.OPEN_REVIEWS, places)
                work.send(rel.COMPARED, places)
        judged = [review for review in reviews if review.kind is not None]
        keep_reviews(work, judged, conflicts, rel.JUDGED)


def _is_of_no_tool(found: Iterable[Correction]) -> bool:
    return {one.value for one in found} == {None}


def _send_texts(work: Work, mentions: Iterable[Mention], texts: Mapping[str, FoldedText]) -> None:
    if work.known.partitions == 1:
        work.send_to(rel.TEXTS, 0, texts.values())
        return
    shown: dict[int, set[str]] = defaultdict(set)
    for mention in mentions:
        shown[work.known.partition_of("page", mention.page_id)].add(mention.text_id)
    for there, text_ids in shown.items():
        work.send_to(rel.TEXTS, there, [texts[text_id] for text_id in sorted(text_ids)])


def _places(review: ReviewAttribution) -> Collection[rel.OpenReview]:
    """The pages of an open review, for each tool with other pages to compare."""
    pages = {mention.version.page_id for mention in review.mentions}
    most = max(ABSENCE_PAGES + len(pages), PANEL_PAGES)
    return {
        rel.OpenReview(
            review.review_id,
            mention.version.page_id,
            tool_day(tool_id, mention.version.crawl_day),
            mention.version.fetched_at,
            most,
        )
        for mention in review.mentions
        for tool_id in {*mention.version.tool_ids, *review.candidate_tools}
    }


def keep_reviews(
    work: Work,
    judged: Collection[ReviewAttribution],
    conflicts: Mapping[str, Sequence[DiscrepancyRow]],
    to_pages: Relation[JudgedReview],
) -> None:
    """Makes rows of appearances and evidence. Sends review rows, contradictions, and the reviews to their pages.

    Decisions of people on reviews are applied here.
    """
    left_out: frozenset[str] = frozenset()
    if work.known.corrections.of("take", "reviews"):
        tools = {tool.tool_id: tool for tool in work.read(rel.TOOLS)}
        aliases = {alias.alias_id: alias.tool_id for alias in work.read(rel.ALIASES)}
        left_out, outcomes = overrule(judged, work.known.corrections, tools, aliases)
        work.send(OUTCOMES, outcomes)
    kept = [review for review in judged if review.review_id not in left_out]
    for review in kept:
        work.send(rel.DISCREPANCIES, {*conflicts.get(review.review_id, ()), *seat_conflict_rows(review)})
    for review in judged:
        for number in {work.known.partition_of("page", mention.page_id) for mention in review.mentions}:
            work.send_to(to_pages, number, (review.judged,))
    histories = [review_history(review) for review in kept]
    work.send(rel.REVIEW_ROWS, map(review_row, kept, histories))
    for review, history in zip(kept, histories, strict=True):
        work.send(rel.REVIEW_STATES, review_history_rows(review.review_id, history))
    work.keep_all(
        {
            "appearances": chain.from_iterable(map(appearance_rows, kept)),
            "attribution_evidence": chain.from_iterable(map(evidence_rows, kept)),
        }
    )


def seats(work: Work) -> None:
    """Makes rows of contradictions. Sends the possible seats of takes by the order of rows on their pages."""
    texts = {text.text_id: text for text in work.read(rel.TEXTS)}
    reviews = {review.review_id: review for found in (rel.JUDGED, rel.JUDGED_BY_PAGES) for review in work.read(found)}
    mentions = work.read(rel.MENTIONS_ON_PAGES)
    unseated = {item.version.location for item in mentions if not reviews[texts[item.text_id].review_id].seat}
    shown = takes_by_page((item for item in mentions if item.version.location in unseated), texts)
    for page in shown:
        work.send(rel.SEAT_RANGES, seat_ranges(page, reviews, work.known.profiles))
    # Of equal contradictions, the first one by tool counts.
    found = sorted(work.read(rel.DISCREPANCIES), key=lambda row: row.tool_id or "", reverse=True)
    work.keep("discrepancies", [*{_DISCREPANCY_KEY(row): row for row in found}.values()])


def reviews(work: Work) -> None:
    """Makes rows of reviews and their history, with seats if the order of rows allows only one."""
    waiting = work.read(rel.REVIEW_ROWS)
    unlabelled = {row.review_id for row in waiting if not row.seat}
    ranges = [found for found in work.read(rel.SEAT_RANGES) if found.review_id in unlabelled]
    found = inferred_seats(ranges, work.known.profiles)
    rows = (
        replace(row, seat=seat, seat_source="row_order") if (seat := found.get(row.review_id)) else row
        for row in waiting
    )
    states = (
        replace(row, seat=seat) if row.seat is None and (seat := found.get(row.review_id)) else row
        for row in work.read(rel.REVIEW_STATES)
    )
    work.keep_all({"reviews": rows, "review_history": states})


def corrections(work: Work) -> None:
    """Makes the rows of corrections."""
    work.keep("corrections", [*correction_rows(work.known.corrections, work.read(OUTCOMES))])
