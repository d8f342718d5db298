"""The file of views: every relation of a copy under its name, with its comments, beside the macros."""

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

import duckdb

from corpus.tables import CORPUS_TABLES
from fetch.objects.objects import Objects
from warehouse.loading.merge import quoted
from warehouse.manifests.manifest import Manifest
from warehouse.manifests.scan import parquet, register, rows_in
from warehouse.schema.migrate import bring_up_to_date, leave_to_readers
from warehouse.storage.connection import writing
from warehouse.storage.sql_files import declarations
from warehouse.views_file.corpus import columns_of
from warehouse.views_file.made import types_of


def write_views(
    draft: Path, objects: Objects, manifest: Manifest, small: Mapping[str, Path], *, load_id: str, at: datetime
) -> None:
    """Makes the file at `draft`: relations of `small` are tables of the rows of those files, all others views.

    Raises `StorageFailed`, WarehouseBroken.
    """
    with writing(draft) as connection:
        bring_up_to_date(connection, draft, at=at)
    with writing(draft) as connection:
        parts = [part for of_relation in manifest.tables.values() for part in of_relation]
        register(connection, objects, parts)
        for relation, path in small.items():
            _stand_as(connection, relation, parquet([path]), "TABLE")
        for relation, of_relation in manifest.tables.items():
            rows = rows_in(objects, of_relation)
            if relation in CORPUS_TABLES and relation not in small:
                rows = f"(SELECT {columns_of(relation, load_id)} FROM {rows})"  # noqa: S608  names of ours
            if relation not in small:
                _stand_as(connection, relation, rows, "VIEW")
        connection.execute("CREATE SCHEMA objects")
        for statement in declarations("schema/objects"):
            connection.execute(statement)
        connection.execute("INSERT INTO objects.store VALUES (?, ?)", [objects.url, manifest.number])
        for relation, of_relation in manifest.tables.items():
            if relation not in small:
                for part in of_relation:
                    connection.execute(
                        "INSERT INTO objects.parts VALUES (?, ?, ?, ?, ?)",
                        [relation, part.name, part.rows, part.bytes, part.sha256],
                    )
        leave_to_readers(connection)


def _stand_as(connection: duckdb.DuckDBPyConnection, relation: str, rows: str, kind: str) -> None:
    """Puts rows in the place of the declared relation, in its types and with its comments."""
    schema, _, name = relation.rpartition(".")
    described = connection.execute(
        """
        SELECT column_name, comment
        FROM duckdb_columns()
        WHERE database_name = current_database() AND schema_name = ? AND table_name = ?
        """,
        [schema or "main", name],
    ).fetchall()
    of_it = """
        SELECT 'TABLE', comment FROM duckdb_tables()
        WHERE database_name = current_database() AND schema_name = $schema AND table_name = $name
        UNION ALL
        SELECT 'VIEW', comment FROM duckdb_views()
        WHERE database_name = current_database() AND schema_name = $schema AND view_name = $name
    """
    ((before, comment),) = connection.execute(of_it, {"schema": schema or "main", "name": name}).fetchall()
    types = types_of(connection, relation)
    columns = ", ".join(f"{quoted(column)}::{type_} AS {quoted(column)}" for column, type_ in types)
    select = f"SELECT {columns} FROM {rows}"  # noqa: S608  names of ours
    if before == kind == "TABLE":
        connection.execute(f"INSERT INTO {relation} {select}")
        return
    connection.execute(f"DROP {before} {relation}")
    connection.execute(f"CREATE {kind} {relation} AS {select}")
    connection.execute(f"COMMENT ON {kind} {relation} IS {_text(comment)}")
    for column, meaning in described:
        connection.execute(f"COMMENT ON COLUMN {relation}.{quoted(column)} IS {_text(meaning)}")


def _text(comment: str | None) -> str:
    return "NULL" if comment is None else "'" + comment.replace("'", "''") + "'"
