"""The schema of the state: `schema.sql`, declared in a new file. The version is SQLite's `user_version`.

Nothing is released yet, so there are no migrations: `repair` makes a state of another version again from raw/.
"""

import sqlite3
from pathlib import Path

from verdicts.fetch.model.errors import StateOutdated, StorageFailed

_SCHEMA = Path(__file__).with_suffix(".sql")

VERSION = 14
"""The version of `schema.sql`. Raised with every change of it."""


def declare(connection: sqlite3.Connection, path: Path) -> None:
    """Makes the tables of a state that has no table yet. Raises as `version_of` does."""
    if version_of(connection, path) is None:
        script = _SCHEMA.read_text(encoding="utf-8")
        connection.executescript(f"BEGIN IMMEDIATE;\n{script}\nPRAGMA user_version = {VERSION};\nCOMMIT;")


def version_of(connection: sqlite3.Connection, path: Path) -> int | None:
    """The version of an open state, which is that of this program; None where it has no table yet.

    Raises `StateOutdated` for an older version, `StorageFailed` for a later one.
    """
    if connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0:
        return None
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    if version > VERSION:
        raise StorageFailed(f"{path} is of version {version}, and this program knows {VERSION}: update it")
    if version < VERSION:
        raise StateOutdated(path, version, VERSION)
    return version
