"""The schema of the state: declared in a new file, brought up to date by numbered migrations in an older one.

`schema.sql` says how tables are now, `migrations/NNNN_<what>.sql` how those of version NNNN - 1 become so. A change
needs both, and a test holds a migrated file against a new one. The version is SQLite's `user_version`.
"""

import sqlite3
from pathlib import Path

from fetch.model.errors import StateOutdated, StorageFailed

_HERE = Path(__file__).parent

SCHEMA = _HERE / "schema.sql"

MIGRATIONS = {int(path.name[:4]): path for path in sorted((_HERE / "migrations").glob("*.sql"))}
"""Version to the file that leads to it, in order."""

VERSION = max(MIGRATIONS)
"""The version of `schema.sql`."""


def bring_up_to_date(connection: sqlite3.Connection, path: Path) -> None:
    """Makes the state one of this version, in one transaction: a failure leaves the version before, whole.

    Raises `StateOutdated` for a state older than the first migration, `StorageFailed` for one of a later version and
    for one whose tables are not what its version says.
    """
    version = version_of(connection, path)
    if version == VERSION:
        return
    scripts = [SCHEMA] if version is None else [MIGRATIONS[number] for number in range(version + 1, VERSION + 1)]
    steps = "\n".join(script.read_text(encoding="utf-8") for script in scripts)
    try:
        connection.executescript(f"BEGIN IMMEDIATE;\n{steps}\nPRAGMA user_version = {VERSION};\nCOMMIT;")
    except sqlite3.OperationalError as error:
        connection.rollback()
        # A full disk or a held file has a code of its own; this one says that a statement does not fit the tables.
        if error.sqlite_errorcode != sqlite3.SQLITE_ERROR:
            raise
        raise StorageFailed(
            f"{path} cannot be brought from version {version} to {VERSION} ({error}) and stays as it was; it was"
            " changed by another program: put a copy of it back"
        ) from error


def version_of(connection: sqlite3.Connection, path: Path) -> int | None:
    """The version of an open state, one that this program knows; None where it has no table yet.

    Raises `StateOutdated` for an older version, `StorageFailed` for a later one.
    """
    if connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0:
        return None
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    if version > VERSION:
        raise StorageFailed(f"{path} is of version {version}, and this program knows {VERSION}: update it")
    if version < min(MIGRATIONS) - 1:
        raise StateOutdated(path, version, VERSION)
    return version
