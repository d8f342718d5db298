"""A data folder out of a backup, verified; and the test of that, which needs no room for the segments."""

import shutil
import sqlite3
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from verdicts.fetch.care.verify import EVERYTHING, verify_segments
from verdicts.fetch.model.errors import FetchError
from verdicts.fetch.store import checksums
from verdicts.fetch.store.state import STATE_FILE, storage_errors
from verdicts.fetch.store.store import open_store
from verdicts.pipeline.care import backup_folder
from verdicts.pipeline.care.backup_folder import UNFINISHED, BackedUp, Backup, BackupBroken, RestoreTest
from verdicts.pipeline.care.questions import counts_of_copy, counts_of_state
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.errors import ConfigError
from verdicts.pipeline.progress import Advance
from verdicts.warehouse.serving.published import published
from verdicts.warehouse.storage.durable import sync
from verdicts.warehouse.storage.errors import WarehouseError

_READ_ONLY = 0o444
_WITHOUT_DIGEST = ("raw/", "raw-unknown/")


@dataclass(frozen=True, slots=True)
class Restored:
    """What was restored: the backup, and how many records were read and compared."""

    backup: Backup
    records: int


def choose_backup(source: Path, backup_id: str | None) -> Backup:
    """The newest backup of a folder, or the one that is named, by the first characters of its id.

    Raises `ConfigError` where there is none, `BackupBroken` for one that is not whole.
    """
    paths = backup_folder.manifests(source)
    if not paths:
        raise ConfigError(f"{source} holds no backup")
    matching = paths[-1:] if backup_id is None else [path for path in paths if path.stem.startswith(backup_id)]
    if len(matching) != 1:
        kept = ", ".join(path.stem for path in paths)
        raise ConfigError(f"{len(matching)} backups begin {backup_id!r}; there are {kept}")
    backup = backup_folder.read_manifest(matching[0])
    if lacking := backup_folder.missing(source, backup.files):
        others = ", ".join(path.stem for path in paths if path != matching[0]) or "none"
        raise BackupBroken(
            f"backup {backup.backup_id} in {source} is not whole: {lacking[0]} is missing or cut short, and"
            f" {len(lacking) - 1:,} more; name another one with --backup; there are {others}"
        )
    return backup


def restore(source: Path, folder: DataFolder, advance: Advance, *, backup_id: str | None = None) -> Restored:
    """Makes a data folder out of a backup, and verifies it.

    A folder that a restore was killed in is begun anew. Raises `ConfigError` for one that holds anything else,
    `BackupBroken` for a backup that is not whole, `StorageFailed`.
    """
    backup = choose_backup(source, backup_id)
    with storage_errors(folder.root):
        _make_room(folder.root, backup, source)
        for done, file in enumerate(_in_order(backup), start=1):
            _restore_file(source, file, folder.root)
            advance(done, len(backup.files))
        records = check_restored(folder, backup.counts)
        (folder.root / UNFINISHED).unlink()
        sync(folder.root)
    return Restored(backup, records)


def rehearse(source: Path, advance: Advance, *, at: datetime) -> RestoreTest:
    """Restores the newest backup into a scratch folder, verifies it, and notes what came of it.

    Segments are read where they are; a damaged copy is set aside. Raises `OSError` where that cannot be noted.
    """
    problem, backup_id = None, ""
    try:
        backup = choose_backup(source, None)
        backup_id = backup.backup_id
        with tempfile.TemporaryDirectory(prefix="verdicts-restore-") as name:
            folder = DataFolder(Path(name))
            for done, file in enumerate(_in_order(backup), start=1):
                _restore_file(source, file, folder.root, is_rehearsed=True)
                advance(done, len(backup.files))
            check_restored(folder, backup.counts)
    except (FetchError, WarehouseError, OSError, sqlite3.Error) as error:
        problem = str(error)
    tested = RestoreTest(backup_id, at, problem)
    backup_folder.note_test(source, tested)
    return tested


def _make_room(root: Path, backup: Backup, source: Path) -> None:
    """Raises `ConfigError` for a folder that holds anything but an unfinished restore, which is removed."""
    root.mkdir(parents=True, exist_ok=True)
    present = {path.name for path in root.iterdir()} - {"lost+found"}
    last = _in_order(backup)[-1].path
    if present and (UNFINISHED not in present or (root / last).exists()):
        raise ConfigError(f"{root} is not empty; restore into another --data folder")
    for name in present - {UNFINISHED}:
        path = root / name
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    (root / UNFINISHED).write_text(f"{source.absolute()}\n", encoding="utf-8")
    sync(root)


def _in_order(backup: Backup) -> list[BackedUp]:
    """Segments first, the state last: no command takes a part of the folder for a whole one."""
    return sorted(backup.files, key=lambda file: (file.path == STATE_FILE, not file.path.startswith("raw/"), file.path))


def _restore_file(source: Path, file: BackedUp, root: Path, *, is_rehearsed: bool = False) -> None:
    copy, target = source / "files" / file.name, root / file.path
    target.parent.mkdir(parents=True, exist_ok=True)
    if is_rehearsed and file.path.startswith("raw/"):
        target.symlink_to(copy.resolve())
        digest = backup_folder.digest_on_disk(copy)
    else:
        draft = target.with_name(f".{target.name}.tmp")
        digest = backup_folder.copy_to(copy, draft).sha256
        sync(draft)
        draft.rename(target)
        sync(target.parent)
    if digest != file.sha256:
        target.unlink()
        if is_rehearsed:
            backup_folder.set_aside(source, file)
        raise BackupBroken(f"{copy} is not as it was written")
    if file.path.startswith("serve/corpus-"):
        target.chmod(_READ_ONLY)
    if not file.path.startswith(_WITHOUT_DIGEST):
        checksums.note(target)


def check_restored(folder: DataFolder, counts: Mapping[str, int]) -> int:
    """Reads all of a restored folder, and asks it what the backup was asked. Gives the number of records.

    Raises `StoreDamaged`, `BackupBroken` for another answer.
    """
    found: dict[str, int] = {}
    records = 0
    if folder.state.exists():
        with open_store(folder.root, command="restore", read_only=True) as store:
            found |= counts_of_state(store.state)
            verified = verify_segments(store, EVERYTHING, lambda *_: None)
            records = verified.records
            if verified.damages:
                raise verified.damages[0].error
    if folder.pointer.exists():
        found |= counts_of_copy(published(folder.serve))
    if found != dict(counts):
        other = next(name for name in sorted({*found, *counts}) if found.get(name) != counts.get(name))
        raise BackupBroken(f"{folder.root}: {other} has {found.get(other)} rows, the backup had {counts.get(other)}")
    return records
