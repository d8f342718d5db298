"""What a load did to each table, counted in the file and noted there."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

import duckdb

from verdicts.corpus.rows.runs import FillRateRow, LoadCountRow, LoadRow
from verdicts.corpus.tables import CORPUS_TABLES, TABLES
from verdicts.warehouse.loading.frames import frame
from verdicts.warehouse.loading.merge import Moved, merge
from verdicts.warehouse.loading.staging import whole
from verdicts.warehouse.storage.sql_files import count


@dataclass(frozen=True, slots=True)
class Changes:
    """Rows of one table that a load added, changed and removed."""

    added: int
    changed: int
    removed: int

    @property
    def is_empty(self) -> bool:
        return self == Changes(0, 0, 0)


def changes_of(connection: duckdb.DuckDBPyConnection, table: str, load_id: str, moved: Moved) -> Changes:
    """The changes of a table: every row that a load added or changed bears its id."""
    question = f"SELECT count(*) FROM {table} WHERE load_id = ?"  # noqa: S608 - a table of ours
    ((touched,),) = connection.execute(question, [load_id]).fetchall()
    return Changes(moved.added, touched - moved.added, moved.removed)


def note_load(
    connection: duckdb.DuckDBPyConnection,
    tables: Mapping[str, Changes],
    *,
    load_id: str,
    loaded_at: datetime,
    extractor_version: str,
) -> None:
    """Adds the rows of a load to `loads`, `load_counts` and `fill_rates`, unless nothing changed."""
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
        LoadCountRow(load_id, table, changes.added, changes.changed, changes.removed, count(connection, table))
        for table, changes in changed.items()
    ]
    merge(connection, "loads", whole("loads", frame("loads", [entry])), is_whole=False)
    merge(connection, "load_counts", whole("load_counts", frame("load_counts", counts)), is_whole=False)
    rates = [
        rate
        for table in changed
        if table in CORPUS_TABLES and _optional(table)
        for rate in _fill_rates(connection, table, load_id)
    ]
    merge(connection, "fill_rates", whole("fill_rates", frame("fill_rates", rates)), is_whole=False)


def _optional(table: str) -> list[str]:
    return [column.name for column in TABLES[table].columns if column.is_optional]


def _fill_rates(connection: duckdb.DuckDBPyConnection, table: str, load_id: str) -> list[FillRateRow]:
    """A row for each column of a table that may be NULL, in one pass over it."""
    names = _optional(table)
    counts = ", ".join(f"count({name}), count({name}) FILTER (load_id = $load_id)" for name in names)
    question = f"SELECT {counts}, count(*), count(*) FILTER (load_id = $load_id) FROM {table}"  # noqa: S608 - a table of ours
    ((*filled, held, brought),) = connection.execute(question, {"load_id": load_id}).fetchall()
    return [
        FillRateRow(load_id, table, name, filled[2 * place], held, filled[2 * place + 1], brought)
        for place, name in enumerate(names)
    ]


def note_elapsed(connection: duckdb.DuckDBPyConnection, load_id: str, elapsed_ms: int) -> None:
    """Says how long a load took, once all but its commit is done."""
    connection.execute("UPDATE loads SET elapsed_ms = ? WHERE load_id = ?", [elapsed_ms, load_id])
