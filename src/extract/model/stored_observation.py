"""An observation as record files keep it: what it shows as JSON, which is decoded when it is asked for."""

from dataclasses import replace
from datetime import datetime

import msgspec

from verdicts.extract.model.published_text import in_unicode
from verdicts.extract.model.records import Comparison, Document, Extracted, Observation, Reject
from verdicts.fetch.model.snapshot import Location

_ENCODER = msgspec.json.Encoder()
_DECODERS: dict[str, msgspec.json.Decoder[Extracted]] = {
    "comparison": msgspec.json.Decoder(Comparison),
    "document": msgspec.json.Decoder(Document),
    "reject": msgspec.json.Decoder(Reject),
}
_FAILURES = msgspec.json.Decoder(Reject)


class StoredObservation(msgspec.Struct, frozen=True, array_like=True):
    """`kind` is `comparison`, `document` or `reject`; `record` is what was extracted.

    `failure` says why the last try to read the snapshot failed, see `Observation.failure`. Both are JSON.
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

    @property
    def location(self) -> Location:
        return Location(self.segment, self.segment_offset)

    @property
    def observation(self) -> Observation:
        """The observation that was stored."""
        return Observation(
            self.url,
            self.fetched_at,
            self.crawl_id,
            self.location,
            self.sha256,
            _DECODERS[self.kind].decode(self.record),
            None if self.failure is None else _FAILURES.decode(self.failure),
        )


def stored(observation: Observation, record: bytes | None = None) -> StoredObservation:
    """The observation as it is stored. `record`: what `encoded` gave with it, where that was asked before."""
    if record is None:
        observation, record = encoded(observation)
    return StoredObservation(
        observation.url,
        observation.fetched_at,
        observation.crawl_id,
        *observation.location,
        observation.sha256,
        type(observation.extracted).__name__.lower(),
        record,
        None if observation.failure is None else _ENCODER.encode(observation.failure),
    )


def encoded(observation: Observation) -> tuple[Observation, bytes]:
    """The observation with its texts in Unicode and without NUL, and what was extracted as JSON."""
    try:
        record = _ENCODER.encode(observation.extracted)
    except UnicodeEncodeError:
        record = b"\\u0000"
    if b"\\u0000" in record:
        observation = replace(observation, extracted=in_unicode(observation.extracted))
        record = _ENCODER.encode(observation.extracted)
    return observation, record
