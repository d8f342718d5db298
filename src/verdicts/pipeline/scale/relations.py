"""The relations between stages, and records that exist only there."""

from collections.abc import Sequence
from operator import attrgetter
from typing import TypeAlias

import msgspec

from verdicts.corpus.rows.reviews import ReviewHistoryRow, ReviewRow
from verdicts.corpus.rows.runs import DiscrepancyRow
from verdicts.extract.model.stored import StoredObservation
from verdicts.fetch.model.snapshot import Location
from verdicts.normalize.attribution.open_reviews import OpenReview
from verdicts.normalize.attribution.review_attribution import JudgedReview
from verdicts.normalize.attribution.row_order import ReviewerRange
from verdicts.normalize.dedup.mentions import DistinctText, FoldedText, Mention
from verdicts.normalize.dedup.similarity import Similarity
from verdicts.normalize.external import ExternalTool
from verdicts.normalize.identity.ids import Identity, KnownTool, ToolAlias
from verdicts.normalize.identity.page_versions import VersionHead
from verdicts.normalize.identity.sightings import Sighting
from verdicts.normalize.parse.typed_page import TypedTake
from verdicts.normalize.rows.tool_rows import Statement
from verdicts.normalize.steps.read_pages import IdentifiedSnapshot
from verdicts.pipeline.scale.partitions import Relation, Wire


class SimilarPair(msgspec.Struct, frozen=True, array_like=True):
    """Two texts that are similar under tools that both may be about."""

    first: str
    second: str
    similarity: Similarity
    tools: frozenset[str]


_SentMentions: TypeAlias = tuple[list[VersionHead], list[tuple[str, int, TypedTake, str | None]]]


def _pack(mentions: Sequence[Mention]) -> _SentMentions:
    # About ten mentions share a page version. It is sent once.
    numbers: dict[Location, int] = {}
    versions: list[VersionHead] = []
    for mention in mentions:
        if numbers.setdefault(mention.version.location, len(versions)) == len(versions):
            versions.append(mention.version)
    return versions, [(item.text_id, numbers[item.version.location], item.take, item.label) for item in mentions]


def _unpack(sent: _SentMentions) -> list[Mention]:
    versions, mentions = sent
    return [Mention(text_id, versions[number], take, label) for text_id, number, take, label in mentions]


_MENTIONS = Wire(_SentMentions, _pack, _unpack)

OBSERVED = Relation("observed", StoredObservation, "segment")
"""All observations, the input of normalization."""
SIGHTINGS = Relation("sightings", Sighting, "all")
IDENTITIES = Relation("identities", Identity, "segment", lambda item: item.location.segment)
ALIASES = Relation("aliases", ToolAlias, "all")
IDENTIFIED = Relation("identified", IdentifiedSnapshot, "page")
STATEMENTS = Relation("statements", Statement, "tool", attrgetter("tool_id"))
TOOLS = Relation("tools", KnownTool, "all")
EXTERNAL_TOOLS = Relation("external_tools", ExternalTool, "page")
MENTIONS = Relation("mentions", Mention, "text", attrgetter("text_id"), _MENTIONS)
MENTIONS_ON_PAGES = Relation("mentions_on_pages", Mention, "page", attrgetter("page_id"), _MENTIONS)
DISTINCT_TEXTS = Relation("distinct_texts", DistinctText, "tool")
SIMILAR_PAIRS = Relation("similar_pairs", SimilarPair, "all")
SIMILAR_TEXTS = Relation("similar_texts", DistinctText, "all")
"""The texts of similar pairs, and those that people decided about."""
FOLDED = Relation("folded", FoldedText, "all")
"""The same texts with their reviews; every other text is a review of its own."""
MENTIONS_OF_REVIEWS = Relation("mentions_of_reviews", Mention, "review", None, _MENTIONS)
TEXTS_OF_REVIEWS = Relation("texts_of_reviews", FoldedText, "review", attrgetter("review_id"))
TEXTS_ON_PAGES = Relation("texts_on_pages", FoldedText, "page")
JUDGED = Relation("judged", JudgedReview, "page")
"""Reviews decided by their own mentions."""
OPEN_REVIEWS = Relation("open_reviews", OpenReview, "all")
COMPARED_MENTIONS = Relation("compared_mentions", Mention, "all", None, _MENTIONS)
"""All on pages of open reviews, and on those that they are compared with."""
COMPARED_TEXTS = Relation("compared_texts", FoldedText, "all")
COMPARED_REVIEWS = Relation("compared_reviews", JudgedReview, "all")
JUDGED_BY_PAGES = Relation("judged_by_pages", JudgedReview, "page")
"""Reviews decided by other pages and reviews."""
DISCREPANCIES = Relation("discrepancies", DiscrepancyRow, "page", attrgetter("page_id"))
REVIEWER_RANGES = Relation("reviewer_ranges", ReviewerRange, "review", attrgetter("review_id"))
REVIEW_ROWS = Relation("review_rows", ReviewRow, "review", attrgetter("review_id"))
"""Rows of reviews, before their reviewers are inferred."""
REVIEW_STATES = Relation("review_states", ReviewHistoryRow, "review", attrgetter("review_id"))
"""Rows of their history, likewise."""
