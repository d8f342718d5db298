"""Makes the read-only copies for readers, and removes old ones.

A copy is never written again and its path never used twice: a process that has a path open would be given the old
data. Readers therefore never wait and never see half a night.
"""

import fcntl
import logging
import shutil
import stat
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from pathlib import Path

import duckdb

from warehouse.copying.by_changes import Made, bring_copy, note_made, used_bytes
from warehouse.copying.doubt import NotByChanges
from warehouse.copying.materialized import materialize_views
from warehouse.schema.migrate import bring_up_to_date, leave_to_readers
from warehouse.serving.indexes import INDEXES, make_indexes
from warehouse.serving.published import (
    copies,
    copies_to_point_to,
    copy_before,
    point_to,
    published,
    unused_path,
)
from warehouse.serving.retention import Keep, kept
from warehouse.serving.search_index import bring_index_up_to_date
from warehouse.storage.connection import opened, writing
from warehouse.storage.durable import sole_writer, sync
from warehouse.storage.errors import NothingPublished
from warehouse.storage.sql_files import read_sql

LOGGER = logging.getLogger(__name__)

_READ_ONLY = 0o444

_DRAFT = ".corpus.duckdb.tmp"


def publish(warehouse_path: Path, serve_dir: Path, *, at: datetime, keep: Keep | None = None) -> Path:
    """Copies the warehouse for readers and points them to the copy; returns its path.

    The copy is named after the last load, its search index is up to date and its views are tables. It is made of the
    last one by what changed since; whole where that one is of another version or in any doubt, which the log says.
    Older copies are removed as `keep` says, but for those that a process has open. Raises WarehouseLocked,
    WarehouseBroken.
    """
    return publish_file(serve_dir, lambda draft: _copied(warehouse_path, draft, at), keep)


def publish_file(serve_dir: Path, make: Callable[[Path], str], keep: Keep | None) -> Path:
    """Points readers to the file that `make` makes at the path it is given; returns where it stands.

    What `make` returns is the id of the load that the file is named after. Raises WarehouseLocked.
    """
    serve_dir.mkdir(parents=True, exist_ok=True)
    with sole_writer(serve_dir):
        draft = serve_dir / _DRAFT
        try:
            load_id = make(draft)
            draft.chmod(_READ_ONLY)
            sync(draft)
            path = unused_path(serve_dir, load_id)
            draft.replace(path)
        finally:
            _clear(serve_dir, draft.name)
        point_to(path)
        _clear(serve_dir, ".*.tmp")
        for superfluous in superfluous_copies(serve_dir, keep or Keep()):
            superfluous.unlink()
    return path


def _copied(warehouse_path: Path, draft: Path, at: datetime) -> str:
    """Makes the draft a copy; returns the id of its last load."""
    with writing(warehouse_path) as connection:
        bring_up_to_date(connection, warehouse_path, at=at)
        bring_index_up_to_date(connection)
        last = connection.execute(read_sql("schema/catalog")["last_load"]).fetchall()
    try:
        _make_by_changes(warehouse_path, draft)
    except NotByChanges as reason:
        LOGGER.info("the copy is made whole: %s", reason)
        _clear(draft.parent, draft.name)
        _make_whole(warehouse_path, draft)
    return str(last[0][0]) if last else f"{at:%Y%m%dT%H%M%SZ}-0000"


def _make_by_changes(warehouse_path: Path, draft: Path) -> None:
    """Raises NotByChanges."""
    try:
        before = published(draft.parent)
    except NothingPublished as nothing:
        raise NotByChanges(str(nothing)) from nothing
    shutil.copyfile(before, draft)
    bring_copy(draft, warehouse_path, set(INDEXES))


def _make_whole(warehouse_path: Path, draft: Path) -> None:
    # Open while it is copied: a build in another process would write into the copy.
    with opened(warehouse_path) as connection:
        connection.execute("CHECKPOINT")
        shutil.copyfile(warehouse_path, draft)
    with writing(draft) as connection:
        materialize_views(connection)
        make_indexes(connection)
        leave_to_readers(connection)
    with writing(draft) as connection:
        # What it uses is known once it was written.
        note_made(connection, Made(0, used_bytes(connection), duckdb.__version__))


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


def _clear(serve_dir: Path, draft: str) -> None:
    """Removes drafts, and what DuckDB left beside one that failed (`.corpus-1.duckdb.tmp.wal`)."""
    for path in serve_dir.glob(f"{draft}*"):
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
