"""What the work on one bin sends to others, as one object: a head, and for each address its records."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

import msgspec
import zstandard

from fetch.objects.objects import Objects, Range
from normalize.bins.messages import (
    HOMED_REVIEWS,
    MOMENTS,
    MOVES,
    REVIEW_ROWS,
    STORED_MENTIONS,
    TEXT_TIES,
    TEXTS_AT_HOME,
)
from normalize.bins.outbox import Address, Inbox
from normalize.dedup.mention_records import TEXTS
from normalize.identity.identity import IDENTITIES
from normalize.identity.known_tool import TOOLS
from normalize.identity.sightings import Sighting
from normalize.identity.tool_days import TOOL_DAYS
from normalize.identity.tool_identity import ALIASES
from normalize.identity.version_head import VERSIONS
from normalize.judged_reviews import DOUBTS, OPEN_REVIEWS, SEAT_RANGES
from normalize.rows.tool_reports import TOOL_STATES
from normalize.snapshots import SNAPSHOTS
from normalize.state.relation import Relation

LEVEL = 1
"""Of zstd: records are read once, and a higher level takes longer to write than the rest of a stage."""

HEAD_BYTES = 65_536
"""Read at once, before it is known how long the head is; a small object is read whole with it."""


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
    REVIEW_ROWS,
    SEAT_RANGES,
    SEEN,
    SNAPSHOTS,
    STORED_MENTIONS,
    TEXTS,
    TEXTS_AT_HOME,
    TEXT_TIES,
    TOOLS,
    TOOL_DAYS,
    TOOL_STATES,
    VERSIONS,
)

_DECODERS = {relation.name: msgspec.msgpack.Decoder(list[relation.record]) for relation in SENT}  # type: ignore[name-defined]
_ENCODER = msgspec.msgpack.Encoder()


class _Section(NamedTuple):
    """Where the records of an address stand, in bytes behind the head."""

    stage: str
    bin: int
    relation: str
    begin: int
    length: int


_HEADS = msgspec.msgpack.Decoder(list[_Section])


def put(objects: Objects, name: str, sent: Mapping[Address, Sequence[msgspec.Struct]]) -> None:
    """Creates the object; one that is there was made of the same."""
    sections, bodies, end = [], [], 0
    compressor = zstandard.ZstdCompressor(level=LEVEL)
    # What goes to one bin stands together.
    for address in sorted(sent):
        body = compressor.compress(_ENCODER.encode(sent[address]))
        sections.append(_Section(*address, end, len(body)))
        bodies.append(body)
        end += len(body)
    head = _ENCODER.encode(sections)
    objects.create(name, b"".join([len(head).to_bytes(8), head, *bodies]))


def fetch(
    objects: Objects, names: Iterable[str], stage: str, number: int, relations: Collection[Relation[Any]] | None = None
) -> Inbox:
    """What a bin of a stage was sent in some objects: of these relations, else of all."""
    wanted = None if relations is None else {relation.name for relation in relations}
    inbox: dict[str, list[Any]] = defaultdict(list)
    decompressor = zstandard.ZstdDecompressor()
    for name in names:
        first, head = _head(objects, name)
        mine = [
            section
            for section in head.sections
            if (section.stage, section.bin) == (stage, number) and (wanted is None or section.relation in wanted)
        ]
        for section, body in zip(mine, _bodies(objects, name, first, head.end, mine), strict=True):
            inbox[section.relation] += _DECODERS[section.relation].decode(decompressor.decompress(body))
    return inbox


class _Head(NamedTuple):
    sections: list[_Section]
    end: int


def _head(objects: Objects, name: str) -> tuple[bytes, _Head]:
    """The begin of an object, and its head."""
    (first,) = objects.read_ranges(name, [Range(0, HEAD_BYTES)])
    end = 8 + int.from_bytes(first[:8])
    if end > len(first):
        (first,) = objects.read_ranges(name, [Range(0, end)])
    return first, _Head(_HEADS.decode(first[8:end]), end)


def _bodies(objects: Objects, name: str, first: bytes, begin: int, sections: Sequence[_Section]) -> list[bytes]:
    if not sections:
        return []
    places = [(begin + section.begin, begin + section.begin + section.length) for section in sections]
    if places[-1][1] <= len(first):
        return [first[start:end] for start, end in places]
    start, end = places[0][0], places[-1][1]
    (together,) = objects.read_ranges(name, [Range(start, end - start)])
    return [together[of - start : to - start] for of, to in places]
