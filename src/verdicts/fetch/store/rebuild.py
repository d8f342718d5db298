"""Rebuilds the state from the segments: each record has its address, time and run.

Only later crawls restore the rest: addresses never fetched, intervals, trust in sitemaps. Another file may supply the
log of attempts and the tombstones.
"""

import sqlite3
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from fastwarc.warc import WarcRecord, WarcRecordType
from msgspec.structs import replace

from verdicts.corpus.rows.runs import CrawlRow, FetchRow, GateAcceptRow, GateMeasureRow
from verdicts.fetch.archives.archive_pages import CRAWL_ID, PAGE_KEY, parse_moment
from verdicts.fetch.model.fetch_errors import StoreDamaged
from verdicts.fetch.model.outcome import Outcome
from verdicts.fetch.model.snapshot import Location, Snapshot, has_address
from verdicts.fetch.model.url_state import Absences
from verdicts.fetch.parse.rights import Rights
from verdicts.fetch.store import checksums, page_rights, rebuilt_pages, run_log
from verdicts.fetch.store.segments import SUFFIX
from verdicts.fetch.store.state import STATE_FILE, declare, storage_errors
from verdicts.fetch.store.store import add_snapshot
from verdicts.fetch.store.warc import Member, make_stored_snapshot, parse_record, read_members

ASIDE = "damaged"
"""The folder of the data folder for damaged bytes and states. Only a person reads them."""


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
class Rebuilt:
    """What was read: snapshots, the attempts and the kind of each run, and damaged records."""

    pages: int = 0
    attempts: Counter[str] = field(default_factory=Counter)
    kinds: dict[str, str] = field(default_factory=dict)
    damaged: list[StoreDamaged] = field(default_factory=list)


def rebuild_state(data: Path, log: Log, advance: Callable[[int, int], None]) -> Rebuilt:
    """Writes `state.sqlite` anew from `raw/`, and moves the old one aside.

    The caller holds the lock. Every page is due. `advance` gets (segments done, all). Raises `StorageFailed`.
    """
    path, draft, aside = data / STATE_FILE, data / f".{STATE_FILE}.tmp", data / ASIDE
    rebuilt = Rebuilt()
    with storage_errors(data):
        draft.unlink(missing_ok=True)
        segments = sorted((data / "raw").glob(f"*{SUFFIX}"))
        with closing(sqlite3.connect(draft)) as state:
            declare(state, draft)
            for done, segment in enumerate(segments, start=1):
                _read_segment(state, segment, rebuilt)
                advance(done, len(segments))
            _add_runs(state, rebuilt, log)
            state.commit()
        aside.mkdir(exist_ok=True)
        number = len([*aside.iterdir()])
        for suffix in ("", "-wal", "-shm", checksums.SUFFIX):
            if (file := path.with_name(path.name + suffix)).exists():
                file.rename(aside / f"{number}.{file.name}")
        draft.rename(path)
    return rebuilt


def _read_segment(state: sqlite3.Connection, path: Path, rebuilt: Rebuilt) -> None:
    """Adds the whole records of a segment to the state, and its damage to `rebuilt`."""
    state.execute("INSERT INTO segments (segment, size) VALUES (?, ?)", (path.name, path.stat().st_size))
    for member in read_members(path, path.stat().st_size):
        if isinstance(member, StoreDamaged):
            rebuilt.damaged.append(member)
            continue
        try:
            _add_record(state, path, member, rebuilt)
        except (StoreDamaged, ValueError, KeyError, TypeError) as error:
            why = error.why if isinstance(error, StoreDamaged) else str(error)
            rebuilt.damaged.append(StoreDamaged(path, member.offset, why, member.size))


def _add_record(state: sqlite3.Connection, path: Path, member: Member, rebuilt: Rebuilt) -> None:
    record, location = parse_record(path, member), Location(path.name, member.offset)
    if record.record_type == WarcRecordType.warcinfo:
        lines = record.reader.read().decode().splitlines()
        fields = dict(line.split(": ", 1) for line in lines if ": " in line)
        if "description" in fields:
            rebuilt.kinds[fields["isPartOf"]] = fields["description"]
        return
    if record.record_type == WarcRecordType.revisit:
        row = _add_revisit(state, record)
    else:
        row = _add_page(state, location, make_stored_snapshot(path, member), rebuilt)
    rebuilt.attempts[row.crawl_id] += 1
    fetch_id = f"{row.crawl_id}.{rebuilt.attempts[row.crawl_id]:07d}"
    run_log.add_fetches(state, [replace(row, fetch_id=fetch_id, segment=path.name, segment_offset=member.offset)])


def _add_page(state: sqlite3.Connection, location: Location, page: Snapshot, rebuilt: Rebuilt) -> FetchRow:
    rebuilt.pages += 1
    add_snapshot(state, location, page)
    page_rights.note_snapshot(state, page)
    kind = rebuilt.kinds.setdefault(page.crawl_id, "crawl" if page.status else "ingest")
    if kind == "crawl" and has_address(page.url):
        rebuilt_pages.restore_page(state, page)
    status, size = page.status or None, len(page.body)
    return run_log.make_fetch_row(
        page.crawl_id, 0, page.url, Outcome.STORED, page.fetched_at, status_code=status, size=size, sha256=page.sha256
    )


def _add_revisit(state: sqlite3.Connection, record: WarcRecord) -> FetchRow:
    headers, http = record.headers, record.http_headers
    url, moment = headers[PAGE_KEY], parse_moment(headers["WARC-Date"])
    rebuilt_pages.restore_visit(state, url, moment)
    digest = (headers.get("WARC-Payload-Digest") or "").removeprefix("sha256:") or None
    status = None if http is None else http.status_code
    return run_log.make_fetch_row(
        headers.get(CRAWL_ID) or "", 0, url, Outcome.UNCHANGED, moment, status_code=status, sha256=digest
    )


def _add_runs(state: sqlite3.Connection, rebuilt: Rebuilt, log: Log) -> None:
    """Adds the runs: of the given log, and those that it lacks from their records; failures left none."""
    state.executemany("DELETE FROM fetches WHERE crawl_id = ?", [(crawl.crawl_id,) for crawl in log.crawls])
    state.execute(
        "INSERT INTO crawls SELECT crawl_id, 'crawl', min(started_at), max(started_at), 'done',"
        " sum(outcome = 'stored'), sum(outcome <> 'stored'), 0, sum(bytes) FROM fetches GROUP BY crawl_id"
    )
    state.executemany("UPDATE crawls SET kind = ?2 WHERE crawl_id = ?1 AND ?2 = 'ingest'", [*rebuilt.kinds.items()])
    for crawl in log.crawls:
        ended_at = crawl.finished_at or crawl.started_at
        status = "interrupted" if crawl.finished_at is None else crawl.status
        counts = (crawl.fetched, crawl.unchanged, crawl.failed, crawl.bytes)
        state.execute(
            "INSERT INTO crawls VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (crawl.crawl_id, crawl.kind, crawl.started_at.isoformat(), ended_at.isoformat(), status, *counts),
        )
    run_log.add_fetches(state, log.fetches)
    run_log.note_measures(state, log.gate_measures, ())
    run_log.note_accepts(state, log.gate_accepts)
    rebuilt_pages.restore_absences(state, log.gone)
    page_rights.restore_rights(state, log.rights)
