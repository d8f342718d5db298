"""Mentions with their folded texts, as the state has them: of reviews, or of pages."""

from collections.abc import Collection, Iterable

from normalize.dedup.mention_records import MENTIONS, TEXTS, FoldedText, Mention
from normalize.dedup.mentions import TakeMention
from normalize.state.relation import State


def texts_of_reviews(state: State, reviews: Collection[str]) -> dict[str, FoldedText]:
    """Every text of these reviews, by id; the canonical one has the id of its review."""
    return {text.text_id: text for text in state.find(TEXTS, "review_id", reviews)}


def mentions_of_texts(state: State, texts: dict[str, FoldedText]) -> list[TakeMention]:
    """Every mention of these texts."""
    return _joined(state.find(MENTIONS, "text_id", texts), texts)


def mentions_on_pages(state: State, pages: Collection[str]) -> list[TakeMention]:
    """Every take of every version of these pages."""
    mentions = state.find(MENTIONS, "page_id", pages)
    folded = state.find(TEXTS, "text_id", {mention.text_id for mention in mentions})
    return _joined(mentions, {text.text_id: text for text in folded})


def _joined(mentions: Iterable[Mention], texts: dict[str, FoldedText]) -> list[TakeMention]:
    return [TakeMention(item.version, item.take, item.label, texts[item.text_id]) for item in mentions]
