"""The robots.txt of each host, as it was read last. Writes are part of the caller's transaction.

A crawl reads it anew each time; this copy explains later why a page was requested or not.
"""

import sqlite3
from dataclasses import dataclass
from datetime import datetime

from verdicts.fetch.model.snapshot import Response


@dataclass(frozen=True, slots=True)
class StoredRobots:
    """What a host last answered, and when. `failure`: why the last try after that failed, at `failed_at`.

    `response` is None if it was never read.
    """

    response: Response | None
    read_at: datetime | None
    failure: str | None
    failed_at: datetime | None


def note_robots(state: sqlite3.Connection, host: str, response: Response, now: datetime) -> None:
    """Stores an answer."""
    state.execute(
        "INSERT OR REPLACE INTO robots (host, read_at, status, body) VALUES (?, ?, ?, ?)",
        (host, now.isoformat(), response.status, response.body if response.is_success else b""),
    )


def note_failure(state: sqlite3.Connection, host: str, failure: str, now: datetime) -> None:
    """Stores why it could not be read; the earlier answer stays."""
    state.execute(
        "INSERT INTO robots (host, failure, failed_at) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET"
        " failure = excluded.failure, failed_at = excluded.failed_at",
        (host, failure, now.isoformat()),
    )


def read_robots(state: sqlite3.Connection, host: str) -> StoredRobots | None:
    """None for a host that was never asked."""
    row = state.execute(
        "SELECT status, body, read_at, failure, failed_at FROM robots WHERE host = ?", (host,)
    ).fetchone()
    if row is None:
        return None
    status, body, read_at, failure, failed_at = row
    response = None if status is None else Response(status, (), body, 0, len(body))
    moments = (None if moment is None else datetime.fromisoformat(moment) for moment in (read_at, failed_at))
    read, failed = moments
    return StoredRobots(response, read, failure, failed)
