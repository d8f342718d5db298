"""Files into the raw store: text dumps, HTML, archives, and what browsers save."""

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from verdicts.corpus.rows.runs import CrawlRow, FetchRow
from verdicts.fetch.archives.archive_pages import (
    SIZE_LIMIT,
    ArchiveItem,
    RevisitRecord,
    Unreadable,
    canonicalize_page,
    read_pages,
)
from verdicts.fetch.archives.archive_records import GZIP, ZSTD, ArchiveFile
from verdicts.fetch.archives.browser_files import HAR_LIMIT, read_har, read_mhtml
from verdicts.fetch.archives.formats import ARCHIVES, FormatNotRead, find_format
from verdicts.fetch.archives.packages import PackageDamaged, list_members, unpack_member
from verdicts.fetch.http.content_encoding import decode
from verdicts.fetch.input_files import read_file
from verdicts.fetch.model.addresses import AddressPattern, find_host
from verdicts.fetch.model.fetch_errors import AttemptFailed
from verdicts.fetch.model.outcome import Outcome, SkipReason, SkipRecord
from verdicts.fetch.model.snapshot import Snapshot, clamp_to_run, new_run_id
from verdicts.fetch.store import frontier, page_rights, run_log
from verdicts.fetch.store.reader import Stored
from verdicts.fetch.store.store import Store

BATCH, BATCH_BYTES = 100, 32_000_000
"""Snapshots and bytes per commit: each commit waits for the disk twice, and a batch is in memory."""

MEDIA_TYPES = {"html": "text/html", "text": "text/plain"}


@dataclass(frozen=True, slots=True)
class Source:
    """A file, the URL of its page and when it was saved, if known. `problem`: why it cannot be read.

    `follows_links`: a person named the file itself, so it may be a link.
    """

    path: Path
    url: str | None
    problem: str | None = None
    follows_links: bool = False
    saved_at: datetime | None = None

    @property
    def address(self) -> str:
        return self.path.absolute().as_uri()


class _Read(NamedTuple):
    """A page, or what else a source gave."""

    number: int
    source: Source
    item: ArchiveItem


class _Run(NamedTuple):
    """What all files of a run share."""

    store: Store
    crawl_id: str
    moment: datetime
    include: AddressPattern | None


def ingest(
    store: Store,
    sources: Sequence[Source],
    *,
    clock: Callable[[], datetime],
    include: AddressPattern | None = None,
    on_progress: Callable[[int], None] = lambda _number: None,
) -> CrawlRow:
    """Adds files as a run. Revisit records, and pages that were forgotten, are counted as skips.

    A record of a WARC file and a saved page keep their own dates; another file counts as fetched now. If a URL has the
    same bytes as just before, the outcome is `unchanged`. An older capture of the same bytes is stored, because they
    are known since then. `include` selects records of archives by address. After each commit `on_progress` gets the
    number of the current source, from 0.
    """
    crawl_id = store.begin(new_run_id(clock(), store.find_newest_run()), "ingest", clock()).crawl_id
    entries = (
        _Read(number, source, item)
        for number, source in enumerate(sources)
        for item in _read_source(_Run(store, crawl_id, clamp_to_run(crawl_id, clock()), include), source)
    )
    numbers = itertools.count(1)
    for batch in _make_batches(entries):
        with store.transaction():
            for entry in batch:
                if _is_forgotten(store, entry.item):
                    store.add_skips(crawl_id, [SkipRecord("", SkipReason.FORGOTTEN, 1, "(forgotten)")])
                elif isinstance(entry.item, RevisitRecord):
                    host, url = find_host(entry.item.url) or "", entry.item.url
                    store.add_skips(crawl_id, [SkipRecord(host, SkipReason.REVISIT, 1, url)])
                else:
                    store.log(_keep(store, entry.source, entry.item, crawl_id, next(numbers), clock()))
        on_progress(entry.number)
    return store.finish(crawl_id, clock())


def _is_forgotten(store: Store, item: ArchiveItem) -> bool:
    addresses = (item.url, item.final_url if isinstance(item, Snapshot) else None)
    return any(store.forgotten.is_named_in(address) for address in addresses)


def _make_batches(entries: Iterable[_Read]) -> Iterator[list[_Read]]:
    """Items to commit together."""
    batch: list[_Read] = []
    size = 0
    for entry in entries:
        batch.append(entry)
        size += len(entry.item.body) if isinstance(entry.item, Snapshot) else 0
        if len(batch) >= BATCH or size >= BATCH_BYTES:
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
        return run_log.make_fetch_row(crawl_id, number, url, Outcome.UNREADABLE, moment, detail=item.detail)
    page_rights.note_snapshot(store.state, item)
    outcome, location = Outcome.UNCHANGED, None
    before = store.find_newest_until(item.url, item.header("content-type"), item.fetched_at)
    if before is None or before.sha256 != item.sha256:
        outcome, location = Outcome.STORED, store.keep(item)
        if before is not None:
            _keep_return(store, item, before, crawl_id)
    elif item.fetched_at > before.seen_at:
        store.note_capture(before, item.fetched_at)
    return run_log.make_fetch_row(
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


def _keep_return(store: Store, item: Snapshot, before: Stored, crawl_id: str) -> None:
    """Stores what a page showed before a capture once more, if it is known to have shown it again after the capture."""
    visited = frontier.read_last_visit(store.state, item.url)
    seen = [before.seen_at, *([visited.at] if visited is not None and visited.sha256 == before.sha256 else [])]
    if max(seen) > item.fetched_at:
        store.keep(replace(store.read(before.location), fetched_at=max(seen), crawl_id=crawl_id))


def _read_source(run: _Run, source: Source) -> Iterator[ArchiveItem]:
    if source.problem is not None:
        yield Unreadable(source.problem)
        return
    try:
        yield from _read_format(run, source)
    except (OSError, ValueError, AttemptFailed) as error:
        why = error.strerror if isinstance(error, OSError) else None
        yield Unreadable(f"{source.path}: {why or error}")


def _read_format(run: _Run, source: Source) -> Iterator[ArchiveItem]:
    """Raises `OSError`, `ValueError`, `AttemptFailed`."""
    archive = ArchiveFile(source.path, source.follows_links)
    if source.path.name.lower().endswith(ARCHIVES):
        yield from _read_archive(run, archive)
        return
    match find_format(source.path, follows_links=source.follows_links):
        case "warc":
            yield from _read_archive(run, archive)
        case "zip":
            yield from _read_package(run, archive)
        case "har":
            for item in read_har(read_content(source, HAR_LIMIT), run.moment, run.include):
                if isinstance(item, Snapshot):
                    yield replace(item, crawl_id=run.crawl_id)
                else:
                    yield replace(item, detail=f"{source.path}: {item.detail}")
        case "mhtml":
            page = read_mhtml(read_content(source, SIZE_LIMIT), run.moment, source.url)
            yield replace(page, crawl_id=run.crawl_id)
        case form:
            yield _read_page(run, source, MEDIA_TYPES[form])


def _read_package(run: _Run, package: ArchiveFile, *, is_inner: bool = False) -> Iterator[ArchiveItem]:
    """The archives in a zip, and in each WACZ of a collection. Raises `FormatNotRead`, `PackageDamaged`, `OSError`."""
    for member in list_members(package):
        try:
            with unpack_member(package, member) as path:
                inner = ArchiveFile(path, title=f"{package}: {member}")
                if member.lower().endswith(".wacz") and not is_inner:
                    yield from _read_package(run, inner, is_inner=True)
                else:
                    yield from _read_archive(run, inner)
        except (FormatNotRead, PackageDamaged) as error:
            yield Unreadable(f"{package}: {error}")


def _read_archive(run: _Run, archive: ArchiveFile) -> Iterator[ArchiveItem]:
    """Raises `OSError`."""
    for item in read_pages(archive, run.moment, run.include):
        yield replace(item, crawl_id=run.crawl_id) if isinstance(item, Snapshot) else item


def _read_page(run: _Run, source: Source, media_type: str) -> Snapshot:
    body = read_content(source, SIZE_LIMIT)
    url = source.url or f"urn:sha256:{sha256(body).hexdigest()}"
    date = source.saved_at or run.moment
    return canonicalize_page(
        Snapshot(url, url, date, 0, (("content-type", media_type),), body, run.crawl_id), run.moment
    )


def read_content(source: Source, limit: int) -> bytes:
    """The content of a file, unpacked if it is packed by gzip or zstd. Raises `OSError`, `AttemptFailed`."""
    content = read_file(source.path, limit, follows_links=source.follows_links)
    coding = "gzip" if content.startswith(GZIP) else "zstd" if content.startswith(ZSTD) else None
    return decode(content, coding, limit)
