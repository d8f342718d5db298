"""Verifies that the raw store, the state and the record files are as they were written."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from time import monotonic

from verdicts.fetch.care.verify import (
    EVERYTHING,
    Turn,
    Verified,
    note_verification,
    turn_for,
    verify_segments,
    verify_state,
    verify_unindexed,
)
from verdicts.fetch.model.errors import StorageFailed, StoreDamaged, StoreLocked
from verdicts.fetch.store import checksums
from verdicts.fetch.store.segments import SUFFIX
from verdicts.fetch.store.store import Store, open_store
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.progress import Advance


@dataclass(frozen=True, slots=True)
class Verification:
    raw: Verified
    damaged: tuple[StoreDamaged, ...]


def verify(folder: DataFolder, share: float, advance: Advance, *, at: datetime) -> Verification:
    """Verifies a share of the data folder without its lock, so a crawl may write meanwhile. Raises `StoreMissing`.

    Records the result for `status` if the lock is free and the folder writable.
    """
    folder.check_is_one()
    damage = damaged_state(folder)
    if damage is not None:
        raw = verify_unindexed(folder.raw, advance)
        return _verification(raw, folder, EVERYTHING, [damage])
    if not folder.state.exists():
        return _verification(Verified(0, 0, ()), folder, EVERYTHING, [])
    with open_store(folder.root, command="verify", read_only=True) as store:
        turn = turn_for(store.state, share)
        verification = _verification(verify_segments(store, turn, advance), folder, turn, [])
    try:
        # A store that is opened for writing moves unknown segments out of raw/.
        with open_store(folder.root, command="verify") as store:
            why = "a segment of a run that the state does not know"
            unknown = [StoreDamaged(path, None, why) for path in sorted(folder.unknown.glob(f"*{SUFFIX}"))]
            verification = replace(verification, damaged=(*verification.damaged, *unknown))
            note_verification(store, verification.raw, turn, at, verification.damaged)
    except (StoreLocked, StorageFailed, OSError):
        return verification
    return verification


def verify_tonight(
    store: Store, folder: DataFolder, advance: Advance, *, share: float, most_s: float, at: datetime
) -> Verification:
    """Verifies a share, a different one each night, and records it. The night holds the lock.

    After `most_s` seconds the remaining records wait for a later turn.
    """
    turn, until = turn_for(store.state, share), monotonic() + most_s
    raw = verify_segments(store, turn, advance, lambda: monotonic() > until)
    verification = _verification(raw, folder, turn, [])
    note_verification(store, verification.raw, turn, at, verification.damaged)
    return verification


def damaged_state(folder: DataFolder) -> StoreDamaged | None:
    """The damage of the state, or None. Raises `StorageFailed` for a state of another version."""
    if folder.state.is_dir():
        return StoreDamaged(folder.state, None, "it is a folder, where a file should be")
    if not folder.state.exists() and any(folder.raw.glob(f"*{SUFFIX}")):
        return StoreDamaged(folder.state, None, "it is missing")
    return verify_state(folder.state) or _dangling(folder)


def _dangling(folder: DataFolder) -> StoreDamaged | None:
    """An index that names places beyond its segments, for example after files were copied by hand."""
    if not folder.state.exists():
        return None
    with open_store(folder.root, command="verify", read_only=True) as store:
        row = store.state.execute(
            "SELECT page.segment, page.segment_offset FROM snapshots AS page"
            " LEFT JOIN records USING (segment, segment_offset)"
            " LEFT JOIN segments AS file ON file.segment = page.segment"
            " WHERE coalesce(is_lost, 0) = 0 AND page.segment_offset >= coalesce(file.size, 0)"
        ).fetchone()
    if row is None:
        return None
    return StoreDamaged(folder.state, None, f"it names {row[0]} at byte {row[1]:,}, which no segment contains")


def _verification(raw: Verified, folder: DataFolder, turn: Turn, others: Sequence[StoreDamaged]) -> Verification:
    records = [path for path in checksums.noted_in(folder.records) if turn.has(path.name)]
    damaged = [damage for path in records if (damage := damage_of(path)) is not None]
    return Verification(raw, (*others, *(found.error for found in raw.damages), *damaged))


def damage_of(path: Path) -> StoreDamaged | None:
    """The damage of a file with a digest."""
    try:
        checksums.check(path)
    except StoreDamaged as damage:
        return damage
    return None
