"""Gives readers a finished file, and removes older ones. No engine: names of files, and the pointer.

A copy is never written again and its path never used twice: a process that has a path open would be given the old
data. Readers therefore never wait and never see half a night.
"""

import fcntl
import os
import shutil
import stat
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from verdicts.warehouse.serving.published import (
    copies,
    copies_to_point_to,
    copy_before,
    point_to,
    published,
    unused_path,
)
from verdicts.warehouse.serving.retention import Keep, kept
from verdicts.warehouse.storage.durable import sole_writer, sync
from verdicts.warehouse.storage.errors import NothingPublished

_READ_ONLY = 0o444


def publish(serve_dir: Path, make: Callable[[Path], str], keep: Keep | None = None) -> Path:
    """Points readers to the file that `make` makes at the path it is given; returns where it stands.

    What `make` returns is the id of the load that the file is named after. The pointer is replaced last, in one step:
    however this or `make` ends before that, readers keep what they have, and the next publication removes what is left
    of this one. Older copies are removed as `keep` says, but for those that a process has open. Raises WarehouseLocked.
    """
    serve_dir.mkdir(parents=True, exist_ok=True)
    with sole_writer(serve_dir):
        _clear(serve_dir)
        # A name of its own: what another process may still write to the draft before is none of this one.
        draft = serve_dir / f".corpus-{os.getpid()}.duckdb.tmp"
        try:
            load_id = make(draft)
            draft.chmod(_READ_ONLY)
            sync(draft)
            path = unused_path(serve_dir, load_id)
            draft.replace(path)
        finally:
            _clear(serve_dir)
        point_to(path)
        for superfluous in superfluous_copies(serve_dir, keep or Keep()):
            superfluous.unlink()
    return path


def superfluous_copies(serve_dir: Path, keep: Keep) -> list[Path]:
    """The copies that need not stay and that no process has open. Never the present one, nor what a rollback leads to.

    Raises NothingPublished where no copy is present.
    """
    staying = {published(serve_dir), *kept(copies_to_point_to(serve_dir), keep)}
    with suppress(NothingPublished):
        staying.add(copy_before(serve_dir))
    return [path for path in copies(serve_dir) if path not in staying and not _is_open(path)]


def prune(serve_dir: Path, keep: Keep) -> list[Path]:
    """Removes superfluous copies and returns them. Raises WarehouseLocked, NothingPublished."""
    with sole_writer(serve_dir):
        superfluous = superfluous_copies(serve_dir, keep)
        for path in superfluous:
            path.unlink()
    return superfluous


def _clear(serve_dir: Path) -> None:
    """Removes drafts, with what the engine left beside one that failed (`.corpus-1.duckdb.tmp.wal`)."""
    for path in serve_dir.glob(".*.tmp*"):
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()


def _is_open(copy: Path) -> bool:
    """Whether any process has the copy open: DuckDB holds a shared lock on a file that it reads."""
    copy.chmod(_READ_ONLY | stat.S_IWUSR)
    try:
        with copy.open("r+b") as file:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        copy.chmod(_READ_ONLY)
    return False
