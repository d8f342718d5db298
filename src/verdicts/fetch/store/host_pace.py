"""What a host asked for in earlier runs: a pause, or fewer requests. Writes are part of the caller's transaction."""

import sqlite3
from datetime import datetime


def note_slowdown(state: sqlite3.Connection, host: str, crawl_id: str, slowest_s: float) -> None:
    """Stores the longest delay to which the refusals of a host led in a crawl."""
    state.execute(
        "INSERT INTO hosts (host, slowed_in, slowest_s) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET"
        " slowed_in = excluded.slowed_in, slowest_s = excluded.slowest_s",
        (host, crawl_id, slowest_s),
    )


def note_pause(state: sqlite3.Connection, host: str, until: datetime) -> None:
    """Stores until when a host asks not to be requested."""
    state.execute(
        "INSERT INTO hosts (host, paused_until) VALUES (?, ?) ON CONFLICT DO UPDATE SET"
        " paused_until = excluded.paused_until",
        (host, until.isoformat()),
    )


def read_pause_end(state: sqlite3.Connection, host: str) -> datetime | None:
    row = state.execute("SELECT paused_until FROM hosts WHERE host = ?", (host,)).fetchone()
    return None if row is None or row[0] is None else datetime.fromisoformat(row[0])
