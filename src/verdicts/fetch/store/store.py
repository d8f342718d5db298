"""The store: state and raw segments under one lock. A record is durable before the row that names it is committed."""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from datetime import datetime, timedelta
from pathlib import Path

from verdicts.corpus.error_notes import ending_with, note_errors
from verdicts.corpus.rows.runs import CrawlRow, FetchRow
from verdicts.corpus.text import escape_unstorable
from verdicts.fetch.model.fetch_errors import StorageFailed, StoreMissing
from verdicts.fetch.model.outcome import SkipRecord
from verdicts.fetch.model.snapshot import Location, Snapshot, parse_media_type
from verdicts.fetch.store import run_log
from verdicts.fetch.store.reader import Stored, StoreReader
from verdicts.fetch.store.segments import SegmentWriter, check_index, cut_tails
from verdicts.fetch.store.state import (
    LOCK_FILE,
    STATE_FILE,
    copy_to_memory,
    hold,
    is_storage_failure,
    open_for_reading,
    open_for_writing,
    state_errors,
    storage_errors,
)
from verdicts.fetch.store.warc import pack_response, pack_revisit

RESUMED_WITHIN = timedelta(hours=20)
"""A crawl interrupted longer ago is not resumed: the new one would skip the URLs settled by the old one."""

GROUP = 1_000
"""The most transactions per commit in a group."""


def add_snapshot(state: sqlite3.Connection, location: Location, snapshot: Snapshot) -> None:
    """Adds a full record to the index. Part of the caller's transaction."""
    state.execute(
        "INSERT INTO snapshots VALUES (?, ?, ?, ?, ?, ?, ?, ?, NULL, NULL)",
        (
            *location,
            snapshot.url,
            snapshot.final_url,
            snapshot.fetched_at.isoformat(),
            snapshot.crawl_id,
            snapshot.sha256,
            parse_media_type(snapshot.header("content-type")),
        ),
    )


class Store(StoreReader):
    """One data folder, and how to add to it. Made by `open_store`."""

    def __init__(self, data: Path, connection: sqlite3.Connection) -> None:
        super().__init__(data, connection)
        self._writer: SegmentWriter | None = None
        self._attempts: list[FetchRow] = []
        """Logged since the last commit, which writes them at once."""
        self._uncommitted = 0
        self._group = 1

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Writes all of the body or nothing; commits at once, or later inside `group_commits`.

        An error of the body does not affect other transactions of the group, unless the disk failed or the run is
        interrupted: then everything uncommitted is rolled back.
        """
        end = None if self._writer is None else self._writer.end
        uncommitted, logged = self._uncommitted, len(self._attempts)
        try:
            if not self.state.in_transaction:
                self.state.execute("BEGIN")
            self.state.execute("SAVEPOINT body")
            yield
            self.state.execute("RELEASE body")
            self._uncommitted += 1
            if self._uncommitted >= self._group:
                self.commit()
        except BaseException as error:
            if isinstance(error, Exception) and self.state.in_transaction and not is_storage_failure(error):
                self._uncommitted = uncommitted
                del self._attempts[logged:]
                try:
                    self._undo_body(end)
                except StorageFailed as failed:
                    # The rest of the body must not be committed: the run ends, and both errors are reported.
                    raise StorageFailed(f"{failed}; and before that {type(error).__name__}: {error}") from error
            else:
                with note_errors(error):
                    self._roll_back()
            with state_errors(self.data):
                raise

    @contextmanager
    def group_commits(self) -> Iterator[None]:
        """Transactions of the body share commits, as each commit waits for the disk twice.

        A crash loses what came after the last `commit`: it is due again.
        """

        def end() -> None:
            self._group = 1
            self.commit()
            self.state.execute("PRAGMA temp_store = DEFAULT")

        self._group = GROUP
        # The journal of savepoints: in a file each changed page is written at once, eight for a crawled page.
        self.state.execute("PRAGMA temp_store = MEMORY")
        with ending_with(end):
            yield

    def commit(self) -> None:
        """Makes all transactions so far durable: first the records, then the rows that name them.

        Raises `StorageFailed` after a rollback.
        """
        if not self._uncommitted:
            return
        try:
            with storage_errors(self.data):
                run_log.add_fetches(self.state, self._attempts)
                if self._writer is not None:
                    self.state.executemany(
                        "INSERT INTO segments VALUES (?, ?) ON CONFLICT DO UPDATE SET size = excluded.size",
                        list(self._writer.sync().items()),
                    )
                self.state.commit()
        except BaseException as error:
            with note_errors(error):
                self._roll_back()
            raise
        self._uncommitted = 0
        self._attempts.clear()

    def _undo_body(self, end: Location | None) -> None:
        """Takes back the writes of a transaction's body, and the records after `end`."""
        with storage_errors(self.data):
            self.state.execute("ROLLBACK TO body")
            self.state.execute("RELEASE body")
            if not self._uncommitted:
                self.state.rollback()
            if self._writer is not None and end is not None:
                self._writer.cut_to(end)

    def _roll_back(self) -> None:
        self._uncommitted = 0
        self._attempts.clear()
        with storage_errors(self.data):
            self.state.rollback()
            if self._writer is not None:
                self._writer.abandon()

    def begin(self, crawl_id: str, kind: str, started_at: datetime) -> CrawlRow:
        """Starts a run, or resumes a recently interrupted crawl under its id."""
        self.end_dead_runs()
        resumed = self.state.execute(
            "SELECT crawl_id FROM crawls WHERE status = 'interrupted' AND kind = 'crawl' AND ? = 'crawl'"
            " AND started_at > ? ORDER BY crawl_id DESC",
            (kind, (started_at - RESUMED_WITHIN).isoformat()),
        ).fetchone()
        run_id = crawl_id if resumed is None else str(resumed[0])
        with self.transaction():
            self.state.execute(
                "INSERT INTO crawls (crawl_id, kind, started_at, status) VALUES (?, ?, ?, 'running')"
                " ON CONFLICT DO UPDATE SET status = 'running', finished_at = NULL",
                (run_id, kind, started_at.isoformat()),
            )
        (written,) = self.state.execute(
            "SELECT count(*) FROM segments WHERE segment >= ?1 || '-' AND segment < ?1 || '.'", (run_id,)
        ).fetchone()
        self._writer = SegmentWriter(self.raw, run_id, kind, written)
        return self.read_crawl(run_id)

    def finish(self, crawl_id: str, finished_at: datetime, *, is_partial: bool = False) -> CrawlRow:
        """Ends a run; it is partial also if the last outcome of a URL is a failure."""
        self.commit()
        self.close()
        _, _, failed, _ = self.count_outcomes(crawl_id)
        self._end(crawl_id, finished_at, "partial" if failed or is_partial else "done")
        return self.read_crawl(crawl_id)

    def note_unread(self, crawl_id: str) -> None:
        """Marks a run as partial: it kept pages, and none of them could be read."""
        with self.transaction():
            self.state.execute("UPDATE crawls SET status = 'partial' WHERE crawl_id = ?", (crawl_id,))

    def interrupt(self, crawl_id: str, moment: datetime) -> None:
        """Ends a run early; stored pages are kept."""
        self.commit()
        self._end(crawl_id, moment, "interrupted")

    def end_dead_runs(self) -> None:
        """Ends the runs of dead processes: this one holds the store, and has begun none yet."""
        running = self.state.execute(
            "SELECT crawl_id, coalesce((SELECT max(started_at) FROM fetches WHERE crawl_id = run.crawl_id), started_at)"
            " FROM crawls AS run WHERE status = 'running'"
        ).fetchall()
        for crawl_id, last_seen in running:
            self._end(crawl_id, datetime.fromisoformat(last_seen), "interrupted")

    def _end(self, crawl_id: str, finished_at: datetime, status: str) -> None:
        with self.transaction():
            self.state.execute(
                "UPDATE crawls SET finished_at = ?, status = ?, fetched = ?, unchanged = ?, failed = ?, bytes = ?"
                " WHERE crawl_id = ?",
                (finished_at.isoformat(), status, *self.count_outcomes(crawl_id), crawl_id),
            )

    def keep(self, snapshot: Snapshot) -> Location:
        """Appends a full record and indexes it. Part of the caller's transaction."""
        location = self._append(pack_response(snapshot))
        add_snapshot(self.state, location, snapshot)
        return location

    def note_capture(self, stored: Stored, at: datetime) -> None:
        """Notes a later capture with the bytes of a stored one. Part of the caller's transaction."""
        self.state.execute(
            "UPDATE snapshots SET seen_at = ? WHERE segment = ? AND segment_offset = ?",
            (at.isoformat(), *stored.location),
        )

    def keep_revisit(self, snapshot: Snapshot, sha256: str) -> Location:
        """Appends a revisit record: the URL still has the body with this digest. Part of the caller's transaction."""
        row = self.state.execute(
            "SELECT fetched_at FROM snapshots WHERE url = ? AND sha256 = ? ORDER BY rowid DESC", (snapshot.url, sha256)
        ).fetchone()
        return self._append(pack_revisit(snapshot, sha256, None if row is None else datetime.fromisoformat(row[0])))

    def _append(self, record: bytes) -> Location:
        if self._writer is None:
            raise RuntimeError("no run has begun")
        with storage_errors(self.data):
            return self._writer.append(record)

    def log(self, row: FetchRow) -> None:
        """Adds an attempt to the log with the next commit. Part of the caller's transaction, if there is one."""
        self._attempts.append(row)
        self._uncommitted += 1

    def add_skips(self, crawl_id: str, skips: Sequence[SkipRecord]) -> None:
        """Adds to what a crawl skipped; the first example stays. Part of the caller's transaction."""
        self.state.executemany(
            "INSERT INTO skips (crawl_id, host, reason, skipped, example, detail) VALUES (?, ?, ?, ?, ?, ?)"
            " ON CONFLICT DO UPDATE SET skipped = skipped + excluded.skipped",
            [
                (
                    crawl_id,
                    escape_unstorable(skip.host),
                    skip.reason,
                    skip.skipped,
                    escape_unstorable(skip.example),
                    skip.detail,
                )
                for skip in skips
            ],
        )

    def record_content_digests(self, digests: Mapping[Location, str]) -> None:
        """Stores digests of extracted content, which the next crawl compares."""
        with self.transaction():
            self.state.executemany(
                "UPDATE snapshots SET content_sha256 = ? WHERE segment = ? AND segment_offset = ?",
                [(digest, *location) for location, digest in digests.items()],
            )

    def close(self) -> None:
        if self._writer is not None:
            with storage_errors(self.data):
                self._writer.close()
            self._writer = None


@contextmanager
def open_store(data: Path, *, command: str, read_only: bool = False) -> Iterator[Store]:
    """Opens a data folder; a writer creates it if missing and holds its lock until the context ends.

    With `read_only` nothing is locked or written, and a crawl may write at the same time. Raises `StoreLocked`,
    `StoreMissing`, and `StorageFailed` if the disk fails while the store opens, reads, writes or closes its files.
    Other errors of the body pass unchanged.
    """
    with ExitStack() as stack:
        stack.enter_context(state_errors(data))
        with storage_errors(data):
            store = _open(data, command, stack, read_only=read_only)
        yield store


def _open(data: Path, command: str, stack: ExitStack, *, read_only: bool) -> Store:
    path, raw = data / STATE_FILE, data / "raw"
    if read_only:
        check_index(path, raw)
        if not path.exists():
            raise StoreMissing(data)
        return Store(data, stack.enter_context(open_for_reading(path)))
    raw.mkdir(parents=True, exist_ok=True)
    stack.enter_context(hold(data / LOCK_FILE, command))
    check_index(path, raw)
    connection = stack.enter_context(open_for_writing(path))
    store = Store(data, connection)
    crawls = {crawl_id for (crawl_id,) in connection.execute("SELECT crawl_id FROM crawls")}
    sizes = dict(connection.execute("SELECT segment, size FROM segments"))
    cut_tails(raw, sizes, crawls)
    store.end_dead_runs()
    stack.enter_context(ending_with(store.close))
    return store


@contextmanager
def open_scratch(data: Path) -> Iterator[Store]:
    """A store over a copy of the state in memory, empty if the folder has none. Nothing is written to disk."""
    with state_errors(data), closing(copy_to_memory(data / STATE_FILE)) as connection:
        yield Store(data, connection)
