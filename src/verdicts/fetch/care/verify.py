"""Verifies the raw store: compares every record, or a share, with its digest.

The state keeps the result, which also says which share is next.
"""

import hashlib
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from datetime import datetime
from math import ceil
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

from verdicts.fetch.model.errors import StoreDamaged
from verdicts.fetch.store import checksums
from verdicts.fetch.store.reader import StoreReader, records_in, segments_in
from verdicts.fetch.store.segments import SUFFIX
from verdicts.fetch.store.state import NOT_AS_CLOSED, check_pages
from verdicts.fetch.store.store import Store
from verdicts.fetch.store.warc import Damage, read_members

STRETCH = 250_000
"""Bytes of a segment that are verified together: a disk reads them at once."""


@dataclass(frozen=True, slots=True)
class Verified:
    """What was read and found. `is_cut`: the time ended before the whole share was read."""

    records: int
    bytes: int
    damages: tuple[Damage, ...]
    is_cut: bool = False


class Turn(NamedTuple):
    """The share to read: number `number` of `of`. After `of` turns all has been read."""

    number: int
    of: int

    def has(self, *key: object) -> bool:
        """Whether the item with this key belongs to the share."""
        return crc32(repr(key).encode()) % self.of == self.number % self.of


EVERYTHING = Turn(0, 1)


@dataclass(frozen=True, slots=True)
class NotedVerification:
    """A row of `verifications`. `example` is one of the damages, if any."""

    verified_at: datetime
    share: float
    records: int
    bytes: int
    damaged: int
    example: str | None


def last_verification(store: StoreReader) -> NotedVerification | None:
    row = store.state.execute("SELECT * FROM verifications ORDER BY verified_at DESC LIMIT 1").fetchone()
    return None if row is None else NotedVerification(datetime.fromisoformat(row[0]), *row[1:])


def turn_for(state: sqlite3.Connection, share: float) -> Turn:
    """The next share. The number of earlier verifications decides, so that each share has its turn."""
    (noted,) = state.execute("SELECT count(*) FROM verifications").fetchone()
    return Turn(noted, ceil(1 / share))


def note_verification(
    store: Store, verified: Verified, turn: Turn, at: datetime, damaged: Sequence[StoreDamaged]
) -> None:
    """Stores a verification and its damage. If it was cut, its share is that of the records it read."""
    share = verified.records / max(1, _count(store)) if verified.is_cut else 1 / turn.of
    example = damaged[0].line if damaged else None
    row = (at.isoformat(), share, verified.records, verified.bytes, len(damaged), example)
    with store.transaction():
        store.state.execute("INSERT OR REPLACE INTO verifications VALUES (?, ?, ?, ?, ?, ?)", row)


def verify_state(path: Path) -> StoreDamaged | None:
    """What is wrong with a state file; None if nothing is known."""
    is_as_noted = checksums.is_as_noted(path)
    if is_as_noted is False:
        return StoreDamaged(path, None, NOT_AS_CLOSED if path.exists() else "it is missing")
    if is_as_noted is None and path.exists():
        try:
            check_pages(path)
        except StoreDamaged as damage:
            return damage
    return None


def verify_segments(
    store: Store, turn: Turn, advance: Callable[[int, int], None], is_over: Callable[[], bool] = lambda: False
) -> Verified:
    """Reads the committed records of a turn. `advance` is called with records done and in all.

    A segment that is missing or too short is found in any turn. Records that are known to be lost are not damage. Once
    the time `is_over` nothing more is read; each turn begins with another segment, so that it is not always the same
    that waits.
    """
    total = _count(store)
    damages: list[Damage] = []
    records = size = 0
    is_cut = False
    segments = segments_in(store.state)
    first = crc32(repr(turn.number).encode()) % max(1, len(segments))
    for segment, committed in [*segments[first:], *segments[:first]]:
        is_cut = is_cut or is_over()
        for found in _read(store, segment, committed, None if is_cut else turn):
            if isinstance(found, Damage):
                damages.append(found)
                continue
            records, size = records + 1, size + found
            advance(records, max(records, total // turn.of))
    return Verified(records, size, tuple(damages), is_cut)


def verify_unindexed(raw: Path, advance: Callable[[int, int], None]) -> Verified:
    """Reads every record of every segment without an index: each record has its own checksum."""
    records = size = 0
    damages: list[Damage] = []
    for path in sorted(raw.glob(f"*{SUFFIX}")):
        for found in read_members(path):
            if isinstance(found, Damage):
                damages.append(found)
            else:
                records, size = records + 1, size + found.size
                advance(records, records)
    return Verified(records, size, tuple(damages))


def check_lengths(store: StoreReader) -> None:
    """Raises `StoreDamaged` for a segment that is missing or too short, without reading it."""
    for segment, committed in segments_in(store.state):
        check_segment(store, segment, committed, None)


def check_segment(store: StoreReader, segment: str, committed: int, turn: Turn | None = EVERYTHING) -> None:
    """Raises `StoreDamaged` for the first damaged record of a segment."""
    for found in _read(store, segment, committed, turn):
        if isinstance(found, Damage):
            raise found.error


def _count(store: StoreReader) -> int:
    (count,) = store.state.execute("SELECT count(*) FROM records WHERE is_lost = 0").fetchone()
    return int(count)


def _read(store: StoreReader, segment: str, committed: int, turn: Turn | None) -> Iterator[Damage | int]:
    """The bytes of each whole record of a turn, and all damage.

    Records beyond the end of the file, and stretches of it without a record in the index, are found in any turn.
    """
    path = store.raw / segment
    reached = 0
    with path.open("rb") if path.exists() else nullcontext() as file:
        length = 0 if file is None else path.stat().st_size
        for offset, size, sha256, is_lost in [*records_in(store.state, segment), (committed, 0, "", 1)]:
            if offset > reached:
                yield Damage(StoreDamaged(path, reached, "the index has no record there"), offset - reached)
            reached = max(reached, offset + size)
            if is_lost:
                continue
            if file is None or offset + size > length:
                why = "the segment is missing" if file is None else "the file ends before the end of the record"
                yield Damage(_damaged(store, path, offset, why), size)
            elif turn is not None and turn.has(segment, offset // STRETCH):
                file.seek(offset)
                if hashlib.sha256(file.read(size)).hexdigest() == sha256:
                    yield size
                else:
                    yield Damage(_damaged(store, path, offset, "the record is not as it was written"), size)


def _damaged(store: StoreReader, path: Path, offset: int, why: str) -> StoreDamaged:
    row = store.state.execute(
        "SELECT url FROM snapshots WHERE segment = ? AND segment_offset = ?", (path.name, offset)
    ).fetchone()
    return StoreDamaged(path, offset, why if row is None else f"{why} ({row[0]})")
