"""The state of a store: one SQLite file with one writer, who locks the folder, and readers at the same time.

SQLite has no checksums: a changed byte within a value would be another value. So the digest of the file is stored when
its writer closes it, and compared at the next opening. The kernel releases the lock when the process ends, however it
ends. A stopped process keeps it: it may go on.
"""

import errno
import fcntl
import json
import os
import shutil
import sqlite3
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from msgspec import ValidationError, convert

from verdicts.corpus.error_notes import note_errors
from verdicts.corpus.text import BrokenDocument, parse_json
from verdicts.fetch.model.fetch_errors import StorageFailed, StoreDamaged, StoreLocked
from verdicts.fetch.store import checksums

STATE_FILE, LOCK_FILE = "state.sqlite", "lock"

_TRIES, _PAUSE_S = 4, 0.02
"""`find_holder` takes the lock for microseconds, which must not turn a command away."""

STORAGE_CODES = frozenset(
    {
        sqlite3.SQLITE_PERM,
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_CORRUPT,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_PROTOCOL,
        sqlite3.SQLITE_NOTADB,
    }
)
"""Primary result codes, https://www.sqlite.org/rescode.html."""

_WHAT_IS_FULL = {
    sqlite3.SQLITE_FULL: ", or the disk of temporary files (TMPDIR)",
    sqlite3.SQLITE_IOERR_WRITE: ": the disk quota may be used up",
    sqlite3.SQLITE_IOERR_SHMSIZE: ": the disk quota may be used up",
}
"""What SQLite leaves out of `database or disk is full`, and of `disk I/O error`, its words beyond a quota."""

NO_FILES = frozenset({errno.EMFILE, errno.ENFILE})
"""The process or the machine has too many open files: later operations fail, too."""


@contextmanager
def state_errors(data: Path) -> Iterator[None]:
    """Raises `StorageFailed` for a failure of the state file; any other error passes unchanged."""
    try:
        yield
    except sqlite3.Error as error:
        if not is_storage_failure(error):
            raise
        what = _WHAT_IS_FULL.get(error.sqlite_errorcode, "")
        raise StorageFailed(f"{data / STATE_FILE}: {error}{what}") from error


@contextmanager
def storage_errors(data: Path) -> Iterator[None]:
    """`state_errors`, and `StorageFailed` for every `OSError`. Only for operations on the store's own files."""
    try:
        with state_errors(data):
            yield
    except OSError as error:
        raise StorageFailed(f"{error.filename or data}: {error.strerror or error}") from error


def is_storage_failure(error: BaseException) -> bool:
    """Whether an error, or one in a group, says that the store could not be read or written.

    The low byte of an extended result code of SQLite is the primary code.
    """
    if isinstance(error, BaseExceptionGroup):
        return any(map(is_storage_failure, error.exceptions))
    if isinstance(error, StorageFailed) or (isinstance(error, OSError) and error.errno in NO_FILES):
        return True
    code: int | None = getattr(error, "sqlite_errorcode", None)
    return code is not None and code & 0xFF in STORAGE_CODES


_SCHEMA = Path(__file__).with_name("schema.sql")

VERSION = 22
"""The version of `schema.sql`. Every change raises it."""


def declare(connection: sqlite3.Connection, path: Path) -> None:
    """Makes the tables of an empty state. Raises as `read_version` does."""
    if read_version(connection, path) is None:
        script = _SCHEMA.read_text(encoding="utf-8")
        connection.executescript(f"BEGIN IMMEDIATE;\n{script}\nPRAGMA user_version = {VERSION};\nCOMMIT;")


def read_version(connection: sqlite3.Connection, path: Path) -> int | None:
    """The version of an open state, which must be this program's; None if it has no table yet.

    Raises `StoreDamaged` for an older version, `StorageFailed` for a later one.
    """
    if connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0:
        return None
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    if version > VERSION:
        raise StorageFailed(f"{path} is of version {version}, and this program knows {VERSION}: update it")
    if version < VERSION:
        why = f"an older version of verdicts wrote it (schema {version}, and this program reads {VERSION})"
        raise StoreDamaged(path, None, why)
    return version


READERS_CHECK = 64_000_000
"""Readers compare the digest of files up to this size, which takes a twentieth of a second."""


@contextmanager
def open_for_writing(path: Path) -> Iterator[sqlite3.Connection]:
    """The file, opened by its one writer, which creates it if missing.

    Raises `StoreDamaged` if the file is not as it was closed, or if SQLite finds damage; `StorageFailed` for another
    version, `sqlite3.Error` if it cannot be opened.
    """
    is_as_noted = checksums.is_as_noted(path)
    if is_as_noted is False:
        raise StoreDamaged(path, None, NOT_AS_CLOSED)
    checksums.forget(path)
    with closing(sqlite3.connect(path)) as connection:
        # WAL lets `status` read during a crawl; FULL makes a commit survive a power cut, as segments do.
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        if is_as_noted is None:
            check_pages(path, connection)
        declare(connection, path)
        try:
            yield connection
        except (StorageFailed, sqlite3.Error):
            # After a failure the file gets no digest; the next writer has SQLite check it.
            raise
        except BaseException as error:
            # SQLite refuses to close the log while a query of the failed body is open.
            with note_errors(error):
                _close(connection, path)
            raise
        _close(connection, path)


NOT_AS_CLOSED = (
    "it is not as verdicts closed it: damaged, or written by another program; if that was you, remove"
    f" the digest beside it (*{checksums.SUFFIX})"
)


def check_pages(path: Path, connection: sqlite3.Connection | None = None) -> None:
    """Has SQLite check a file without a digest, after a killed run: about a second per gigabyte.

    Raises `StoreDamaged`.
    """
    with ExitStack() as stack:
        try:
            opened = connection or stack.enter_context(closing(connect_read_only(path)))
            ((verdict,), *_) = opened.execute("PRAGMA quick_check(1)").fetchall()
        except sqlite3.DatabaseError as error:
            if not is_storage_failure(error):
                raise
            raise StoreDamaged(path, None, str(error).partition("\n")[0]) from error
    if verdict != "ok":
        raise StoreDamaged(path, None, str(verdict).partition("\n")[0])


def _close(connection: sqlite3.Connection, path: Path) -> None:
    """Closes the file and stores its digest, if it is complete: a reader may still need the files beside it."""
    connection.rollback()
    connection.execute("PRAGMA busy_timeout = 0")
    ((is_busy, *_),) = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    connection.close()
    if not is_busy:
        with storage_errors(path.parent):
            checksums.note(path)


@contextmanager
def open_for_reading(path: Path) -> Iterator[sqlite3.Connection]:
    """The file, for reading; an empty state in memory if it has no table yet.

    Raises as `open_for_writing` does; a file of more than `READERS_CHECK` bytes is not compared with its digest.
    """
    if path.stat().st_size <= READERS_CHECK and checksums.is_as_noted(path) is False:
        raise StoreDamaged(path, None, NOT_AS_CLOSED)
    with closing(connect_read_only(path)) as connection:
        if read_version(connection, path) is not None:
            yield connection
            return
    with closing(_make_empty(path)) as empty:
        yield empty


def connect_read_only(path: Path) -> sqlite3.Connection:
    """Opens the file with every committed row, on any account and mount, and leaves no file beside it.

    A reader that made `state.sqlite-shm` would own it, and a crawl of another account could not write.
    """
    uri = path.absolute().as_uri()
    log, index = (path.with_name(f"{path.name}-{kind}") for kind in ("wal", "shm"))
    if not log.exists() or not log.stat().st_size:
        # Without `immutable` SQLite would create both files, or refuse the database if it cannot.
        return sqlite3.connect(f"{uri}?immutable=1", uri=True)
    if index.exists():
        return sqlite3.connect(f"{uri}?mode=ro", uri=True)
    # A crash, or a copy of the folder, left a log without a writer; it is applied to a copy.
    with TemporaryDirectory(prefix="verdicts-") as folder:
        copied = Path(folder) / path.name
        shutil.copyfile(path, copied)
        shutil.copyfile(log, copied.with_name(log.name))
        with closing(sqlite3.connect(copied)) as connection:
            return _copy_in_memory(connection)


def copy_to_memory(path: Path) -> sqlite3.Connection:
    """A copy of the file in memory; an empty state if the file is missing."""
    if not path.exists():
        return _make_empty(path)
    with open_for_reading(path) as connection:
        return _copy_in_memory(connection)


def _copy_in_memory(connection: sqlite3.Connection) -> sqlite3.Connection:
    copy = sqlite3.connect(":memory:")
    connection.backup(copy)
    return copy


def _make_empty(path: Path) -> sqlite3.Connection:
    empty = sqlite3.connect(":memory:")
    declare(empty, path)
    return empty


@dataclass(frozen=True, slots=True)
class Holder:
    """The command that holds a folder, its process, and its start (UTC, ISO 8601)."""

    pid: int
    command: str
    since: str

    def __str__(self) -> str:
        return f"'verdicts {self.command}' (process {self.pid}, since {self.since})"


@contextmanager
def hold(path: Path, command: str) -> Iterator[None]:
    """Locks the file while the context is open. Raises `StoreLocked`, which names the holder, and `OSError`."""
    fd = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        if not any(_is_taken(fd, fcntl.LOCK_EX, pause_s) for pause_s in (0, *[_PAUSE_S] * (_TRIES - 1))):
            who = _read_holder(fd) or "another run"
            raise StoreLocked(f"{path.parent} is held by {who}; wait for it to end, or use another --data folder")
        holder = Holder(os.getpid(), command, datetime.now(UTC).isoformat(timespec="seconds"))
        os.ftruncate(fd, 0)
        os.pwrite(fd, json.dumps(asdict(holder)).encode(), 0)
        yield
        with storage_errors(path.parent):
            os.ftruncate(fd, 0)
    finally:
        os.close(fd)


def find_holder(path: Path) -> Holder | None:
    """The current holder of the lock, if any; the name of a dead one is ignored. Raises `OSError`."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    except FileNotFoundError:
        return None
    try:
        holder = _read_holder(fd)
        return None if holder is None or _is_taken(fd, fcntl.LOCK_SH, 0) else holder
    finally:
        os.close(fd)


def _is_taken(fd: int, kind: int, pause_s: float) -> bool:
    time.sleep(pause_s)
    try:
        fcntl.flock(fd, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _read_holder(fd: int) -> Holder | None:
    try:
        return convert(parse_json(os.pread(fd, 4096, 0), LOCK_FILE), Holder)
    except (BrokenDocument, ValidationError, IsADirectoryError):
        return None


def find_store_holder(data: Path) -> Holder | None:
    """The command that writes to a data folder now, if any. Raises `StorageFailed`."""
    with storage_errors(data):
        return find_holder(data / LOCK_FILE)
