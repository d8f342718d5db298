"""The pages of a shard, and where they lie: it is read from front to back once, and left where it is."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256

from verdicts.fetch.archives.pages import ArchivePage, Passed, Unreadable, read_pages
from verdicts.fetch.archives.references import Part, page_in
from verdicts.fetch.model.addresses.patterns import AddressPattern
from verdicts.fetch.model.snapshot import Snapshot
from verdicts.fetch.objects.addresses import open_object
from verdicts.fetch.objects.ranged import RangedObject

PACKED_LIMIT = 64_000_000
"""Bytes of a record as it is packed; one whose page is of a size that is kept has fewer."""


@dataclass(frozen=True, slots=True)
class ShardPage:
    """A page of a shard, and where it lies."""

    snapshot: Snapshot
    part: Part
    end: int
    """Where the next record begins."""

    def of_run(self, crawl_id: str) -> "ShardPage":
        """The page as taken in by a run."""
        return replace(self, snapshot=replace(self.snapshot, crawl_id=crawl_id))


def version_of(address: str) -> str | None:
    """Another word once the shard is another; None where there is none. Raises `StorageFailed`."""
    objects, name = open_object(address)
    return objects.version(name)


def read_shard(
    address: str, moment: datetime, include: AddressPattern | None = None, begin: int = 0
) -> Iterator[ShardPage | Unreadable | Passed]:
    """The pages of a shard from byte `begin` on, as `read_pages` gives those of a file. Raises `StorageFailed`.

    Whatever the size of the shard, some blocks of it and a page are in memory. A page that is not given by the bytes of
    its record alone is `Unreadable`: the shard is packed as a whole, not record by record.
    """
    shard = RangedObject(*open_object(address))
    for item in read_pages(shard, address, moment, include, begin):
        yield _placed(shard, address, item, moment) if isinstance(item, ArchivePage) else item


def _placed(shard: RangedObject, address: str, page: ArchivePage, moment: datetime) -> ShardPage | Unreadable:
    record, snapshot = page
    stored = shard.read_at(record.offset, min(record.room, PACKED_LIMIT))
    part = Part(address, record.offset, len(stored), sha256(stored).hexdigest())
    if page_in(stored, part, moment) == snapshot:
        return ShardPage(snapshot, part, record.offset + record.room)
    why = "it cannot be read by itself: pack each record as a member of its own"
    return Unreadable(f"{address}: the record at byte {record.offset:,}: {why}", snapshot.url)
