"""The state of a store: one SQLite file, opened by one writer and by readers at the same time."""

import sqlite3
from contextlib import closing
from pathlib import Path

from fetch.model.errors import StorageFailed

SCHEMA = Path(__file__).with_name("schema.sql")

SCHEMA_VERSION = 3
"""Stored in the file as `user_version`: a store of another version is refused, not misread."""


def connect(path: Path, *, read_only: bool) -> sqlite3.Connection:
    """Opens the file; the writer makes it where it is missing.

    Raises `StorageFailed` for a file of another version, `sqlite3.Error` for one that cannot be opened.
    """
    if read_only:
        connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
        _check_version(connection, path)
        return connection
    connection = sqlite3.connect(path)
    _check_version(connection, path)
    # WAL lets `status` read while a crawl writes; FULL makes a commit outlive a power cut, as the segments do.
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    # The version first: a run killed in between leaves a file that the next one completes.
    connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
    connection.executescript(SCHEMA.read_text(encoding="utf-8"))
    return connection


def scratch(path: Path) -> sqlite3.Connection:
    """A copy of the file in memory; an empty state where the file is missing."""
    copy = sqlite3.connect(":memory:")
    if path.exists():
        with closing(connect(path, read_only=True)) as connection:
            connection.backup(copy)
    copy.executescript(SCHEMA.read_text(encoding="utf-8"))
    return copy


def _check_version(connection: sqlite3.Connection, path: Path) -> None:
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    is_new = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0
    if version != SCHEMA_VERSION and not is_new:
        raise StorageFailed(f"{path} is of version {version}, this program reads version {SCHEMA_VERSION}")
