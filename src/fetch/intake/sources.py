"""What `ingest` is given, read: files, archives of this machine, and shards in a store of objects."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from verdicts.fetch.archives.file import LocalFile
from verdicts.fetch.archives.pages import ARCHIVES, SIZE_LIMIT, ArchivePage, Passed, Unreadable, read_pages
from verdicts.fetch.archives.shards import ShardPage, read_shard, version_of
from verdicts.fetch.archives.wat import WATS
from verdicts.fetch.given_files import read_file
from verdicts.fetch.intake.wat_pages import of_folder, of_store, read_wat_pages
from verdicts.fetch.model.addresses.patterns import AddressPattern
from verdicts.fetch.model.canonical_url import BadUrl, canonicalize
from verdicts.fetch.model.errors import StorageFailed
from verdicts.fetch.model.snapshot import Snapshot
from verdicts.fetch.objects.addresses import open_object
from verdicts.fetch.objects.ranged import RangedObject
from verdicts.fetch.store.store import Store

MEDIA_TYPES = {".html": "text/html", ".htm": "text/html"}


@dataclass(frozen=True, slots=True)
class Source:
    """A file, and the URL of the page in it where that is known. `problem`: it cannot be read, and why.

    `follows_links`: a person named the file itself, which may be a link then.
    """

    path: Path
    url: str | None
    problem: str | None = None
    follows_links: bool = False

    @property
    def address(self) -> str:
        return self.path.absolute().as_uri()

    @property
    def name(self) -> str:
        return self.path.name


@dataclass(frozen=True, slots=True)
class Shard:
    """An archive in a store of objects, by its address (`fetch.objects.addresses`): its pages are read there."""

    address: str

    @property
    def name(self) -> str:
        return self.address.rpartition("/")[2]


class Reached(NamedTuple):
    """How far an archive is read: `byte` is where its next record begins, None at its end."""

    archive: str
    version: str
    include: str
    byte: int | None


class Read(NamedTuple):
    """A page or what could not be read, None where an archive gave neither; and how far its archive is read with it."""

    item: Snapshot | ShardPage | Unreadable | None
    reached: Reached | None = None


def read_source(
    store: Store, source: Source | Shard, crawl_id: str, moment: datetime, include: AddressPattern | None
) -> Iterator[Read]:
    """What a source holds. An archive whose reading was interrupted is read on from where that is noted."""
    words = "" if include is None else include.written
    if isinstance(source, Shard):
        yield from _read_shard(store, source.address, words, crawl_id, moment, include)
    elif source.problem is not None:
        yield Read(Unreadable(source.problem))
    elif source.path.name.lower().endswith((*ARCHIVES, *WATS)):
        yield from _read_archive(store, source, words, crawl_id, moment, include)
    else:
        yield Read(_read_file(source, crawl_id, moment))


def _read_archive(
    store: Store, source: Source, words: str, crawl_id: str, moment: datetime, include: AddressPattern | None
) -> Iterator[Read]:
    """A file whose size and time are those of an interrupted run is gone on with. One that was read is read again."""
    try:
        stat = source.path.stat()
        here = Reached(source.address, f"{stat.st_size}-{stat.st_mtime_ns}", words, None)
        begin = store.reached(*here[:3])
        if source.path.name.lower().endswith(WATS):
            read_at, wat = of_folder(source.path), LocalFile(source.path, source.follows_links)
            for found, end in read_wat_pages(wat, str(source.path), read_at, moment, include, begin):
                page = replace(found[0], crawl_id=crawl_id) if isinstance(found, tuple) else found
                yield Read(page, None if end is None else here._replace(byte=end))
            yield Read(None, here)
            return
        for item in read_pages(LocalFile(source.path, source.follows_links), source.path, moment, include, begin):
            if isinstance(item, ArchivePage):
                end = item.record.offset + item.record.room
                yield Read(replace(item.snapshot, crawl_id=crawl_id), here._replace(byte=end))
            else:
                yield _without_page(item, here)
        yield Read(None, here)
    except OSError as error:
        yield Read(Unreadable(f"{source.path}: {error.strerror or error}"))


def _read_shard(
    store: Store, address: str, words: str, crawl_id: str, moment: datetime, include: AddressPattern | None
) -> Iterator[Read]:
    """A store that does not answer costs what is left of its shard in this run."""
    try:
        version = version_of(address)
        if version is not None and store.knows_shard(address, version, words):
            return
        here = Reached(address, version or "", words, None)
        begin = store.reached(*here[:3])
        if address.lower().endswith(WATS):
            yield from _read_stored_wat(address, here, begin, crawl_id, moment, include)
            return
        for item in read_shard(address, moment, include, begin):
            if isinstance(item, ShardPage):
                yield Read(item.of_run(crawl_id), here._replace(byte=item.end))
            else:
                yield _without_page(item, here)
        if version_of(address) != version or version is None:
            yield Read(Unreadable(f"{address}: it changed while it was read; ingest it again"))
        else:
            yield Read(None, here)
    except StorageFailed as error:
        yield Read(Unreadable(f"{address}: {error}"))


def _read_stored_wat(
    address: str, here: Reached, begin: int, crawl_id: str, moment: datetime, include: AddressPattern | None
) -> Iterator[Read]:
    wat = RangedObject(*open_object(address))
    is_whole = True
    for found, end in read_wat_pages(wat, address, of_store(address), moment, include, begin):
        reached = None if end is None else here._replace(byte=end)
        is_whole &= not isinstance(found, Unreadable)
        if isinstance(found, tuple):
            yield Read(ShardPage(*found, end or 0).of_run(crawl_id), reached)
        else:
            yield Read(found, reached)
    # What was missing may be there the next time.
    yield Read(None, here if is_whole else here._replace(byte=0))


def _without_page(item: Unreadable | Passed, here: Reached) -> Read:
    """Where a damage ends is not known before the next record."""
    return Read(None, here._replace(byte=item.end)) if isinstance(item, Passed) else Read(item)


def _read_file(source: Source, crawl_id: str, moment: datetime) -> Snapshot | Unreadable:
    try:
        body = read_file(source.path, SIZE_LIMIT, follows_links=source.follows_links)
        url = f"urn:sha256:{sha256(body).hexdigest()}" if source.url is None else canonicalize(source.url)
    except OSError as error:
        return Unreadable(f"{source.path}: {error.strerror or error}")
    except BadUrl as error:
        return Unreadable(f"{source.path}: {error}")
    media_type = MEDIA_TYPES.get(source.path.suffix.lower(), "text/plain")
    return Snapshot(url, url, moment, 0, (("content-type", media_type),), body, crawl_id)
