"""Makes damaged files again and gives readers the result, and reports each.

The raw store cannot be made again: the page of a damaged record becomes due. State, record files, warehouse and
published copy are made from the raw store.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from verdicts.fetch.care.store_repair import set_aside
from verdicts.fetch.care.store_verification import find_unknown, verify_segments
from verdicts.fetch.model.fetch_errors import StoreDamaged
from verdicts.fetch.store.erase import erase
from verdicts.fetch.store.rebuild import Log, rebuild_state
from verdicts.fetch.store.run_log import read_gate_accepts, read_gate_measures
from verdicts.fetch.store.segments import SUFFIX
from verdicts.fetch.store.state import LOCK_FILE, hold
from verdicts.fetch.store.store import open_store
from verdicts.pipeline import steps
from verdicts.pipeline.build.build_manifest import read_manifest
from verdicts.pipeline.build.record_files import is_readable
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.nights.doctor import find_unpublished
from verdicts.pipeline.progress import step
from verdicts.pipeline.sources.config import DEMO, Config
from verdicts.warehouse.loading.log import read_log
from verdicts.warehouse.schema.declared import VERSION, version_at
from verdicts.warehouse.serving.published import find_published
from verdicts.warehouse.storage.connection import check_blocks
from verdicts.warehouse.storage.warehouse_errors import NothingPublished, WarehouseBroken

Tell = Callable[[str], None]


def repair(folder: DataFolder, tell: Tell, config: Config = DEMO) -> None:
    """Repairs a data folder. Calls `tell` with a line for each damage.

    Raises `StoreLocked`, `StoreMissing`, `StorageFailed` if the disk still fails, and what a build and a publication
    raise.
    """
    folder.check_is_one()
    is_built = False
    if folder.state.exists() or any(folder.raw.glob(f"*{SUFFIX}")):
        is_new = _repair_state(folder, tell)
        with open_store(folder.root, command="repair") as store:
            with step("verify", "segments") as advance:
                damaged = verify_segments(store, advance).damaged
            for line in set_aside(store, damaged):
                tell(line)
            is_missing = not folder.warehouse.exists() and any(not entry.is_lost for entry in store.index())
            if is_missing:
                tell(f"{folder.warehouse}: it is missing; made again")
            is_built = _remove_derived(folder, tell) or is_missing or is_new
            if is_built:
                steps.build_corpus(store, folder, config)
    if folder.warehouse.exists():
        _repair_published(folder, tell, config, is_built=is_built)


def _repair_state(folder: DataFolder, tell: Tell) -> bool:
    """Rebuilds the state if it is damaged, lost, or lacks segments. Returns whether it did."""
    damage = None
    try:
        with open_store(folder.root, command="repair") as store:
            if not find_unknown(store):
                return False
            logged = store.read_crawls(), store.read_fetches(), store.read_absences()
            rights = store.read_all_rights(steps.now())
            log = Log(*logged, read_gate_measures(store.state), read_gate_accepts(store.state), rights)
    except StoreDamaged as damaged:
        damage, log = damaged.why, _read_loaded_log(folder)
    with hold(folder.root / LOCK_FILE, "repair"), step("rebuild", "segments") as advance:
        rebuilt = rebuild_state(folder.root, log, advance)
    if damage is not None:
        tell(f"{folder.state}: {damage}")
    made = f"{rebuilt.pages:,} snapshots of {len(rebuilt.attempts):,} runs"
    tell(f"{folder.state}: made again from raw/, {made}; all known pages are due")
    with open_store(folder.root, command="repair") as store:
        for line in set_aside(store, rebuilt.damaged):
            tell(line)
        if store.forgotten.entries:
            # Segments from a backup, or of an unknown run, may have it.
            erase(store, store.forgotten, {})
    return True


def _read_loaded_log(folder: DataFolder) -> Log:
    """The log of the last load, tombstones and rights of the last build, as far as they are readable."""
    manifest = read_manifest(folder.build_manifest)
    inputs = None if manifest is None else manifest.inputs
    log = Log() if inputs is None else Log(gone=dict(inputs.gone), rights=dict(inputs.rights))
    with suppress(WarehouseBroken):
        if folder.warehouse.exists() and version_at(folder.warehouse) == VERSION:
            return replace(log, **vars(read_log(folder.warehouse)))
    return log


def _remove_derived(folder: DataFolder, tell: Tell) -> bool:
    """Removes record files and a warehouse that are damaged or outdated. Returns whether there were any."""
    damaged = [path for path in sorted(folder.records.glob("*.parquet")) if not is_readable(path)]
    if _is_unreadable(folder.warehouse):
        damaged.append(folder.warehouse)
    for path in damaged:
        tell(f"{path}: damaged, or of another version; made again")
        for file in path.parent.glob(f"{path.name}*"):
            file.unlink()
    return bool(damaged)


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


def _repair_published(folder: DataFolder, tell: Tell, config: Config, *, is_built: bool) -> None:
    """Publishes what was built again, or if the present copy is missing, cannot be read or is of an older version."""
    damaged = None
    try:
        present = find_published(folder.serve)
    except NothingPublished as nothing:
        why = str(nothing).partition(";")[0] if folder.pointer.exists() else "nothing is published"
    else:
        if _is_unreadable(present):
            why, damaged = f"{present}: damaged, or of another version", present
        elif is_built and find_unpublished(folder) is not None:
            why = f"{folder.serve}: older than what was built again"
        else:
            return
    tell(f"{why}; readers are given {steps.publish_corpus(folder, config.care.keep).name}")
    if damaged is not None:
        # No rollback may lead to it.
        damaged.unlink(missing_ok=True)
