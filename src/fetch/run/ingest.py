"""Files into the raw store: text dumps, HTML, and anyone's WARC and WET files."""

import itertools
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256
from pathlib import Path

from fetch.model.canonical_url import BadUrl, canonicalize
from fetch.model.errors import Outcome
from fetch.model.log import CrawlRecord, FetchRecord
from fetch.model.snapshot import Location, Snapshot
from fetch.run.crawl import new_crawl_id
from fetch.store.archive import ARCHIVES, Unreadable, read_archive
from fetch.store.store import Store

MEDIA_TYPES = {".html": "text/html", ".htm": "text/html"}

BATCH = 100
"""Snapshots a commit: each commit waits for the disk twice."""


@dataclass(frozen=True, slots=True)
class Source:
    """A file, and the address it was taken from where that is known."""

    path: Path
    url: str | None


def ingest(store: Store, sources: Iterable[Source], *, clock: Callable[[], datetime]) -> CrawlRecord:
    """Adds files as a run of their own. The same bytes of the same address again are `unchanged`.

    A record of a WARC file keeps the moment it was fetched at; a plain file counts as fetched now.
    """
    crawl_id = store.begin(new_crawl_id(clock()), "ingest", clock()).crawl_id
    found = ((source, item) for source in sources for item in _read(source, crawl_id, clock()))
    numbers = itertools.count(1)
    while batch := list(itertools.islice(found, BATCH)):
        with store.transaction():
            for source, item in batch:
                fetch_id = f"{crawl_id}.{next(numbers):07d}"
                store.log(_keep(store, source, item, fetch_id, crawl_id, clock()))
    return store.finish(crawl_id, clock())


def _read(source: Source, crawl_id: str, moment: datetime) -> Iterator[Snapshot | Unreadable]:
    """The snapshots of one file, or in words why it cannot be read."""
    try:
        if source.path.name.lower().endswith(ARCHIVES):
            for item in read_archive(source.path, moment):
                yield item if isinstance(item, Unreadable) else replace(item, crawl_id=crawl_id)
            return
        body = source.path.read_bytes()
        url = f"urn:sha256:{sha256(body).hexdigest()}" if source.url is None else canonicalize(source.url)
    except OSError as error:
        yield Unreadable(f"{source.path}: {error.strerror or error}")
        return
    except BadUrl as error:
        yield Unreadable(f"{source.path}: {error}")
        return
    media_type = MEDIA_TYPES.get(source.path.suffix.lower(), "text/plain")
    yield Snapshot(url, url, moment, 0, (("content-type", media_type),), body, crawl_id)


def _keep(
    store: Store, source: Source, item: Snapshot | Unreadable, fetch_id: str, crawl_id: str, moment: datetime
) -> FetchRecord:
    """Stores what is new; gives the row of the log."""
    url, digest, size, detail = source.path.absolute().as_uri(), None, 0, source.path.name
    outcome: Outcome = "unreadable"
    location: Location | None = None
    if isinstance(item, Unreadable):
        url, detail = item.url or url, item.why
    else:
        url, digest, size = item.url, item.sha256, len(item.body)
        is_held = store.newest_sha256(url, item.header("content-type")) == digest
        outcome = "unchanged" if is_held else "stored"
        location = None if is_held else store.keep(item)
    return FetchRecord(
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
