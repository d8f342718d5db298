"""Files into the raw store: text dumps, HTML, WARC and WET files. And what lies in the shards of a public crawl."""

import itertools
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from errno import EFBIG
from hashlib import sha256
from pathlib import Path
from typing import TypeAlias

from corpus.rows.runs import CrawlRow, FetchRow
from fetch.archives.pages import ARCHIVES, SIZE_LIMIT, Unreadable, read_archive
from fetch.archives.shards import ShardPage, read_shard, version_of
from fetch.model.canonical_url import BadUrl, canonicalize
from fetch.model.errors import StorageFailed
from fetch.model.outcome import Outcome
from fetch.model.run_id import new_run_id
from fetch.model.snapshot import Location, Snapshot
from fetch.store.store import Store

MEDIA_TYPES = {".html": "text/html", ".htm": "text/html"}

BATCH = 100
"""Snapshots per commit: each commit waits for the disk twice."""


@dataclass(frozen=True, slots=True)
class Source:
    """A file, and the URL of the page in it where that is known. `problem`: it cannot be read, and why."""

    path: Path
    url: str | None
    problem: str | None = None

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


@dataclass(frozen=True, slots=True)
class _Indexed:
    """A shard of which every page was given."""

    shard: str
    version: str


_Item: TypeAlias = Snapshot | ShardPage | Unreadable | _Indexed


def ingest(
    store: Store,
    sources: Iterable[Source | Shard],
    *,
    clock: Callable[[], datetime],
    include: re.Pattern[str] | None = None,
) -> CrawlRow:
    """Adds files and shards as a run of their own. The same bytes of the same URL again are `unchanged`.

    A record of a WARC file keeps its own date; a plain file counts as fetched now. Of archives those records are taken
    whose address has a match of `include`. A shard whose pages are known is not read again. One that is killed goes on
    with the next run: it reads the shard again and keeps what the store does not have.
    """
    crawl_id = store.begin(new_run_id(clock(), store.newest_run()), "ingest", clock()).crawl_id
    items = ((source, item) for source in sources for item in _read(store, source, crawl_id, clock(), include))
    numbers = itertools.count(1)
    while batch := list(itertools.islice(items, BATCH)):
        with store.transaction():
            for source, item in batch:
                if isinstance(item, _Indexed):
                    store.note_shard(item.shard, item.version, _words(include))
                    continue
                fetch_id = f"{crawl_id}.{next(numbers):07d}"
                store.log(_keep(store, source, item, fetch_id, crawl_id, clock()))
    return store.finish(crawl_id, clock())


def _words(include: re.Pattern[str] | None) -> str:
    return "" if include is None else include.pattern


def _read(
    store: Store, source: Source | Shard, crawl_id: str, moment: datetime, include: re.Pattern[str] | None
) -> Iterator[_Item]:
    if isinstance(source, Shard):
        yield from _read_shard(store, source.address, crawl_id, moment, include)
        return
    if source.problem is not None:
        yield Unreadable(source.problem)
        return
    try:
        if source.path.name.lower().endswith(ARCHIVES):
            for item in read_archive(source.path, moment, include):
                yield item if isinstance(item, Unreadable) else replace(item, crawl_id=crawl_id)
            return
        body = _body(source.path)
        url = f"urn:sha256:{sha256(body).hexdigest()}" if source.url is None else canonicalize(source.url)
    except OSError as error:
        yield Unreadable(f"{source.path}: {error.strerror or error}")
        return
    except BadUrl as error:
        yield Unreadable(f"{source.path}: {error}")
        return
    media_type = MEDIA_TYPES.get(source.path.suffix.lower(), "text/plain")
    yield Snapshot(url, url, moment, 0, (("content-type", media_type),), body, crawl_id)


def _read_shard(
    store: Store, address: str, crawl_id: str, moment: datetime, include: re.Pattern[str] | None
) -> Iterator[_Item]:
    """A store that does not answer costs what is left of its shard in this run."""
    try:
        version = version_of(address)
        if version is not None and store.knows_shard(address, version, _words(include)):
            return
        for item in read_shard(address, moment, include):
            yield item if isinstance(item, Unreadable) else item.of_run(crawl_id)
        if version_of(address) != version or version is None:
            yield Unreadable(f"{address}: it changed while it was read; ingest it again")
        else:
            yield _Indexed(address, version)
    except StorageFailed as error:
        yield Unreadable(f"{address}: {error}")


def _body(path: Path) -> bytes:
    """Raises `OSError`, also for a file that is larger than any page."""
    with path.open("rb") as file:
        body = file.read(SIZE_LIMIT + 1)
    if len(body) > SIZE_LIMIT:
        raise OSError(EFBIG, f"more than {SIZE_LIMIT:,} bytes", path)
    return body


def _keep(
    store: Store,
    source: Source | Shard,
    item: Snapshot | ShardPage | Unreadable,
    fetch_id: str,
    crawl_id: str,
    moment: datetime,
) -> FetchRow:
    """Stores a snapshot that is new, or where it lies; returns the row of the log."""
    url, digest, size, detail = source.address, None, 0, source.name
    outcome = Outcome.UNREADABLE
    location: Location | None = None
    if isinstance(item, Unreadable):
        url, detail = item.url or url, item.detail
    else:
        page = item.snapshot if isinstance(item, ShardPage) else item
        url, digest, size = page.url, page.sha256, len(page.body)
        outcome = Outcome.UNCHANGED
        if store.newest_sha256(url, page.header("content-type")) != digest:
            outcome = Outcome.STORED
            location = store.keep_reference(page, item.part) if isinstance(item, ShardPage) else store.keep(page)
    return FetchRow(
        fetch_id=fetch_id,
        crawl_id=crawl_id,
        url=url,
        outcome=outcome,
        status_code=None,
        attempt=1,
        started_at=moment,
        elapsed_ms=0,
        bytes=size,
        body_sha256=digest,
        segment=None if location is None else location.segment,
        segment_offset=None if location is None else location.offset,
        detail=detail,
    )
