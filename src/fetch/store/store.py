"""The store: state and raw segments under one lock. An append is durable before the row that names it is committed."""

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from dataclasses import fields
from datetime import datetime, timedelta
from pathlib import Path

from fetch.model.errors import StoreMissing
from fetch.model.log import CrawlRecord, FetchRecord
from fetch.model.snapshot import Location, Snapshot
from fetch.store.change_feedback import note_contents
from fetch.store.lock import hold
from fetch.store.reader import Holdings, media_type_of
from fetch.store.segments import SegmentWriter, cut_tails
from fetch.store.state import connect, scratch
from fetch.store.storage_errors import STATE_FILE, state_errors, storage_errors
from fetch.store.warc import response_frame, revisit_frame

GROUP = 1_000
"""Transactions a commit, at most, where they are grouped."""

FETCH_COLUMNS = tuple(field.name for field in fields(FetchRecord))

RESUMED_WITHIN = timedelta(hours=20)
"""A crawl cut short longer ago is over: going on with it would leave out tonight what it has settled then."""


class Store(Holdings):
    """What one data folder holds of the web, and how it is added to. Made by `open_store`."""

    def __init__(self, data: Path, connection: sqlite3.Connection) -> None:
        super().__init__(data, connection)
        self._writer: SegmentWriter | None = None
        self._uncommitted = 0
        self._group = 1

    def note_contents(self, contents: Mapping[Location, str]) -> None:
        """Remembers the digests of what was read out of snapshots, for the next crawl to judge what changed."""
        with self.transaction():
            note_contents(self.state, contents)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """What happens inside counts whole or not at all; a commit follows, at once unless `grouped`."""
        try:
            with state_errors(self.data):
                yield
            self._uncommitted += 1
            if self._uncommitted >= self._group:
                self.commit()
        except BaseException:
            self._roll_back()
            raise

    @contextmanager
    def grouped(self) -> Iterator[None]:
        """Transactions inside share commits: a commit waits for the disk twice, a page must not.

        A crash costs what came since the last `commit`: it is due again.
        """
        self._group = GROUP
        try:
            yield
        finally:
            self._group = 1
            self.commit()

    def commit(self) -> None:
        """Makes all transactions so far durable: first the records, then the rows that name them."""
        if not self._uncommitted:
            return
        try:
            with storage_errors(self.data):
                if self._writer is not None:
                    self.state.executemany(
                        "INSERT INTO segments VALUES (?, ?) ON CONFLICT DO UPDATE SET size = excluded.size",
                        list(self._writer.sync().items()),
                    )
                self.state.commit()
        except BaseException:
            self._roll_back()
            raise
        self._uncommitted = 0

    def _roll_back(self) -> None:
        self._uncommitted = 0
        with storage_errors(self.data):
            self.state.rollback()
            if self._writer is not None:
                self._writer.abandon()

    def begin(self, crawl_id: str, kind: str, started_at: datetime) -> CrawlRecord:
        """Starts a run, or goes on with a crawl that a crash cut short lately. Returns the run."""
        since = (started_at - RESUMED_WITHIN).isoformat()
        unfinished = self.state.execute(
            "SELECT crawl_id FROM crawls WHERE status = 'running' AND kind = ? AND kind = 'crawl' AND started_at > ?"
            " ORDER BY crawl_id DESC",
            (kind, since),
        ).fetchone()
        chosen: str = crawl_id if unfinished is None else unfinished[0]
        dead = self.state.execute("SELECT crawl_id FROM crawls WHERE status = 'running'").fetchall()
        for (other,) in dead:
            if other != chosen:
                self._end(other, started_at, "failed")
        with self.transaction():
            row = (chosen, kind, started_at.isoformat(), "running")
            self.state.execute(
                "INSERT OR IGNORE INTO crawls (crawl_id, kind, started_at, status) VALUES (?, ?, ?, ?)", row
            )
        self._writer = SegmentWriter(self.raw, chosen)
        return self.crawl(chosen)

    def finish(self, crawl_id: str, finished_at: datetime) -> CrawlRecord:
        """Ends a run; it is partial if an address failed for good."""
        self.commit()
        self.close()
        _, _, failed, _ = self.counts(crawl_id)
        self._end(crawl_id, finished_at, "partial" if failed else "done")
        return self.crawl(crawl_id)

    def _end(self, crawl_id: str, finished_at: datetime, status: str) -> None:
        with self.transaction():
            self.state.execute(
                "UPDATE crawls SET finished_at = ?, status = ?, fetched = ?, unchanged = ?, failed = ?, bytes = ?"
                " WHERE crawl_id = ?",
                (finished_at.isoformat(), status, *self.counts(crawl_id), crawl_id),
            )

    def keep(self, snapshot: Snapshot) -> Location:
        """Appends a full record and indexes it. Part of the caller's transaction."""
        location = self._append(response_frame(snapshot))
        media_type = media_type_of(snapshot.header("content-type"))
        self.state.execute(
            "INSERT INTO snapshots VALUES (?, ?, ?, ?, ?, ?, ?, ?, NULL)",
            (
                location.segment,
                location.offset,
                snapshot.url,
                snapshot.final_url,
                snapshot.fetched_at.isoformat(),
                snapshot.crawl_id,
                snapshot.sha256,
                media_type,
            ),
        )
        return location

    def keep_revisit(self, snapshot: Snapshot, sha256: str) -> Location:
        """Appends a revisit record: the same bytes as before. Part of the caller's transaction."""
        row = self.state.execute(
            "SELECT fetched_at FROM snapshots WHERE url = ? AND sha256 = ? ORDER BY rowid DESC", (snapshot.url, sha256)
        ).fetchone()
        return self._append(revisit_frame(snapshot, sha256, None if row is None else datetime.fromisoformat(row[0])))

    def _append(self, frame: bytes) -> Location:
        if self._writer is None:
            raise RuntimeError("no run has begun")
        with storage_errors(self.data):
            return self._writer.append(frame)

    def log(self, record: FetchRecord) -> None:
        """Adds an attempt to the log. Part of the caller's transaction."""
        row = [getattr(record, name) for name in FETCH_COLUMNS]
        row[FETCH_COLUMNS.index("started_at")] = record.started_at.isoformat()
        self.state.execute("INSERT INTO fetches VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", row)

    def next_fetch_number(self, crawl_id: str) -> int:
        """How many attempts of a run are logged."""
        count = self.state.execute("SELECT count(*) FROM fetches WHERE crawl_id = ?", (crawl_id,)).fetchone()
        return int(count[0])

    def close(self) -> None:
        """Ends the segment being written."""
        if self._writer is not None:
            with storage_errors(self.data):
                self._writer.close()
            self._writer = None


@contextmanager
def open_store(data: Path, *, command: str, read_only: bool = False) -> Iterator[Store]:
    """Opens a data folder; the writer makes it where it is missing.

    The writer holds the folder's lock until the context ends. With `read_only` nothing is locked or written, and a
    crawl may write at the same time. Raises `StoreLocked`, `StoreMissing`, and `StorageFailed` where the disk fails
    while the store opens, reads, writes or closes its files. Other errors of the body pass unchanged.
    """
    with ExitStack() as stack:
        stack.enter_context(state_errors(data))
        with storage_errors(data):
            store = _opened(data, command, stack, read_only=read_only)
        yield store


def _opened(data: Path, command: str, stack: ExitStack, *, read_only: bool) -> Store:
    if not read_only:
        (data / "raw").mkdir(parents=True, exist_ok=True)
        stack.enter_context(hold(data / "lock", command))
    elif not (data / STATE_FILE).exists():
        raise StoreMissing(f"{data} holds no store yet; 'verdicts run' or 'verdicts ingest' makes one")
    connection = connect(data / STATE_FILE, read_only=read_only)
    stack.callback(connection.close)
    store = Store(data, connection)
    if not read_only:
        crawls = {crawl_id for (crawl_id,) in connection.execute("SELECT crawl_id FROM crawls")}
        sizes = dict(connection.execute("SELECT segment, size FROM segments"))
        cut_tails(store.raw, data / "raw-unknown", sizes, crawls)
    stack.callback(store.close)
    return store


@contextmanager
def open_scratch(data: Path) -> Iterator[Store]:
    """A copy of the store's state in memory, to try things on; an empty one where there is no store. Writes nothing."""
    with state_errors(data), closing(scratch(data / STATE_FILE)) as connection:
        yield Store(data, connection)
