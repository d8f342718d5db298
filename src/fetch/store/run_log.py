"""Attempts, and what the gates measured and accepted: the rows of the log that the segments lack."""

import json
import sqlite3
from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from msgspec.structs import replace

from verdicts.corpus.rows.runs import FetchRow, GateAcceptRow, GateMeasureRow
from verdicts.corpus.text import escaped
from verdicts.fetch.model.outcome import Outcome
from verdicts.fetch.model.snapshot import Location

FETCH_COLUMNS = FetchRow.__struct_fields__


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
    """The row of an attempt. `number` counts attempts of the run from 1, `attempt` those on this address."""
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
    values = [getattr(record, column) for column in FETCH_COLUMNS]
    row = [escaped(value) if isinstance(value, str) else value for value in values]
    row[FETCH_COLUMNS.index("started_at")] = record.started_at.isoformat()
    state.execute("INSERT INTO fetches VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", row)


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
    """Adds accepted losses; the last row of the same loss counts. Part of the caller's transaction."""
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
