"""A folder of backups: every file once under the digest of its bytes, and a manifest for each backup.

    files/<name>.<first 16 hex digits>   a file of a data folder
    backups/<id>.json                    what a backup consists of; written last, so that a torn backup has none
    tested.json                          the last test of a restore

A file is never written again. What no manifest names is removed once a newer backup is whole.
"""

import hashlib
import json
import os
import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from stat import S_ISREG

from msgspec import ValidationError, convert

from verdicts.corpus.toml_and_json import BrokenDocument
from verdicts.fetch.given_files import open_file, read_json
from verdicts.fetch.model.errors import StorageFailed
from verdicts.pipeline.errors import ConfigError
from verdicts.warehouse.storage.durable import replace_text, sync

BACKUPS_KEPT = 7
"""Manifests that are kept, the newest first. They share nearly all files."""

UNFINISHED = ".restoring"
"""In a folder that a restore is writing, or was killed while it did; holds the path of the backups."""

FORMAT = 1
_MANIFEST_BYTES = 200_000_000
"""Bytes of a manifest at most: that of a million files."""
_SHA256 = re.compile(r"[0-9a-f]{64}")
_CHUNK = 1_000_000
_DRAFT = ".draft"


@dataclass(frozen=True, slots=True)
class BackedUp:
    """A file of a backup: its place in the data folder, its length in bytes and digest.

    `mtime_ns` is when its original was written; a segment that has the same length and time since is not read again.
    """

    path: str
    size: int
    sha256: str
    mtime_ns: int

    @property
    def name(self) -> str:
        """Of its copy in `files/`."""
        return f"{Path(self.path).name}.{self.sha256[:16]}"


@dataclass(frozen=True, slots=True)
class Backup:
    """A whole backup. `begun_in` is the first run of its store; None where it has none.

    `counts`: of its state and its published copy, rows by table, to be asked again after a restore.
    """

    backup_id: str
    taken_at: datetime
    begun_in: str | None
    files: tuple[BackedUp, ...]
    counts: Mapping[str, int]

    @property
    def bytes(self) -> int:
        """Of all its files."""
        return sum(file.size for file in self.files)


class BackupBroken(StorageFailed):
    """A backup is not whole, or a file of it is not as it was written."""


@dataclass(frozen=True, slots=True)
class RestoreTest:
    """A test of a restore. `problem` is None where the restored folder was as it should be."""

    backup_id: str
    tested_at: datetime
    problem: str | None


def is_begun(folder: Path) -> bool:
    """Whether a folder is one of backups."""
    return (folder / "backups").is_dir() and (folder / "files").is_dir()


def begin(folder: Path) -> None:
    """Makes a folder of backups. Raises `ConfigError` for one that holds something else, `OSError`."""
    if is_begun(folder):
        return
    # A killed one has made the first of the two.
    if folder.exists() and (not folder.is_dir() or {path.name for path in folder.iterdir()} - {"files", "lost+found"}):
        raise ConfigError(f"{folder} holds something that is no backup; choose another folder")
    if not folder.absolute().parent.is_dir():
        raise ConfigError(f"{folder.parent} is not there; make it, or mount the disk of the backups")
    for path in (folder, folder / "files", folder / "backups"):
        path.mkdir(exist_ok=True)
        sync(path.parent)


def manifests(folder: Path) -> list[Path]:
    """The manifests of a folder, oldest first."""
    return sorted((folder / "backups").glob("[0-9]*.json"))


def read_manifest(path: Path) -> Backup:
    """Raises `BackupBroken` for a manifest that is not as it was written, `OSError`."""
    try:
        whole = read_json(path, _MANIFEST_BYTES, follows_links=False)
        if whole["format"] != FORMAT:
            raise BackupBroken(f"{path} has format {whole['format']!r}, this program knows {FORMAT}: update it")
        if whole["sha256"] != _digest(whole["backup"]):
            raise BackupBroken(f"{path} is not as it was written")
        backup = convert(whole["backup"], Backup)
    except BrokenDocument as error:
        raise BackupBroken(str(error)) from error
    except (ValidationError, KeyError, TypeError) as error:
        raise BackupBroken(f"{path} is not as it was written ({type(error).__name__}: {error})") from error
    if (why := _mistake(backup)) is not None:
        raise BackupBroken(f"{path} is no manifest of a backup: {why}")
    return backup


def _mistake(backup: Backup) -> str | None:
    """What would break a restore after it has begun; None for what a backup writes."""
    if not backup.files:
        return "it names no file"
    paths = {file.path for file in backup.files}
    if len(paths) < len(backup.files):
        return "it names a file twice"
    for file in backup.files:
        parts = file.path.split("/")
        if {"", ".", ".."} & {*parts} or file.path.startswith(UNFINISHED):
            return f"{file.path!r} leads out of the data folder"
        if any("/".join(parts[:depth]) in paths for depth in range(1, len(parts))):
            return f"{file.path!r} lies in what is a file itself"
        if file.size < 0 or not _SHA256.fullmatch(file.sha256):
            return f"{file.path!r} has no length or no digest"
    return None


def write_manifest(folder: Path, backup: Backup) -> None:
    """Makes a backup whole: all its files are synced by now."""
    sync(folder / "files")
    fields = json.loads(json.dumps(asdict(backup), default=str))
    text = json.dumps({"format": FORMAT, "sha256": _digest(fields), "backup": fields}, indent=1)
    replace_text(folder / "backups" / f"{backup.backup_id}.json", text + "\n")


def _digest(fields: object) -> str:
    return hashlib.sha256(json.dumps(fields, sort_keys=True).encode()).hexdigest()


def newest_backup(folder: Path) -> Backup | None:
    """The newest whole one; None before the first. Raises `BackupBroken`, `OSError`."""
    paths = manifests(folder)
    return read_manifest(paths[-1]) if paths else None


def newest_whole(folder: Path) -> Backup | None:
    """The newest one whose manifest is as it was written; None where there is none."""
    for path in reversed(manifests(folder)):
        with suppress(BackupBroken):
            return read_manifest(path)
    return None


def holds(folder: Path, file: BackedUp) -> bool:
    """Whether the copy of a file is there, in its length."""
    try:
        stat = (folder / "files" / file.name).lstat()
    except FileNotFoundError:
        return False
    return S_ISREG(stat.st_mode) and stat.st_size == file.size


def draft(folder: Path) -> Path:
    """Where a file is written before its digest is known. One backup writes at a time."""
    return folder / "files" / _DRAFT


def keep_draft(folder: Path, file: BackedUp) -> BackedUp:
    """Gives the draft its name, after comparing what the disk has of it with its digest. Raises `BackupBroken`."""
    path = draft(folder)
    sync(path)
    if digest_on_disk(path) != file.sha256:
        raise BackupBroken(f"{path}: other bytes were read than written; the disk of the backups is broken")
    if not holds(folder, file):
        path.rename(folder / "files" / file.name)
    path.unlink(missing_ok=True)
    return file


def digest_on_disk(path: Path) -> str:
    """Hex digest of a file as the disk has it, as far as the kernel drops what it has in memory."""
    with open_file(path) as file:
        if hasattr(os, "posix_fadvise"):
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
        return hashlib.file_digest(file, "sha256").hexdigest()


def copy_to(source: Path, target: Path, size: int | None = None) -> BackedUp:
    """Copies a file, or its first `size` bytes. Raises `StorageFailed` where it is shorter."""
    digest, left = hashlib.sha256(), size
    with open_file(source) as reading, target.open("wb") as writing:
        mtime_ns = os.fstat(reading.fileno()).st_mtime_ns
        while chunk := reading.read(_CHUNK if left is None else min(_CHUNK, left)):
            digest.update(chunk)
            writing.write(chunk)
            left = None if left is None else left - len(chunk)
        copied = writing.tell()
    if left:
        raise StorageFailed(f"{source} is shorter than its index says; 'verdicts repair' mends it")
    return BackedUp(source.name, copied, digest.hexdigest(), mtime_ns)


def remove_unnamed(folder: Path) -> None:
    """Removes manifests beyond BACKUPS_KEPT, and what none names; nothing where a manifest cannot be read."""
    paths = manifests(folder)
    try:
        kept = [read_manifest(path) for path in paths[-BACKUPS_KEPT:]]
    except BackupBroken:
        return
    named = {file.name for backup in kept for file in backup.files}
    for path in paths[:-BACKUPS_KEPT]:
        path.unlink()
    for path in (folder / "files").iterdir():
        if path.name not in named:
            path.unlink()


def read_test(folder: Path) -> RestoreTest | None:
    """The last test of a restore; None before the first."""
    try:
        return convert(read_json(folder / "tested.json"), RestoreTest)
    except (FileNotFoundError, BrokenDocument, ValidationError):
        return None


def set_aside(folder: Path, file: BackedUp) -> None:
    """Takes a damaged copy away, so that the next backup makes it again."""
    path = folder / "files" / file.name
    path.rename(path.with_name(f"{path.name}.damaged"))


def note_test(folder: Path, test: RestoreTest) -> None:
    """Notes a test of a restore."""
    replace_text(folder / "tested.json", json.dumps(asdict(test), default=str) + "\n")


def missing(folder: Path, files: Iterable[BackedUp]) -> list[str]:
    """The names of copies that are not there, or of another length."""
    return [file.name for file in files if not holds(folder, file)]
