"""Stage `folds`: reviews of the texts of a bin, and whose they are where their own mentions tell."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from normalize.bins.messages import HOMED_REVIEWS, REVIEW_ROWS, HomedReview, sent_mentions
from normalize.bins.outbox import EVERYBODY, Inbox, Outbox, bin_of
from normalize.bins.pages import Rows, send_doubts
from normalize.bins.shared import Shared
from normalize.bins.texts import state_of
from normalize.dedup.fold_round import fold_round
from normalize.dedup.mention_records import MENTIONS, TEXTS, Mention
from normalize.judged_reviews import OPEN_REVIEWS
from normalize.reviews.judged_rows import review_doubts, review_rows
from normalize.reviews.judging import Judging, judge_by_own
from normalize.rows.aliases import lookalike_rows, review_alias_rows
from normalize.rows.ranges import fitting


def fold_bin(number: int, staying: Inbox, arrived: Inbox, shared: Shared, outbox: Outbox) -> Rows:
    """Folds the mentions that came to the bin `number` of the stage `texts` and stay, and those that were moved here.

    Rows of folding, and of the reviews that are settled but for the row in `reviews`, which waits for its seat. Sends
    TEXTS and settled HOMED_REVIEWS to the bins of their pages, OPEN_REVIEWS to the planner, REVIEW_ROWS to `rows`.
    """
    mentions = [mention for mention in sent_mentions(staying) if mention.text_id not in shared.moves]
    mentions += sent_mentions(arrived)
    state = state_of(mentions, shared)
    state.replace(MENTIONS, "text_id", (), mentions)
    texts = fold_round(state, {mention.text_id for mention in mentions}, ()).texts
    judging = Judging(state)
    still_open = judge_by_own(judging, {text.review_id for text in state.all(TEXTS)})
    outbox.send_to("planner", EVERYBODY, OPEN_REVIEWS, state.all(OPEN_REVIEWS))
    for review_id in still_open:
        del judging.reviews[review_id]
    _send_to_pages(judging, mentions, number, outbox)
    return {
        "review_aliases": [*review_alias_rows(state.all(TEXTS))],
        "lookalikes": [*lookalike_rows(state, texts)],
        **settled_rows(judging, number, outbox),
    }


def settled_rows(judging: Judging, home: int, outbox: Outbox) -> Rows:
    """Rows of appearances and evidence; those of reviews are sent to the bin `home`, where they get their seats."""
    rows, beyond = fitting(review_rows(judging, judging.reviews, ()))
    send_doubts(outbox, review_doubts(judging, beyond))
    outbox.send_to("rows", home, REVIEW_ROWS, rows.pop("reviews"))
    return rows


def send_homed(judging: Judging, shown: Iterable[tuple[str, str]], home: int, outbox: Outbox) -> None:
    """Sends judged reviews to the bins of their pages, each once. `shown` are ids of pages and of reviews on them."""
    by_bin: dict[int, set[str]] = defaultdict(set)
    for page_id, review_id in shown:
        if review_id in judging.reviews:
            by_bin[bin_of(page_id, outbox.bins)].add(review_id)
    for there, review_ids in by_bin.items():
        homed = [HomedReview(judging.now[review_id], home) for review_id in sorted(review_ids)]
        outbox.send_to("pages", there, HOMED_REVIEWS, homed)


def _send_to_pages(judging: Judging, mentions: Sequence[Mention], home: int, outbox: Outbox) -> None:
    texts = {text.text_id: text for text in judging.state.all(TEXTS)}
    shown: dict[int, set[str]] = defaultdict(set)
    for mention in mentions:
        shown[bin_of(mention.page_id, outbox.bins)].add(mention.text_id)
    for there, text_ids in shown.items():
        outbox.send_to("pages", there, TEXTS, [texts[text_id] for text_id in sorted(text_ids)])
    send_homed(judging, ((item.page_id, texts[item.text_id].review_id) for item in mentions), home, outbox)
