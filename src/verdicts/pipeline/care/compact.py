"""Makes the warehouse and the published copies smaller, and keeps every row.

Without `is_done` it only says what it would free.
"""

from collections.abc import Callable
from contextlib import suppress

from verdicts.fetch.store import checksums
from verdicts.fetch.store.store import open_store
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.sources.config_sections import CareConfig
from verdicts.pipeline.verify import damaged_state
from verdicts.warehouse.serving.published import prune, superfluous_copies
from verdicts.warehouse.storage.compact import compact, free_share, has_fitting_blocks
from verdicts.warehouse.storage.errors import NothingPublished

Tell = Callable[[str], None]


WHEN_FREE = 0.4
"""The warehouse is rewritten if more than this share of it is free: below, one build may use it up again."""


def compact_data(
    folder: DataFolder, care: CareConfig, tell: Tell, *, is_done: bool, when_free: float = WHEN_FREE
) -> int:
    """Compacts, or says what it would do, in a line each. Returns the bytes that are or would be freed.

    Raises `StoreLocked`, `StoreMissing`, `StoreDamaged` for a damaged folder, `StorageFailed`, `WarehouseError`.
    """
    damage = damaged_state(folder)
    if damage is not None:
        raise damage
    with open_store(folder.root, command="compact", read_only=not is_done):
        freed = _compact_warehouse(folder, tell, is_done=is_done, when_free=when_free)
        freed += _prune_published(folder, care, tell, is_done=is_done)
    return freed


def _compact_warehouse(folder: DataFolder, tell: Tell, *, is_done: bool, when_free: float) -> int:
    if not folder.warehouse.exists():
        return 0
    checksums.check(folder.warehouse)
    share = free_share(folder.warehouse)
    if share <= when_free and has_fitting_blocks(folder.warehouse):
        return 0
    freed = round(share * folder.warehouse.stat().st_size)
    if is_done:
        with checksums.rewritten(folder.warehouse):
            freed = compact(folder.warehouse)
    why = f"{share:.0%} of it is free" if share > when_free else "its blocks are small for its size"
    tell(f"warehouse: {why}, {_mb(freed)}")
    return freed


def _prune_published(folder: DataFolder, care: CareConfig, tell: Tell, *, is_done: bool) -> int:
    with suppress(NothingPublished):
        superfluous = superfluous_copies(folder.serve, care.keep) if folder.serve.exists() else []
        size = sum(path.stat().st_size for path in superfluous)
        if superfluous:
            tell(f"serve: {len(superfluous):,} copies beyond keep_published, {_mb(size)}")
        if is_done and superfluous:
            prune(folder.serve, care.keep)
            checksums.forget_removed(folder.serve)
        return size
    return 0


def _mb(size: int) -> str:
    return f"{size / 1e6:,.1f} MB"
