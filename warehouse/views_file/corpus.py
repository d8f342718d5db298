"""The corpus of a manifest in a file of its own: each table a view over its parts, or rows where it is made here."""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import duckdb

from corpus.columns import LOAD_ID
from corpus.tables import CORPUS_TABLES, TABLES
from fetch.objects.objects import Objects
from warehouse.loading.audit import audit
from warehouse.loading.changes import Changes, note_elapsed, note_load
from warehouse.loading.derived_values import derive
from warehouse.loading.merge import merge
from warehouse.loading.staging import Rows, staged_log
from warehouse.manifests.manifest import Manifest
from warehouse.manifests.scan import SCAN_MEMORY, register, rows_in
from warehouse.schema.versions import declare
from warehouse.storage.connection import writing
from warehouse.storage.sql_files import count, quoted

LOGS = ("crawls", "fetches", "gate_measures", "gate_accepts")


@dataclass(frozen=True, slots=True)
class Given:
    """What a file of views is given beside the parts: the logs, whole, and its load, whose id is used once."""

    load_id: str
    loaded_at: datetime
    crawls: Rows
    fetches: Rows
    gate_measures: Rows = ()
    gate_accepts: Rows = ()


@contextmanager
def corpus_of(
    objects: Objects,
    manifest: Manifest,
    repeated: Mapping[str, int],
    given: Given,
    path: Path,
    clock: Callable[[], float] = time.monotonic,
) -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection to a new file at `path` that holds what a load of the parts would, audited as that is.

    Of tables that are `repeated`, as `check_parts` says, each row is there once. Raises ContractBroken, AuditFailed,
    `StorageFailed`, MemoryShort.
    """
    begun = clock()
    with writing(path, most_memory=SCAN_MEMORY) as connection:
        register(connection, objects, [part for parts in manifest.tables.values() for part in parts])
        declare(connection, path, at=given.loaded_at)
        connection.execute("SET VARIABLE load_id = ?", [given.load_id])
        for table in CORPUS_TABLES:
            if parts := manifest.tables.get(table):
                _stand(connection, table, rows_in(objects, parts), given.load_id, is_repeated=table in repeated)
        derive(connection)
        for table in LOGS:
            of_log = staged_log(table, getattr(given, table), given.load_id, path.parent)
            merge(connection, table, of_log, is_whole=False)
        changes = {table: Changes(count(connection, table), 0, 0) for table in (*CORPUS_TABLES, *LOGS)}
        note_load(
            connection,
            changes,
            load_id=given.load_id,
            loaded_at=given.loaded_at,
            extractor_version=manifest.extractor_version,
        )
        audit(connection, changes)
        note_elapsed(connection, given.load_id, round(1000 * (clock() - begun)))
        yield connection


def _stand(connection: duckdb.DuckDBPyConnection, table: str, rows: str, load_id: str, *, is_repeated: bool) -> None:
    """Puts the rows of a table in its place: a view, but where they are changed here."""
    select = f"SELECT {'DISTINCT ' if is_repeated else ''}{columns_of(table, load_id)} FROM {rows}"  # noqa: S608  ours
    if is_repeated or any(column.is_derived for column in TABLES[table].columns):
        order = ", ".join(map(quoted, TABLES[table].order))
        connection.execute(f"INSERT INTO {table} BY NAME {select} ORDER BY {order}")
        return
    connection.execute(f"DROP TABLE {table}")
    connection.execute(f"CREATE VIEW {table} AS {select}")


def columns_of(table: str, load_id: str) -> str:
    """The columns of a table as they are selected from its parts, in their order."""
    quoted_id = "'" + load_id.replace("'", "''") + "'"
    return ", ".join(
        f"{quoted_id}::VARCHAR AS load_id"
        if column.name == LOAD_ID.name
        else f"{quoted(column.name)}::{column.type} AS {quoted(column.name)}"
        for column in TABLES[table].columns
    )
