"""Records that exist between bins alone, and the mentions of takes as they are sent."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime

import msgspec

from corpus.rows.reviews import ReviewRow
from normalize.bins.outbox import Outbox
from normalize.dedup.mention_records import Mention, StoredMention, stored_mention
from normalize.identity.version_head import VERSIONS, VersionHead
from normalize.judged_reviews import JudgedReview
from normalize.state.relation import Relation

STORED_MENTIONS = Relation("stored_mentions", StoredMention, ("page_id",))


class TextAtHome(msgspec.Struct, frozen=True, array_like=True):
    """A text, with a tool that it may be about since an ingest day. `age` sorts texts from the oldest."""

    text_id: str
    match_key: str
    text: str
    age: tuple[str, bool, int, int, str]
    tool_id: str
    since: str


TEXTS_AT_HOME = Relation("texts_at_home", TextAtHome, ("text_id",))


class TextTie(msgspec.Struct, frozen=True, array_like=True):
    """Two texts that have to do with each other."""

    text_id: str
    other_id: str


TEXT_TIES = Relation("text_ties", TextTie, ("text_id",))


class Move(msgspec.Struct, frozen=True, array_like=True):
    """A text or a page that is to be in another bin too, of the stage that it is sent to."""

    key: str
    bin: int


MOVES = Relation("moves", Move, ("key",))


class Moment(msgspec.Struct, frozen=True, array_like=True):
    """When a page was fetched, of which an open review is compared with others that show a tool in the same state.

    `most` is how many of these are ever looked at.
    """

    tool_id: str
    crawl_day: str
    fetched_at: datetime
    most: int


MOMENTS = Relation("moments", Moment, ("tool_id",))


class HomedReview(msgspec.Struct, frozen=True, array_like=True):
    """A judged review, and the bin of the stage `rows` where its row waits for its seat."""

    review: JudgedReview
    home: int

    @property
    def review_id(self) -> str:
        return self.review.review_id


HOMED_REVIEWS = Relation("homed_reviews", HomedReview, ("review_id",))

REVIEW_ROWS = Relation("review_rows", ReviewRow, ("review_id",))


def send_mentions(outbox: Outbox, stage: str, number: int, mentions: Iterable[Mention]) -> None:
    """Sends mentions to a bin, each page version of theirs once."""
    versions: dict[object, VersionHead] = {}
    stored = []
    for mention in mentions:
        versions.setdefault(mention.version.location, mention.version)
        stored.append(stored_mention(mention))
    outbox.send_to(stage, number, VERSIONS, versions.values())
    outbox.send_to(stage, number, STORED_MENTIONS, stored)


def sent_mentions(inbox: Mapping[str, list[object]]) -> Iterator[Mention]:
    """Mentions as they were before they were sent."""
    versions = {version.location: version for version in inbox[VERSIONS.name] if isinstance(version, VersionHead)}
    for stored in inbox[STORED_MENTIONS.name]:
        if isinstance(stored, StoredMention):
            yield Mention(stored.text_id, versions[stored.location], stored.take, stored.label)
