"""Loads rows into the loader's own file in one transaction, and records there what the load did."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

import duckdb

from verdicts.corpus.declare import Table
from verdicts.corpus.rows.runs import FillRateRow, LoadCountRow, LoadRow
from verdicts.corpus.tables import CORPUS_TABLES, TABLES, relation_of
from verdicts.warehouse.loading.checks import audit
from verdicts.warehouse.loading.rows import LOGS, Logs, ParquetFiles, Rows, digests_of, stage, stage_log
from verdicts.warehouse.schema.declared import declare
from verdicts.warehouse.storage.connection import writing
from verdicts.warehouse.storage.errors import AuditFailed
from verdicts.warehouse.storage.sql_files import count, quoted, read_sql

LOAD_MEMORY = 600_000_000
"""Most bytes that DuckDB holds during a load: with half of it a million appearances take 40 % more time, or fail.

Publishing keeps DuckDB's own limit: the search index sorts all texts.
"""


@dataclass(frozen=True, slots=True)
class Changes:
    """Rows of one table that a load added, changed and removed."""

    added: int
    changed: int
    removed: int

    @property
    def is_empty(self) -> bool:
        return self == Changes(0, 0, 0)


@dataclass(frozen=True, slots=True)
class LoadReport:
    """The changes of every table of a load, with those of crawls and fetches."""

    load_id: str
    tables: Mapping[str, Changes]

    @property
    def is_changed(self) -> bool:
        """Whether the corpus changed. Crawls and fetches do not count."""
        return any(not self.tables[table].is_empty for table in CORPUS_TABLES if table in self.tables)

    @property
    def moved(self) -> int:
        """Number of rows added, changed and removed in all tables."""
        return sum(change.added + change.changed + change.removed for change in self.tables.values())


def load(
    path: Path,
    rows: Mapping[str, Rows] | None,
    logs: Logs,
    *,
    load_id: str,
    loaded_at: datetime,
    extractor_version: str,
    clock: Callable[[], float] = time.monotonic,
) -> LoadReport:
    """Makes the file at `path` hold exactly `rows`, and adds the rows of the logs.

    `rows` is the whole corpus by table name; a missing table is empty. None leaves the corpus as it is. Loading the
    same rows again, in any order, changes nothing. On any error the file stays as it was. A `load_id` is used once;
    `clock` counts seconds.

    Raises ContractBroken, AuditFailed, WarehouseLocked, WarehouseBroken.
    """
    begun = clock()
    files = [
        path for of_table in (rows or {}).values() if isinstance(of_table, ParquetFiles) for path in of_table.paths
    ]
    expected = sum(path.stat().st_size for path in files)
    with writing(path, expected_bytes=expected, most_memory=LOAD_MEMORY) as connection:
        declare(connection, path, at=loaded_at)
        connection.execute("SET VARIABLE load_id = ?", [load_id])
        changes = {} if rows is None else _load_corpus(connection, rows, load_id)
        changes |= load_logs(connection, logs, load_id)
        # Every row that a load added or changed has its id.
        of_this_load = " WHERE load_id = getvariable('load_id')"
        changes = {
            table: replace(change, changed=count(connection, relation_of(table) + of_this_load) - change.added)
            for table, change in changes.items()
        }
        note_load(connection, changes, load_id, loaded_at, extractor_version)
        audit(connection, {table: change.added for table, change in changes.items() if not change.is_empty})
        note_elapsed(connection, load_id, round(1000 * (clock() - begun)))
    return LoadReport(load_id, changes)


def _load_corpus(connection: duckdb.DuckDBPyConnection, rows: Mapping[str, Rows], load_id: str) -> dict[str, Changes]:
    """The changes of each table of the corpus. A table with the rows of the same files is not read again."""
    digests = digests_of(rows)
    held = dict(connection.execute("SELECT relation, sha256 FROM internal.sources").fetchall())
    changes = {}
    for table in CORPUS_TABLES:
        if table in digests and digests[table] == held.get(table):
            changes[table] = Changes(0, 0, 0)
            continue
        stage(connection, table, rows.get(table, ()), load_id)
        changes[table] = merge(connection, table)
        connection.execute("DELETE FROM internal.sources WHERE relation = ?", [table])
        if table in digests:
            connection.execute("INSERT INTO internal.sources VALUES (?, ?)", [table, digests[table]])
    derive(connection)
    return changes


def load_logs(connection: duckdb.DuckDBPyConnection, logs: Logs, load_id: str) -> dict[str, Changes]:
    """The changes of each log."""
    changes = {}
    for table in LOGS:
        stage_log(connection, table, getattr(logs, table), load_id)
        # Every build tests the newest run of a host again, and replaces its rows.
        changes[table] = merge(connection, table, is_whole=table.startswith("gate_"))
    return changes


def derive(connection: duckdb.DuckDBPyConnection) -> None:
    """Fills columns that are made from other tables, after all tables have their rows."""
    for statement in read_sql("loading/derived").values():
        connection.execute(statement)


def merge(connection: duckdb.DuckDBPyConnection, table: str, *, is_whole: bool = True) -> Changes:
    """Adds new staged rows, updates changed rows and removes missing rows; counts the added and the removed.

    Without `is_whole`, as for a log, no row is removed. A changed row gets the new load_id; a different load_id alone
    is not a change. Rows are added in the order of their table, so the file does not depend on their original order.
    Raises AuditFailed if a row got lost.
    """
    declared = TABLES[table]
    keys = ", ".join(map(quoted, declared.key))
    order = ", ".join(f"{quoted(name)} NULLS FIRST" for name in declared.order)
    before = count(connection, declared.relation)
    sorted_rows = f"FROM staged ORDER BY {order}"
    connection.execute(
        f"INSERT INTO {declared.relation} BY NAME {sorted_rows}" if before == 0 else _merge(declared, sorted_rows)
    )
    added = count(connection, declared.relation) - before
    removed = 0
    if is_whole and before:
        gone = f"DELETE FROM {declared.relation} WHERE ({keys}) NOT IN (SELECT ({keys}) FROM staged)"  # noqa: S608  names of ours
        ((removed,),) = connection.execute(gone).fetchall()
    given, loaded = count(connection, "staged"), before + added - removed
    if is_whole and loaded != given:
        raise AuditFailed(f"{table}_in_are_{table}_out", abs(loaded - given), [{"given": given, "loaded": loaded}])
    return Changes(added, 0, removed)


def _merge(table: Table, rows: str) -> str:
    columns = [quoted(name) for name in table.column_names]
    keys = [quoted(name) for name in table.key]
    derived = {quoted(column.name) for column in table.columns if column.is_derived}
    values = [name for name in columns if name not in keys and name not in derived]
    is_changed = " OR ".join(f"old.{name} IS DISTINCT FROM new.{name}" for name in values if name != quoted("load_id"))
    return f"""
        MERGE INTO {table.relation} AS old
        USING ({rows}) AS new
        ON {" AND ".join(f"old.{name} = new.{name}" for name in keys)}
        WHEN MATCHED AND ({is_changed})
            THEN UPDATE SET {", ".join(f"{name} = new.{name}" for name in values)}
        WHEN NOT MATCHED
            THEN INSERT ({", ".join(columns)})
            VALUES ({", ".join(f"new.{name}" for name in columns)})
    """  # noqa: S608  names of ours


def note_load(
    connection: duckdb.DuckDBPyConnection,
    tables: Mapping[str, Changes],
    load_id: str,
    loaded_at: datetime,
    extractor_version: str,
) -> None:
    """Adds a load to `loads`, `load_counts` and `fill_rates`, unless nothing changed."""
    changed = {table: changes for table, changes in tables.items() if not changes.is_empty}
    if not changed:
        return
    corpus = [changes for table, changes in changed.items() if table in CORPUS_TABLES]
    entry = LoadRow(
        load_id=load_id,
        loaded_at=loaded_at,
        rows_added=sum(changes.added for changes in corpus),
        rows_changed=sum(changes.changed for changes in corpus),
        rows_removed=sum(changes.removed for changes in corpus),
        extractor_version=extractor_version,
        elapsed_ms=None,
    )
    counts = [
        LoadCountRow(load_id, table, moved.added, moved.changed, moved.removed, count(connection, relation_of(table)))
        for table, moved in changed.items()
    ]
    rates = [rate for table in changed if table in CORPUS_TABLES for rate in _fill_rates(connection, table, load_id)]
    for table, rows in (("loads", [entry]), ("load_counts", counts), ("fill_rates", rates)):
        stage(connection, table, rows, load_id)
        merge(connection, table, is_whole=False)


def _fill_rates(connection: duckdb.DuckDBPyConnection, table: str, load_id: str) -> list[FillRateRow]:
    """A row for each column that may be NULL, in one pass over the table."""
    names = [column.name for column in TABLES[table].columns if column.is_optional]
    counts = "".join(f"count({name}), count({name}) FILTER (load_id = $load_id), " for name in names)
    question = f"SELECT {counts}count(*), count(*) FILTER (load_id = $load_id) FROM {relation_of(table)}"  # noqa: S608  names of ours
    ((*filled, held, brought),) = connection.execute(question, {"load_id": load_id}).fetchall()
    return [
        FillRateRow(load_id, table, name, filled[2 * place], held, filled[2 * place + 1], brought)
        for place, name in enumerate(names)
    ]


def note_elapsed(connection: duckdb.DuckDBPyConnection, load_id: str, elapsed_ms: int) -> None:
    """Records the time of a load, before its commit: audits take a part of it, and want the load noted first."""
    connection.execute("UPDATE ops.loads SET elapsed_ms = ? WHERE load_id = ?", [elapsed_ms, load_id])
