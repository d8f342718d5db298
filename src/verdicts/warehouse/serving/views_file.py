"""Makes a file of views, for a corpus that is too large to copy. Its rows stay in the parts of a manifest.

It answers the same questions as a copy, but more slowly, because views are computed for each question. The file itself
holds what is not in the parts: logs, derived columns and the search index.
"""

import time
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import duckdb

from verdicts.corpus.columns import CONTENT_HASH, LOAD_ID
from verdicts.corpus.declare import Table
from verdicts.corpus.tables import CORPUS_TABLES, TABLES, relation_of
from verdicts.fetch.objects import Objects
from verdicts.warehouse.loading.checks import audit
from verdicts.warehouse.loading.load import derive, load_logs, note_elapsed, note_load
from verdicts.warehouse.loading.merge import Changes
from verdicts.warehouse.loading.rows import LOGS, Logs
from verdicts.warehouse.manifests import Manifest
from verdicts.warehouse.parts import SCAN_MEMORY, check_parts, register, rows_in
from verdicts.warehouse.schema.content_hash import hash_content
from verdicts.warehouse.schema.declared import comments_on, declare, leave_to_readers
from verdicts.warehouse.serving.copy import bring_index_up_to_date
from verdicts.warehouse.storage.connection import writing
from verdicts.warehouse.storage.sql_files import count, declarations, literal, quoted


def make_views(
    objects: Objects,
    manifest: Manifest,
    logs: Logs,
    draft: Path,
    *,
    load_id: str,
    loaded_at: datetime,
    clock: Callable[[], float] = time.monotonic,
) -> str:
    """Makes a file of views over the parts of a manifest at `draft`, with all logs; returns the id of its load.

    Each table is a view over its parts, or a table if its rows change here. The rows are checked as in a load, whose
    `load_id` is used once. Raises ContractBroken, AuditFailed, `StorageFailed`, MemoryShort, WarehouseBroken.
    """
    begun, repeated = clock(), check_parts(objects, manifest)
    # Its own transaction: DuckDB cannot commit one that creates and drops the schema `internal`.
    with writing(draft) as connection:
        declare(connection, draft, at=loaded_at)
    with writing(draft, most_memory=SCAN_MEMORY) as connection:
        register(connection, objects, [part for parts in manifest.tables.values() for part in parts])
        connection.execute("SET VARIABLE load_id = ?", [load_id])
        for table in CORPUS_TABLES:
            if parts := manifest.tables.get(table):
                _stand(connection, TABLES[table], rows_in(objects, parts), load_id, is_repeated=table in repeated)
        derive(connection)
        load_logs(connection, logs, load_id)
        changes = {table: Changes(count(connection, relation_of(table)), 0, 0) for table in (*CORPUS_TABLES, *LOGS)}
        note_load(connection, changes, load_id, loaded_at, manifest.extractor_version)
        audit(connection, {table: change.added for table, change in changes.items() if not change.is_empty})
        note_elapsed(connection, load_id, round(1000 * (clock() - begun)))
        bring_index_up_to_date(connection)
        _note_parts(connection, objects, manifest)
        leave_to_readers(connection)
    return load_id


def _stand(connection: duckdb.DuckDBPyConnection, table: Table, rows: str, load_id: str, *, is_repeated: bool) -> None:
    """Declares a table over its rows. If rows are repeated in several parts, each is there once."""
    # The load id is a literal, because other connections lack this connection's variable.
    columns = ", ".join(
        f"{literal(load_id)}::VARCHAR AS {column.name}"
        if column is LOAD_ID
        else f"{quoted(column.name)}::{column.type} AS {quoted(column.name)}"
        for column in table.stored
    )
    select = f"SELECT {'DISTINCT ' if is_repeated else ''}{columns} FROM {rows}"  # noqa: S608  names of ours
    if is_repeated or table.has_derived:
        order = ", ".join(map(quoted, table.order))
        connection.execute(f"INSERT INTO {table.relation} BY NAME {select} ORDER BY {order}")
        return
    connection.execute(f"DROP TABLE {table.relation}")
    computed = f"* EXCLUDE load_id, {hash_content(table.content)} AS {CONTENT_HASH.name}, load_id"
    connection.execute(f"CREATE VIEW {table.relation} AS SELECT {computed} FROM ({select})")  # noqa: S608  names of ours
    connection.execute(comments_on(table, "VIEW"))


def _note_parts(connection: duckdb.DuckDBPyConnection, objects: Objects, manifest: Manifest) -> None:
    """Records the objects that the file reads. A reader can read only these."""
    connection.execute("CREATE SCHEMA objects")
    for statement in declarations("schema/objects").values():
        connection.execute(statement)
    connection.execute("INSERT INTO objects.store VALUES (?, ?)", [objects.url, manifest.number])
    for relation, parts in manifest.tables.items():
        for part in parts:
            noted = [relation, part.name, part.rows, part.bytes, part.sha256]
            connection.execute("INSERT INTO objects.parts VALUES (?, ?, ?, ?, ?)", noted)
