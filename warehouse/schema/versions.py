"""The schema of a file: tables, views and macros, declared in a new file; and the version that a file has.

Nothing is released yet, so there are no migrations: `repair` makes a file of an older version again from raw/. A table
that is missing is created, and views and macros are declared as they are now.
"""

from datetime import datetime
from functools import cache
from hashlib import sha256
from pathlib import Path

import duckdb

from verdicts.corpus.tables import TABLES
from verdicts.warehouse.schema.catalog import relations
from verdicts.warehouse.schema.ddl import create_tables
from verdicts.warehouse.storage.connection import opened
from verdicts.warehouse.storage.errors import WarehouseBroken
from verdicts.warehouse.storage.sql_files import Folder, declarations, read_sql

VERSION = 12
"""The version of the declared tables. Raised with every change of a table that files may have."""


def declare(connection: duckdb.DuckDBPyConnection, path: Path, *, at: datetime) -> None:
    """Declares in the file at `path` what is missing there or is another one, within the transaction that is open.

    To declare all views takes a third of a small load. Raises WarehouseBroken for a file of another version, or whose
    tables are not what its version says.
    """
    version = version_of(connection)
    if version is not None and version > VERSION:
        raise WarehouseBroken(path, f"its schema has version {version}, this program knows {VERSION}: update it")
    if version is not None and version < VERSION:
        raise WarehouseBroken(
            path,
            f"an older version of verdicts wrote it; 'verdicts repair' makes it again from raw/ (schema {version})",
        )
    if version == VERSION and _declared(connection) == _digest():
        return
    _check_tables(connection, path, is_ours=version is not None)
    connection.execute("CREATE SCHEMA IF NOT EXISTS internal")
    _declare(connection, "schema/internal")
    connection.execute("CREATE SCHEMA IF NOT EXISTS search")
    if version is None:
        connection.execute("INSERT INTO internal.migrations VALUES (?, 'created', ?)", [VERSION, at])
    for statement in create_tables().values():
        connection.execute(statement)
    _declare(connection, "schema/search")
    _declare(connection, "schema/views")
    _declare(connection, "schema/macros")
    connection.execute("DELETE FROM internal.declarations")
    connection.execute("INSERT INTO internal.declarations VALUES (?)", [_digest()])


def _check_tables(connection: duckdb.DuckDBPyConnection, path: Path, *, is_ours: bool) -> None:
    found = relations(connection)
    if found and not is_ours:
        raise WarehouseBroken(path, f"it is not ours: it has {found[0].name}, and no version of a schema; move it away")
    for relation in found:
        columns = tuple(column.name for column in relation.columns)
        if relation.name in TABLES and columns != TABLES[relation.name].column_names:
            raise WarehouseBroken(
                path, f"its table {relation.name} has other columns; 'verdicts repair' makes it again from raw/"
            )


def leave_to_readers(connection: duckdb.DuckDBPyConnection) -> None:
    """Takes out of the open copy what the warehouse keeps for its loads; its version and digest stay, as macros."""
    connection.execute(f"CREATE MACRO schema_version() AS {version_of(connection):d}")
    connection.execute(f"CREATE MACRO schema_digest() AS '{_declared(connection)}'")
    connection.execute("DROP SCHEMA internal CASCADE")


def is_as_declared(connection: duckdb.DuckDBPyConnection) -> bool:
    """Whether the open file or copy has the tables, views and macros of this version of the program."""
    return version_of(connection) == VERSION and _declared(connection) == _digest()


@cache
def _digest() -> str:
    """Of all statements that declare something."""
    folders: tuple[Folder, ...] = ("schema/internal", "schema/search", "schema/views", "schema/macros")
    statements = [*create_tables().values(), *(sql for folder in folders for sql in read_sql(folder).values())]
    return sha256("\0".join(statements).encode()).hexdigest()


def _declared(connection: duckdb.DuckDBPyConnection) -> str | None:
    """The digest of what is declared in the file or copy; None where it is older than such digests."""
    if _has_internal(connection, "declarations"):
        noted = connection.execute("SELECT digest FROM internal.declarations").fetchall()
        return noted[0][0] if noted else None
    if not _has_macro(connection, "schema_digest"):
        return None
    ((digest,),) = connection.execute("SELECT schema_digest()").fetchall()
    return str(digest)


def _has_macro(connection: duckdb.DuckDBPyConnection, name: str) -> bool:
    known = "FROM duckdb_functions() WHERE function_name = ? AND NOT internal"
    return bool(connection.execute(known, [name]).fetchall())


def _has_internal(connection: duckdb.DuckDBPyConnection, table: str) -> bool:
    known = "FROM duckdb_tables() WHERE schema_name = 'internal' AND table_name = ?"
    return bool(connection.execute(known, [table]).fetchall())


def version_of(connection: duckdb.DuckDBPyConnection) -> int | None:
    """The version of the open file's schema; None where it has no tables of ours. A copy has it as a macro."""
    if _has_internal(connection, "migrations"):
        ((version,),) = connection.execute("SELECT max(version) FROM internal.migrations").fetchall()
        return int(version)
    if _has_macro(connection, "schema_version"):
        ((version,),) = connection.execute("SELECT schema_version()").fetchall()
        return int(version)
    return None


def version_at(path: Path) -> int | None:
    """The version of the file at `path`, as `version_of` says. Raises WarehouseBroken, WarehouseLocked."""
    with opened(path, is_read_only=True) as connection:
        return version_of(connection)


def _declare(connection: duckdb.DuckDBPyConnection, folder: Folder) -> None:
    for statement in declarations(folder).values():
        connection.execute(statement)
