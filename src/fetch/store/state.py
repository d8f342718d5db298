"""The state of a store: one SQLite file, opened by one writer and by readers at the same time.

SQLite keeps no checksum of a page: a byte that changes within a value would be another value. So the digest of the file
is noted when its writer closes it, and compared when the next one opens it.
"""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from verdicts.corpus.first_error import noted_on
from verdicts.fetch.model.errors import StorageFailed, StoreDamaged
from verdicts.fetch.store import checksums
from verdicts.fetch.store.schema import declare, version_of
from verdicts.fetch.store.storage_errors import is_storage_failure, storage_errors

READERS_CHECK = 64_000_000
"""Bytes of a file up to which readers compare its digest too: it takes them a twentieth of a second."""


@contextmanager
def writing(path: Path) -> Iterator[sqlite3.Connection]:
    """The file, opened by its one writer, which makes it where it is missing.

    Raises `StoreDamaged` for a file that is not as it was closed, or of which SQLite says so; `StorageFailed` for one
    of another version, `sqlite3.Error` for one that cannot be opened.
    """
    is_as_noted = checksums.is_as_noted(path)
    if is_as_noted is False:
        raise StoreDamaged(path, None, NOT_AS_CLOSED)
    checksums.forget(path)
    with closing(_connect(path)) as connection:
        if is_as_noted is None:
            _check_pages(connection, path)
        declare(connection, path)
        try:
            yield connection
        except (StorageFailed, sqlite3.Error):
            # What could not be written or read must not be noted as sound; the next writer has SQLite look at it.
            raise
        except BaseException as error:
            # SQLite refuses to close the log while a query of the failed body is still open.
            with noted_on(error):
                _close(connection, path)
            raise
        _close(connection, path)


NOT_AS_CLOSED = (
    "it is not as verdicts closed it: damaged, or written by another program; if that was you, remove"
    f" the digest beside it (*{checksums.SUFFIX})"
)


def _connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path)
    # WAL lets `status` read while a crawl writes; FULL makes a commit outlive a power cut, as the segments do.
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    return connection


def check_pages(path: Path) -> None:
    """Has SQLite look at a file of which no digest is noted, as its run was killed. Raises `StoreDamaged`."""
    try:
        connection = opened_for_reading(path)
    except sqlite3.DatabaseError as error:
        if not is_storage_failure(error):
            raise
        raise StoreDamaged(path, None, str(error)) from error
    with closing(connection):
        _check_pages(connection, path)


def _check_pages(connection: sqlite3.Connection, path: Path) -> None:
    """About a second per gigabyte."""
    try:
        ((verdict,), *_) = connection.execute("PRAGMA quick_check(1)").fetchall()
    except sqlite3.DatabaseError as error:
        if not is_storage_failure(error):
            raise
        verdict = str(error)
    if verdict != "ok":
        raise StoreDamaged(path, None, str(verdict).partition("\n")[0])


def _close(connection: sqlite3.Connection, path: Path) -> None:
    """Closes the file and notes its digest, where all is in it: a reader may still need what lies beside it."""
    connection.rollback()
    connection.execute("PRAGMA busy_timeout = 0")
    ((is_busy, *_),) = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    connection.close()
    if not is_busy:
        with storage_errors(path.parent):
            checksums.note(path)


@contextmanager
def reading(path: Path) -> Iterator[sqlite3.Connection]:
    """The file, for reading; an empty state in memory where it has no table yet.

    Raises as `writing` does; a file of more than `READERS_CHECK` bytes is not compared with its digest.
    """
    if path.stat().st_size <= READERS_CHECK and checksums.is_as_noted(path) is False:
        raise StoreDamaged(path, None, NOT_AS_CLOSED)
    with closing(opened_for_reading(path)) as connection:
        if version_of(connection, path) is not None:
            yield connection
            return
    with closing(_empty(path)) as empty:
        yield empty


def opened_for_reading(path: Path) -> sqlite3.Connection:
    """Opens the file as any account may on any mount, with every committed row, and leaves no file beside it.

    A reader that made `state.sqlite-shm` would own it, and the next crawl, of another account, could not write.
    """
    uri = path.absolute().as_uri()
    log, index = (path.with_name(f"{path.name}-{kind}") for kind in ("wal", "shm"))
    if not _holds_rows(log):
        # `immutable`, or SQLite would make both files, and refuse the database where it may not.
        return sqlite3.connect(f"{uri}?immutable=1", uri=True)
    if index.exists():
        return sqlite3.connect(f"{uri}?mode=ro", uri=True)
    # A crash, or a copy of the folder, left a log that no writer has open; it is applied to a copy.
    with TemporaryDirectory(prefix="verdicts-") as folder:
        copied = Path(folder) / path.name
        shutil.copyfile(path, copied)
        shutil.copyfile(log, copied.with_name(log.name))
        with closing(sqlite3.connect(copied)) as connection:
            return _in_memory(connection)


def _holds_rows(log: Path) -> bool:
    try:
        return log.stat().st_size > 0
    except FileNotFoundError:
        return False


def scratch(path: Path) -> sqlite3.Connection:
    """A copy of the file in memory; an empty state where the file is missing."""
    if not path.exists():
        return _empty(path)
    with reading(path) as connection:
        return _in_memory(connection)


def _empty(path: Path) -> sqlite3.Connection:
    empty = sqlite3.connect(":memory:")
    declare(empty, path)
    return empty


def _in_memory(connection: sqlite3.Connection) -> sqlite3.Connection:
    copy = sqlite3.connect(":memory:")
    connection.backup(copy)
    return copy
