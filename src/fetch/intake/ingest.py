"""Files into the raw store: text dumps, HTML, WARC and WET files. And what lies in the shards of a public crawl."""

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime

from verdicts.corpus.rows.runs import CrawlRow, FetchRow
from verdicts.fetch.archives.pages import Unreadable
from verdicts.fetch.archives.shards import ShardPage
from verdicts.fetch.intake.sources import Read, Shard, Source, read_source
from verdicts.fetch.model.addresses.patterns import AddressPattern
from verdicts.fetch.model.outcome import Outcome
from verdicts.fetch.model.run_id import moment_within, new_run_id
from verdicts.fetch.model.snapshot import Location, Snapshot
from verdicts.fetch.store.store import Store

BATCH, BATCH_BYTES = 100, 32_000_000
"""Snapshots, and bytes of them, per commit: each commit waits for the disk twice, and all of a batch is in memory."""


def ingest(
    store: Store,
    sources: Sequence[Source | Shard],
    *,
    clock: Callable[[], datetime],
    include: AddressPattern | None = None,
    on_progress: Callable[[int, int | None], None] | None = None,
) -> CrawlRow:
    """Adds files and shards as a run of their own. The same bytes of the same URL again are `unchanged`.

    A record of a WARC file keeps its own date; a plain file counts as fetched now. Of archives those records are taken
    whose address has a match of `include`. A shard whose pages are known is not read again. The run after one that was
    killed reads an archive on from the last commit, if it is the same file and `include`. `on_progress` is told the
    number of the source that is read, from 0, and the byte in it after a commit; None at its end.
    """
    crawl_id = store.begin(new_run_id(clock(), store.newest_run()), "ingest", clock()).crawl_id
    read = (
        (number, source, one)
        for number, source in enumerate(sources)
        for one in read_source(store, source, crawl_id, moment_within(crawl_id, clock()), include)
    )
    numbers = itertools.count(1)
    for batch in _batches(read):
        with store.transaction():
            for _, source, (item, reached) in batch:
                if item is not None:
                    store.log(_keep(store, source, item, f"{crawl_id}.{next(numbers):07d}", crawl_id, clock()))
                if reached is not None and reached.byte is None and isinstance(source, Source):
                    store.forget_archive(reached.archive)
                elif reached is not None:
                    store.note_archive(*reached)
        number, _, last = batch[-1]
        if on_progress is not None:
            on_progress(number, None if last.reached is None else last.reached.byte)
    return store.finish(crawl_id, clock())


def _batches(
    read: Iterable[tuple[int, Source | Shard, Read]],
) -> Iterator[list[tuple[int, Source | Shard, Read]]]:
    """As many as are committed at once. That an archive is passed without a page is committed with what came before."""
    batch: list[tuple[int, Source | Shard, Read]] = []
    size = 0
    for one in read:
        batch.append(one)
        item = one[2].item
        size += len(item.body) if isinstance(item, Snapshot) else 0
        if item is None or len(batch) >= BATCH or size >= BATCH_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


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
