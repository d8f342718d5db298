"""The state of a store: one SQLite file, opened by one writer and by readers at the same time."""

import sqlite3
from contextlib import closing
from pathlib import Path

from fetch.store.migrate import VERSION, bring_up_to_date, version_of


def connect(path: Path, *, read_only: bool) -> sqlite3.Connection:
    """Opens the file; the writer makes it where it is missing, and brings one of an earlier version up to date.

    A reader of an earlier version gets a copy in memory, brought up to date there. Raises `StorageFailed` for a file of
    a version that this program does not know, `sqlite3.Error` for one that cannot be opened.
    """
    if read_only:
        connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
        if version_of(connection, path) == VERSION:
            return connection
        with closing(connection):
            return _copy(connection, path)
    connection = sqlite3.connect(path)
    # WAL lets `status` read while a crawl writes; FULL makes a commit outlive a power cut, as the segments do.
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    bring_up_to_date(connection, path)
    return connection


def scratch(path: Path) -> sqlite3.Connection:
    """A copy of the file in memory; an empty state where the file is missing."""
    if not path.exists():
        empty = sqlite3.connect(":memory:")
        bring_up_to_date(empty, path)
        return empty
    with closing(connect(path, read_only=True)) as connection:
        return _copy(connection, path)


def _copy(connection: sqlite3.Connection, path: Path) -> sqlite3.Connection:
    copy = sqlite3.connect(":memory:")
    connection.backup(copy)
    bring_up_to_date(copy, path)
    return copy
