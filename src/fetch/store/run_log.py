"""The rows of a run: start and end, attempts, skips, gates. All writes are part of the caller's transaction."""

import json
import sqlite3
from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import Any

from msgspec.structs import replace

from verdicts.corpus.rows.runs import FetchRow, GateAcceptRow, GateMeasureRow
from verdicts.corpus.text import escaped
from verdicts.fetch.model.outcome import Outcome, SkipRecord
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


_MEASURES = ", ".join(GateMeasureRow.__struct_fields__)
_EXAMPLES = GateMeasureRow.__struct_fields__.index("examples")
_ACCEPTS = ", ".join(GateAcceptRow.__struct_fields__)


def gate_measures(state: sqlite3.Connection) -> list[GateMeasureRow]:
    """Every row, by key."""
    rows = state.execute(f"SELECT {_MEASURES} FROM gate_measures ORDER BY crawl_id, host, measure, test, unit")  # noqa: S608  names of ours
    return [GateMeasureRow(*_with_examples(row)) for row in rows]


def gate_accepts(state: sqlite3.Connection) -> list[GateAcceptRow]:
    """Every row, the oldest first."""
    rows = state.execute(f"SELECT {_ACCEPTS} FROM gate_accepts ORDER BY accepted_at, host, measure")  # noqa: S608  names of ours
    read = (GateAcceptRow(*row) for row in rows)
    return [replace(row, accepted_at=datetime.fromisoformat(str(row.accepted_at))) for row in read]


def note_measures(
    state: sqlite3.Connection, rows: Sequence[GateMeasureRow], judged: Collection[tuple[str, str]]
) -> None:
    """Replaces the rows of the judged (crawl, host). Part of the caller's transaction."""
    state.executemany("DELETE FROM gate_measures WHERE crawl_id = ? AND host = ?", list(judged))
    names = GateMeasureRow.__struct_fields__
    texts = [replace(row, examples=json.dumps(row.examples, ensure_ascii=False)) for row in rows]  # as SQLite keeps it
    state.executemany(
        f"INSERT INTO gate_measures ({_MEASURES}) VALUES ({', '.join('?' * len(names))})",  # noqa: S608  names of ours
        [[getattr(row, name) for name in names] for row in texts],
    )


def note_accepts(state: sqlite3.Connection, rows: Sequence[GateAcceptRow]) -> None:
    """Adds what was accepted; of the same loss the last one stands. Part of the caller's transaction."""
    state.executemany(
        f"INSERT OR REPLACE INTO gate_accepts ({_ACCEPTS}) VALUES (?, ?, ?, ?, ?, ?)",  # noqa: S608  names of ours
        [
            (row.host, row.measure, row.crawl_id, row.accepted_at.isoformat(), row.accepted_by, row.reason)
            for row in rows
        ],
    )


def _with_examples(row: tuple[Any, ...]) -> list[Any]:
    values = list(row)
    values[_EXAMPLES] = tuple(json.loads(values[_EXAMPLES]))
    return values
