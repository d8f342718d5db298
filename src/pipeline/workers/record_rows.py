"""An observation as a row of the record files, and back. Workers make the rows: writing them is all that is left."""

from datetime import datetime
from typing import NamedTuple

from msgspec.json import Decoder, Encoder

from extract.model.records import Comparison, Document, Extracted, Observation, Reject
from fetch.model.snapshot import Location
from normalize.incremental.dependencies import DependencyKeys, dependency_keys

_ENCODER = Encoder()
_DECODERS: dict[str, Decoder[Extracted]] = {
    "comparison": Decoder(Comparison),
    "document": Decoder(Document),
    "reject": Decoder(Reject),
}
_NO_KEYS = (None,) * len(DependencyKeys._fields)


class RecordRow(NamedTuple):
    """An observation; from `tools` on its dependency keys (`DependencyKeys`), None for what is no comparison."""

    url: str
    fetched_at: datetime
    crawl_id: str
    segment: str
    segment_offset: int
    sha256: str
    kind: str
    """`comparison`, `document` or `reject`."""
    record: str
    """What was extracted, in JSON."""
    tools: tuple[int, ...] | None
    is_open: bool | None
    is_ambiguous: bool | None
    texts: tuple[int, ...] | None
    sides: tuple[int, ...] | None


def record_row(observation: Observation) -> RecordRow:
    """The row of an observation."""
    return RecordRow(
        observation.url,
        observation.fetched_at,
        observation.crawl_id,
        observation.location.segment,
        observation.location.offset,
        observation.sha256,
        type(observation.extracted).__name__.lower(),
        _ENCODER.encode(observation.extracted).decode(),
        *(dependency_keys(observation) or _NO_KEYS),
    )


def observation_of(
    url: str,
    fetched_at: datetime,
    crawl_id: str,
    segment: str,
    segment_offset: int,
    sha256: str,
    kind: str,
    record: str,
    *_keys: object,
) -> Observation:
    """The observation that a row was made of."""
    extracted = _DECODERS[kind].decode(record)
    return Observation(url, fetched_at, crawl_id, Location(segment, segment_offset), sha256, extracted)
