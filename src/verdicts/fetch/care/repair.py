"""Repair: sets damaged records aside, makes their pages due, and rebuilds the state from the segments.

Each record holds its address, time and run. Only later crawls restore the rest: addresses never fetched, intervals,
trust in sitemaps. Another file may supply the log of attempts and the tombstones.
"""

import itertools
import os
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

from fastwarc.warc import WarcRecord, WarcRecordType

from verdicts.corpus.enumerations import CrawlKind
from verdicts.corpus.rows.runs import CrawlRow, FetchRow, GateAcceptRow, GateMeasureRow
from verdicts.fetch.archives.pages import CRAWL_ID, PAGE_KEY, moment_of
from verdicts.fetch.model.errors import StoreDamaged, shown_place
from verdicts.fetch.model.outcome import Outcome
from verdicts.fetch.model.snapshot import Location, Snapshot, has_address
from verdicts.fetch.model.url_state import Absences
from verdicts.fetch.parse.rights import Rights
from verdicts.fetch.store import checksums, frontier, page_rights, rebuilt_pages, run_log
from verdicts.fetch.store.segments import SUFFIX
from verdicts.fetch.store.state import STATE_FILE, declare, storage_errors
from verdicts.fetch.store.store import Store, add_snapshot
from verdicts.fetch.store.warc import Damage, read_members, record_of, snapshot_at

ASIDE = "damaged"
"""The folder of the data folder for damaged bytes. Only a person reads them."""


@dataclass(frozen=True, slots=True)
class LostRecord:
    """A record that was given up. `url` is None for a record without a page.

    `is_due`: the next crawl requests the page. False if it came from a file, or if a newer snapshot exists.
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
            return f"{self.where}: set aside; {self.url} is due, and the next crawl fetches it"
        return f"{self.where}: set aside; {self.url} came from a file; 'verdicts ingest' adds it again"


def set_aside(store: Store, damages: Iterable[Damage]) -> list[LostRecord]:
    """Gives up damaged records, in one transaction. Does not write segments."""
    folder = store.data / ASIDE
    folder.mkdir(exist_ok=True)
    with store.transaction():
        return [_set_aside(store, folder, damage) for damage in damages]


def _set_aside(store: Store, folder: Path, damage: Damage) -> LostRecord:
    path, offset = damage.error.path, damage.error.offset or 0
    if path.exists():
        with path.open("rb") as file:
            file.seek(offset)
            (folder / f"{path.name}.at-{offset}").write_bytes(file.read(damage.size))
    store.state.execute(
        "INSERT INTO records (segment, segment_offset, size, sha256, is_lost) VALUES (?, ?, ?, '', 1)"
        " ON CONFLICT DO UPDATE SET is_lost = 1",
        (path.name, offset, damage.size),
    )
    where = shown_place(path, offset)
    page = store.state.execute(
        "SELECT url, rowid = (SELECT max(rowid) FROM snapshots AS other WHERE other.url = page.url)"
        " FROM snapshots AS page WHERE segment = ? AND segment_offset = ?",
        (path.name, offset),
    ).fetchone()
    if page is None:
        return LostRecord(where, None, is_due=False, is_newest=False)
    url, is_newest = page[0], bool(page[1])
    return LostRecord(where, url, is_due=is_newest and frontier.forget_page(store.state, url), is_newest=is_newest)


def move_aside(path: Path, folder: Path) -> Path:
    """Moves a file or folder into `folder` under a free name, and returns the new path."""
    folder.mkdir(exist_ok=True)
    names = itertools.chain([path.name], (f"{path.name}.{number}" for number in itertools.count(2)))
    target = next(target for name in names if not os.path.lexists(target := folder / name))
    path.rename(target)
    return target


@dataclass(frozen=True, slots=True)
class Log:
    """What the segments lack: runs, their attempts, absences of pages, held readings, and rights that hosts stated."""

    crawls: Sequence[CrawlRow] = ()
    fetches: Sequence[FetchRow] = ()
    gone: Mapping[str, Absences] = field(default_factory=dict)
    gate_measures: Sequence[GateMeasureRow] = ()
    gate_accepts: Sequence[GateAcceptRow] = ()
    rights: Mapping[str, Rights] = field(default_factory=dict)


@dataclass(slots=True)
class Reindexed:
    """What the segments know of each run: its kind, if its first record has it, and its attempts in order."""

    kinds: dict[str, str] = field(default_factory=dict)
    attempts: dict[str, list[FetchRow]] = field(default_factory=dict)
    damages: list[Damage] = field(default_factory=list)
    pages: int = 0

    def add(self, crawl_id: str, url: str, outcome: Outcome, moment: datetime, **more: Any) -> None:  # noqa: ANN401  as of `fetch_row`
        attempts = self.attempts.setdefault(crawl_id, [])
        attempts.append(run_log.fetch_row(crawl_id, len(attempts) + 1, url, outcome, moment, **more))


def rebuild_state(data: Path, aside: Path, log: Log, advance: Callable[[int, int], None]) -> Reindexed:
    """Writes `state.sqlite` anew from `raw/`, and moves the old one to `aside`.

    The caller holds the lock. Every page is due. `advance` gets (segments done, all). Raises `StorageFailed`.
    """
    path, draft = data / STATE_FILE, data / f".{STATE_FILE}.tmp"
    found = Reindexed()
    with storage_errors(data):
        draft.unlink(missing_ok=True)
        segments = sorted((data / "raw").glob(f"*{SUFFIX}"))
        with closing(sqlite3.connect(draft)) as state:
            declare(state, draft)
            for done, segment in enumerate(segments, start=1):
                _reindex(state, segment, found)
                advance(done, len(segments))
            _add_log(state, found, log)
            state.commit()
        for file in (path, *(path.with_name(path.name + suffix) for suffix in ("-wal", "-shm", checksums.SUFFIX))):
            if file.exists():
                move_aside(file, aside)
        draft.rename(path)
    return found


def _reindex(state: sqlite3.Connection, path: Path, found: Reindexed) -> None:
    """Adds a segment's whole records to the state and to `found`, and its damage."""
    size = path.stat().st_size
    state.execute("INSERT INTO segments (segment, size) VALUES (?, ?)", (path.name, size))
    with path.open("rb") as file:
        for member in read_members(path):
            if isinstance(member, Damage):
                found.damages.append(member)
                continue
            location = Location(path.name, member.offset)
            try:
                record = record_of(path, member)
                if record.record_type == WarcRecordType.warcinfo:
                    lines = record.reader.read().decode().splitlines()
                    fields = dict(line.split(": ", 1) for line in lines if ": " in line)
                    if "description" in fields:
                        found.kinds[fields["isPartOf"]] = fields["description"]
                elif record.record_type == WarcRecordType.revisit:
                    _add_revisit(state, location, record, found)
                else:
                    _add_page(state, location, snapshot_at(path, member), found)
            except (StoreDamaged, ValueError, KeyError, TypeError) as error:
                damage = error if isinstance(error, StoreDamaged) else StoreDamaged(path, member.offset, str(error))
                found.damages.append(Damage(damage, member.size))
                continue
            file.seek(member.offset)
            digest = sha256(file.read(member.size)).hexdigest()
            state.execute(
                "INSERT INTO records (segment, segment_offset, size, sha256) VALUES (?, ?, ?, ?)",
                (*location, member.size, digest),
            )


def _add_page(state: sqlite3.Connection, location: Location, page: Snapshot, found: Reindexed) -> None:
    found.pages += 1
    add_snapshot(state, location, page)
    page_rights.note_snapshot(state, page)
    kind = found.kinds.setdefault(page.crawl_id, "crawl" if page.status else "ingest")
    if kind == "crawl" and has_address(page.url):
        rebuilt_pages.restore_page(state, page)
    found.add(
        page.crawl_id,
        page.url,
        Outcome.STORED,
        page.fetched_at,
        status_code=page.status or None,
        size=len(page.body),
        sha256=page.sha256,
        location=location,
    )


def _add_revisit(state: sqlite3.Connection, location: Location, record: WarcRecord, found: Reindexed) -> None:
    headers, http = record.headers, record.http_headers
    url, moment = headers[PAGE_KEY], moment_of(headers["WARC-Date"])
    rebuilt_pages.restore_visit(state, url, moment)
    found.add(
        headers.get(CRAWL_ID) or "",
        url,
        Outcome.UNCHANGED,
        moment,
        status_code=None if http is None else http.status_code,
        sha256=(headers.get("WARC-Payload-Digest") or "").removeprefix("sha256:") or None,
        location=location,
    )


def _add_log(state: sqlite3.Connection, found: Reindexed, log: Log) -> None:
    """Adds the given log. Runs missing in it get the attempts of their records; failures left none."""
    known = {crawl.crawl_id for crawl in log.crawls}
    attempts = {run: rows for run, rows in found.attempts.items() if run not in known}
    for crawl in [*log.crawls, *(_run(run, found.kinds.get(run, "crawl"), rows) for run, rows in attempts.items())]:
        ended_at = crawl.finished_at or crawl.started_at
        status = "interrupted" if crawl.finished_at is None else crawl.status
        counts = (crawl.fetched, crawl.unchanged, crawl.failed, crawl.bytes)
        state.execute(
            "INSERT INTO crawls VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (crawl.crawl_id, crawl.kind, crawl.started_at.isoformat(), ended_at.isoformat(), status, *counts),
        )
    run_log.add_fetches(state, itertools.chain(log.fetches, *attempts.values()))
    run_log.note_measures(state, log.gate_measures, ())
    run_log.note_accepts(state, log.gate_accepts)
    rebuilt_pages.restore_absences(state, log.gone)
    page_rights.restore_rights(state, log.rights)


def _run(crawl_id: str, kind: str, attempts: Sequence[FetchRow]) -> CrawlRow:
    moments = [attempt.started_at for attempt in attempts]
    stored = sum(attempt.outcome == Outcome.STORED for attempt in attempts)
    size = sum(attempt.bytes for attempt in attempts)
    known: CrawlKind = "ingest" if kind == "ingest" else "crawl"
    return CrawlRow(crawl_id, known, min(moments), max(moments), "done", stored, len(attempts) - stored, 0, size)
