"""Verifies the state and the records of the raw store, or a share of them, by their digests.

The state keeps each result; their number says which share is next.
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

from verdicts.fetch.model.fetch_errors import StorageFailed, StoreDamaged, StoreLocked, StoreMissing
from verdicts.fetch.store import checksums
from verdicts.fetch.store.reader import StoreReader, records_in, segments_in
from verdicts.fetch.store.segments import SUFFIX
from verdicts.fetch.store.state import NOT_AS_CLOSED, STATE_FILE, check_pages
from verdicts.fetch.store.store import Store, open_store

STRETCH = 250_000
"""Bytes of a segment that are verified together: a disk reads them at once."""

Advance = Callable[[int, int], None]
"""Is called with records done and in all."""


class Turn(NamedTuple):
    """The share to read: number `number` of `of`. After `of` turns all has been read."""

    number: int
    of: int


EVERYTHING = Turn(0, 1)


@dataclass(frozen=True, slots=True)
class Verified:
    """The result of a verification."""

    records: int = 0
    bytes: int = 0
    damaged: tuple[StoreDamaged, ...] = ()


class NotedVerification(NamedTuple):
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
    example = verified.damaged[0].line if verified.damaged else None
    row = (at.isoformat(), 1 / turn.of, verified.records, verified.bytes, len(verified.damaged), example)
    with store.transaction():
        store.state.execute("INSERT OR REPLACE INTO verifications VALUES (?, ?, ?, ?, ?, ?)", row)


def verify(data: Path, share: float, advance: Advance, at: datetime) -> Verified:
    """Verifies the state and a share of the records without the lock, so a crawl may write meanwhile.

    Notes the result for `status` if the lock is free and the folder writable.
    """
    if (damage := find_state_damage(data)) is not None:
        return Verified(damaged=(damage,))
    if not (data / STATE_FILE).exists():
        return Verified()
    with open_store(data, command="verify", read_only=True) as store:
        turn = turn_for(store.state, share)
        verified = verify_segments(store, turn, advance)
        verified = replace(verified, damaged=(*verified.damaged, *find_unknown(store)))
    with suppress(StoreLocked, StorageFailed, OSError), open_store(data, command="verify") as store:
        note_verification(store, verified, turn, at)
    return verified


def find_unknown(store: StoreReader) -> list[StoreDamaged]:
    """Segments of runs that the state does not know, in raw/ or moved out of it when a command opened the store."""
    present = sorted([*store.raw.glob(f"*{SUFFIX}"), *(store.data / "raw-unknown").glob(f"*{SUFFIX}")])
    # Asked afterwards, as a crawl may begin meanwhile.
    runs = {crawl.crawl_id for crawl in store.crawls()}
    why = "a segment of a run that the state does not know"
    return [StoreDamaged(path, None, why) for path in present if path.name.rpartition("-")[0] not in runs]


def find_state_damage(data: Path) -> StoreDamaged | None:
    """The damage of the state; None if nothing is known. Raises `StorageFailed` for a state of another version."""
    path = data / STATE_FILE
    try:
        is_as_noted = checksums.is_as_noted(path)
        if path.exists() and is_as_noted is False:
            return StoreDamaged(path, None, NOT_AS_CLOSED)
        if path.exists() and is_as_noted is None:
            check_pages(path)
        with suppress(StoreMissing), open_store(data, command="verify", read_only=True):
            pass
    except StoreDamaged as damage:
        return damage
    return None


def verify_segments(store: StoreReader, turn: Turn, advance: Advance) -> Verified:
    """Reads the committed records of a turn. Records that are known to be lost are not damage."""
    (total,) = store.state.execute("SELECT count(*) FROM records WHERE is_lost = 0").fetchone()
    damaged: list[StoreDamaged] = []
    records = size = 0
    for segment, committed in segments_in(store.state):
        for found in _read(store, segment, committed, turn):
            if isinstance(found, StoreDamaged):
                damaged.append(found)
                continue
            records, size = records + 1, size + found
            advance(records, max(records, total // turn.of))
    return Verified(records, size, tuple(damaged))


def check_segment(store: StoreReader, segment: str, committed: int, turn: Turn | None = EVERYTHING) -> None:
    """Raises `StoreDamaged` for the first damaged record of a segment. Without a turn, only for its length."""
    for found in _read(store, segment, committed, turn):
        if isinstance(found, StoreDamaged):
            raise found


def _read(store: StoreReader, segment: str, committed: int, turn: Turn | None) -> Iterator[StoreDamaged | int]:
    """The bytes of each whole record of a turn, and all damage.

    Records beyond the end of the file, and stretches of it without a record in the index, are found in any turn.
    """
    path = store.raw / segment
    reached = 0
    with path.open("rb") if path.exists() else nullcontext() as file:
        length = 0 if file is None else path.stat().st_size
        for offset, size, sha256, is_lost in [*records_in(store.state, segment), (committed, 0, "", 1)]:
            if offset > reached:
                yield StoreDamaged(path, reached, "the index has no record there", offset - reached)
            reached = max(reached, offset + size)
            if is_lost:
                continue
            if file is None or offset + size > length:
                why = "the segment is missing" if file is None else "the file ends before the end of the record"
                yield StoreDamaged(path, offset, why + _find_page(store, path, offset), size)
            elif (
                turn is not None and crc32(f"{segment} {offset // STRETCH}".encode()) % turn.of == turn.number % turn.of
            ):
                file.seek(offset)
                if hashlib.sha256(file.read(size)).hexdigest() == sha256:
                    yield size
                    continue
                why = "the record is not as it was written"
                yield StoreDamaged(path, offset, why + _find_page(store, path, offset), size)


def _find_page(store: StoreReader, path: Path, offset: int) -> str:
    """` (https://a.example/)`, or nothing for a record without a page."""
    question = "SELECT url FROM snapshots WHERE segment = ? AND segment_offset = ?"
    return "".join(f" ({url})" for (url,) in store.state.execute(question, (path.name, offset)))
