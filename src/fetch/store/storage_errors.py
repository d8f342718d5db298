"""Which exceptions mean that the disk refused, and their translation into `StorageFailed`.

An `OSError` counts only around the store's own file operations. Of SQLite's errors only those count whose result code
says that the file could not be read, written or locked: a statement that is wrong (SQLITE_ERROR), a broken constraint
or a closed connection is a bug and keeps its traceback.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from verdicts.fetch.model.errors import StorageFailed

STATE_FILE = "state.sqlite"

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


@contextmanager
def state_errors(data: Path) -> Iterator[None]:
    """Raises `StorageFailed` for a failure of the state file; any other error passes unchanged."""
    try:
        yield
    except sqlite3.Error as error:
        if not is_storage_failure(error):
            raise
        raise StorageFailed(f"{data / STATE_FILE}: {error}") from error


@contextmanager
def storage_errors(data: Path) -> Iterator[None]:
    """`state_errors`, and `StorageFailed` for every `OSError`. For operations on the store's own files only."""
    try:
        with state_errors(data):
            yield
    except OSError as error:
        raise StorageFailed(f"{error.filename or data}: {error.strerror or error}") from error


def is_storage_failure(error: BaseException) -> bool:
    """Whether an error, or one of those in a group, says that the store could not be read or written.

    The low byte of an extended result code of SQLite is the primary code.
    """
    if isinstance(error, BaseExceptionGroup):
        return any(map(is_storage_failure, error.exceptions))
    if isinstance(error, StorageFailed):
        return True
    code: int | None = getattr(error, "sqlite_errorcode", None)
    return code is not None and code & 0xFF in STORAGE_CODES
