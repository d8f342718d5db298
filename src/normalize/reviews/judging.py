"""Reviews while a round finds their tools: first by their own mentions, then what is open by the pages."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from corpus.rows.doubts import DiscrepancyRow
from normalize.attribution.attribute import attribute_by_own, attribute_open
from normalize.attribution.page_takes import PageTakes
from normalize.attribution.review_attribution import ReviewAttribution, open_attributions
from normalize.identity.known_tool import TOOLS
from normalize.identity.tool_addresses import ToolAddress
from normalize.identity.tool_days import ToolDay
from normalize.judged_reviews import OPEN_REVIEWS, REVIEWS, JudgedReview
from normalize.reviews.judged import judged
from normalize.reviews.loaded import mentions_of_texts, texts_of_reviews
from normalize.reviews.open_reviews import comparable, deciding_pages, hang_together, open_records
from normalize.state.relation import State


@dataclass(slots=True)
class Judging:
    """What a round has found so far, by review id: what was kept before, what is kept now, contradictions.

    A review that has no mention any more is in `asked` and not among `reviews`.
    """

    state: State
    asked: set[str] = field(default_factory=set)
    reviews: dict[str, ReviewAttribution] = field(default_factory=dict)
    before: dict[str, JudgedReview] = field(default_factory=dict)
    now: dict[str, JudgedReview] = field(default_factory=dict)
    conflicts: dict[str, list[DiscrepancyRow]] = field(default_factory=lambda: defaultdict(list))
    names: dict[str, str] = field(default_factory=dict)


def judge(
    judging: Judging, review_ids: Collection[str], tool_days: Collection[ToolDay], pages: Collection[str]
) -> None:
    """Judges reviews, and the open ones compared with these page versions, on these pages, and beside any of them."""
    state = judging.state
    still_open = judge_by_own(judging, review_ids)
    moved = {one for one in review_ids if is_placed_anew(judging, one)}
    again = {*pages, *pages_of(judging.reviews[one] for one in moved if one in judging.reviews)}
    found = {
        *comparable(state, tool_days),
        *(record.review_id for record in state.find(OPEN_REVIEWS, "page_id", again)),
    }
    opened = hang_together(state, found | still_open)
    judge_by_own(judging, opened - judging.asked)
    _judge_open(judging, opened)


def is_placed_anew(judging: Judging, review_id: str) -> bool:
    """Whether what other reviews take from this one has changed: its tool, how it was found, its seat."""
    before, now = judging.before.get(review_id), judging.now.get(review_id)
    if before is None or now is None:
        return before is not now
    return (before.seat, before.kind, before.tool_id, before.counterparts) != (
        now.seat,
        now.kind,
        now.tool_id,
        now.counterparts,
    )


def pages_of(reviews: Iterable[ReviewAttribution]) -> set[str]:
    """The pages that show any of these reviews."""
    return {mention.version.page_id for review in reviews for mention in review.mentions}


def judge_by_own(judging: Judging, review_ids: Collection[str]) -> set[str]:
    """Judges reviews by their own mentions; gives those that these leave open."""
    state = judging.state
    judging.asked.update(review_ids)
    judging.before |= {review.review_id: review for review in state.find(REVIEWS, "review_id", review_ids)}
    texts = texts_of_reviews(state, review_ids)
    match_keys = {text.text_id: text.match_key for text in texts.values()}
    reviews = open_attributions(mentions_of_texts(state, texts), match_keys)
    addresses = _addresses(judging, (item.version.tool_ids for of in reviews.values() for item in of.mentions))
    judging.conflicts |= attribute_by_own(reviews.values(), judging.names, addresses)
    judging.reviews |= reviews
    still_open = {review_id for review_id, review in reviews.items() if review.kind is None}
    judging.now |= {
        review_id: judged(review, is_settled=True) for review_id, review in reviews.items() if review.kind is not None
    }
    records = (record for review_id in still_open for record in open_records(reviews[review_id]))
    state.replace(OPEN_REVIEWS, "review_id", review_ids, records)
    return still_open


def _judge_open(judging: Judging, review_ids: Collection[str]) -> None:
    """Judges reviews that are open, all that hang together with any of them among them, by the pages."""
    opened = {review_id: judging.reviews[review_id] for review_id in sorted(review_ids)}
    if not opened:
        return
    index = deciding_pages(judging.state, opened)
    _addresses(judging, (page.version.tool_ids for page in (*index.pages, *index.others)))
    for review_id, found in attribute_open(_beside(judging, index.pages), index, judging.names).items():
        judging.conflicts[review_id] += found
    judging.now |= {review_id: judged(review, is_settled=False) for review_id, review in opened.items()}


def _beside(judging: Judging, pages: Iterable[PageTakes]) -> Mapping[str, ReviewAttribution]:
    """Every review on these pages; those that are not judged now as they were found before."""
    shown = {review_id for page in pages for review_id in page.review_ids}
    known = judging.state.find(REVIEWS, "review_id", shown - judging.reviews.keys())
    before = {review.review_id: _settled(review) for review in known}
    return {review_id: before[review_id] if review_id in before else judging.reviews[review_id] for review_id in shown}


def _settled(review: JudgedReview) -> ReviewAttribution:
    return ReviewAttribution(review.review_id, "", [], {review.tool_id}, review.kind, counterparts=review.counterparts)


def _addresses(judging: Judging, pairs: Iterable[tuple[str, str]]) -> Mapping[str, ToolAddress]:
    """The addresses of tools; their names are noted."""
    known = judging.state.find(TOOLS, "tool_id", {tool_id for pair in pairs for tool_id in pair})
    judging.names |= {tool.tool_id: tool.name for tool in known}
    return {
        tool.tool_id: ToolAddress(tool.host, tool.slug)
        for tool in known
        if tool.host is not None and tool.slug is not None
    }
