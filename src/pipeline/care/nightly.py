"""The backup of a night and the test of a restore: when they are due, and told when they fail. They stop no night."""

import sqlite3
from datetime import datetime, timedelta
from pathlib import Path

from verdicts.fetch.model.errors import FetchError
from verdicts.pipeline.care import backup_folder
from verdicts.pipeline.care.backup import back_up
from verdicts.pipeline.care.restore import rehearse
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.errors import PipelineError
from verdicts.pipeline.progress import say, step
from verdicts.pipeline.sources.config_sections import CareConfig
from verdicts.warehouse.storage.errors import WarehouseError

_EARLY = timedelta(hours=6)
"""A night may end earlier than the last one did; what would be due some hours later is due now."""


def back_up_what_is_due(folder: DataFolder, care: CareConfig, *, at: datetime) -> bool:
    """Takes the backup that is due, and tests a restore where that is. Returns False where one failed, and says why."""
    target = care.backup_dir
    if target is None:
        return True
    try:
        if not backup_folder.is_begun(target):
            say(
                f"no backup was taken: {target} has none yet, or its disk is not mounted;"
                f" 'verdicts backup {target}' begins it"
            )
            return False
        newest = backup_folder.newest_whole(target)
        if newest is None or _is_due(newest.taken_at, care.backup_every, at):
            with step("backup", "segments") as advance:
                back_up(folder, target, advance, at=at)
        return _is_restorable(target, care, at)
    except (FetchError, PipelineError, WarehouseError, OSError, sqlite3.Error) as error:
        say(f"the backup failed: {error}")
        return False


def _is_restorable(target: Path, care: CareConfig, at: datetime) -> bool:
    tested = backup_folder.read_test(target)
    since = _first_backup(target) if tested is None else tested.tested_at
    if not _is_due(since, care.restore_test_every, at):
        return True
    with step("restore test", "files") as advance:
        problem = rehearse(target, advance, at=at).problem
    if problem is not None:
        say(f"the newest backup cannot be restored: {problem}")
    return problem is None


def _first_backup(target: Path) -> datetime:
    return backup_folder.read_manifest(backup_folder.manifests(target)[0]).taken_at


def _is_due(last: datetime, every: timedelta, at: datetime) -> bool:
    return at - last >= every - min(_EARLY, every / 4)
