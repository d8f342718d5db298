"""Files into the raw store: text dumps, HTML, WARC and WET files. Needs no network."""

import itertools
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from errno import EFBIG
from hashlib import sha256
from pathlib import Path

from corpus.rows.runs import CrawlRow, FetchRow
from fetch.archives.pages import ARCHIVES, SIZE_LIMIT, Unreadable, read_archive
from fetch.model.canonical_url import BadUrl, canonicalize
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


def ingest(store: Store, sources: Iterable[Source], *, clock: Callable[[], datetime]) -> CrawlRow:
    """Adds files as a run of their own. The same bytes of the same URL again are `unchanged`.

    A record of a WARC file keeps its own date; a plain file counts as fetched now.
    """
    crawl_id = store.begin(new_run_id(clock(), store.newest_run()), "ingest", clock()).crawl_id
    items = ((source, item) for source in sources for item in _read(source, crawl_id, clock()))
    numbers = itertools.count(1)
    while batch := list(itertools.islice(items, BATCH)):
        with store.transaction():
            for source, item in batch:
                fetch_id = f"{crawl_id}.{next(numbers):07d}"
                store.log(_keep(store, source, item, fetch_id, crawl_id, clock()))
    return store.finish(crawl_id, clock())


def _read(source: Source, crawl_id: str, moment: datetime) -> Iterator[Snapshot | Unreadable]:
    if source.problem is not None:
        yield Unreadable(source.problem)
        return
    try:
        if source.path.name.lower().endswith(ARCHIVES):
            for item in read_archive(source.path, moment):
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


def _body(path: Path) -> bytes:
    """Raises `OSError`, also for a file that is larger than any page."""
    with path.open("rb") as file:
        body = file.read(SIZE_LIMIT + 1)
    if len(body) > SIZE_LIMIT:
        raise OSError(EFBIG, f"more than {SIZE_LIMIT:,} bytes", path)
    return body


def _keep(
    store: Store, source: Source, item: Snapshot | Unreadable, fetch_id: str, crawl_id: str, moment: datetime
) -> FetchRow:
    """Stores a snapshot that is new; returns the row of the log."""
    url, digest, size, detail = source.path.absolute().as_uri(), None, 0, source.path.name
    outcome = Outcome.UNREADABLE
    location: Location | None = None
    if isinstance(item, Unreadable):
        url, detail = item.url or url, item.detail
    else:
        url, digest, size = item.url, item.sha256, len(item.body)
        is_unchanged = store.newest_sha256(url, item.header("content-type")) == digest
        outcome = Outcome.UNCHANGED if is_unchanged else Outcome.STORED
        location = None if is_unchanged else store.keep(item)
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
