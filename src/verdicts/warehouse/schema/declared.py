"""Declares the tables, views and macros of a database file with their comments, and reads them back.

There are no migrations: `repair` rebuilds a file of an older version from raw/. Missing tables are created, and views
and macros are replaced.
"""

import re
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Literal

import duckdb

from verdicts.corpus.columns import CONTENT_HASH, Column
from verdicts.corpus.declare import SCHEMAS, Schema, Table, in_schema
from verdicts.corpus.tables import CORPUS_TABLES, TABLES
from verdicts.warehouse.schema.content_hash import hash_content
from verdicts.warehouse.storage.connection import open_database
from verdicts.warehouse.storage.sql_files import Folder, declarations, literal, quote_name, read_sql
from verdicts.warehouse.storage.warehouse_errors import WarehouseBroken

VERSION = 19
"""The version of the declared tables. Raise it with every change of a table."""

WITHOUT_HASHES = "verdicts_without_hashes"
"""The variable of a connection that writes rows and reads no `content_hash`; it is NULL there."""

_FOLDERS: tuple[Folder, ...] = ("schema/internal", "schema/search", "schema/views", "schema/macros")


def create_schemas() -> list[str]:
    return [f"CREATE SCHEMA IF NOT EXISTS {schema};" for schema in SCHEMAS]


@cache
def create_tables(*, is_plain: bool = False) -> dict[str, str]:
    """Table name to the statements that create it if it is missing, with comments.

    Without keys: DuckDB's own keys make a load of a million rows three to fifteen times slower. `is_plain`: rows of a
    dataset, which have their `content_hash`, can be inserted; else DuckDB computes it when it is read, and it takes no
    space.
    """
    return {
        table.name: f"CREATE TABLE IF NOT EXISTS {table.relation} (\n{_columns(table, is_plain)}\n);\n\n"
        + comments_on(table)
        for table in TABLES.values()
    }


def _columns(table: Table, is_plain: bool) -> str:
    return ",\n".join(
        f"    {column.name} {column.type}{_constraint(table, column, is_plain)}" for column in table.columns
    )


def _constraint(table: Table, column: Column, is_plain: bool) -> str:
    if column is CONTENT_HASH and not is_plain:
        # DuckDB also computes it for each row that is written, and throws it away: a fifth of a first load.
        hashed = f"CASE WHEN getvariable('{WITHOUT_HASHES}') IS NULL THEN {hash_content(table.content)} END"
        return f" GENERATED ALWAYS AS ({hashed}) VIRTUAL"
    return "" if column.is_optional else " NOT NULL"


def write_key(table: Table, value: str) -> str:
    """The SQL of the key of a row as JSON. `value` is the SQL of a column, with `{}` for its name.

    Its text is the same in every time zone: rows are joined by it.
    """
    values = {
        column.name: f"({value.format(quote_name(column.name))} AT TIME ZONE 'UTC')::VARCHAR || '+00'"
        if column.type == "TIMESTAMPTZ"
        else value.format(quote_name(column.name))
        for column in table.columns
    }
    return f"to_json({{{', '.join(f'{literal(name)}: {values[name]}' for name in table.key)}}})::VARCHAR"


def create_rows_since() -> str:
    """The statement that creates `rows_since(last_load)`: each row of the corpus that a later load added or changed."""
    selects = (
        f"SELECT load_id, {literal(table.name)} AS relation, {write_key(table, 'whole.{}')} AS row_key,"  # noqa: S608
        f" to_json(whole) AS after FROM {table.relation} AS whole WHERE load_id > last_load::VARCHAR"
        for table in map(TABLES.__getitem__, CORPUS_TABLES)
    )
    return "CREATE OR REPLACE MACRO rows_since(last_load) AS TABLE\n" + "\nUNION ALL\n".join(selects)


def comments_on(table: Table, kind: str = "TABLE") -> str:
    """The comments on a table and its columns. `kind` is VIEW if a view takes its place."""
    comments = "\n".join(
        f"COMMENT ON COLUMN {table.relation}.{column.name} IS {literal(column.meaning)};" for column in table.columns
    )
    return f"COMMENT ON {kind} {table.relation} IS {literal(table.meaning)};\n\n{comments}\n"


@dataclass(frozen=True, slots=True)
class CatalogColumn:
    """One column of a relation. DuckDB does not know `is_nullable` for a view."""

    name: str
    type: str
    is_nullable: bool
    comment: str | None


@dataclass(frozen=True, slots=True)
class Relation:
    """A declared table or a view. In a published copy a view is a table of its rows."""

    schema: Schema
    name: str
    kind: Literal["table", "view"]
    comment: str | None
    columns: tuple[CatalogColumn, ...]

    @property
    def relation(self) -> str:
        return in_schema(self.schema, self.name)


def relations(connection: duckdb.DuckDBPyConnection) -> list[Relation]:
    """All tables in a file, parents before children, then all views by name."""
    rows = connection.execute(read_sql("schema/catalog")["described_columns"], {"schemas": [*SCHEMAS]}).fetchall()
    by_name: dict[str, Relation] = {}
    for schema, relation, relation_comment, name, type_, is_nullable, comment in rows:
        before = by_name[relation].columns if relation in by_name else ()
        columns = (*before, CatalogColumn(name, short_type(type_), is_nullable, comment))
        kind: Literal["table", "view"] = "table" if relation in TABLES else "view"
        by_name[relation] = Relation(schema, relation, kind, relation_comment, columns)
    order = {name: position for position, name in enumerate(TABLES)}
    return sorted(by_name.values(), key=lambda relation: (relation.kind, order.get(relation.name, 0), relation.name))


def examples() -> dict[str, str]:
    """Each relation of the schema `main` to an example question."""
    of_views = {name: re.search(r"^-- example: (.*)$", sql, re.M) for name, sql in read_sql("schema/views").items()}
    of_tables = {name: table.example for name, table in TABLES.items() if table.example is not None}
    return of_tables | {name: example[1] for name, example in of_views.items() if example}


def short_type(type_: str) -> str:
    """The type as tables declare it."""
    return type_.replace("TIMESTAMP WITH TIME ZONE", "TIMESTAMPTZ")


def declare(connection: duckdb.DuckDBPyConnection, path: Path, *, at: datetime) -> None:
    """Declares what is missing or different in the file at `path`, within the open transaction.

    An up-to-date file does not change, because declaring all views takes a third of a small load. Raises
    WarehouseBroken for a file of another version, or with other tables than its version has.
    """
    version = read_version(connection)
    if version is not None and version > VERSION:
        raise WarehouseBroken(path, f"its schema has version {version}, this program knows {VERSION}: update it")
    if version is not None and version < VERSION:
        raise WarehouseBroken(
            path,
            f"an older version of verdicts wrote it; 'verdicts repair' makes it again from raw/ (schema {version})",
        )
    if is_as_declared(connection):
        return
    _check_tables(connection, path, is_ours=version is not None)
    connection.execute("CREATE SCHEMA IF NOT EXISTS internal")
    connection.execute("CREATE SCHEMA IF NOT EXISTS search")
    for statement in (*create_schemas(), *create_tables().values(), create_rows_since()):
        connection.execute(statement)
    for folder in _FOLDERS:
        for statement in declarations(folder).values():
            connection.execute(statement)
    if version is None:
        connection.execute("INSERT INTO internal.migrations VALUES (?, 'created', ?)", [VERSION, at])
    connection.execute("DELETE FROM internal.declarations")
    connection.execute("INSERT INTO internal.declarations VALUES (?)", [_digest()])


def _check_tables(connection: duckdb.DuckDBPyConnection, path: Path, *, is_ours: bool) -> None:
    present = relations(connection)
    if present and not is_ours:
        raise WarehouseBroken(
            path, f"it is not a warehouse of verdicts: it has {present[0].name}, but no schema version; move it away"
        )
    for relation in present:
        columns = tuple(column.name for column in relation.columns)
        if relation.name in TABLES and columns != TABLES[relation.name].column_names:
            raise WarehouseBroken(
                path, f"its table {relation.name} has other columns; 'verdicts repair' makes it again from raw/"
            )


def leave_to_readers(connection: duckdb.DuckDBPyConnection) -> None:
    """Removes from the open copy what only loads need. Its version and digest stay as macros."""
    connection.execute(f"CREATE MACRO schema_version() AS {read_version(connection):d}")
    connection.execute(f"CREATE MACRO schema_digest() AS '{_read_digest(connection)}'")
    connection.execute("DROP SCHEMA internal CASCADE")


def is_as_declared(connection: duckdb.DuckDBPyConnection) -> bool:
    """Whether the open file or copy has the tables, views and macros of this version of the program."""
    return read_version(connection) == VERSION and _read_digest(connection) == _digest()


@cache
def _digest() -> str:
    """The digest of all declaring statements."""
    statements = [
        *create_tables().values(),
        create_rows_since(),
        *(sql for folder in _FOLDERS for sql in read_sql(folder).values()),
    ]
    return sha256("\0".join(statements).encode()).hexdigest()


def read_version(connection: duckdb.DuckDBPyConnection) -> int | None:
    """The schema version of the open file; None if it has no tables of ours."""
    version = _read_note(connection, "migrations", "max(version)", "schema_version")
    return None if version is None else int(version)


def _read_digest(connection: duckdb.DuckDBPyConnection) -> str | None:
    """The digest of the declarations in the file or copy; None if it is older than such digests."""
    return _read_note(connection, "declarations", "max(digest)", "schema_digest")


def _read_note(connection: duckdb.DuckDBPyConnection, table: str, value: str, macro: str) -> str | None:
    """A value that a warehouse keeps in a table of the schema `internal`, and a copy in a macro."""
    tables = "FROM duckdb_tables() WHERE schema_name = 'internal' AND table_name = ?"
    macros = "FROM duckdb_functions() WHERE function_name = ? AND NOT internal"
    if connection.execute(tables, [table]).fetchall():
        noted = connection.execute(f"SELECT {value}::VARCHAR FROM internal.{table}").fetchall()  # noqa: S608  names of ours
    elif connection.execute(macros, [macro]).fetchall():
        noted = connection.execute(f"SELECT {macro}()::VARCHAR").fetchall()
    else:
        return None
    text: str | None = noted[0][0]
    return text


def version_at(path: Path) -> int | None:
    """The schema version of the file at `path`. Raises WarehouseBroken, WarehouseLocked."""
    with open_database(path, is_read_only=True) as connection:
        return read_version(connection)
