"""Repair: damaged records are set aside and their pages due at once; the state is made again from the segments.

Every record says its address, its time and its run. What only the state knew is found again by the next crawls:
addresses never fetched, intervals, what a sitemap's word is worth. The log of attempts and the tombstones can be given
where another file has them.
"""

import itertools
import os
import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from fastwarc.warc import WarcRecord, WarcRecordType

from verdicts.corpus.rows.runs import CrawlRow, FetchRow, GateAcceptRow, GateMeasureRow
from verdicts.fetch.archives.pages import CRAWL_ID, moment_of
from verdicts.fetch.model.addresses import host_of
from verdicts.fetch.model.errors import StoreDamaged, place
from verdicts.fetch.model.outcome import Outcome
from verdicts.fetch.model.snapshot import Location, Snapshot, has_address, media_type_of
from verdicts.fetch.model.url_state import NEVER_FETCHED
from verdicts.fetch.store import checksums, frontier, run_log
from verdicts.fetch.store.frames import Damage, read_frames
from verdicts.fetch.store.frontier import TOMBSTONE_DAYS
from verdicts.fetch.store.run_log import fetch_row, note_accepts, note_measures
from verdicts.fetch.store.segments import SUFFIX
from verdicts.fetch.store.state import STATE_FILE, declare, storage_errors
from verdicts.fetch.store.store import Store
from verdicts.fetch.store.warc import record_of, snapshot_at

ASIDE = "damaged"
"""The folder of the data folder that damaged bytes are moved to. Nothing reads them; a person may."""


@dataclass(frozen=True, slots=True)
class LostRecord:
    """A record that was given up. `url`: of its page; None for a record that holds no page.

    `is_due`: the next crawl asks for the page. Else it is one that no crawl has found, as a file that was taken in, or
    a newer snapshot of it is there.
    """

    where: str
    url: str | None
    is_due: bool
    is_newest: bool

    def __str__(self) -> str:
        if self.url is None:
            return f"{self.where}: set aside; it holds no page"
        if not self.is_newest:
            return f"{self.where}: set aside; an earlier state of {self.url} is lost"
        if self.is_due:
            return f"{self.where}: set aside; {self.url} is due and asked for by the next crawl"
        return f"{self.where}: set aside; {self.url} came from a file, 'verdicts ingest' takes it in again"


def set_aside(store: Store, damages: Iterable[Damage]) -> list[LostRecord]:
    """Gives up damaged records, in one transaction. The segments are not written."""
    folder = store.data / ASIDE
    folder.mkdir(exist_ok=True)
    with store.transaction():
        return [lost for damage in damages for lost in _set_aside(store, folder, damage)]


def _set_aside(store: Store, folder: Path, damage: Damage) -> Iterator[LostRecord]:
    """One per page: where no digests were noted, damage may reach over several records."""
    path, start = damage.error.path, damage.error.offset or 0
    end = start + damage.size
    pages = store.state.execute(
        "SELECT segment_offset, url, rowid FROM snapshots"
        " WHERE segment = ? AND segment_offset >= ? AND segment_offset < ? ORDER BY segment_offset",
        (path.name, start, end),
    ).fetchall()
    by_offset = {start: None} | {offset: (url, rowid) for offset, url, rowid in pages}
    for (offset, page), until in zip(by_offset.items(), [*by_offset, end][1:], strict=True):
        copy_bytes(path, offset, until - offset, folder)
        store.state.execute(
            "INSERT INTO records (segment, segment_offset, size, sha256, is_lost) VALUES (?, ?, ?, '', 1)"
            " ON CONFLICT DO UPDATE SET is_lost = 1",
            (path.name, offset, until - offset),
        )
        where = place(path, offset)
        yield LostRecord(where, None, is_due=False, is_newest=False) if page is None else _give_up(store, where, *page)


def _give_up(store: Store, where: str, url: str, rowid: int) -> LostRecord:
    (newest,) = store.state.execute("SELECT max(rowid) FROM snapshots WHERE url = ?", (url,)).fetchone()
    if newest != rowid:
        return LostRecord(where, url, is_due=False, is_newest=False)
    # As if never fetched: asked for without conditions, and stored whatever its bytes are.
    made_due = store.state.execute(
        "UPDATE urls SET due_at = ?, fetched_at = NULL, unconditional_at = NULL, sha256 = NULL, etag = NULL,"
        " last_modified = NULL, handled_in = NULL, standing = 'new' WHERE url = ?",
        (NEVER_FETCHED.isoformat(), url),
    )
    frontier.wake_leaning(store.state, url, NEVER_FETCHED)
    return LostRecord(where, url, is_due=made_due.rowcount > 0, is_newest=True)


def move_aside(path: Path, folder: Path) -> Path:
    """Moves a file or folder into `folder`, under a name of its own there, which is returned."""
    folder.mkdir(exist_ok=True)
    target = next(name for name in _names(folder / path.name) if not os.path.lexists(name))
    path.rename(target)
    return target


def _names(path: Path) -> Iterator[Path]:
    yield path
    for number in itertools.count(2):
        yield path.with_name(f"{path.name}.{number}")


def copy_bytes(path: Path, offset: int, size: int, folder: Path) -> None:
    """Keeps damaged bytes of a segment in a file of their own; none where the segment is missing."""
    if path.exists():
        with path.open("rb") as file:
            file.seek(offset)
            (folder / f"{path.name}.at-{offset}").write_bytes(file.read(size))


DISCOVERED_FROM = "raw"
"""`urls.discovered_from` of an address that is known because a segment holds its page."""


@dataclass(slots=True)
class TakenIn:
    """What the segments say of each run: its kind, where its first record says so, and its attempts in order."""

    kinds: dict[str, str] = field(default_factory=dict)
    attempts: dict[str, list[FetchRow]] = field(default_factory=dict)
    damages: list[Damage] = field(default_factory=list)
    pages: int = 0

    def runs(self) -> list[CrawlRow]:
        """The runs, as far as their records tell: failures left none."""
        return [_run(crawl_id, self.kinds.get(crawl_id, "crawl"), rows) for crawl_id, rows in self.attempts.items()]


def take_in(state: sqlite3.Connection, path: Path, taken: TakenIn) -> None:
    """Adds the records of a segment to the state and to `taken`; of damaged ones only the damage."""
    size = path.stat().st_size
    state.execute("INSERT INTO segments (segment, size) VALUES (?, ?)", (path.name, size))
    with path.open("rb") as file:
        for frame in read_frames(path, 0, size):
            if isinstance(frame, Damage):
                taken.damages.append(frame)
                continue
            location = Location(path.name, frame.offset)
            try:
                record = record_of(path, frame)
                if record.record_type == WarcRecordType.warcinfo:
                    _note_kind(record, taken)
                elif record.record_type == WarcRecordType.revisit:
                    _add_revisit(state, location, record, taken)
                else:
                    _add_page(state, location, snapshot_at(path, frame), taken)
            except (StoreDamaged, ValueError, KeyError, TypeError) as error:
                damage = error if isinstance(error, StoreDamaged) else StoreDamaged(path, frame.offset, str(error))
                taken.damages.append(Damage(damage, frame.size))
                continue
            file.seek(frame.offset)
            digest = sha256(file.read(frame.size)).hexdigest()
            state.execute(
                "INSERT INTO records (segment, segment_offset, size, sha256) VALUES (?, ?, ?, ?)",
                (*location, frame.size, digest),
            )


def _note_kind(record: WarcRecord, taken: TakenIn) -> None:
    lines = record.reader.read().decode().splitlines()
    fields = dict(line.split(": ", 1) for line in lines if ": " in line)
    if "description" in fields:
        taken.kinds[fields["isPartOf"]] = fields["description"]


def _add_page(state: sqlite3.Connection, location: Location, page: Snapshot, taken: TakenIn) -> None:
    taken.pages += 1
    state.execute(
        "INSERT INTO snapshots (segment, segment_offset, url, final_url, fetched_at, crawl_id, sha256, media_type)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            *location,
            page.url,
            page.final_url,
            page.fetched_at.isoformat(),
            page.crawl_id,
            page.sha256,
            media_type_of(page.header("content-type")),
        ),
    )
    kind = taken.kinds.setdefault(page.crawl_id, "crawl" if page.status else "ingest")
    if kind == "crawl" and has_address(page.url):
        state.execute(
            "INSERT INTO urls (url, host, due_at, fetched_at, unconditional_at, etag, last_modified, sha256,"
            " discovered_in, discovered_from, standing) VALUES (?, ?, ?3, ?3, ?3, ?, ?, ?, ?, ?, 'held')"
            " ON CONFLICT DO UPDATE SET due_at = excluded.due_at, fetched_at = excluded.fetched_at,"
            " unconditional_at = excluded.unconditional_at, etag = excluded.etag,"
            " last_modified = excluded.last_modified, sha256 = excluded.sha256, standing = excluded.standing",
            (
                page.url,
                host_of(page.url),
                page.fetched_at.isoformat(),
                page.header("etag"),
                page.header("last-modified"),
                page.sha256,
                page.crawl_id,
                DISCOVERED_FROM,
            ),
        )
    attempts = taken.attempts.setdefault(page.crawl_id, [])
    attempts.append(
        fetch_row(
            page.crawl_id,
            len(attempts) + 1,
            page.url,
            Outcome.STORED,
            page.fetched_at,
            status_code=page.status or None,
            size=len(page.body),
            sha256=page.sha256,
            location=location,
        )
    )


def _add_revisit(state: sqlite3.Connection, location: Location, record: WarcRecord, taken: TakenIn) -> None:
    headers = record.headers
    url, moment = headers["WARC-Target-URI"], moment_of(headers["WARC-Date"])
    state.execute("UPDATE urls SET fetched_at = ?1, due_at = ?1 WHERE url = ?2", (moment.isoformat(), url))
    crawl_id = headers.get(CRAWL_ID) or ""
    attempts = taken.attempts.setdefault(crawl_id, [])
    attempts.append(
        fetch_row(
            crawl_id,
            len(attempts) + 1,
            url,
            Outcome.UNCHANGED,
            moment,
            status_code=record.http_headers.status_code if record.http_headers is not None else None,
            sha256=(headers.get("WARC-Payload-Digest") or "").removeprefix("sha256:") or None,
            location=location,
        )
    )


def _run(crawl_id: str, kind: str, attempts: list[FetchRow]) -> CrawlRow:
    moments = [attempt.started_at for attempt in attempts]
    return CrawlRow(
        crawl_id=crawl_id,
        kind="ingest" if kind == "ingest" else "crawl",
        started_at=min(moments),
        finished_at=max(moments),
        status="done",
        fetched=sum(attempt.outcome == Outcome.STORED for attempt in attempts),
        unchanged=sum(attempt.outcome == Outcome.UNCHANGED for attempt in attempts),
        failed=0,
        bytes=sum(attempt.bytes for attempt in attempts),
    )


@dataclass(frozen=True, slots=True)
class Log:
    """What the segments do not say, from elsewhere: runs, their attempts, tombstones, and which readings are held."""

    crawls: Sequence[CrawlRow] = ()
    fetches: Sequence[FetchRow] = ()
    gone: Collection[str] = ()
    gate_measures: Sequence[GateMeasureRow] = ()
    gate_accepts: Sequence[GateAcceptRow] = ()


def rebuild_state(data: Path, aside: Path, log: Log, advance: Callable[[int, int], None]) -> TakenIn:
    """Writes `state.sqlite` anew from `raw/`; one that is there is moved to `aside`. The caller holds the lock.

    Every page is due at once. `advance` is called with segments done and in all. Raises `StorageFailed`.
    """
    path, draft = data / STATE_FILE, data / f".{STATE_FILE}.tmp"
    taken = TakenIn()
    with storage_errors(data):
        draft.unlink(missing_ok=True)
        segments = sorted((data / "raw").glob(f"*{SUFFIX}"))
        with closing(sqlite3.connect(draft)) as state:
            declare(state, draft)
            for done, segment in enumerate(segments, start=1):
                take_in(state, segment, taken)
                advance(done, len(segments))
            _add_log(state, taken, log)
            state.commit()
        for file in (path, *(path.with_name(path.name + suffix) for suffix in ("-wal", "-shm", checksums.SUFFIX))):
            if file.exists():
                move_aside(file, aside)
        draft.rename(path)
    return taken


def _add_log(state: sqlite3.Connection, taken: TakenIn, log: Log) -> None:
    """The log that was given, and of runs that are not in it what their records tell."""
    known = {crawl.crawl_id for crawl in log.crawls}
    told = [crawl for crawl in taken.runs() if crawl.crawl_id not in known]
    for crawl in [*log.crawls, *told]:
        run_log.start_run(state, crawl.crawl_id, crawl.kind, crawl.started_at)
        counts = (crawl.fetched, crawl.unchanged, crawl.failed, crawl.bytes)
        status = "interrupted" if crawl.finished_at is None else crawl.status
        run_log.end_run(state, crawl.crawl_id, crawl.finished_at or crawl.started_at, status, counts)
    for row in [*log.fetches, *(row for crawl in told for row in taken.attempts[crawl.crawl_id])]:
        run_log.add_fetch(state, row)
    note_measures(state, log.gate_measures, ())
    note_accepts(state, log.gate_accepts)
    state.executemany(
        "INSERT INTO urls (url, host, due_at, is_gone, not_found_nights, discovered_in, discovered_from, standing)"
        " VALUES (?, ?, ?, 1, ?, '', ?, 'absent')"
        " ON CONFLICT DO UPDATE SET is_gone = 1, not_found_nights = ?4, standing = 'absent'",
        [(url, host_of(url), NEVER_FETCHED.isoformat(), TOMBSTONE_DAYS, DISCOVERED_FROM) for url in log.gone],
    )
