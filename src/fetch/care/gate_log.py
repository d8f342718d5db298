"""What the gates measured and what was accepted, as the state notes it. What is held cannot be made again."""

import json
import sqlite3
from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from msgspec.structs import replace

from verdicts.corpus.rows.gates import GateAcceptRow, GateMeasureRow

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
