"""Opens DuckDB files, and turns DuckDB's errors about files, disk and memory into errors of this package."""

import multiprocessing.util
import os
import re
import resource
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from os.path import realpath
from pathlib import Path

import duckdb

from verdicts.corpus.error_notes import ending_with, note_errors
from verdicts.warehouse.storage.sql_files import literal
from verdicts.warehouse.storage.warehouse_errors import DENIED, FULL, MemoryShort, WarehouseBroken, WarehouseLocked

_OF_STORAGE = (duckdb.IOException, duckdb.SerializationException, duckdb.FatalException, duckdb.InternalException)

_NOTHING_BY_ITSELF = {
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "allow_persistent_secrets": False,
    "python_enable_replacements": False,
}
"""No downloads, no secrets from the user's home, no Python variables as tables."""

STORAGE_VERSION = "v1.2.0"
"""Format of new files: DuckDB 1.2 and all later versions open them."""

BLOCK_BYTES, LARGE_BLOCK_BYTES, LARGE_FILE_BYTES = 16_384, 65_536, 64_000_000
"""Block sizes of a new file, and of a rewritten file with at least LARGE_FILE_BYTES.

Every column reviews at least one block. With DuckDB's default of 262,144 bytes the demo site's 182 reviews take 9 MB,
with 16,384 they take 1.3 MB. For 100,000 reviews, 65,536 takes a quarter less than either and is as fast.
A file and its copies keep their block size.
"""

ZSTD_CHARS = 80
"""Columns whose texts are longer on average are written with Zstandard, where DuckDB's own limit is 4,096: the texts of
a million reviews and their appearances take 330 MB, not 620. One text is read in 1.4 ms, not 1.0.
"""

_MEMORY_SHARE = "50%"
"""Share of the memory of the machine or container for a reader: a crawl may run at the same time."""

_SPILL_LIMIT = "10GB"
"""Most bytes in a reader's temporary folder; DuckDB's default is nine tenths of the free disk."""

_PATIENCE_S, _PAUSE_S = 30.0, 0.1
"""How long to wait for a file that another process holds: `verdicts diff` and a night must not stop each other."""

_FAILED_COMMIT = "Failed to commit"
"""A failure of the disk: `TransactionContext Error: Failed to commit: Could not write file "...": File too large`."""

REMEDY = "; 'verdicts repair' makes it again"

_DAMAGED = re.compile(r"Corrupt database file|Could not read enough bytes from file \"[^\"]*\.duckdb\"")
"""Messages about a damaged file: `IO Error: Corrupt database file: computed checksum ... does not match`, or if it ends
too early, `IO Error: Could not read enough bytes from file "....duckdb": attempted ...`.
"""


def is_damage(error: duckdb.Error) -> bool:
    """Whether DuckDB found a missing or changed block in a file."""
    return _DAMAGED.search(first_line(error)) is not None


def first_line(error: Exception) -> str:
    """The first line of a message, without stack trace and SQL."""
    return str(error).strip().partition("\n")[0]


def whole_message(error: Exception) -> str:
    """A message with its hint and SQL, without stack trace and empty lines.

    If memory ran out, only the first line: the hints name settings that a question cannot change.
    """
    if isinstance(error, duckdb.OutOfMemoryException):
        return first_line(error)
    lines = str(error).strip().partition("\nStack Trace")[0].split("\n")
    return "\n".join(line.rstrip() for line in lines if line.strip()).replace("\t", " ")


@contextmanager
def open_database(
    path: Path, *, is_read_only: bool = False, expected_bytes: int = 0, most_memory: int | None = None
) -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection to the file at `path`, in UTC, closed at the end. A reader leaves no other files.

    If a load did not write its log into the file, this is done first.

    A missing file is created, with blocks that fit `expected_bytes`. `most_memory`: most bytes that DuckDB holds before
    it writes to the disk.

    Raises WarehouseLocked if another process holds the file, WarehouseBroken if it is not a DuckDB file or the disk
    fails, and MemoryShort.
    """
    with ExitStack() as stack:
        limits = stack.enter_context(_reader_limits()) if is_read_only else {}
        config: dict[str, str | bool | int | float | list[str]] = {
            **_NOTHING_BY_ITSELF,
            **_file_format(expected_bytes),
            **limits,
        }
        if path.with_name(f"{path.name}.wal").exists() and os.access(path, os.W_OK):
            _patiently(path, lambda: _replay_log(path))
        connection = _patiently(path, lambda: duckdb.connect(path, read_only=is_read_only, config=config))
        with ending_with(connection.close), storage_errors(path):
            # The first is for cursors of this connection, the second for the connection itself.
            connection.execute("SET GLOBAL TimeZone = 'UTC'")
            connection.execute("SET TimeZone = 'UTC'")
            connection.execute("SET enable_progress_bar = false")
            _limit_memory(connection, most_memory)
            yield connection


def _replay_log(path: Path) -> duckdb.DuckDBPyConnection:
    """Writes the log of a killed writer, or of one whose disk was full, into the file. Returns a closed connection.

    DuckDB replays it when it opens the file, and then without its functions: `Failure while replaying WAL file ...:
    Scalar Function with name "list_aggr" is not in the catalog` (duckdb/duckdb#18259). A second database has them.
    """
    with duckdb.connect(":memory:", config={**_NOTHING_BY_ITSELF}) as connection:
        connection.execute(f"ATTACH {literal(str(path))} AS {path.stem}")
        connection.execute(f"CHECKPOINT {path.stem}")
    # DuckDB leaves one that was torn before its first entry.
    path.with_name(f"{path.name}.wal").unlink(missing_ok=True)
    return connection


def check_blocks(path: Path) -> None:
    """Reads every row, so that DuckDB compares the blocks with their checksums. Raises as `open_database` does."""
    with open_database(path, is_read_only=True) as connection:
        for schema, table in connection.execute("SELECT schema_name, table_name FROM duckdb_tables()").fetchall():
            connection.execute(f'SELECT bit_xor(hash(row)) FROM "{schema}"."{table}" AS row')  # noqa: S608  of the catalog


@contextmanager
def scratch() -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection to a database in memory, for rows that are not yet in a warehouse."""
    home = _spill_folder(os.getpid())
    with storage_errors(home), _memory(home).cursor() as connection:
        try:
            connection.execute("SET TimeZone = 'UTC'")
            yield connection
        except BaseException:
            # A broken file may make the database unusable.
            _memory.cache_clear()
            raise


@cache
def _spill_folder(process: int) -> Path:
    """A folder that only this user reads. It ends with the process: workers run no `atexit`."""
    folder = Path(tempfile.mkdtemp(prefix=f"verdicts-{process}-"))
    multiprocessing.util.Finalize(None, shutil.rmtree, args=(folder, True), exitpriority=0)
    return folder


@cache
def _memory(home: Path) -> duckdb.DuckDBPyConnection:
    """One for each process: a new database takes 20 ms, a cursor less than 1 ms."""
    limits: dict[str, str] = {"memory_limit": _MEMORY_SHARE, "temp_directory": str(home)}
    connection = duckdb.connect(":memory:", config={**_NOTHING_BY_ITSELF, **limits})
    _limit_memory(connection, None)
    return connection


@contextmanager
def storage_errors(path: Path) -> Iterator[None]:
    """DuckDB's errors about memory become MemoryShort; those about the disk or a damaged file, WarehouseBroken."""
    try:
        yield
    except duckdb.OutOfMemoryException as error:
        raise MemoryShort(f"{path.name}: memory ran out ({first_line(error)})") from error
    except duckdb.Error as error:
        is_ours = is_damage(error) or isinstance(error, _OF_STORAGE) or _FAILED_COMMIT in first_line(error)
        if not is_ours:
            raise
        raise WarehouseBroken(path, f"storage failed ({first_line(error)}){_remedy(error)}") from error


def _remedy(error: duckdb.Error) -> str:
    """A full or denied disk damages nothing: DuckDB rolls back."""
    return "" if FULL.search(first_line(error)) or DENIED.search(first_line(error)) else REMEDY


def choose_block_bytes(file_bytes: int) -> int:
    """The block size for a file of that size."""
    return LARGE_BLOCK_BYTES if file_bytes >= LARGE_FILE_BYTES else BLOCK_BYTES


def _file_format(file_bytes: int) -> dict[str, str]:
    return {
        "storage_compatibility_version": STORAGE_VERSION,
        "default_block_size": str(choose_block_bytes(file_bytes)),
        "zstd_min_string_length": str(ZSTD_CHARS),
        # With it, DuckDB 1.2 fails with `Failed to load metadata pointer`.
        "experimental_metadata_reuse": "false",
    }


@contextmanager
def _reader_limits() -> Iterator[dict[str, str]]:
    """Settings of a reader, with its own temporary folder, if one can be created. It is removed at the end."""
    limits = {"memory_limit": _MEMORY_SHARE, "max_temp_directory_size": _SPILL_LIMIT, "temp_directory": ""}
    try:
        folder = tempfile.TemporaryDirectory(prefix="verdicts-", ignore_cleanup_errors=True)
    except OSError:
        yield limits
        return
    with folder as name:
        yield {**limits, "temp_directory": name}


def lock_down(connection: duckdb.DuckDBPyConnection, readable: Sequence[Path] = ()) -> None:
    """Lets the connection read only files below `readable`, and locks its settings.

    DuckDB resolves links and `..` before it compares paths. Open files and the temporary folder stay readable.
    """
    folders = [realpath(folder) for folder in readable]
    connection.execute("SET allowed_directories = $folders", {"folders": folders})
    connection.execute("SET enable_external_access = false")
    connection.execute("SET lock_configuration = true")


def _limit_memory(connection: duckdb.DuckDBPyConnection, chosen: int | None) -> None:
    limits = [limit for limit in (chosen, _most_memory()) if limit is not None]
    if not limits:
        return
    setting = "SELECT parse_formatted_bytes(current_setting('memory_limit'))"
    ((current,),) = connection.execute(setting).fetchall()
    if (most := min(limits)) < current:
        connection.execute(f"SET memory_limit = '{most}B'")


def _most_memory() -> int | None:
    """Most bytes for DuckDB: four fifths of the rest of a limited address space, None without a limit."""
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit == resource.RLIM_INFINITY or sys.platform != "linux":
        return None
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    return max(0, limit - pages * resource.getpagesize()) * 4 // 5


@contextmanager
def attach(connection: duckdb.DuckDBPyConnection, path: Path, name: str) -> Iterator[None]:
    """Attaches the file at `path` as the database `name`, read-only. Raises WarehouseLocked, WarehouseBroken."""
    _patiently(path, lambda: connection.execute(f"ATTACH {literal(path)} AS {name} (READ_ONLY)"))
    yield
    connection.execute(f"DETACH {name}")


def _patiently(path: Path, open_file: Callable[[], duckdb.DuckDBPyConnection]) -> duckdb.DuckDBPyConnection:
    """Opens the file at `path` when it is free. Raises WarehouseLocked, WarehouseBroken."""
    deadline = time.monotonic() + _PATIENCE_S
    while True:
        try:
            return open_file()
        except duckdb.Error as error:
            refusal = _not_opened(path, error)
            if not isinstance(refusal, WarehouseLocked) or time.monotonic() >= deadline:
                raise refusal from error
        time.sleep(_PAUSE_S)


def _not_opened(path: Path, error: duckdb.Error) -> WarehouseLocked | WarehouseBroken | MemoryShort:
    if isinstance(error, duckdb.OutOfMemoryException):
        return MemoryShort(f"{path.name}: memory ran out ({first_line(error)})")
    # IO Error: Could not set lock on file "...": Conflicting lock is held in ... (PID 1234).
    if "Could not set lock" in first_line(error):
        return WarehouseLocked(path)
    return WarehouseBroken(path, f"cannot be opened as a database ({first_line(error)}){_remedy(error)}")


@contextmanager
def open_for_writing(
    path: Path, *, expected_bytes: int = 0, most_memory: int | None = None
) -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection that commits its changes at the end. On an error the file stays unchanged; a new file is removed.

    `expected_bytes`, `most_memory` and errors are those of `open_database`.
    """
    is_new = not path.exists()
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        with open_database(path, expected_bytes=expected_bytes, most_memory=most_memory) as connection:
            connection.begin()
            try:
                yield connection
                connection.commit()
            except BaseException as error:
                # A COMMIT after a failed statement would roll back silently.
                with note_errors(error), suppress(duckdb.TransactionException):
                    connection.rollback()
                raise
    except BaseException as error:
        if is_new:
            with note_errors(error):
                path.unlink(missing_ok=True)
        raise
