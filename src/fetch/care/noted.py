"""Verifications as the state notes them: what was found when, and whose turn is next."""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from math import ceil

from verdicts.fetch.care.verify import Turn, Verified
from verdicts.fetch.model.errors import StoreDamaged
from verdicts.fetch.store.store import Store


@dataclass(frozen=True, slots=True)
class NotedVerification:
    """A row of `verifications`. `example` is one of the damages; None where there were none."""

    verified_at: datetime
    share: float
    records: int
    bytes: int
    damaged: int
    example: str | None


def last_verification(store: Store) -> NotedVerification | None:
    """The newest one; None before the first."""
    row = store.state.execute("SELECT * FROM verifications ORDER BY verified_at DESC LIMIT 1").fetchone()
    return None if row is None else NotedVerification(datetime.fromisoformat(row[0]), *row[1:])


def turn_for(state: sqlite3.Connection, share: float) -> Turn:
    """The next share to read: as many turns as verifications were noted, so that each share has its turn."""
    (noted,) = state.execute("SELECT count(*) FROM verifications").fetchone()
    return Turn(noted, ceil(1 / share))


def note_verification(
    store: Store, verified: Verified, turn: Turn, at: datetime, damaged: Sequence[StoreDamaged]
) -> None:
    """Notes a verification and all that it found damaged; and the digests of records that had none.

    The share of one that was cut short is that of the records it read.
    """
    (total,) = store.state.execute("SELECT count(*) FROM records WHERE is_lost = 0").fetchone()
    with store.transaction():
        store.state.executemany(
            "INSERT OR IGNORE INTO records (segment, segment_offset, size, sha256) VALUES (?, ?, ?, ?)",
            verified.undigested,
        )
        store.state.execute(
            "INSERT OR REPLACE INTO verifications VALUES (?, ?, ?, ?, ?, ?)",
            (
                at.isoformat(),
                verified.records / max(1, total) if verified.is_cut else 1 / turn.of,
                verified.records,
                verified.bytes,
                len(damaged),
                damaged[0].line if damaged else None,
            ),
        )
