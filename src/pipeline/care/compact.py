"""Makes a data folder smaller and leaves every row as it is: the raw store, the warehouse, published copies, the trash.

Without `is_done` it only says what it would free.
"""

from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path

from verdicts.fetch.care.compact import plan_packs, write_planned
from verdicts.fetch.care.trash import outdated
from verdicts.fetch.store import checksums
from verdicts.fetch.store.store import Store, open_store
from verdicts.pipeline.care.raw_retention import droppable
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.sources.config_sections import CareConfig
from verdicts.pipeline.verify import damaged_state
from verdicts.warehouse.serving.publish import prune, superfluous_copies
from verdicts.warehouse.storage.compact import compact, free_share, has_fitting_blocks
from verdicts.warehouse.storage.errors import NothingPublished

Tell = Callable[[str], None]


def compact_data(folder: DataFolder, care: CareConfig, tell: Tell, *, is_done: bool, at: datetime) -> int:
    """Compacts, or says what a compaction would do, in a line for each. Gives the bytes that are or would be freed.

    What replaces something goes before what is replaced: bytes that went to the trash are freed when that is emptied.
    Raises `StoreLocked`, `StoreMissing`, `StoreDamaged` for a damaged folder, `StorageFailed`, `WarehouseError`.
    """
    damage = damaged_state(folder)
    if damage is not None:
        raise damage
    with open_store(folder.root, command="compact", read_only=not is_done) as store:
        freed = _empty_trash(folder, care, tell, is_done=is_done, at=at)
        freed += _compact_raw(store, folder, care, tell, is_done=is_done)
        freed += _compact_warehouse(folder, care, tell, is_done=is_done)
        freed += _prune_published(folder, care, tell, is_done=is_done)
    return freed


def _empty_trash(folder: DataFolder, care: CareConfig, tell: Tell, *, is_done: bool, at: datetime) -> int:
    old = list(outdated(folder.root, timedelta(days=care.trash_days), at))
    size = _bytes(old)
    if old:
        tell(f"trash: {len(old):,} files older than {care.trash_days} days, {_mb(size)}")
    if is_done:
        for path in old:
            path.unlink()
    return size


def _compact_raw(store: Store, folder: DataFolder, care: CareConfig, tell: Tell, *, is_done: bool) -> int:
    """Frees what is dropped, once the trash is emptied of it."""
    plans = plan_packs(store, droppable(store, folder, care.newest_raw))
    if plans:
        files, dropped = sum(len(plan.files) for plan in plans), sum(len(plan.dropped) for plan in plans)
        tell(
            f"raw: {files:,} segments become {len(plans):,}; {dropped:,} snapshots dropped,"
            f" {_mb(sum(plan.freed for plan in plans))} once the trash is emptied in {care.trash_days} days"
        )
    if is_done:
        for plan in plans:
            write_planned(store, plan)
    return sum(plan.freed for plan in plans)


def _compact_warehouse(folder: DataFolder, care: CareConfig, tell: Tell, *, is_done: bool) -> int:
    if not folder.warehouse.exists():
        return 0
    checksums.check(folder.warehouse)
    share = free_share(folder.warehouse)
    if share <= care.compact_when_free and has_fitting_blocks(folder.warehouse):
        return 0
    freed = round(share * folder.warehouse.stat().st_size)
    if is_done:
        with checksums.rewritten(folder.warehouse):
            freed = compact(folder.warehouse)
    why = f"{share:.0%} of it is free" if share > care.compact_when_free else "its blocks are small for its size"
    tell(f"warehouse: {why}, {_mb(freed)}")
    return freed


def _prune_published(folder: DataFolder, care: CareConfig, tell: Tell, *, is_done: bool) -> int:
    with suppress(NothingPublished):
        superfluous = superfluous_copies(folder.serve, care.keep) if folder.serve.exists() else []
        size = _bytes(superfluous)
        if superfluous:
            tell(f"serve: {len(superfluous):,} copies beyond keep_published, {_mb(size)}")
        if is_done and superfluous:
            prune(folder.serve, care.keep)
            checksums.forget_removed(folder.serve)
        return size
    return 0


def _bytes(paths: list[Path]) -> int:
    return sum(path.stat().st_size for path in paths)


def _mb(size: int) -> str:
    return f"{size / 1e6:,.1f} MB"
