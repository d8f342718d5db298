"""Copies a data folder as of one moment, while a night may run, for a backup program to read.

It takes no lock. Each file is copied before its sources, so that no row names a page missing in the copy: published
copies, build manifest, warehouse, record files, state, and last the segments that the state knows. Files that never
change become hard links where possible. The copy is made in `DIR.unfinished` and renamed when complete.
"""

import json
import os
import shutil
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import datetime
from os.path import realpath
from pathlib import Path
from typing import NamedTuple

from verdicts.corpus.text import BrokenDocument
from verdicts.fetch.given_files import read_json, sync
from verdicts.fetch.model.errors import StoreDamaged
from verdicts.fetch.store import checksums
from verdicts.fetch.store.reader import segments_in
from verdicts.fetch.store.state import (
    LOCK_FILE,
    STATE_FILE,
    check_pages,
    hold,
    holder_of,
    opened_for_reading,
    reading,
    storage_errors,
)
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.errors import ConfigError
from verdicts.pipeline.progress import Advance, say
from verdicts.pipeline.verify import damage_of, damaged_state
from verdicts.warehouse.serving.published import WITHDRAWN, copies, published
from verdicts.warehouse.storage.errors import NothingPublished

NOTE = "snapshot.json"
"""In a snapshot: its time, and the newest run if a command was still at work."""

LEFT_OUT = frozenset({LOCK_FILE, NOTE, "damaged", "dataset", "messages"})
"""Not copied: what can be exported again, what was moved away, and messages of a running build."""

_ONLY_REPLACED = frozenset({"records", "serve", "index", "tables"})
"""Folders whose files are replaced, never changed in place."""

_IN_ORDER = frozenset({"raw", "records", "warehouse", "serve", STATE_FILE, f"{STATE_FILE}-wal", f"{STATE_FILE}-shm"})

_WAIT_S, _PAUSE_S = 60.0, 0.25
"""Seconds to wait for a warehouse that a load is writing. Most loads take seconds."""

_SQLITE = b"SQLite format 3\0"


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The number of files, their bytes, and the bytes in hard links."""

    files: int
    bytes: int
    linked_bytes: int


def take_snapshot(folder: DataFolder, target: Path, advance: Advance, *, at: datetime) -> Snapshot:
    """Creates `target` with everything except LEFT_OUT.

    Raises `StoreMissing` for an empty data folder, `ConfigError` for an unusable target, `StoreLocked` if another
    snapshot of that name is being taken, `StoreDamaged`, `StorageFailed`.
    """
    folder.check_is_one()
    unfinished = target.with_name(f"{target.name}.unfinished")
    _check_target(folder, target, unfinished)
    if (damage := damaged_state(folder)) is not None:
        raise damage
    with storage_errors(target):
        unfinished.mkdir(exist_ok=True)
        with hold(unfinished / LOCK_FILE, f"snapshot {target}"):
            _empty(unfinished)
            try:
                taken = _Taking(folder, DataFolder(unfinished)).take(advance, at)
                os.sync()
                unfinished.rename(target)
            except BaseException:
                shutil.rmtree(unfinished, ignore_errors=True)
                raise
        sync(target.absolute().parent)
    return taken


def run_at_work(root: Path) -> str | None:
    """The run at work when this snapshot was taken. None if the folder is no snapshot."""
    try:
        return str(read_json(root / NOTE)["run"])
    except (FileNotFoundError, BrokenDocument, KeyError, TypeError):
        return None


def _check_target(folder: DataFolder, target: Path, unfinished: Path) -> None:
    if Path(realpath(target)).is_relative_to(realpath(folder.root)):
        raise ConfigError(f"{target} lies in the data folder {folder.root}; name a folder outside of it")
    if target.is_symlink() or (target.exists() and not (target.is_dir() and not any(target.iterdir()))):
        raise ConfigError(f"{target} exists already; remove it, or name another folder")
    if not target.absolute().parent.is_dir():
        raise ConfigError(f"{target.parent} does not exist; make it, or mount its disk")
    if unfinished.exists() and any(unfinished.iterdir()) and not (unfinished / LOCK_FILE).exists():
        raise ConfigError(f"{unfinished} is not an unfinished snapshot; move it away, or name another folder")


def _empty(unfinished: Path) -> None:
    for path in unfinished.iterdir():
        if path.is_dir():
            shutil.rmtree(path)
        elif path.name != LOCK_FILE:
            path.unlink()


class _Taking:
    def __init__(self, source: DataFolder, copy: DataFolder) -> None:
        self._source, self._copy = source, copy

    def take(self, advance: Advance, at: datetime) -> Snapshot:
        self._published()
        self._warehouse()
        others = [top for top in sorted(self._source.root.iterdir()) if top.name not in LEFT_OUT | _IN_ORDER]
        for top in (self._source.records, *others):
            for path in self._files_in(top):
                self._file(path)
        note = {"taken_at": at.isoformat(), "run": self._state_and_segments(advance)}
        (self._copy.root / NOTE).write_text(json.dumps(note) + "\n", encoding="utf-8")
        stats = [path.stat() for path in self._copy.root.rglob("*") if path.is_file()]
        linked = sum(stat.st_size for stat in stats if stat.st_nlink > 1)
        return Snapshot(len(stats), sum(stat.st_size for stat in stats), linked)

    def _published(self) -> None:
        """All copies, the pointer, and the current copy if it was published meanwhile."""
        for path in (*copies(self._source.serve), self._source.pointer, self._source.serve / WITHDRAWN):
            self._file(path)
        with suppress(NothingPublished):
            self._file(published(self._source.serve))

    def _warehouse(self) -> None:
        """The build manifest, which may be older than the warehouse, and the warehouse between two loads.

        During a load, or after a killed one, the warehouse is left out, and a build makes it again.
        """
        deadline = time.monotonic() + _WAIT_S
        while self._source.warehouse.exists():
            self._file(self._source.build_manifest)
            if self._file(self._source.warehouse, is_closed=True):
                return
            if time.monotonic() > deadline or holder_of(self._source.root / LOCK_FILE) is None:
                say("the warehouse is left out: its last load is not finished; 'verdicts build' makes it again")
                return
            time.sleep(_PAUSE_S)

    def _files_in(self, path: Path) -> Iterator[Path]:
        """Files without links, drafts, digests, and the logs of SQLite files."""
        if path.name.startswith(".") or path.name.endswith((checksums.SUFFIX, ".tmp", "-wal", "-shm")):
            return
        if path.is_file() and not path.is_symlink():
            yield path
        elif path.is_dir() and (path == self._source.records or not path.is_symlink()):
            for inner in sorted(path.iterdir()):
                yield from self._files_in(inner)

    def _file(self, path: Path, *, is_closed: bool = False) -> bool:
        """Copies or links a file with its digest, again if it was written meanwhile. Returns whether it exists.

        `is_closed` requires a digest. Raises `StoreDamaged` if a copied file does not match its digest.
        """
        target = self._copy.root / path.relative_to(self._source.root)
        target.parent.mkdir(parents=True, exist_ok=True)
        while True:
            target.unlink(missing_ok=True)
            before = _seen(path)
            if before is None or (is_closed and not before.noted):
                return False
            with suppress(FileNotFoundError):
                is_replaced = path.relative_to(self._source.root).parts[0] in _ONLY_REPLACED
                is_linked = is_replaced and _link(path, target)
                if not is_linked:
                    (copy_state if _is_sqlite(path) else _copy)(path, target)
                if before == _seen(path):
                    break
        if before.noted:
            checksums.beside(target).write_bytes(before.noted)
            if not is_linked and checksums.is_as_noted(target) is False and (damage := damage_of(path)) is not None:
                raise damage
        return True

    def _state_and_segments(self, advance: Advance) -> str | None:
        """The state, and the segments that it knows. Returns the run at work."""
        if not self._source.state.exists():
            return None
        copy_state(self._source.state, self._copy.state)
        try:
            check_pages(self._copy.state)
        except StoreDamaged as damage:
            raise StoreDamaged(self._source.state, None, damage.why) from damage
        checksums.note(self._copy.state)
        self._copy.raw.mkdir()
        with reading(self._copy.state) as state:
            sizes = segments_in(state)
            runs = dict(state.execute("SELECT crawl_id, status FROM crawls"))
        for done, (segment, size) in enumerate(sizes, start=1):
            path, target = self._source.raw / segment, self._copy.raw / segment
            if not path.exists():
                raise StoreDamaged(path, None, "the segment is missing")
            there = path.stat().st_size
            if there < size:
                raise StoreDamaged(path, None, "the file ends before the end of its records")
            # Never link a running crawl's segment: a command that writes to the snapshot would cut the crawl's new
            # records.
            is_running = runs.get(segment.rpartition("-")[0]) == "running"
            if is_running or there > size or not _link(path, target):
                _copy(path, target, size)
            advance(done, len(sizes))
        return max(runs, default=None) if holder_of(self._source.root / LOCK_FILE) is not None else None


class _Seen(NamedTuple):
    """Digest, inode, size and time of a file. If they are unchanged, nobody wrote it."""

    noted: bytes
    inode: int
    size: int
    mtime_ns: int


def _seen(path: Path) -> _Seen | None:
    noted = b""
    with suppress(FileNotFoundError, IsADirectoryError):
        noted = checksums.beside(path).read_bytes()
    try:
        stat = path.stat()
    except FileNotFoundError:
        return None
    # The digest of a log covers its first bytes, however many follow.
    grows = path.suffix == checksums.APPENDED
    return _Seen(noted, stat.st_ino, 0 if grows else stat.st_size, 0 if grows else stat.st_mtime_ns)


def _link(path: Path, target: Path) -> bool:
    """Links a file. Returns False if the file system or another disk prevents it."""
    if path.is_symlink():
        return False
    try:
        os.link(path, target)
    except OSError:
        return False
    return True


def _copy(path: Path, target: Path, size: int | None = None) -> None:
    """Copies a file, or its first `size` bytes. Never overwrites, because the target may be a link."""
    with path.open("rb") as reading, target.open("xb") as writing:
        shutil.copyfileobj(reading, writing)
        if size is not None:
            writing.truncate(size)


def _is_sqlite(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(len(_SQLITE)) == _SQLITE


def copy_state(path: Path, target: Path) -> None:
    """Copies a SQLite file as of one moment, while others may write it. Raises `sqlite3.Error`, `OSError`.

    Uses the backup API, because `VACUUM INTO` may number rows again, and the order of `snapshots` matters.
    """
    with closing(_opened(path)) as source, closing(sqlite3.connect(target)) as copy:
        # In one step, because a commit between two steps would restart it.
        source.backup(copy, pages=-1)
        copy.execute("PRAGMA journal_mode = DELETE")


def _opened(path: Path) -> sqlite3.Connection:
    """A connection that writers respect. In a read-only folder there are no writers."""
    if not os.access(path.parent, os.W_OK) or not os.access(path, os.W_OK):
        return opened_for_reading(path)
    connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", uri=True)
    connection.execute("PRAGMA query_only = ON")
    return connection
