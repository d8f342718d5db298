"""Records as they are sent: those of relations, and observations as record files have them."""

from datetime import datetime
from typing import Any

import msgspec

from normalize.bins.messages import (
    HOMED_REVIEWS,
    MOMENTS,
    MOVES,
    REVIEW_ROWS,
    STORED_MENTIONS,
    TEXT_TIES,
    TEXTS_AT_HOME,
)
from normalize.dedup.mention_records import TEXTS
from normalize.identity.identity import IDENTITIES
from normalize.identity.known_tool import TOOLS
from normalize.identity.sightings import Sighting
from normalize.identity.tool_days import TOOL_DAYS
from normalize.identity.tool_identity import ALIASES
from normalize.identity.version_head import VERSIONS
from normalize.judged_reviews import DOUBTS, OPEN_REVIEWS, SEAT_RANGES
from normalize.outside.candidate_round import OUTSIDE_TOOLS
from normalize.rows.tool_reports import TOOL_STATES
from normalize.snapshots import SNAPSHOTS
from normalize.state.relation import Relation
from pipeline.scale.row_objects import TABLE_PARTS


class DealtRecord(msgspec.Struct, frozen=True, array_like=True):
    """An observation as record files have it, without what gates alone read."""

    url: str
    fetched_at: datetime
    crawl_id: str
    segment: str
    segment_offset: int
    sha256: str
    kind: str
    record: bytes
    failure: str | None


DEALT = Relation("dealt", DealtRecord, ("segment",))
SEEN = Relation("seen", Sighting, ("source",))

SENT: tuple[Relation[Any], ...] = (
    ALIASES,
    DEALT,
    DOUBTS,
    HOMED_REVIEWS,
    IDENTITIES,
    MOMENTS,
    MOVES,
    OPEN_REVIEWS,
    OUTSIDE_TOOLS,
    REVIEW_ROWS,
    SEAT_RANGES,
    SEEN,
    SNAPSHOTS,
    STORED_MENTIONS,
    TABLE_PARTS,
    TEXTS,
    TEXTS_AT_HOME,
    TEXT_TIES,
    TOOLS,
    TOOL_DAYS,
    TOOL_STATES,
    VERSIONS,
)

DECODERS = {relation.name: msgspec.msgpack.Decoder(list[relation.record]) for relation in SENT}  # type: ignore[name-defined]
