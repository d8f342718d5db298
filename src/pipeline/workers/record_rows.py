"""An observation as a row of the record files, and back. Workers make the rows: writing them is all that is left."""

from dataclasses import replace
from datetime import datetime
from typing import NamedTuple

from msgspec.json import Decoder, Encoder

from extract.model.published_text import in_unicode
from extract.model.records import Comparison, Document, Extracted, Observation, Reject
from fetch.model.snapshot import Location
from normalize.identity.tool_keys import tool_keys
from pipeline.gates.measures import amounts, places_of, tool_amounts

_ENCODER = Encoder()
_DECODERS: dict[str, Decoder[Extracted]] = {
    "comparison": Decoder(Comparison),
    "document": Decoder(Document),
    "reject": Decoder(Reject),
}
_FAILURES = Decoder(Reject)


class RecordRow(NamedTuple):
    """An observation, what it shows, and of which tools (`tool_keys`)."""

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
    tools: tuple[int, ...]
    amounts: tuple[float | None, ...]
    """How much it shows of each of the gates' measures (`pipeline.gates.measures`)."""
    tool_amounts: tuple[float | None, ...]
    """The same of each of its tools, one tool after the other."""
    failure: str | None = None
    """Why the last try to read the snapshot failed, in JSON (`Observation.failure`)."""


def record_row(observation: Observation) -> RecordRow:
    """The row of an observation, in Unicode."""
    record = _encoded(observation.extracted)
    if record is None:
        observation = replace(observation, extracted=in_unicode(observation.extracted))
        record = _ENCODER.encode(observation.extracted)
    places = places_of(observation.extracted)
    row = RecordRow(
        observation.url,
        observation.fetched_at,
        observation.crawl_id,
        observation.location.segment,
        observation.location.offset,
        observation.sha256,
        type(observation.extracted).__name__.lower(),
        record.decode(),
        tools=tool_keys(observation),
        amounts=amounts(places),
        tool_amounts=tool_amounts(observation.extracted, places),
    )
    failure = observation.failure
    return row if failure is None else row._replace(failure=_ENCODER.encode(failure).decode())


def _encoded(extracted: Extracted) -> bytes | None:
    """None where a text in it is no Unicode, or seems to hold a NUL."""
    try:
        encoded = _ENCODER.encode(extracted)
    except UnicodeEncodeError:
        return None
    return None if b"\\u0000" in encoded else encoded


def observation_of(
    url: str,
    fetched_at: datetime,
    crawl_id: str,
    segment: str,
    segment_offset: int,
    sha256: str,
    kind: str,
    record: str | bytes,
    *keys_and_failure: object,
) -> Observation:
    """The observation that a row was made of; the last column says what failed."""
    extracted = _DECODERS[kind].decode(record)
    raw = keys_and_failure[-1] if keys_and_failure else None
    failure = _FAILURES.decode(raw) if isinstance(raw, str) else None
    return Observation(url, fetched_at, crawl_id, Location(segment, segment_offset), sha256, extracted, failure)
