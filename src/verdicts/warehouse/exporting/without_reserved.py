"""The corpus for a dataset: in this version, and without the texts of pages that reserve them.

Such a page keeps its row, with address, title and rights. A review or tool that another page shows, too, stays with the
words of that page; price and card histories of such a tool stay as they are.
"""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb

from verdicts.corpus.declare import Table
from verdicts.corpus.tables import TABLES
from verdicts.warehouse.exporting.contents import DATASET_TABLES, DatasetSettings
from verdicts.warehouse.loading.load import derive
from verdicts.warehouse.schema.declared import declare, relations
from verdicts.warehouse.storage.connection import attach, open_database, open_for_writing
from verdicts.warehouse.storage.sql_files import count, literal, quote_name, read_sql
from verdicts.warehouse.storage.warehouse_errors import NothingPublished


def count_reserved(connection: duckdb.DuckDBPyConnection, but_of: Collection[str]) -> int:
    """How many pages reserve their texts, apart from those of hosts with permission."""
    return count(connection, _select_reserved(but_of))


def _select_reserved(but_of: Collection[str]) -> str:
    hosts = ", ".join(map(literal, but_of)) or "''"
    return f"pages WHERE is_reserved AND coalesce(host, '') NOT IN ({hosts})"


@contextmanager
def open_for_export(
    published_db: Path, draft: Path, settings: DatasetSettings
) -> Iterator[tuple[duckdb.DuckDBPyConnection, int]]:
    """The corpus without reserved texts, made at `draft` if need be, and how many pages reserve theirs.

    Raises NothingPublished if its tables are of another version.
    """
    with open_database(published_db, is_read_only=True) as connection:
        _check_version(connection)
        reserved = count_reserved(connection, settings.permitted)
        if not reserved:
            yield connection, 0
            return
    with _open_without_reserved(published_db, draft, settings.permitted) as connection:
        yield connection, reserved


def _check_version(connection: duckdb.DuckDBPyConnection) -> None:
    present = {relation.name: {column.name for column in relation.columns} for relation in relations(connection)}
    for name in DATASET_TABLES:
        if name not in present or (name in TABLES and present[name] != {*TABLES[name].column_names}):
            raise NothingPublished(
                f"the published {name} are of another version; run 'verdicts build', then 'verdicts publish'"
            )


@contextmanager
def _open_without_reserved(
    published_db: Path, draft: Path, but_of: Collection[str]
) -> Iterator[duckdb.DuckDBPyConnection]:
    """Makes the corpus at `draft` and opens it. The file is removed at the end."""
    try:
        with open_database(published_db, is_read_only=True) as connection:
            ((load_id, loaded_at),) = connection.execute(
                "SELECT max(load_id), max(loaded_at) FROM ops.loads"
            ).fetchall()
        # Its own transaction: DuckDB cannot commit one that creates and drops the schema `internal`.
        with open_for_writing(draft) as connection:
            declare(connection, draft, at=loaded_at)
        with open_database(draft) as connection, attach(connection, published_db, "whole"):
            for table in (TABLES[name] for name in DATASET_TABLES if name in TABLES):
                names = ", ".join(quote_name(column.name) for column in table.loaded_columns)
                order = ", ".join(map(quote_name, table.order))
                rows = f"SELECT {names} FROM whole.{table.schema}.{quote_name(table.name)} ORDER BY {order}"  # noqa: S608
                connection.execute(f"INSERT INTO {table.relation} BY NAME {rows}")
            connection.execute("SET VARIABLE load_id = ?", [load_id])
            _leave_out(connection, but_of)
        with open_database(draft, is_read_only=True) as connection:
            yield connection
    finally:
        for file in draft.parent.glob(f"{draft.name}*"):
            file.unlink()


def _leave_out(connection: duckdb.DuckDBPyConnection, but_of: Collection[str]) -> None:
    reserved = f"SELECT page_id, url FROM {_select_reserved(but_of)}"  # noqa: S608  names of ours
    connection.execute(f"CREATE TEMP TABLE reserved_pages AS {reserved}")
    touched = "SELECT tool_id FROM evidence.tool_cards SEMI JOIN reserved_pages USING (page_id)"
    connection.execute(f"CREATE TEMP TABLE touched_tools AS {touched}")
    for table in TABLES.values():
        for column in table.columns:
            if column.references == "pages":
                _delete(connection, table, f"{column.name} IN (SELECT page_id FROM reserved_pages)")  # noqa: S608
    for statement in read_sql("exporting/removed").values():
        connection.execute(statement)
    while sum(_delete(connection, table, orphan) for table in TABLES.values() for orphan in _orphans(table)):
        pass
    for statement in read_sql("exporting/mended").values():
        connection.execute(statement)
    derive(connection)


def _delete(connection: duckdb.DuckDBPyConnection, table: Table, condition: str) -> int:
    """Removes rows; returns how many."""
    ((rows,),) = connection.execute(f"DELETE FROM {table.relation} WHERE {condition}").fetchall()  # noqa: S608  ours
    return int(rows)


def _orphans(table: Table) -> Iterator[str]:
    """The conditions of rows that refer to a row which is no longer there."""
    for column in table.columns:
        if column.references is not None:
            parent = TABLES[column.references]
            keys = f"SELECT {parent.key[0]} FROM {parent.relation}"  # noqa: S608  names of ours
            yield f"{column.name} IS NOT NULL AND {column.name} NOT IN ({keys})"
    for reference in table.joined_references:
        keys = f"SELECT ({', '.join(reference.keys)}) FROM {TABLES[reference.table].relation}"  # noqa: S608
        yield f"{reference.where} AND ({', '.join(reference.columns)}) NOT IN ({keys})"
