"""Attempts, and what the gates measured and accepted: the rows of the log that the segments lack."""

import json
import sqlite3
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

from msgspec import Struct, ValidationError, convert
from msgspec.structs import astuple, replace

from verdicts.corpus.rows.runs import FetchRow, GateAcceptRow, GateMeasureRow
from verdicts.corpus.text import escape_unstorable
from verdicts.fetch.model.fetch_errors import StoreDamaged
from verdicts.fetch.model.outcome import Outcome
from verdicts.fetch.model.snapshot import Location

R = TypeVar("R", bound=Struct)

_STARTED_AT = FetchRow.__struct_fields__.index("started_at")


def read_rows(state: sqlite3.Connection, kind: type[R], question: str) -> list[R]:
    """The rows of a question whose columns are the fields of a row class. Raises `StoreDamaged` for a wrong value."""
    cursor = state.execute(question)
    names = [name for name, *_ in cursor.description]
    try:
        return convert([dict(zip(names, row, strict=True)) for row in cursor], list[kind], strict=False)  # type: ignore[valid-type]
    except ValidationError as error:
        ((_, _, path),) = state.execute("PRAGMA database_list").fetchall()
        raise StoreDamaged(Path(path), None, f"another program wrote into it: {error}") from error


def make_fetch_row(
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


def add_fetches(state: sqlite3.Connection, rows: Iterable[FetchRow]) -> None:
    """Part of the caller's transaction."""
    state.executemany("INSERT INTO fetches VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", map(_make_values, rows))


def _make_values(row: FetchRow) -> list[Any]:
    values = [escape_unstorable(value) if isinstance(value, str) else value for value in astuple(row)]
    values[_STARTED_AT] = row.started_at.isoformat()
    return values


_MEASURES = ", ".join(GateMeasureRow.__struct_fields__)
_ACCEPTS = ", ".join(GateAcceptRow.__struct_fields__)


def read_gate_measures(state: sqlite3.Connection) -> list[GateMeasureRow]:
    """Every row, by key."""
    rows = state.execute(f"SELECT {_MEASURES} FROM gate_measures ORDER BY crawl_id, host, measure, test, unit")  # noqa: S608  names of ours
    read = (GateMeasureRow(*row) for row in rows)
    return [replace(row, examples=tuple(json.loads(str(row.examples)))) for row in read]


def read_gate_accepts(state: sqlite3.Connection) -> list[GateAcceptRow]:
    """Every row, the oldest first."""
    return read_rows(state, GateAcceptRow, "SELECT * FROM gate_accepts ORDER BY accepted_at, host, measure")


def note_measures(
    state: sqlite3.Connection, rows: Sequence[GateMeasureRow], judged: Collection[tuple[str, str]]
) -> None:
    """Replaces the rows of the judged (crawl, host). Part of the caller's transaction."""
    state.executemany("DELETE FROM gate_measures WHERE crawl_id = ? AND host = ?", list(judged))
    texts = [replace(row, examples=json.dumps(row.examples, ensure_ascii=False)) for row in rows]
    state.executemany(
        f"INSERT INTO gate_measures ({_MEASURES}) VALUES ({', '.join('?' * len(GateMeasureRow.__struct_fields__))})",  # noqa: S608  names of ours
        map(astuple, texts),
    )


def note_accepts(state: sqlite3.Connection, rows: Sequence[GateAcceptRow]) -> None:
    """Adds accepted losses; the last row of the same loss counts. Part of the caller's transaction."""
    state.executemany(
        f"INSERT OR REPLACE INTO gate_accepts ({_ACCEPTS}) VALUES (?, ?, ?, ?, ?, ?)",  # noqa: S608  names of ours
        [astuple(replace(row, accepted_at=row.accepted_at.isoformat())) for row in rows],
    )
