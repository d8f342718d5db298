"""How records leave extraction: as Unicode, as a digest of a page's content, and as JSON in record files."""

import hashlib
import json
import zlib
from dataclasses import fields, is_dataclass, replace
from datetime import datetime
from typing import Any

import msgspec

from verdicts.corpus.text import remove_unstorable
from verdicts.extract.model.records import Comparison, Document, Extracted, Observation, Reject, Span
from verdicts.fetch.model.snapshot import Location


def in_unicode(extracted: Extracted) -> Extracted:
    return msgspec.convert(_clean(msgspec.to_builtins(extracted)), type(extracted))


def _clean(value: Any) -> Any:  # noqa: ANN401  the plain form of a record: texts, numbers, lists and mappings
    match value:
        case str():
            return remove_unstorable(value)
        case dict():
            return {name: _clean(item) for name, item in value.items()}
        case list() | tuple():
            return [_clean(item) for item in value]
    return value


def content_sha256(extracted: Extracted) -> str:
    """Hex digest of a page's records.

    Without positions and the profile: a new advertisement moves the blocks and changes nothing.
    """
    content = [type(extracted).__name__, _plain(extracted)]
    return hashlib.sha256(json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode()).hexdigest()


def _plain(value: object) -> object:
    if isinstance(value, Span):
        return None
    if is_dataclass(value) and not isinstance(value, type):
        return [_plain(getattr(value, field.name)) for field in fields(value) if field.name != "profile"]
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return value


_ENCODER = msgspec.json.Encoder()
_DECODERS: dict[str, msgspec.json.Decoder[Extracted]] = {
    "comparison": msgspec.json.Decoder(Comparison),
    "document": msgspec.json.Decoder(Document),
    "reject": msgspec.json.Decoder(Reject),
}
_FAILURES = msgspec.json.Decoder(Reject)


class StoredObservation(msgspec.Struct, frozen=True, array_like=True):
    """`kind` is `comparison`, `document` or `reject`; `record` is the extracted record as JSON.

    `failure`, also JSON, says why the last try to read the snapshot failed, see `Observation.failure`.
    """

    url: str
    fetched_at: datetime
    crawl_id: str
    segment: str
    segment_offset: int
    sha256: str
    kind: str
    record: bytes
    failure: bytes | None
    address: str | None

    @property
    def crc32(self) -> int:
        """The checksum of all values: Parquet by polars has no checksums, and a changed bit may give another value."""
        return zlib.crc32(msgspec.msgpack.encode(self))

    @property
    def location(self) -> Location:
        return Location(self.segment, self.segment_offset)

    @property
    def observation(self) -> Observation:
        return Observation(
            self.url,
            self.fetched_at,
            self.crawl_id,
            self.location,
            self.sha256,
            _DECODERS[self.kind].decode(self.record),
            None if self.failure is None else _FAILURES.decode(self.failure),
            self.address,
        )


def make_stored(observation: Observation, record: bytes | None = None) -> StoredObservation:
    """An observation in its stored form. `record`: the JSON from `encoded`, if already made."""
    if record is None:
        observation, record = encode_record(observation)
    return StoredObservation(
        observation.url,
        observation.fetched_at,
        observation.crawl_id,
        *observation.location,
        observation.sha256,
        type(observation.extracted).__name__.lower(),
        record,
        None if observation.failure is None else _ENCODER.encode(observation.failure),
        observation.address,
    )


def encode_record(observation: Observation) -> tuple[Observation, bytes]:
    """The observation with its texts in Unicode and without NUL, and its record as JSON."""
    try:
        record = _ENCODER.encode(observation.extracted)
    except UnicodeEncodeError:
        record = b"\\u0000"
    if b"\\u0000" in record:
        observation = replace(observation, extracted=in_unicode(observation.extracted))
        record = _ENCODER.encode(observation.extracted)
    return observation, record
