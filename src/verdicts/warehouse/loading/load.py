"""Loads rows into the loader's own file in one transaction, and records there what the load did."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

import duckdb

from verdicts.corpus.rows.runs import FillRateRow, LoadCountRow, LoadRow
from verdicts.corpus.tables import CORPUS_TABLES, TABLES, name_relation
from verdicts.warehouse.loading.changes import note_changes
from verdicts.warehouse.loading.checks import audit
from verdicts.warehouse.loading.merge import Changes, differs, keep_rows, merge
from verdicts.warehouse.loading.rows import LOGS, Logs, ParquetFiles, Rows, hash_files, stage, stage_log
from verdicts.warehouse.schema.declared import WITHOUT_HASHES, declare
from verdicts.warehouse.storage.connection import open_for_writing
from verdicts.warehouse.storage.sql_files import count, read_sql

LOAD_MEMORY = 600_000_000
"""Most bytes that DuckDB holds during a load: with half of it a million appearances take 40 % more time, or fail.

Publishing keeps DuckDB's own limit: the search index sorts all texts.
"""


@dataclass(frozen=True, slots=True)
class LoadReport:
    """The changes of every table of a load, with those of crawls and fetches."""

    load_id: str
    tables: Mapping[str, Changes]

    @property
    def is_changed(self) -> bool:
        """Whether the content of the corpus changed. Crawls, fetches and visits without news do not count."""
        return any(self.tables[table].rows for table in CORPUS_TABLES if table in self.tables)

    @property
    def row_count(self) -> int:
        """Number of rows in all tables that the load wrote or removed, including rows that only a visit changed."""
        return sum(change.rows + change.seen for change in self.tables.values())


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
    same rows again, in any order, changes nothing; rows whose columns of visits alone moved keep their `load_id`. On
    any error the file stays as it was. A `load_id` is used once and comes after those before it; `clock` counts
    seconds.

    Raises ContractBroken, AuditFailed, WarehouseLocked, WarehouseBroken.
    """
    begun = clock()
    files = [
        path for of_table in (rows or {}).values() if isinstance(of_table, ParquetFiles) for path in of_table.paths
    ]
    expected = sum(path.stat().st_size for path in files)
    with open_for_writing(path, expected_bytes=expected, most_memory=LOAD_MEMORY) as connection:
        declare(connection, path, at=loaded_at)
        connection.execute("SET VARIABLE load_id = ?", [load_id])
        connection.execute(f"SET VARIABLE {WITHOUT_HASHES} = true")
        is_first = count(connection, "ops.loads") == 0
        changes = {} if rows is None else _load_corpus(connection, rows, load_id, is_first=is_first)
        changes |= load_logs(connection, logs, load_id)
        # Every row that a load added or whose content it changed has its id.
        of_this_load = " WHERE load_id = getvariable('load_id')"
        changes = {
            table: replace(change, changed=count(connection, name_relation(table) + of_this_load) - change.added)
            for table, change in changes.items()
        }
        note_load(connection, changes, load_id, loaded_at, extractor_version)
        if not is_first:
            note_changes(connection, changes)
        audit(connection, {table: change.added for table, change in changes.items() if not change.is_empty})
        note_elapsed(connection, load_id, round(1000 * (clock() - begun)))
    return LoadReport(load_id, changes)


def _load_corpus(
    connection: duckdb.DuckDBPyConnection, rows: Mapping[str, Rows], load_id: str, *, is_first: bool
) -> dict[str, Changes]:
    """The changes of each table of the corpus. A table with the rows of the same files is not read again."""
    if not is_first:
        keep_rows(connection)
    digests = hash_files(rows)
    loaded_digests = dict(connection.execute("SELECT relation, sha256 FROM internal.sources").fetchall())
    changes = {}
    for table in CORPUS_TABLES:
        if table in digests and digests[table] == loaded_digests.get(table):
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
    """Fills columns that are made from other tables, after all tables have their rows.

    If such a value changes, its row gets the load_id, although no staged row of its table differs.
    """
    for name, select in read_sql("loading/derived").items():
        table = TABLES[name]
        derived = [column for column in table.columns if column.is_derived]
        values = ", ".join(f"{column.name} = new.{column.name}" for column in derived)
        keys = " AND ".join(f"old.{key} = new.{key}" for key in table.key)
        # On its own: DuckDB underestimates rows that are not committed, and an update with this query took 10 s of CPU
        # for 50,000 tools in place of 1.
        connection.execute(f"CREATE OR REPLACE TEMP TABLE derived AS {select}")
        connection.execute(
            f"UPDATE {table.relation} AS old SET {values}, load_id = getvariable('load_id')"  # noqa: S608  names of ours
            f" FROM derived AS new WHERE {keys} AND ({differs(derived)})"
        )


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
        LoadCountRow(
            load_id,
            table,
            moved.added,
            moved.changed,
            moved.removed,
            count(connection, name_relation(table)),
            moved.seen,
        )
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
    question = f"SELECT {counts}count(*), count(*) FILTER (load_id = $load_id) FROM {name_relation(table)}"  # noqa: S608  names of ours
    ((*filled, total, added),) = connection.execute(question, {"load_id": load_id}).fetchall()
    return [
        FillRateRow(load_id, table, name, filled[2 * number], total, filled[2 * number + 1], added)
        for number, name in enumerate(names)
    ]


def note_elapsed(connection: duckdb.DuckDBPyConnection, load_id: str, elapsed_ms: int) -> None:
    """Records the time of a load before its commit. Audits are part of that time, and need the noted load."""
    connection.execute("UPDATE ops.loads SET elapsed_ms = ? WHERE load_id = ?", [elapsed_ms, load_id])
