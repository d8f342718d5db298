"""Opens DuckDB files. DuckDB's errors about files and disks become errors of this package."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import duckdb

from warehouse.storage.errors import WarehouseBroken, WarehouseLocked

_OF_STORAGE = (duckdb.IOException, duckdb.SerializationException, duckdb.FatalException, duckdb.InternalException)

_FAILED_COMMIT = "Failed to commit"
"""`TransactionContext Error: Failed to commit: Could not write file "...": File too large` is a failure of the disk."""


_REMEDY = "; 'verdicts verify' says whether it is damaged, 'verdicts repair' makes it again"


def first_line(error: Exception) -> str:
    """The first line of a message: without the stack trace and the caret under the SQL."""
    return str(error).strip().partition("\n")[0]


@contextmanager
def opened(path: Path, *, is_read_only: bool = False) -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection to the file at `path`, in UTC, closed at the end.

    Raises WarehouseLocked when another process holds the file, WarehouseBroken when it is no DuckDB file or the
    disk fails, on opening or later.
    """
    try:
        connection = duckdb.connect(path, read_only=is_read_only)
    except duckdb.Error as error:
        raise _not_opened(path, error) from error
    try:
        connection.execute("SET TimeZone = 'UTC'")
        connection.execute("SET enable_progress_bar = false")
        yield connection
    except (*_OF_STORAGE, duckdb.TransactionException) as error:
        if isinstance(error, duckdb.TransactionException) and _FAILED_COMMIT not in first_line(error):
            raise
        raise WarehouseBroken(path, f"storage failed ({first_line(error)}){_REMEDY}") from error
    finally:
        connection.close()


@contextmanager
def attached(connection: duckdb.DuckDBPyConnection, path: Path, name: str) -> Iterator[None]:
    """Attaches the file at `path` as the database `name`, read-only. Raises WarehouseLocked, WarehouseBroken."""
    quoted = str(path).replace("'", "''")
    try:
        connection.execute(f"ATTACH '{quoted}' AS {name} (READ_ONLY)")
    except duckdb.Error as error:
        raise _not_opened(path, error) from error
    yield
    connection.execute(f"DETACH {name}")


def _not_opened(path: Path, error: duckdb.Error) -> WarehouseLocked | WarehouseBroken:
    # IO Error: Could not set lock on file "...": Conflicting lock is held in ... (PID 1234).
    if "lock" in first_line(error):
        return WarehouseLocked(path)
    return WarehouseBroken(path, f"cannot be opened as a database ({first_line(error)}){_REMEDY}")


@contextmanager
def writing(path: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection whose changes are committed at the end. On any error the file is unchanged; a new one is removed.

    Raises WarehouseLocked, WarehouseBroken.
    """
    is_new = not path.exists()
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        with opened(path) as connection:
            connection.begin()
            try:
                yield connection
                connection.commit()
            except BaseException:
                # A COMMIT after a failed statement would roll back without saying so.
                with suppress(duckdb.TransactionException):
                    connection.rollback()
                raise
    except BaseException:
        if is_new:
            path.unlink(missing_ok=True)
        raise
