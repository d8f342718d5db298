"""Makes damaged files again, and reports each.

The raw store cannot be made again: the page of a damaged record becomes due. State, record files, warehouse and
published copy are made from the raw store.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from verdicts.fetch.care.erase import erase
from verdicts.fetch.care.repair import Log, rebuild_state, set_aside
from verdicts.fetch.care.verify import EVERYTHING, damaged_state, note_verification, unknown_segments, verify_segments
from verdicts.fetch.model.errors import StateOutdated, StorageFailed, StoreDamaged
from verdicts.fetch.store.run_log import gate_accepts, gate_measures
from verdicts.fetch.store.segments import SUFFIX, check_format
from verdicts.fetch.store.state import hold
from verdicts.fetch.store.store import Store, open_store
from verdicts.pipeline import steps
from verdicts.pipeline.build.build_manifest import read_manifest
from verdicts.pipeline.build.record_files import is_readable
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.nights.lag import unpublished_build
from verdicts.pipeline.progress import step
from verdicts.warehouse.loading.log import read_log
from verdicts.warehouse.schema.declared import VERSION, version_at
from verdicts.warehouse.serving.published import published
from verdicts.warehouse.storage.connection import check_blocks
from verdicts.warehouse.storage.errors import NothingPublished, WarehouseBroken

Tell = Callable[[str], None]


def repair(folder: DataFolder, tell: Tell) -> None:
    """Repairs a data folder. Calls `tell` with a line for each damage.

    Raises `StoreLocked`, `StoreMissing`, and `StorageFailed` if the disk still fails.
    """
    folder.check_is_one()
    check_format(folder.raw)
    is_built = False
    if folder.state.exists() or any(folder.raw.glob(f"*{SUFFIX}")) or unknown_segments(folder.root):
        is_new = _repair_state(folder, tell)
        with open_store(folder.root, command="repair") as store:
            with step("verify", "records") as advance:
                verified = verify_segments(store, EVERYTHING, advance)
            for lost in set_aside(store, verified.damages):
                tell(str(lost))
            is_built = _drop_derived(folder, tell) or is_new or _is_unbuilt(folder, store, tell)
            if is_built:
                # Read again, as a record file has no digest.
                steps.build_corpus(store, folder, anew=True)
            note_verification(store, replace(verified, damages=()), EVERYTHING, steps.now())
    _repair_published(folder, tell)
    if is_built and unpublished_build(folder) is not None:
        tell(f"{folder.serve}: readers are given {steps.publish_corpus(folder).name}, as it was built again")


def _repair_state(folder: DataFolder, tell: Tell) -> bool:
    """Rebuilds the state if it is damaged, lost, or lacks segments. Returns whether it did."""
    folder.root.mkdir(exist_ok=True)
    if folder.state.exists():
        # To open a sound state moves the segments that it does not know.
        with suppress(StorageFailed), open_store(folder.root, command="repair"):
            pass
    with hold(folder.root / "lock", "repair"):
        try:
            damage = damaged_state(folder.root)
        except StateOutdated as outdated:
            damage = StoreDamaged(outdated.path, None, outdated.why)
        unknown = unknown_segments(folder.root)
        if damage is None and not unknown:
            return False
        log = _log_of_state(folder) if damage is None else _log_of_warehouse(folder)
        for path in unknown:
            path.rename(folder.raw / path.name)
        with step("rebuild", "segments") as advance:
            taken = rebuild_state(folder.root, folder.damaged, log, advance)
    if damage is not None:
        tell(f"{folder.state}: {damage.why}")
    tell(
        f"{folder.state}: made again from raw/, {taken.pages:,} snapshots of {len(taken.attempts):,} runs; all known"
        " pages are due"
    )
    with open_store(folder.root, command="repair") as store:
        for lost in set_aside(store, taken.damages):
            tell(str(lost))
        if store.forgotten.entries:
            # Segments from a backup, or of an unknown run, may have it.
            erase(store, store.forgotten, {})
    return True


def _log_of_state(folder: DataFolder) -> Log:
    with open_store(folder.root, command="repair", read_only=True) as store:
        logged = (store.crawls(), store.fetches(), store.absences())
        rights = store.stated_rights(steps.now())
        return Log(*logged, gate_measures(store.state), gate_accepts(store.state), rights)


def _log_of_warehouse(folder: DataFolder) -> Log:
    """The log of the last load, tombstones and rights of the last build, as far as they are readable."""
    manifest = read_manifest(folder.build_manifest)
    gone, rights = ({}, {}) if manifest is None else (dict(manifest.inputs.gone), dict(manifest.inputs.rights))
    if not folder.warehouse.exists():
        return Log(gone=gone, rights=rights)
    try:
        if version_at(folder.warehouse) != VERSION:
            return Log(gone=gone, rights=rights)
        log = read_log(folder.warehouse)
    except WarehouseBroken:
        return Log(gone=gone, rights=rights)
    return Log(log.crawls, log.fetches, gone, log.gate_measures, log.gate_accepts, rights)


def _drop_derived(folder: DataFolder, tell: Tell) -> bool:
    """Removes record files and a warehouse that are damaged or outdated. Returns whether there were any."""
    damaged = [path for path in sorted(folder.records.glob("*.parquet")) if not is_readable(path)]
    if _is_unreadable(folder.warehouse):
        damaged.append(folder.warehouse)
    for path in damaged:
        tell(f"{path}: damaged, or of another version; made again")
        for file in path.parent.glob(f"{path.name}*"):
            file.unlink()
    return bool(damaged)


def _is_unbuilt(folder: DataFolder, store: Store, tell: Tell) -> bool:
    """Whether the warehouse is missing, and pages are there to make it of."""
    if folder.warehouse.exists() or all(entry.is_lost for entry in store.index()):
        return False
    tell(f"{folder.warehouse}: it is missing; made again")
    return True


def _is_unreadable(path: Path) -> bool:
    """Whether a row cannot be read, or an older version wrote the file. A newer one is left alone."""
    if not path.exists():
        return False
    try:
        check_blocks(path)
        version = version_at(path)
    except WarehouseBroken:
        return True
    return version is not None and version < VERSION


def _repair_published(folder: DataFolder, tell: Tell) -> None:
    """Publishes again if the current copy is missing, cannot be read or is of an older version."""
    if not folder.warehouse.exists():
        return
    present = None
    try:
        present = published(folder.serve)
    except NothingPublished as nothing:
        why = str(nothing).partition(";")[0] if folder.pointer.exists() else "nothing is published"
    else:
        if not _is_unreadable(present):
            return
        why = f"{present}: damaged, or of another version"
    tell(f"{why}; readers are given {steps.publish_corpus(folder).name}")
    if present is not None:
        # No rollback may lead to it.
        present.unlink(missing_ok=True)
