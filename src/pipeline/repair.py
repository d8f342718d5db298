"""What is damaged is set aside or made again, and said line by line.

The raw store cannot be made again: of a damaged record the page is due at once. All else is made from the raw store.
"""

import shutil
from collections.abc import Callable
from pathlib import Path

from fetch.care.gate_log import gate_accepts, gate_measures
from fetch.care.noted import note_verification
from fetch.care.rebuild import Log, rebuild_state
from fetch.care.set_aside import set_aside
from fetch.care.verify import EVERYTHING, Verified, verify_segments
from fetch.store import checksums
from fetch.store.lock import hold
from fetch.store.segments import SUFFIX
from fetch.store.store import Store, open_store
from pipeline import steps
from pipeline.build.build_manifest import read_manifest
from pipeline.data_folder import DataFolder
from pipeline.progress import step
from pipeline.verify import damage_of, damaged_dataset, damaged_state, files_with_digests
from warehouse.loading.log import read_log
from warehouse.serving.published import WITHDRAWN, copies_to_point_to, point_to
from warehouse.storage.errors import WarehouseBroken

Tell = Callable[[str], None]


def repair(folder: DataFolder, tell: Tell) -> None:
    """Mends a data folder; `tell` is called with a line for all that was damaged and what became of it.

    Raises `StoreLocked`, `StoreMissing`, and `StorageFailed` where the disk still fails.
    """
    folder.check_is_one()
    if folder.state.exists() or any(folder.raw.glob(f"*{SUFFIX}")) or any(folder.unknown.glob(f"*{SUFFIX}")):
        is_new = _repair_state(folder, tell)
        with open_store(folder.root, command="repair") as store:
            verified = _repair_raw(store, tell)
            if _drop_derived(folder, tell) or is_new:
                steps.build_corpus(store, folder)
            note_verification(store, verified, EVERYTHING, steps.now(), ())
    _repair_published(folder, tell)
    _repair_dataset(folder, tell)


def _repair_state(folder: DataFolder, tell: Tell) -> bool:
    """Makes the state again where it is damaged, lost, or does not know all segments. Returns whether it was."""
    folder.root.mkdir(exist_ok=True)
    with hold(folder.root / "lock", "repair"):
        damage = damaged_state(folder)
        unknown = sorted(folder.unknown.glob(f"*{SUFFIX}"))
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
    return True


def _log_of_state(folder: DataFolder) -> Log:
    with open_store(folder.root, command="repair", read_only=True) as store:
        logged = (store.crawls(), store.fetches(), store.gone_urls())
        return Log(*logged, gate_measures(store.state), gate_accepts(store.state))


def _log_of_warehouse(folder: DataFolder) -> Log:
    """The log as it was last loaded, and the tombstones of the last build; what is damaged there, too, is left out."""
    manifest = read_manifest(folder.build_manifest)
    gone = () if manifest is None else manifest.gone
    if not folder.warehouse.exists() or damage_of(folder.warehouse) is not None:
        return Log(gone=gone)
    try:
        log = read_log(folder.warehouse)
    except WarehouseBroken:
        return Log(gone=gone)
    return Log(log.crawls, log.fetches, gone, log.gate_measures, log.gate_accepts)


def _repair_raw(store: Store, tell: Tell) -> Verified:
    with step("verify", "records") as advance:
        verified = verify_segments(store, EVERYTHING, advance)
    for lost in set_aside(store, verified.damages):
        tell(str(lost))
    return verified


def _drop_derived(folder: DataFolder, tell: Tell) -> bool:
    """Removes what a build makes again, where it is damaged. Returns whether anything was."""
    damaged = [path for path in files_with_digests(folder) if path.parent != folder.serve and damage_of(path)]
    for path in damaged:
        tell(f"{path}: damaged; made again")
        _remove(path)
    if folder.warehouse in damaged:
        for path in folder.warehouse.parent.glob(f"{folder.warehouse.name}*"):
            path.unlink()
    return bool(damaged)


def _repair_published(folder: DataFolder, tell: Tell) -> None:
    damaged = [path for path in files_with_digests(folder) if path.parent == folder.serve and damage_of(path)]
    if not damaged:
        return
    present = folder.pointer.read_text(encoding="utf-8", errors="replace").strip() if folder.pointer.exists() else ""
    for path in damaged:
        _remove(path)
    whole = copies_to_point_to(folder.serve)
    names = {path.name for path in damaged}
    for name in sorted(names - {folder.pointer.name, present}):
        tell(f"{folder.serve / name}: damaged; removed" + ("" if name == WITHDRAWN else ", no rollback leads to it"))
    if not names & {folder.pointer.name, present}:
        return
    if not whole or present in names:
        path = steps.publish_corpus(folder)
    else:
        path = whole[-1]
        checksums.forget(folder.pointer)
        point_to(path)
        checksums.note(folder.pointer)
    for name in sorted(names & {folder.pointer.name, present}):
        tell(f"{folder.serve / name}: damaged; readers are given {path.name}")


def _repair_dataset(folder: DataFolder, tell: Tell) -> None:
    damaged = list(damaged_dataset(folder.dataset))
    if not damaged:
        return
    for damage in damaged:
        tell(f"{damage.path}: {damage.why}; exported again")
    shutil.rmtree(folder.dataset)
    steps.export_dataset(folder, folder.dataset)


def _remove(path: Path) -> None:
    path.unlink(missing_ok=True)
    checksums.forget(path)
