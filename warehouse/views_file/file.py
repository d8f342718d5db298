"""Makes a file of views: every relation of a copy under its name, with its comments, beside the macros."""

import hashlib
import shutil
import time
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path

import duckdb

from corpus.tables import CORPUS_TABLES
from fetch.objects.objects import Objects
from warehouse.manifests.check import check_parts
from warehouse.manifests.manifest import Manifest, Part, publish_manifest
from warehouse.manifests.scan import parquet, register, rows_in
from warehouse.schema.versions import declare, leave_to_readers
from warehouse.storage.connection import writing
from warehouse.storage.sql_files import declarations, quoted
from warehouse.views_file.corpus import Given, columns_of, corpus_of
from warehouse.views_file.made import Made, make_relations, types_of

SMALL_ROWS = 50_000
"""A relation of so many rows stands in the file: a look-up there costs no request, and they take few megabytes."""


def make_views(
    objects: Objects,
    manifest: Manifest,
    given: Given,
    draft: Path,
    *,
    small_rows: int = SMALL_ROWS,
    clock: Callable[[], float] = time.monotonic,
) -> str:
    """Makes the file at `draft` one of views over the parts of a manifest; returns the id of its load.

    It answers what a copy of a load of the same rows answers. What it needs beyond the parts is published as parts of a
    further manifest, which names the given one in `made_of`. Its load is the only one that it knows. The rows are
    checked and audited as by a load. What it works with is in a folder beside the draft, named after it. Raises
    ContractBroken, AuditFailed, `StorageFailed`, MemoryShort, WarehouseBroken.
    """
    folder = draft.with_name(f"{draft.name}.parts")
    folder.mkdir()
    try:
        _make(objects, manifest, given, draft, folder, small_rows, clock)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return given.load_id


def _make(
    objects: Objects,
    manifest: Manifest,
    given: Given,
    draft: Path,
    folder: Path,
    small_rows: int,
    clock: Callable[[], float],
) -> None:
    tables = dict(manifest.tables)
    small: dict[str, Path] = {}
    repeated = check_parts(objects, manifest)
    with corpus_of(objects, manifest, repeated, given, folder / "working.duckdb", clock) as connection:
        for made in make_relations(connection, manifest, folder):
            if made.rows <= small_rows:
                small[made.relation] = made.path
            else:
                tables[made.relation] = (_put(objects, made, f"{manifest.build_id}-{given.load_id}"),)
    served = publish_manifest(
        objects,
        build_id=manifest.build_id,
        created_at=given.loaded_at,
        extractor_version=manifest.extractor_version,
        normalizer_version=manifest.normalizer_version,
        tables=tables,
        made_of=manifest.number,
    )
    _write(draft, objects, served, small, load_id=given.load_id, at=given.loaded_at)


def _put(objects: Objects, made: Made, name: str) -> Part:
    of_part = f"tables/{made.relation}/{name}.parquet"
    objects.create_from(of_part, made.path)
    with made.path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return Part(of_part, made.rows, made.path.stat().st_size, digest)


def _write(
    draft: Path, objects: Objects, manifest: Manifest, small: Mapping[str, Path], *, load_id: str, at: datetime
) -> None:
    """Relations of `small` are tables of the rows of those files, all others views."""
    with writing(draft) as connection:
        declare(connection, draft, at=at)
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
        for statement in declarations("schema/objects").values():
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
