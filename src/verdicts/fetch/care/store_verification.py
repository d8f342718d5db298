"""Verifies the state by its digest, and the records of the raw store by their checksums, all or a share of them."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

from verdicts.fetch.model.fetch_errors import StoreDamaged, StoreMissing
from verdicts.fetch.store import checksums
from verdicts.fetch.store.reader import StoreReader, list_segments, read_lost
from verdicts.fetch.store.segments import SUFFIX
from verdicts.fetch.store.state import NOT_AS_CLOSED, STATE_FILE, check_pages
from verdicts.fetch.store.store import open_store
from verdicts.fetch.store.warc import Member, read_members

SHARES = 28
"""A night reads one of so many shares of the segments: all of them in four weeks."""

Advance = Callable[[int, int], None]
"""Is called with segments done and in all."""


@dataclass(frozen=True, slots=True)
class Verified:
    """The result of a verification."""

    records: int = 0
    bytes: int = 0
    damaged: tuple[StoreDamaged, ...] = ()


def verify(data: Path, advance: Advance) -> Verified:
    """Verifies the state and all records without the lock, so a crawl may write meanwhile."""
    if (damage := find_state_damage(data)) is not None:
        return Verified(damaged=(damage,))
    if not (data / STATE_FILE).exists():
        return Verified()
    with open_store(data, command="verify", read_only=True) as store:
        verified = verify_segments(store, advance)
        return replace(verified, damaged=(*verified.damaged, *find_unknown(store)))


def find_unknown(store: StoreReader) -> list[StoreDamaged]:
    """Segments of runs that the state does not know."""
    present = sorted(store.raw.glob(f"*{SUFFIX}"))
    # Asked afterwards, as a crawl may begin meanwhile.
    runs = {crawl.crawl_id for crawl in store.read_crawls()}
    why = "a segment of a run that the state does not know"
    return [StoreDamaged(path, None, why) for path in present if path.name.rpartition("-")[0] not in runs]


def find_state_damage(data: Path) -> StoreDamaged | None:
    """The damage of the state; None if nothing is known. Raises `StorageFailed` for a state of a later version."""
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


def verify_segments(store: StoreReader, advance: Advance, night: date | None = None) -> Verified:
    """Reads the committed records of all segments, or of the share that is due in a night.

    Short and missing segments are found in any night. Damage that was given up is no damage.
    """
    segments = list_segments(store.state)
    if night is not None:
        # A small store is read in fewer nights: no night verifies nothing.
        shares = min(SHARES, len(segments))
        segments = [item for number, item in enumerate(segments) if (number - night.toordinal()) % shares == 0]
    names = {segment for segment, _ in segments}
    damaged = [damage for damage in find_short_segments(store) if damage.path.name not in names]
    records = size = 0
    for done, (segment, committed) in enumerate(segments, start=1):
        for record in _read_records(store, segment, committed):
            if isinstance(record, StoreDamaged):
                damaged.append(record)
            else:
                records, size = records + 1, size + record.size
        advance(done, len(segments))
    return Verified(records, size, tuple(damaged))


def check_segment(store: StoreReader, segment: str, committed: int) -> None:
    """Raises `StoreDamaged` for the first damaged record of a segment."""
    for record in _read_records(store, segment, committed):
        if isinstance(record, StoreDamaged):
            raise record


def find_short_segments(store: StoreReader) -> Iterator[StoreDamaged]:
    """Segments that are missing or end before their last record. Reads no record."""
    for segment, committed in list_segments(store.state):
        path = store.raw / segment
        if not path.exists():
            yield StoreDamaged(path, 0, "the segment is missing", committed)
        elif (size := path.stat().st_size) < committed:
            yield StoreDamaged(path, size, "the file ends before the end of its records", committed - size)


def _read_records(store: StoreReader, segment: str, committed: int) -> Iterator[Member | StoreDamaged]:
    """The whole records of a segment, and the damage that was not given up, with the address of a page in it."""
    lost = read_lost(store.state)
    for record in read_members(store.raw / segment, committed):
        if isinstance(record, Member):
            yield record
        elif (segment, record.offset, record.size) not in lost:
            pages = store.state.execute(
                "SELECT url FROM snapshots WHERE segment = ?1 AND segment_offset >= ?2 AND segment_offset < ?2 + ?3",
                (segment, record.offset, record.size),
            )
            why = record.why + "".join(f" ({url})" for (url,) in pages.fetchmany(1))
            yield StoreDamaged(record.path, record.offset, why, record.size)
