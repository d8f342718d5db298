"""What deduplication did beside joining takes: reviews that lost their id to another, and pairs that it left apart."""

from collections.abc import Collection, Iterable, Iterator

from corpus.rows.reviews import LookalikeRow, ReviewAliasRow
from normalize.dedup.mention_records import LOOKALIKES, TEXTS, FoldedText
from normalize.state.relation import State


def review_alias_rows(texts: Iterable[FoldedText]) -> Iterator[ReviewAliasRow]:
    """One row per text that was a review of its own until its tool became known."""
    for text in texts:
        if text.was_canonical and text.review_id != text.text_id:
            reason = f"{text.similarity:.0%} alike, and now known to be about one tool"
            yield ReviewAliasRow(text.text_id, text.review_id, reason)


def lookalike_rows(state: State, texts: Collection[str]) -> Iterator[LookalikeRow]:
    """One row per two reviews with similar texts: of several pairs the first by their ids.

    `texts` were folded together, so that each pair has both of its texts among them.
    """
    pairs = sorted(state.find(LOOKALIKES, "text_id", texts), key=lambda pair: (pair.text_id, pair.other_id))
    alike = {text_id for pair in pairs for text_id in (pair.text_id, pair.other_id)}
    reviews = {text.text_id: text.review_id for text in state.find(TEXTS, "text_id", alike)}
    rows: dict[tuple[str, str], LookalikeRow] = {}
    for pair in pairs:
        first, second = sorted((reviews[pair.text_id], reviews[pair.other_id]))
        rows.setdefault((first, second), LookalikeRow(first, second, round(pair.similarity, 4)))
    yield from rows.values()
