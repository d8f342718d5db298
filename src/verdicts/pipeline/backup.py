"""Copies what cannot be made again, as of one moment, for a backup program to read while a night may run.

It takes no lock. The state is copied before the segments that it knows, which become hard links where possible: no
record of them ever changes. The copy is made in `DIR.unfinished` and renamed when complete.
"""

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from os.path import realpath
from pathlib import Path

from verdicts.fetch.care.store_verification import find_state_damage
from verdicts.fetch.input_files import sync
from verdicts.fetch.model.fetch_errors import StoreDamaged, StoreMissing
from verdicts.fetch.store import checksums
from verdicts.fetch.store.reader import list_segments
from verdicts.fetch.store.state import (
    LOCK_FILE,
    STATE_FILE,
    check_pages,
    connect_read_only,
    hold,
    open_for_reading,
    storage_errors,
)
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.pipeline_errors import ConfigError
from verdicts.pipeline.progress import Advance

MADE_AGAIN = frozenset({"dataset", "index", "messages", "metrics", "records", "serve", "tables", "warehouse"})
LEFT_OUT = MADE_AGAIN | {LOCK_FILE, "damaged", "prefect", "raw"}
"""Not copied, or not as a folder: what can be made again, what was moved away, Prefect's database with its password."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The number of files, their bytes, and the bytes in hard links."""

    files: int
    bytes: int
    linked_bytes: int


def take_snapshot(folder: DataFolder, target: Path, advance: Advance) -> Snapshot:
    """Creates `target` with the state, the raw store and what people wrote.

    Raises `StoreMissing` for a folder without a state, `ConfigError` for an unusable target, `StoreLocked` if another
    snapshot of that name is being taken, `StoreDamaged`, `StorageFailed`.
    """
    unfinished = target.with_name(f"{target.name}.unfinished")
    if (damage := find_state_damage(folder.root)) is not None:
        raise damage
    if not folder.state.exists():
        raise StoreMissing(folder.root)
    _check_target(folder, target, unfinished)
    with storage_errors(target):
        unfinished.mkdir(exist_ok=True)
        with hold(unfinished / LOCK_FILE, f"snapshot {target}"):
            for path in unfinished.iterdir():
                if path.name != LOCK_FILE:
                    shutil.rmtree(path) if path.is_dir() else path.unlink()
            try:
                for path in _list_files(folder.root, LEFT_OUT):
                    _copy(path, unfinished / path.relative_to(folder.root))
                _copy_state_and_segments(folder, DataFolder(unfinished), advance)
                os.sync()
                unfinished.rename(target)
            except BaseException:
                shutil.rmtree(unfinished, ignore_errors=True)
                raise
        sync(target.absolute().parent)
    stats = [path.stat() for path in target.rglob("*") if path.is_file()]
    linked = sum(stat.st_size for stat in stats if stat.st_nlink > 1)
    return Snapshot(len(stats), sum(stat.st_size for stat in stats), linked)


def _check_target(folder: DataFolder, target: Path, unfinished: Path) -> None:
    if Path(realpath(target)).is_relative_to(realpath(folder.root)):
        raise ConfigError(f"{target} lies in the data folder {folder.root}; name a folder outside of it")
    if target.is_symlink() or (target.exists() and not (target.is_dir() and not any(target.iterdir()))):
        raise ConfigError(f"{target} already exists; delete it, or name another folder")
    if not target.absolute().parent.is_dir():
        raise ConfigError(f"{target.parent} does not exist; create it, or mount its disk")
    if unfinished.exists() and any(unfinished.iterdir()) and not (unfinished / LOCK_FILE).exists():
        raise ConfigError(f"{unfinished} is not an unfinished snapshot; move it away, or name another folder")


def _list_files(folder: Path, left_out: frozenset[str] = frozenset()) -> Iterator[Path]:
    """Files without links, drafts, and those of the state."""
    for path in sorted(folder.iterdir()):
        is_draft = path.name.startswith((".", STATE_FILE)) or path.name.endswith(".tmp")
        if is_draft or path.is_symlink() or path.name in left_out:
            continue
        if path.is_dir():
            yield from _list_files(path)
        elif path.is_file():
            yield path


def _copy_state_and_segments(source: DataFolder, copy: DataFolder, advance: Advance) -> None:
    """The state, and the segments that it knows."""
    _copy_state(source.state, copy.state)
    try:
        check_pages(copy.state)
    except StoreDamaged as damage:
        raise StoreDamaged(source.state, None, damage.why) from damage
    checksums.note(copy.state)
    copy.raw.mkdir()
    with open_for_reading(copy.state) as state:
        sizes = list_segments(state)
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
    """Copies a file, or its first `size` bytes, unless it is gone. Never overwrites."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with suppress(FileNotFoundError), path.open("rb") as reading, target.open("xb") as writing:
        shutil.copyfileobj(reading, writing)
        if size is not None:
            writing.truncate(size)


def _copy_state(path: Path, target: Path) -> None:
    """Copies a SQLite file as of one moment, while others may write it. Raises `sqlite3.Error`, `OSError`.

    Uses the backup API, because `VACUUM INTO` may number rows again, and the order of `snapshots` matters.
    """
    with closing(_open_state(path)) as source, closing(sqlite3.connect(target)) as copy:
        # In one step, because a commit between two steps would restart it.
        source.backup(copy, pages=-1)
        copy.execute("PRAGMA journal_mode = DELETE")


def _open_state(path: Path) -> sqlite3.Connection:
    """A connection that writers respect. In a read-only folder there are no writers."""
    if not os.access(path.parent, os.W_OK) or not os.access(path, os.W_OK):
        return connect_read_only(path)
    connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", uri=True)
    connection.execute("PRAGMA query_only = ON")
    return connection
