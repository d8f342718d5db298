"""Pages that lie in a shard, somebody else's archive in a store of objects: read there, by the ranges of its records.

A reference to such a page is a record of ours, `resource` with a body of `message/external-body` (RFC 2046, 5.2.3).
"""

import io
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256
from itertools import groupby
from typing import BinaryIO, NamedTuple

from fastwarc.warc import WarcRecord

from verdicts.fetch.archives.pages import ArchivePage, Passed, Unreadable, read_pages
from verdicts.fetch.archives.snapshots import CRAWL_ID, FINAL_URL, moment_of
from verdicts.fetch.model.errors import ShardChanged
from verdicts.fetch.model.snapshot import Snapshot
from verdicts.fetch.objects.addresses import open_object
from verdicts.fetch.objects.objects import ObjectMissing, Range

EXTERNAL_BODY = "message/external-body; access-type=URL"
MEDIA_TYPE = "WARC-Identified-Payload-Type"
PAYLOAD_DIGEST = "WARC-Payload-Digest"


class Part(NamedTuple):
    """Where a record lies in a shard: offset and length of its bytes as they are packed there, and their sha256."""

    shard: str
    offset: int
    length: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Reference:
    """A page that lies in a shard. `sha256` and `bytes` are those of its body, as of a snapshot."""

    part: Part
    url: str
    final_url: str
    fetched_at: datetime
    crawl_id: str
    sha256: str
    bytes: int
    content_type: str


def reference_body(snapshot: Snapshot, part: Part) -> bytes:
    """The content of the record that refers to a snapshot."""
    return json.dumps(part._asdict() | {"bytes": len(snapshot.body)}, separators=(",", ":")).encode()


def reference_in(record: WarcRecord) -> Reference | None:
    """What a record of ours refers to; None where it holds its page itself. Raises `ValueError`, `KeyError`."""
    headers = record.headers
    if headers.get("Content-Type") != EXTERNAL_BODY:
        return None
    fields = json.loads(record.reader.read())
    size = fields.pop("bytes")
    return Reference(
        part=Part(**fields),
        url=headers["WARC-Target-URI"],
        final_url=headers[FINAL_URL],
        fetched_at=moment_of(headers["WARC-Date"]),
        crawl_id=headers[CRAWL_ID],
        sha256=headers[PAYLOAD_DIGEST].removeprefix("sha256:"),
        bytes=size,
        content_type=headers[MEDIA_TYPE],
    )


def read_references(references: Sequence[Reference]) -> Iterator[Snapshot | ShardChanged]:
    """The pages, in order: all of those of a shard in a row are in memory at once.

    `ShardChanged` where other bytes are there by now. Raises `StorageFailed` where there is no such shard, or its store
    does not answer.
    """
    for shard, group in groupby(references, key=lambda reference: reference.part.shard):
        of_shard = list(group)
        objects, name = open_object(shard)
        size = objects.size(name)
        if size is None:
            raise ObjectMissing(f"{shard} is gone, and pages of this corpus lie in it; put it back, then run again")
        there = [one.part for one in of_shard if one.part.offset + one.part.length <= size]
        read = dict(zip(there, objects.read_ranges(name, [Range(*part[1:3]) for part in there]), strict=True))
        yield from (_snapshot(one, read.get(one.part, b"")) for one in of_shard)


def _snapshot(reference: Reference, stored: bytes) -> Snapshot | ShardChanged:
    part = reference.part
    page = page_in(stored, part, reference.fetched_at) if sha256(stored).hexdigest() == part.sha256 else None
    if page is None:
        why = f"{part.shard} has other bytes at {part.offset:,} than when it was indexed; ingest it again"
        return ShardChanged(f"{why} ({reference.url})")
    return replace(page, crawl_id=reference.crawl_id)


def page_in(stored: bytes, part: Part, moment: datetime) -> Snapshot | None:
    """The page in the bytes of a record, packed as they are; None where they are not one whole record of a page."""
    found = read_part(stored, part.shard, moment)
    return found.snapshot if isinstance(found, ArchivePage) and not found.record.offset else None


def read_part(stored: bytes, address: str, moment: datetime) -> ArchivePage | Unreadable | None:
    """What the bytes of a record hold, packed as they are in the archive at `address`; None for what is no page."""
    found = (item for item in read_pages(_InMemory(address, stored), address, moment, None))
    return next((item for item in found if not isinstance(item, Passed)), None)


@dataclass(frozen=True, slots=True)
class _InMemory:
    name: str
    content: bytes

    def open(self) -> BinaryIO:
        return io.BytesIO(self.content)
