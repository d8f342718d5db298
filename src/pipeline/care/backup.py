"""Takes a backup of a data folder, while a night may run: it takes no lock of the folder and writes nothing into it.

What is made of something else is copied before it, so that no part knows what another one lacks: the published copy,
the build's manifest, the warehouse, the record files, the state, and last the segments up to where the state knows
them. What was copied is read again and compared with the digests that the data folder has of it.
"""

import hashlib
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import datetime
from os.path import realpath
from pathlib import Path

from verdicts.corpus.first_error import ending_with
from verdicts.fetch.model.errors import StoreDamaged
from verdicts.fetch.model.run_id import new_run_id
from verdicts.fetch.store import checksums
from verdicts.fetch.store.lock import hold, holder_of
from verdicts.fetch.store.reader import records_in
from verdicts.fetch.store.schema import version_of
from verdicts.fetch.store.state import check_pages, opened_for_reading, reading
from verdicts.fetch.store.storage_errors import STATE_FILE, storage_errors
from verdicts.pipeline.care import backup_folder
from verdicts.pipeline.care.backup_folder import BackedUp, Backup
from verdicts.pipeline.care.questions import counts_of_copy, counts_of_state, first_run
from verdicts.pipeline.care.state_copy import copy_state
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.errors import ConfigError
from verdicts.pipeline.progress import Advance, say
from verdicts.warehouse.serving.published import published
from verdicts.warehouse.storage.errors import NothingPublished

_WAIT_S, _PAUSE_S = 60.0, 0.25
"""How long a warehouse that a load writes is waited for; a load takes seconds."""

DERIVED = frozenset({"lock", "dataset", "damaged"})
"""Of the data folder, what no backup has: it is exported again, or was set aside."""

_APART = frozenset({"raw", "records", "warehouse", "serve", STATE_FILE, f"{STATE_FILE}-wal", f"{STATE_FILE}-shm"})
"""What is copied in an order of its own."""

_SQLITE = b"SQLite format 3\0"


@dataclass(frozen=True, slots=True)
class BackupReport:
    """What a backup came to. `new`: files that no earlier backup had, `new_bytes` their length together."""

    backup: Backup
    new: int
    new_bytes: int


class _Copier:
    """Copies files into a folder of backups; one that an earlier backup has is not copied again."""

    def __init__(self, root: Path, target: Path, before: Backup | None) -> None:
        self.root, self.target = root, target
        self._known = {} if before is None else {file.path: file for file in before.files}
        self.files: list[BackedUp] = []
        self.new = self.new_bytes = 0

    def add(
        self, path: Path, *, name: str = "", size: int | None = None, records: Iterable[tuple[int, int, str]] = ()
    ) -> BackedUp:
        """A file, or its first `size` bytes, compared with the digests of its `records`, or with the one beside it.

        Raises `StoreDamaged` where it is not as it was written, `StorageFailed`, `OSError`.
        """
        name = name or path.relative_to(self.root).as_posix()
        stat, known = path.stat(), self._known.get(name)
        length = stat.st_size if size is None else size
        is_known = known is not None and (known.size, known.mtime_ns) == (length, stat.st_mtime_ns)
        if known is not None and is_known and backup_folder.holds(self.target, known):
            self.files.append(known)
            return known
        draft = backup_folder.draft(self.target)
        copied = backup_folder.copy_to(path, draft, size)
        while checksums.noted_digest(path) not in {None, copied.sha256}:
            # It was written meanwhile, or it is damaged.
            checksums.check(path)
            copied = backup_folder.copy_to(path, draft, size)
        _check_records(path, draft, records)
        return self._keep(replace(copied, path=name))

    def add_draft(self, path: Path) -> BackedUp:
        """The draft, as the copy of `path`."""
        draft = backup_folder.draft(self.target)
        with draft.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        name = path.relative_to(self.root).as_posix()
        return self._keep(BackedUp(name, draft.stat().st_size, digest, path.stat().st_mtime_ns))

    def _keep(self, copied: BackedUp) -> BackedUp:
        if not backup_folder.holds(self.target, copied):
            self.new, self.new_bytes = self.new + 1, self.new_bytes + copied.size
        self.files.append(backup_folder.keep_draft(self.target, copied))
        return copied

    def forget(self, path: Path) -> None:
        """Leaves a file out that was copied."""
        self.files = [file for file in self.files if file.path != path.relative_to(self.root).as_posix()]


def check_target(folder: DataFolder, target: Path) -> None:
    """Raises `ConfigError` for a folder that a backup must not be made in."""
    if Path(realpath(target)).is_relative_to(realpath(folder.root)):
        raise ConfigError(
            f"{target} lies in the data folder {folder.root}, and would be lost with it; name another disk"
        )


def back_up(folder: DataFolder, target: Path, advance: Advance, *, at: datetime) -> BackupReport:
    """Adds a backup to `target`, which is made where it is missing.

    Raises `ConfigError` for a folder that cannot be used, `StoreLocked` where another backup is being taken there,
    `StoreDamaged` for a data folder that is not as it was written, `BackupBroken`, `StorageFailed`, `OSError`.
    """
    check_target(folder, target)
    if not folder.state.exists() and not folder.warehouse.exists():
        raise ConfigError(f"{folder.root} holds nothing yet that could be backed up")
    if folder.state.exists():
        with storage_errors(folder.root), closing(opened_for_reading(folder.state)) as state:
            version_of(state, folder.state)
    backup_folder.begin(target)
    with hold(target / "lock", f"backup {target}"), storage_errors(target):
        before = backup_folder.newest_whole(target)
        copier = _Copier(folder.root, target, before)
        with ending_with(lambda: backup_folder.draft(target).unlink(missing_ok=True)):
            answers = _copy_published(folder, copier)
            _copy_warehouse(folder, copier)
            _copy_files(folder, copier)
            begun_in, counts = _copy_store(folder, copier, before, advance)
        files = tuple(sorted(copier.files, key=lambda file: file.path))
        backup_id = new_run_id(at, before.backup_id if before else None)
        backup = Backup(backup_id, at, begun_in, files, {**answers, **counts})
        backup_folder.write_manifest(target, backup)
        backup_folder.remove_unnamed(target)
    return BackupReport(backup, copier.new, copier.new_bytes)


def _copy_published(folder: DataFolder, copier: _Copier) -> Mapping[str, int]:
    """The copy that readers open, and the pointer to it; which is asked for its rows."""
    try:
        present = published(folder.serve)
    except NothingPublished:
        return {}
    copied = copier.add(present)
    pointer = copier.add(folder.pointer)
    if published(folder.serve) != present:
        # Another one was published meanwhile.
        copier.files.remove(copied)
        copier.files.remove(pointer)
        return _copy_published(folder, copier)
    return counts_of_copy(copier.target / "files" / copied.name)


def _copy_warehouse(folder: DataFolder, copier: _Copier) -> None:
    """The warehouse, between two loads, and before it the manifest of its build, which may be the older of the two.

    It is left out while it is written, and where a killed run left it without a digest: a build makes it again.
    """
    if not folder.warehouse.exists():
        return
    deadline = time.monotonic() + _WAIT_S
    while not _copy_noted_warehouse(folder, copier):
        if time.monotonic() > deadline or holder_of(folder.root / "lock") is None:
            say("the warehouse is left out: it was not closed; a build makes it again")
            return
        time.sleep(_PAUSE_S)


def _copy_noted_warehouse(folder: DataFolder, copier: _Copier) -> bool:
    noted = checksums.noted_digest(folder.warehouse)
    if noted is None:
        return False
    if folder.build_manifest.exists():
        copier.add(folder.build_manifest)
    if copier.add(folder.warehouse).sha256 == noted:
        return True
    copier.forget(folder.build_manifest)
    copier.forget(folder.warehouse)
    return False


def _copy_files(folder: DataFolder, copier: _Copier) -> None:
    """Record files, and whatever else lies in the folder and is not made of something else."""
    tops = sorted(path for path in folder.root.iterdir() if path.name not in DERIVED | _APART)
    for path in [*_files_of(folder.records), *(file for top in tops for file in _files_of(top))]:
        try:
            if _is_sqlite(path):
                copy_state(path, backup_folder.draft(copier.target))
                copier.add_draft(path)
            else:
                copier.add(path)
        except FileNotFoundError:
            if path.exists():
                raise
            # A build has put another one in its place.


def _files_of(path: Path) -> Iterator[Path]:
    if path.name.startswith(".") or path.name.endswith((checksums.SUFFIX, ".tmp", "-wal", "-shm")) or path.is_symlink():
        return
    if path.is_dir():
        for inner in sorted(path.iterdir()):
            yield from _files_of(inner)
    elif path.is_file():
        yield path


def _is_sqlite(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(len(_SQLITE)) == _SQLITE


def _copy_store(
    folder: DataFolder, copier: _Copier, before: Backup | None, advance: Advance
) -> tuple[str | None, Mapping[str, int]]:
    """The state as of one moment, and the segments up to where it knows them. Gives the first run, and its rows."""
    if not folder.state.exists():
        return None, {}
    draft = backup_folder.draft(copier.target)
    if checksums.is_as_noted(folder.state) is False:
        raise StoreDamaged(folder.state, None, "it is not as it was written")
    copy_state(folder.state, draft)
    try:
        check_pages(draft)
    except StoreDamaged as damage:
        raise StoreDamaged(folder.state, None, damage.why) from damage
    copied = copier.add_draft(folder.state)
    with reading(copier.target / "files" / copied.name) as state:
        begun_in = first_run(state)
        if before is not None and before.begun_in not in {None, begun_in}:
            raise ConfigError(
                f"{copier.target} has backups of another data folder (begun in {before.begun_in}, this one in"
                f" {begun_in}); choose another folder"
            )
        segments = state.execute("SELECT segment, size FROM segments WHERE size > 0 ORDER BY segment").fetchall()
        for done, (segment, size) in enumerate(segments, start=1):
            records = [row[:3] for row in records_in(state, segment) if not row[3]]
            copier.add(_present(folder, segment), name=f"raw/{segment}", size=size, records=records)
            advance(done, len(segments))
        return begun_in, counts_of_state(state)


def _present(folder: DataFolder, segment: str) -> Path:
    """Where a segment is."""
    path = folder.raw / segment
    if not path.exists():
        raise StoreDamaged(path, None, "the segment is missing")
    return path


def _check_records(path: Path, copy: Path, records: Iterable[tuple[int, int, str]]) -> None:
    with copy.open("rb") as file:
        for offset, size, sha256 in records:
            file.seek(offset)
            if hashlib.sha256(file.read(size)).hexdigest() != sha256:
                raise StoreDamaged(path, offset, "the record is not as it was written")
