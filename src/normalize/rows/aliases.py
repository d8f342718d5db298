"""What deduplication did beside joining takes: reviews that lost their id to another, and pairs that it left apart."""

from collections.abc import Iterator

from corpus.rows.reviews import LookalikeRow, ReviewAliasRow
from normalize.dedup.deduplicate import TakeClusters


def review_alias_rows(clusters: TakeClusters) -> Iterator[ReviewAliasRow]:
    """One row per text that was a review of its own until its tool became known."""
    for text in clusters.texts.values():
        if text.was_canonical and not text.is_canonical:
            reason = f"{text.similarity:.0%} alike, and now known to be about one tool"
            yield ReviewAliasRow(text.text_id, text.canonical.text_id, reason)


def lookalike_rows(clusters: TakeClusters) -> Iterator[LookalikeRow]:
    """One row per pair of similar texts in two reviews."""
    for pair in clusters.lookalikes():
        first, second = sorted((clusters.review_id(pair.text_id), clusters.review_id(pair.other_id)))
        yield LookalikeRow(first, second, round(pair.similarity, 4))
