"""The relations between stages, and records that exist only there."""

from collections.abc import Sequence
from datetime import datetime
from operator import attrgetter
from typing import TypeAlias

import msgspec

from verdicts.corpus.rows.reviews import ReviewRow
from verdicts.corpus.rows.runs import DiscrepancyRow
from verdicts.extract.model.stored import StoredObservation
from verdicts.fetch.model.snapshot import Location
from verdicts.normalize.attribution.review_attribution import JudgedReview
from verdicts.normalize.attribution.row_order import SeatRange
from verdicts.normalize.dedup.mentions import FoldedText, Mention
from verdicts.normalize.external import ExternalTool
from verdicts.normalize.identity.ids import Identity, KnownTool, ToolAlias
from verdicts.normalize.identity.page_versions import ToolDay, VersionHead, split_day
from verdicts.normalize.identity.sightings import Sighting
from verdicts.normalize.parse.typed_page import TypedTake
from verdicts.normalize.rows.tools import Statement
from verdicts.normalize.work import Relation, Wire


class ScannedObservation(msgspec.Struct, frozen=True, array_like=True):
    """An observation in the partition of its page, of its address, or of both.

    `identity` is None outside the partition of its page, and for an observation without a comparison.
    """

    observed: StoredObservation
    identity: Identity | None
    is_of_address: bool


class BlockedText(msgspec.Struct, frozen=True, array_like=True):
    """A text, and a tool that it may be about since an ingest day. `age` sorts texts, oldest first."""

    text_id: str
    match_key: str
    text: str
    age: tuple[str, bool, int, int, str]
    tool_id: str
    since: str


class TextTie(msgspec.Struct, frozen=True, array_like=True):
    """Two texts that must be folded together."""

    text_id: str
    other_id: str


class Move(msgspec.Struct, frozen=True, array_like=True):
    """A text or a page that another partition needs, too."""

    key: str
    partition: int


class OpenReview(msgspec.Struct, frozen=True, array_like=True):
    """An open review on a page of a tool on a crawl day (`tool_day`).

    It is compared with at most `most` other pages of the tool in the same state.
    """

    review_id: str
    page_id: str
    tool_day: str
    fetched_at: datetime
    most: int


_SentMentions: TypeAlias = tuple[list[VersionHead], list[tuple[str, int, TypedTake, str | None]]]


def _packed(mentions: Sequence[Mention]) -> _SentMentions:
    # About ten mentions share a page version. It is sent once.
    numbers: dict[Location, int] = {}
    versions: list[VersionHead] = []
    for mention in mentions:
        if numbers.setdefault(mention.version.location, len(versions)) == len(versions):
            versions.append(mention.version)
    return versions, [(item.text_id, numbers[item.version.location], item.take, item.label) for item in mentions]


def _unpacked(sent: _SentMentions) -> list[Mention]:
    versions, mentions = sent
    return [Mention(text_id, versions[number], take, label) for text_id, number, take, label in mentions]


_MENTIONS = Wire(_SentMentions, _packed, _unpacked)

OBSERVED = Relation("observed", StoredObservation, "segment")
"""All observations, the input of normalization."""
SIGHTINGS = Relation("sightings", Sighting, "all")
IDENTITIES = Relation("identities", Identity, "segment", lambda item: item.location.segment)
ALIASES = Relation("aliases", ToolAlias, "all")
SCANNED = Relation("scanned", ScannedObservation, "page")
STATEMENTS = Relation("statements", Statement, "tool", attrgetter("tool_id"))
TOOLS = Relation("tools", KnownTool, "all")
EXTERNAL_TOOLS = Relation("external_tools", ExternalTool, "page")
MENTIONS = Relation("mentions", Mention, "text", attrgetter("text_id"), _MENTIONS)
MENTIONS_ON_PAGES = Relation("mentions_on_pages", Mention, "page", attrgetter("page_id"), _MENTIONS)
BLOCKED_TEXTS = Relation("blocked_texts", BlockedText, "tool", attrgetter("tool_id"))
TEXT_TIES = Relation("text_ties", TextTie, "all")
TEXT_MOVES = Relation("text_moves", Move, "all")
MOVED_MENTIONS = Relation("moved_mentions", Mention, "text", None, _MENTIONS)
TEXTS = Relation("texts", FoldedText, "page")
JUDGED = Relation("judged", JudgedReview, "page")
"""Reviews decided by their own mentions."""
OPEN_REVIEWS = Relation("open_reviews", OpenReview, "all")
TOOL_DAYS = Relation("tool_days", ToolDay, "tool", lambda item: split_day(item.tool_day)[0])
COMPARED = Relation("compared", OpenReview, "tool", lambda item: split_day(item.tool_day)[0])
"""The open reviews, to find the pages of their tools that they are compared with."""
COMPARED_DAYS = Relation("compared_days", ToolDay, "all")
PAGE_MOVES = Relation("page_moves", Move, "page", attrgetter("key"))
OPEN_HERE = Relation("open_here", OpenReview, "review")
COMPARED_HERE = Relation("compared_here", ToolDay, "review")
VISITING_MENTIONS = Relation("visiting_mentions", Mention, "review", None, _MENTIONS)
VISITING_TEXTS = Relation("visiting_texts", FoldedText, "review")
VISITING_REVIEWS = Relation("visiting_reviews", JudgedReview, "review")
JUDGED_BY_PAGES = Relation("judged_by_pages", JudgedReview, "page")
"""Reviews decided by other pages and takes."""
DISCREPANCIES = Relation("discrepancies", DiscrepancyRow, "page", attrgetter("page_id"))
SEAT_RANGES = Relation("seat_ranges", SeatRange, "review", attrgetter("review_id"))
REVIEW_ROWS = Relation("review_rows", ReviewRow, "review", attrgetter("review_id"))
"""Rows of reviews, before their seats are inferred."""
