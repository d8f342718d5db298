"""The schema of a file: declared in a new one, brought up to date by numbered migrations in an older one.

`corpus.tables` says how tables are now, `migrations/NNNN_<what>.sql` how those of version NNNN - 1 become so. A changed
table needs both, and a test holds a migrated file against a new one; a new table needs no migration.
"""

from datetime import datetime
from functools import cache
from hashlib import sha256
from pathlib import Path

import duckdb

from corpus.tables import TABLES
from warehouse.schema.catalog import relations
from warehouse.schema.ddl import create_tables
from warehouse.storage.connection import first_line, opened
from warehouse.storage.errors import WarehouseBroken
from warehouse.storage.sql_files import Folder, declarations, read_sql

MIGRATIONS = {int(name[:4]): name for name in read_sql("schema/migrations")}
"""Version to the name of the file that leads to it, in order."""

VERSION = max(MIGRATIONS)
"""The version of the declared tables."""

_FIRST = 1
"""The version of files from before versions were kept."""


def bring_up_to_date(connection: duckdb.DuckDBPyConnection, path: Path, *, at: datetime) -> None:
    """Makes the file at `path` one of this version, within the transaction that is open.

    Tables of an earlier version are migrated; views, macros and comments are declared as they are now where the file
    has others: to declare them takes a third of a small load. Raises WarehouseBroken for a file of a later version, or
    whose tables are not what their version says.
    """
    version = version_of(connection)
    if version is not None and version > VERSION:
        raise WarehouseBroken(path, f"its schema has version {version}, this program knows {VERSION}: update it")
    if version == VERSION and _declared(connection) == _digest():
        return
    connection.execute("CREATE SCHEMA IF NOT EXISTS internal")
    _declare(connection, "schema/internal")
    connection.execute("CREATE SCHEMA IF NOT EXISTS search")
    if version is None:
        _note(connection, VERSION, "created", at)
    else:
        for number in range(version + 1, VERSION + 1):
            _migrate(connection, path, number)
            _note(connection, number, MIGRATIONS[number][5:], at)
    for statement in create_tables().values():
        connection.execute(statement)
    for relation in relations(connection):
        columns = tuple(column.name for column in relation.columns)
        if relation.name not in TABLES or columns == TABLES[relation.name].column_names:
            continue
        if set(columns) != set(TABLES[relation.name].column_names):
            raise WarehouseBroken(path, f"its table {relation.name} is not ours; move the file away, build again")
        _put_in_declared_order(connection, relation.name)
    _declare(connection, "schema/search")
    _declare(connection, "schema/views")
    _declare(connection, "schema/macros")
    connection.execute("DELETE FROM internal.declarations")
    connection.execute("INSERT INTO internal.declarations VALUES (?)", [_digest()])


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


def _migrate(connection: duckdb.DuckDBPyConnection, path: Path, number: int) -> None:
    try:
        connection.execute(read_sql("schema/migrations")[MIGRATIONS[number]])
    except (duckdb.CatalogException, duckdb.BinderException) as error:
        raise WarehouseBroken(path, f"it is not ours ({first_line(error)}); move the file away, build again") from error


def _put_in_declared_order(connection: duckdb.DuckDBPyConnection, table: str) -> None:
    """`ALTER TABLE ... ADD COLUMN` adds behind `load_id`, which is the last column of every declared table."""
    connection.execute(f"CREATE TEMP TABLE former_{table} AS FROM {table}")
    connection.execute(f"DROP TABLE {table}")
    connection.execute(create_tables()[table])
    connection.execute(f"INSERT INTO {table} BY NAME FROM former_{table}")
    connection.execute(f"DROP TABLE former_{table}")


def version_of(connection: duckdb.DuckDBPyConnection) -> int | None:
    """The version of the open file's schema; None where it has no table yet. A published copy has it as a macro."""
    if _has_internal(connection, "migrations"):
        ((version,),) = connection.execute("SELECT max(version) FROM internal.migrations").fetchall()
        return int(version)
    if _has_macro(connection, "schema_version"):
        ((version,),) = connection.execute("SELECT schema_version()").fetchall()
        return int(version)
    return _FIRST if relations(connection) else None


def version_at(path: Path) -> int | None:
    """The version of the file at `path`, as `version_of` says. Raises WarehouseBroken, WarehouseLocked."""
    with opened(path, is_read_only=True) as connection:
        return version_of(connection)


def _declare(connection: duckdb.DuckDBPyConnection, folder: Folder) -> None:
    for statement in declarations(folder).values():
        connection.execute(statement)


def _note(connection: duckdb.DuckDBPyConnection, version: int, name: str, at: datetime) -> None:
    connection.execute("INSERT INTO internal.migrations VALUES (?, ?, ?)", [version, name, at])
