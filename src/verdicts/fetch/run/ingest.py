"""Files into the raw store: text dumps, HTML, WARC and WET files."""

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple, TypeAlias

from verdicts.corpus.rows.runs import CrawlRow, FetchRow
from verdicts.fetch.archives.pages import ARCHIVES, SIZE_LIMIT, Unreadable, read_pages
from verdicts.fetch.archives.records import ArchiveFile
from verdicts.fetch.given_files import read_file
from verdicts.fetch.model.addresses import AddressPattern, BadUrl, canonicalize
from verdicts.fetch.model.outcome import Outcome
from verdicts.fetch.model.snapshot import Snapshot, moment_within, new_run_id
from verdicts.fetch.store import run_log
from verdicts.fetch.store.reader import ReadSoFar
from verdicts.fetch.store.store import Store

BATCH, BATCH_BYTES = 100, 32_000_000
"""Snapshots and bytes per commit: each commit waits for the disk twice, and a batch is in memory."""

MEDIA_TYPES = {".html": "text/html", ".htm": "text/html"}


@dataclass(frozen=True, slots=True)
class Source:
    """A file, and the URL of its page if known. `problem`: why it cannot be read.

    `follows_links`: a person named the file itself, so it may be a link.
    """

    path: Path
    url: str | None
    problem: str | None = None
    follows_links: bool = False

    @property
    def address(self) -> str:
        return self.path.absolute().as_uri()


_Item: TypeAlias = tuple[Snapshot | Unreadable | None, ReadSoFar | None]


class _Read(NamedTuple):
    """A page or a problem, None if an archive gave neither; and how far its archive is read."""

    number: int
    source: Source
    item: Snapshot | Unreadable | None
    so_far: ReadSoFar | None


def ingest(
    store: Store,
    sources: Sequence[Source],
    *,
    clock: Callable[[], datetime],
    include: AddressPattern | None = None,
    on_progress: Callable[[int, int | None], None] = lambda _number, _byte: None,
) -> CrawlRow:
    """Adds files as a run. The same bytes of the same URL again are `unchanged`.

    A record of a WARC file keeps its own date; a plain file counts as fetched now. `include` selects records of
    archives by address. The run after a killed one continues an archive from the last commit, if the file and `include`
    are the same. After each commit `on_progress` gets the number of the current source, from 0, and the next byte of
    its archive; None at its end.
    """
    crawl_id = store.begin(new_run_id(clock(), store.newest_run()), "ingest", clock()).crawl_id
    read = (
        _Read(number, source, *one)
        for number, source in enumerate(sources)
        for one in _read_source(store, source, crawl_id, moment_within(crawl_id, clock()), include)
    )
    numbers = itertools.count(1)
    for batch in _batches(read):
        with store.transaction():
            for one in batch:
                if one.item is not None:
                    store.log(_keep(store, one.source, one.item, crawl_id, next(numbers), clock()))
                if one.so_far is not None:
                    store.note_archive(one.so_far)
        on_progress(one.number, None if one.so_far is None else one.so_far.byte)
    return store.finish(crawl_id, clock())


def _batches(read: Iterable[_Read]) -> Iterator[list[_Read]]:
    """Items to commit together. Progress through an archive without a page is committed with the items before."""
    batch: list[_Read] = []
    size = 0
    for one in read:
        batch.append(one)
        size += len(one.item.body) if isinstance(one.item, Snapshot) else 0
        if one.item is None or len(batch) >= BATCH or size >= BATCH_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _keep(
    store: Store, source: Source, item: Snapshot | Unreadable, crawl_id: str, number: int, moment: datetime
) -> FetchRow:
    """Stores a new snapshot; returns the row for the log."""
    if isinstance(item, Unreadable):
        url = item.url or source.address
        return run_log.fetch_row(crawl_id, number, url, Outcome.UNREADABLE, moment, detail=item.detail)
    outcome, location = Outcome.UNCHANGED, None
    if store.newest_sha256(item.url, item.header("content-type")) != item.sha256:
        outcome, location = Outcome.STORED, store.keep(item)
    return run_log.fetch_row(
        crawl_id,
        number,
        item.url,
        outcome,
        moment,
        size=len(item.body),
        sha256=item.sha256,
        location=location,
        detail=source.path.name,
    )


def _read_source(
    store: Store, source: Source, crawl_id: str, moment: datetime, include: AddressPattern | None
) -> Iterator[_Item]:
    if source.problem is not None:
        yield Unreadable(source.problem), None
    elif source.path.name.lower().endswith(ARCHIVES):
        yield from _read_archive(store, source, crawl_id, moment, include)
    else:
        yield _read_file(source, crawl_id, moment), None


def _read_archive(
    store: Store, source: Source, crawl_id: str, moment: datetime, include: AddressPattern | None
) -> Iterator[_Item]:
    """Continues after an interrupted run if size and time of the file are the same; else reads all of it."""
    try:
        stat = source.path.stat()
        version = f"{stat.st_size}-{stat.st_mtime_ns}"
        here = ReadSoFar(source.address, version, "" if include is None else include.written, None)
        file = ArchiveFile(source.path, source.follows_links)
        for item, end in read_pages(file, moment, include, store.next_byte(here)):
            found = replace(item, crawl_id=crawl_id) if isinstance(item, Snapshot) else item
            yield found, None if end is None else here._replace(byte=end)
        yield None, here
    except OSError as error:
        yield Unreadable(f"{source.path}: {error.strerror or error}"), None


def _read_file(source: Source, crawl_id: str, moment: datetime) -> Snapshot | Unreadable:
    try:
        body = read_file(source.path, SIZE_LIMIT, follows_links=source.follows_links)
        url = f"urn:sha256:{sha256(body).hexdigest()}" if source.url is None else canonicalize(source.url)
    except (OSError, BadUrl) as error:
        why = error.strerror if isinstance(error, OSError) else None
        return Unreadable(f"{source.path}: {why or error}")
    media_type = MEDIA_TYPES.get(source.path.suffix.lower(), "text/plain")
    return Snapshot(url, url, moment, 0, (("content-type", media_type),), body, crawl_id)
