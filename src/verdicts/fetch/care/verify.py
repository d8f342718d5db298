"""Verifies what cannot be made again: the state, and every record of the raw store, or a share, with its digest.

The state keeps the result, which also says which share is next.
"""

import hashlib
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import nullcontext, suppress
from dataclasses import dataclass, replace
from datetime import datetime
from math import ceil
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

from verdicts.fetch.model.errors import StorageFailed, StoreDamaged, StoreLocked
from verdicts.fetch.store import checksums
from verdicts.fetch.store.reader import StoreReader, records_in, segments_in
from verdicts.fetch.store.segments import SUFFIX
from verdicts.fetch.store.state import NOT_AS_CLOSED, STATE_FILE, check_pages
from verdicts.fetch.store.store import Store, open_store
from verdicts.fetch.store.warc import Damage

STRETCH = 250_000
"""Bytes of a segment that are verified together: a disk reads them at once."""

Advance = Callable[[int, int], None]
"""Is called with records done and in all."""


@dataclass(frozen=True, slots=True)
class Verified:
    """What was read and found."""

    records: int = 0
    bytes: int = 0
    damages: tuple[Damage, ...] = ()

    @property
    def damaged(self) -> tuple[StoreDamaged, ...]:
        return tuple(damage.error for damage in self.damages)


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


def note_verification(store: Store, verified: Verified, turn: Turn, at: datetime) -> None:
    """Stores a verification and its damage."""
    example = verified.damaged[0].line if verified.damages else None
    row = (at.isoformat(), 1 / turn.of, verified.records, verified.bytes, len(verified.damages), example)
    with store.transaction():
        store.state.execute("INSERT OR REPLACE INTO verifications VALUES (?, ?, ?, ?, ?, ?)", row)


def verify(data: Path, share: float, advance: Advance, at: datetime) -> Verified:
    """Verifies a share of a data folder without its lock, so a crawl may write meanwhile.

    Stores the result for `status` if the lock is free and the folder writable.
    """
    if (damage := damaged_state(data)) is not None:
        return Verified(damages=(Damage(damage, 0),))
    if not (data / STATE_FILE).exists():
        return Verified()
    with open_store(data, command="verify", read_only=True) as store:
        turn = turn_for(store.state, share)
        verified = verify_segments(store, turn, advance)
    # A store that is opened for writing moves unknown segments out of raw/.
    with suppress(StoreLocked, StorageFailed, OSError), open_store(data, command="verify") as store:
        why = "a segment of a run that the state does not know"
        unknown = [Damage(StoreDamaged(path, None, why), 0) for path in unknown_segments(data)]
        verified = replace(verified, damages=(*verified.damages, *unknown))
        note_verification(store, verified, turn, at)
    return verified


def verify_tonight(store: Store, share: float, advance: Advance, at: datetime) -> Verified:
    """Verifies a share, a different one each night, and stores the result. The night holds the lock."""
    turn = turn_for(store.state, share)
    verified = verify_segments(store, turn, advance)
    note_verification(store, verified, turn, at)
    return verified


def unknown_segments(data: Path) -> list[Path]:
    """Segments of runs that the state does not know, which were moved out of raw/."""
    return sorted((data / "raw-unknown").glob(f"*{SUFFIX}"))


def damaged_state(data: Path) -> StoreDamaged | None:
    """The damage of the state; None if nothing is known. Raises `StorageFailed` for a state of another version."""
    path = data / STATE_FILE
    if path.is_dir():
        return StoreDamaged(path, None, "it is a folder, where a file should be")
    is_as_noted = checksums.is_as_noted(path)
    if not path.exists() and (is_as_noted is False or any((data / "raw").glob(f"*{SUFFIX}"))):
        return StoreDamaged(path, None, "it is missing")
    if is_as_noted is False:
        return StoreDamaged(path, None, NOT_AS_CLOSED)
    try:
        if is_as_noted is None and path.exists():
            check_pages(path)
        if path.exists():
            with open_store(data, command="verify", read_only=True):
                pass
    except StoreDamaged as damage:
        return damage
    return None


def verify_segments(store: StoreReader, turn: Turn, advance: Advance) -> Verified:
    """Reads the committed records of a turn.

    A segment that is missing or too short is found in any turn. Records that are known to be lost are not damage.
    """
    (total,) = store.state.execute("SELECT count(*) FROM records WHERE is_lost = 0").fetchone()
    damages: list[Damage] = []
    records = size = 0
    for segment, committed in segments_in(store.state):
        for found in _read(store, segment, committed, turn):
            if isinstance(found, Damage):
                damages.append(found)
                continue
            records, size = records + 1, size + found
            advance(records, max(records, total // turn.of))
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
