"""Copies a data folder as of one moment, while a night may run, for a backup program to read.

It takes no lock. Each file is copied before its sources, so that no row names a page missing in the copy: published
copies, record files, state, and last the segments that the state knows. Files that never change become hard links where
possible. The copy is made in `DIR.unfinished` and renamed when complete.
"""

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from os.path import realpath
from pathlib import Path

from verdicts.fetch.care.verify import damaged_state
from verdicts.fetch.given_files import sync
from verdicts.fetch.model.errors import StoreDamaged
from verdicts.fetch.store import checksums
from verdicts.fetch.store.reader import segments_in
from verdicts.fetch.store.state import (
    LOCK_FILE,
    STATE_FILE,
    check_pages,
    hold,
    opened_for_reading,
    reading,
    storage_errors,
)
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.errors import ConfigError
from verdicts.pipeline.progress import Advance
from verdicts.warehouse.serving.published import WITHDRAWN, copies, link_for_clients, published
from verdicts.warehouse.storage.errors import NothingPublished

LEFT_OUT = frozenset({LOCK_FILE, "damaged", "dataset", "messages", "prefect", "warehouse"})
"""Not copied: what can be made again, what was moved away, Prefect's database with its password."""

_ONLY_REPLACED = frozenset({"records", "serve", "index", "tables"})
"""Folders whose files are replaced, never changed in place."""

_IN_ORDER = frozenset({"raw", "records", "serve"})


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The number of files, their bytes, and the bytes in hard links."""

    files: int
    bytes: int
    linked_bytes: int


def take_snapshot(folder: DataFolder, target: Path, advance: Advance) -> Snapshot:
    """Creates `target` with everything except LEFT_OUT.

    Raises `StoreMissing` for an empty data folder, `ConfigError` for an unusable target, `StoreLocked` if another
    snapshot of that name is being taken, `StoreDamaged`, `StorageFailed`.
    """
    folder.check_is_one()
    unfinished = target.with_name(f"{target.name}.unfinished")
    _check_target(folder, target, unfinished)
    if (damage := damaged_state(folder.root)) is not None:
        raise damage
    with storage_errors(target):
        unfinished.mkdir(exist_ok=True)
        with hold(unfinished / LOCK_FILE, f"snapshot {target}"):
            _empty(unfinished)
            try:
                taken = _copy_all(folder, DataFolder(unfinished), advance)
                os.sync()
                unfinished.rename(target)
            except BaseException:
                shutil.rmtree(unfinished, ignore_errors=True)
                raise
        sync(target.absolute().parent)
    return taken


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


def _copy_all(source: DataFolder, copy: DataFolder, advance: Advance) -> Snapshot:
    others = [top for top in sorted(source.root.iterdir()) if top.name not in LEFT_OUT | _IN_ORDER]
    for path in (*copies(source.serve), source.pointer, source.serve / WITHDRAWN):
        _add_file(source, copy, path)
    with suppress(NothingPublished):
        # It may have been published meanwhile.
        _add_file(source, copy, published(source.serve))
    for top in (source.records, *others):
        for path in _files_in(top, source):
            _add_file(source, copy, path)
    if source.state.exists():
        _add_state_and_segments(source, copy, advance)
    stats = [path.stat() for path in copy.root.rglob("*") if path.is_file()]
    linked = sum(stat.st_size for stat in stats if stat.st_nlink > 1)
    with suppress(NothingPublished):
        link_for_clients(published(copy.serve))
    return Snapshot(len(stats), sum(stat.st_size for stat in stats), linked)


def _files_in(path: Path, source: DataFolder) -> Iterator[Path]:
    """Files without links, drafts, and those of the state."""
    if path.name.startswith((".", STATE_FILE)) or path.name.endswith(".tmp"):
        return
    if path.is_file() and not path.is_symlink():
        yield path
    elif path.is_dir() and (path == source.records or not path.is_symlink()):
        for inner in sorted(path.iterdir()):
            yield from _files_in(inner, source)


def _add_file(source: DataFolder, copy: DataFolder, path: Path) -> None:
    """Links or copies a file, unless it is gone."""
    inside = path.relative_to(source.root)
    target = copy.root / inside
    target.parent.mkdir(parents=True, exist_ok=True)
    with suppress(FileNotFoundError):
        if not target.exists() and not (inside.parts[0] in _ONLY_REPLACED and _link(path, target)):
            _copy(path, target)


def _add_state_and_segments(source: DataFolder, copy: DataFolder, advance: Advance) -> None:
    """The state, and the segments that it knows."""
    copy_state(source.state, copy.state)
    try:
        check_pages(copy.state)
    except StoreDamaged as damage:
        raise StoreDamaged(source.state, None, damage.why) from damage
    checksums.note(copy.state)
    copy.raw.mkdir()
    with reading(copy.state) as state:
        sizes = segments_in(state)
        runs = dict(state.execute("SELECT crawl_id, status FROM crawls"))
    for done, (segment, size) in enumerate(sizes, start=1):
        path, target = source.raw / segment, copy.raw / segment
        if not path.exists():
            raise StoreDamaged(path, None, "the segment is missing")
        there = path.stat().st_size
        if there < size:
            raise StoreDamaged(path, None, "the file ends before the end of its records")
        # Never link a running crawl's segment: a command that writes to the snapshot would cut the crawl's new records.
        is_running = runs.get(segment.rpartition("-")[0]) == "running"
        if is_running or there > size or not _link(path, target):
            _copy(path, target, size)
        advance(done, len(sizes))


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
