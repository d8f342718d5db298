"""The rows of a run: start and end, attempts, skips. All writes are part of the caller's transaction."""

import sqlite3
from collections.abc import Sequence
from datetime import datetime, timedelta

from verdicts.corpus.rows.runs import FetchRow
from verdicts.corpus.unicode_text import escaped
from verdicts.fetch.model.outcome import Outcome
from verdicts.fetch.model.skips import SkipRecord
from verdicts.fetch.model.snapshot import Location

FETCH_COLUMNS = FetchRow.__struct_fields__

RESUMED_WITHIN = timedelta(hours=20)
"""A crawl interrupted longer ago is not resumed: the new one would skip what that one has settled."""


def resumable_crawl(state: sqlite3.Connection, started_at: datetime) -> str | None:
    """The newest crawl that was interrupted lately; None where there is none."""
    since = (started_at - RESUMED_WITHIN).isoformat()
    row = state.execute(
        "SELECT crawl_id FROM crawls WHERE status = 'interrupted' AND kind = 'crawl' AND started_at > ?"
        " ORDER BY crawl_id DESC",
        (since,),
    ).fetchone()
    return None if row is None else str(row[0])


def running_runs(state: sqlite3.Connection) -> list[tuple[str, datetime]]:
    """Runs without an end, each with the moment at which it was last seen at work: when its last attempt began."""
    rows = state.execute(
        "SELECT crawl_id, coalesce((SELECT max(started_at) FROM fetches WHERE crawl_id = crawls.crawl_id), started_at)"
        " FROM crawls WHERE status = 'running'"
    )
    return [(crawl_id, datetime.fromisoformat(moment)) for crawl_id, moment in rows]


def segment_count(state: sqlite3.Connection, crawl_id: str) -> int:
    """How many segments a run has written, wherever their records are now."""
    (count,) = state.execute(
        "SELECT count(DISTINCT segment) FROM records WHERE segment >= ?1 || '-' AND segment < ?1 || '.'", (crawl_id,)
    ).fetchone()
    return int(count)


def start_run(state: sqlite3.Connection, crawl_id: str, kind: str, started_at: datetime) -> None:
    """Adds a run; one that is gone on with keeps its start."""
    state.execute(
        "INSERT INTO crawls (crawl_id, kind, started_at, status) VALUES (?, ?, ?, 'running')"
        " ON CONFLICT DO UPDATE SET status = 'running', finished_at = NULL",
        (crawl_id, kind, started_at.isoformat()),
    )


def end_run(
    state: sqlite3.Connection, crawl_id: str, finished_at: datetime, status: str, counts: Sequence[int]
) -> None:
    """Writes the end of a run. `counts`: fetched, unchanged, failed, bytes."""
    state.execute(
        "UPDATE crawls SET finished_at = ?, status = ?, fetched = ?, unchanged = ?, failed = ?, bytes = ?"
        " WHERE crawl_id = ?",
        (finished_at.isoformat(), status, *counts, crawl_id),
    )


def fetch_row(
    crawl_id: str,
    number: int,
    url: str,
    outcome: Outcome,
    started_at: datetime,
    *,
    attempt: int = 1,
    status_code: int | None = None,
    elapsed_ms: int = 0,
    size: int = 0,
    sha256: str | None = None,
    location: Location | None = None,
    detail: str | None = None,
) -> FetchRow:
    """The row of an attempt. `number` counts those of the run from 1, `attempt` those at this address."""
    return FetchRow(
        fetch_id=f"{crawl_id}.{number:07d}",
        crawl_id=crawl_id,
        url=url,
        outcome=outcome,
        status_code=status_code,
        attempt=attempt,
        started_at=started_at,
        elapsed_ms=elapsed_ms,
        bytes=size,
        body_sha256=sha256,
        segment=None if location is None else location.segment,
        segment_offset=None if location is None else location.offset,
        detail=detail,
    )


def add_fetch(state: sqlite3.Connection, record: FetchRow) -> None:
    """Adds an attempt to the log."""
    values = [getattr(record, column) for column in FETCH_COLUMNS]
    row = [escaped(value) if isinstance(value, str) else value for value in values]
    row[FETCH_COLUMNS.index("started_at")] = record.started_at.isoformat()
    state.execute("INSERT INTO fetches VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", row)


def fetch_count(state: sqlite3.Connection, crawl_id: str) -> int:
    """How many attempts of a run are logged."""
    (count,) = state.execute("SELECT count(*) FROM fetches WHERE crawl_id = ?", (crawl_id,)).fetchone()
    return int(count)


def add_skips(state: sqlite3.Connection, crawl_id: str, skips: Sequence[SkipRecord]) -> None:
    """Adds to the counts of a crawl; the first example stays."""
    state.executemany(
        "INSERT INTO skips (crawl_id, host, reason, skipped, example, detail) VALUES (?, ?, ?, ?, ?, ?)"
        " ON CONFLICT DO UPDATE SET skipped = skipped + excluded.skipped",
        [
            (crawl_id, escaped(skip.host), skip.reason, skip.skipped, escaped(skip.example), skip.detail)
            for skip in skips
        ],
    )
