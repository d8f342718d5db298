"""Opens DuckDB files. DuckDB's errors about files and disks become errors of this package."""

import os
import re
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from os.path import realpath
from pathlib import Path

import duckdb

from verdicts.corpus.first_error import ending_with, noted_on
from verdicts.warehouse.storage.errors import MemoryShort, WarehouseBroken, WarehouseLocked
from verdicts.warehouse.storage.reachable import address, named_objects, out_of_reach, reach_objects
from verdicts.warehouse.storage.sql_files import literal

_OF_STORAGE = (duckdb.IOException, duckdb.SerializationException, duckdb.FatalException, duckdb.InternalException)

_NOTHING_BY_ITSELF = {
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "allow_persistent_secrets": False,
    "python_enable_replacements": False,
}
"""No download, no secret of the user's home, no variable of ours as a table. All that is used is linked into DuckDB."""

STORAGE_VERSION = "v1.2.0"
"""Of files that are made here: DuckDB 1.2 and every later one open them, as do the tools that are built on them."""

BLOCK_BYTES, LARGE_BLOCK_BYTES, LARGE_FILE_BYTES = 16_384, 65_536, 64_000_000
"""Blocks of a new file, and of one written anew that has LARGE_FILE_BYTES.

Every column of a table takes a block at least: DuckDB's own 262,144 bytes make the demo site's 182 reviews a file of
9 MB, 16,384 one of 1.3 MB. At 100,000 reviews 65,536 take a quarter less than either, and none is slower:
docs/benchmarks.md. A file keeps its format, and so does a copy of it.
"""

_MEMORY_SHARE = "50%"
"""Of the machine's memory, or the container's, that a reader may fill: a crawl may run beside it."""

_SPILL_LIMIT = "10GB"
"""What a reader may write to its temporary folder; DuckDB's own limit is nine tenths of the free disk."""

_PATIENCE_S, _PAUSE_S = 30.0, 0.1
"""How long a file that another process holds is waited for: `verdicts diff` must not stop a night, nor a night it."""

_FAILED_COMMIT = "Failed to commit"
"""`TransactionContext Error: Failed to commit: Could not write file "...": File too large` is a failure of the disk."""

REMEDY = "; 'verdicts verify' says whether it is damaged, 'verdicts repair' makes it again"

_DAMAGED = re.compile(r"Corrupt database file|Could not read enough bytes from file \"[^\"]*\.duckdb\"")
"""`IO Error: Corrupt database file: computed checksum ... does not match`: not the question is wrong but the file.

So it is where the file ends too early: `IO Error: Could not read enough bytes from file "....duckdb": attempted ...`.
"""


def is_damage(error: duckdb.Error) -> bool:
    """Whether DuckDB found that a block of a file is missing, or not as it was written."""
    return _DAMAGED.search(first_line(error)) is not None


def first_line(error: Exception) -> str:
    """The first line of a message: without the stack trace and the caret under the SQL."""
    return str(error).strip().partition("\n")[0]


def whole_message(error: Exception) -> str:
    """A message with its hint, the SQL and the caret under it; without the stack trace and empty lines.

    Where memory ran out only what happened: the hints name settings that a question cannot change.
    """
    if isinstance(error, duckdb.OutOfMemoryException):
        return first_line(error)
    lines = str(error).strip().partition("\nStack Trace")[0].split("\n")
    return "\n".join(line.rstrip() for line in lines if line.strip()).replace("\t", " ")


@contextmanager
def opened(
    path: Path, *, is_read_only: bool = False, expected_bytes: int = 0, most_memory: int | None = None
) -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection to the file at `path`, in UTC, closed at the end. A reader leaves nothing beside the file.

    A file that is not there is made, with blocks that fit `expected_bytes`. `most_memory`: bytes that DuckDB may hold
    before it goes to the disk, on a machine that has more.

    Raises WarehouseLocked when another process holds the file, WarehouseBroken when it is no DuckDB file or the
    disk fails, on opening or later, MemoryShort.
    """
    with ExitStack() as stack:
        limits = stack.enter_context(_reader_limits()) if is_read_only else {}
        config: dict[str, str | bool | int | float | list[str]] = {
            **_NOTHING_BY_ITSELF,
            **_file_format(expected_bytes),
            **limits,
        }
        connection = _patiently(path, lambda: duckdb.connect(path, read_only=is_read_only, config=config))
        with ending_with(connection.close), storage_errors(path):
            # The first is what cursors of this connection have, the second what it has itself.
            connection.execute("SET GLOBAL TimeZone = 'UTC'")
            connection.execute("SET TimeZone = 'UTC'")
            connection.execute("SET enable_progress_bar = false")
            _limit_memory(connection, most_memory)
            reach_objects(connection, named_objects(connection))
            yield connection


@contextmanager
def scratch() -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection to a database in memory, for rows that are not in a warehouse yet. It holds no table at the end."""
    home = Path(tempfile.gettempdir(), f"verdicts-{os.getpid()}")
    with storage_errors(home), _memory(home).cursor() as connection:
        try:
            connection.execute("SET TimeZone = 'UTC'")
            yield connection
        except BaseException:
            # A file that is broken may leave the database unusable.
            _memory.cache_clear()
            raise


@cache
def _memory(home: Path) -> duckdb.DuckDBPyConnection:
    """One a process: to make a database takes 20 ms, a cursor of one less than 1. DuckDB makes `home` if it spills."""
    limits: dict[str, str] = {"memory_limit": _MEMORY_SHARE, "temp_directory": str(home)}
    connection = duckdb.connect(":memory:", config={**_NOTHING_BY_ITSELF, **limits})
    _limit_memory(connection, None)
    return connection


@contextmanager
def storage_errors(path: Path) -> Iterator[None]:
    """What DuckDB raises of memory, of the disk and of a damaged file becomes MemoryShort and WarehouseBroken."""
    try:
        yield
    except duckdb.OutOfMemoryException as error:
        raise MemoryShort(f"{path.name}: memory ran out ({first_line(error)})") from error
    except duckdb.Error as error:
        if why := out_of_reach(error):
            raise WarehouseBroken(path, why) from error
        is_ours = is_damage(error) or isinstance(error, _OF_STORAGE) or _FAILED_COMMIT in first_line(error)
        if not is_ours:
            raise
        raise WarehouseBroken(path, f"storage failed ({first_line(error)}){REMEDY}") from error


def fitting_block_bytes(file_bytes: int) -> int:
    """Of a file of that size."""
    return LARGE_BLOCK_BYTES if file_bytes >= LARGE_FILE_BYTES else BLOCK_BYTES


def _file_format(file_bytes: int) -> dict[str, str]:
    return {
        "storage_compatibility_version": STORAGE_VERSION,
        "default_block_size": str(fitting_block_bytes(file_bytes)),
        # Where metadata is written once and pointed to again, DuckDB 1.2 says `Failed to load metadata pointer`.
        "experimental_metadata_reuse": "false",
    }


@contextmanager
def _reader_limits() -> Iterator[dict[str, str]]:
    """Settings of a reader. Its temporary folder is its own, and removed at the end; none where none can be made."""
    limits = {"memory_limit": _MEMORY_SHARE, "max_temp_directory_size": _SPILL_LIMIT, "temp_directory": ""}
    try:
        folder = tempfile.TemporaryDirectory(prefix="verdicts-", ignore_cleanup_errors=True)
    except OSError:
        yield limits
        return
    with folder as name:
        yield {**limits, "temp_directory": name}


def lock_down(connection: duckdb.DuckDBPyConnection, readable: Sequence[Path] = ()) -> None:
    """From here on the connection reads files of `readable` and below alone, and its settings stay.

    DuckDB compares the paths after following links and `..`; it adds the files that are open and its temporary folder.
    The objects that an open file reads can be read, too, each by its name.
    """
    folders = [realpath(folder) for folder in readable]
    files = [address(url, name) for url, names in named_objects(connection).items() for name in names]
    connection.execute("SET allowed_directories = $folders", {"folders": folders})
    connection.execute("SET allowed_paths = $files", {"files": files})
    connection.execute("SET enable_external_access = false")
    connection.execute("SET lock_configuration = true")


def _limit_memory(connection: duckdb.DuckDBPyConnection, chosen: int | None) -> None:
    setting = "SELECT parse_formatted_bytes(current_setting('memory_limit'))"
    ((held,),) = connection.execute(setting).fetchall()
    limits = (chosen, _most_memory())
    most = min((limit for limit in limits if limit is not None), default=held)
    if most < held:
        connection.execute(f"SET memory_limit = '{most}B'")


def _most_memory() -> int | None:
    """Bytes that DuckDB may hold before it goes to the disk: four fifths of what a limited address space has left.

    By itself it takes four fifths of the machine's memory. None where there is no limit.
    """
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit == resource.RLIM_INFINITY or sys.platform != "linux":
        return None
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    return max(0, limit - pages * resource.getpagesize()) * 4 // 5


@contextmanager
def attached(connection: duckdb.DuckDBPyConnection, path: Path, name: str) -> Iterator[None]:
    """Attaches the file at `path` as the database `name`, read-only. Raises WarehouseLocked, WarehouseBroken."""
    _patiently(path, lambda: connection.execute(f"ATTACH {literal(path)} AS {name} (READ_ONLY)"))
    reach_objects(connection, named_objects(connection))
    yield
    connection.execute(f"DETACH {name}")


def _patiently(path: Path, open_file: Callable[[], duckdb.DuckDBPyConnection]) -> duckdb.DuckDBPyConnection:
    """Opens the file at `path` once it is free. Raises WarehouseLocked, WarehouseBroken."""
    deadline = time.monotonic() + _PATIENCE_S
    while True:
        try:
            return open_file()
        except duckdb.Error as error:
            refusal = _not_opened(path, error)
            if not isinstance(refusal, WarehouseLocked) or time.monotonic() >= deadline:
                raise refusal from error
        time.sleep(_PAUSE_S)


def _not_opened(path: Path, error: duckdb.Error) -> WarehouseLocked | WarehouseBroken:
    # IO Error: Could not set lock on file "...": Conflicting lock is held in ... (PID 1234).
    if "Could not set lock" in first_line(error):
        return WarehouseLocked(path)
    return WarehouseBroken(path, f"cannot be opened as a database ({first_line(error)}){REMEDY}")


@contextmanager
def writing(path: Path, *, most_memory: int | None = None) -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection whose changes are committed at the end. On any error the file is unchanged; a new one is removed.

    `most_memory` as in `opened`.

    Raises WarehouseLocked, WarehouseBroken.
    """
    is_new = not path.exists()
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        with opened(path, most_memory=most_memory) as connection:
            connection.begin()
            try:
                yield connection
                connection.commit()
            except BaseException as error:
                # A COMMIT after a failed statement would roll back without saying so.
                with noted_on(error), suppress(duckdb.TransactionException):
                    connection.rollback()
                raise
    except BaseException as error:
        if is_new:
            with noted_on(error):
                path.unlink(missing_ok=True)
        raise
