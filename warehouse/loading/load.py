"""Loads rows into the loader's own file, in one transaction."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import duckdb

from verdicts.corpus.tables import CORPUS_TABLES
from verdicts.warehouse.loading.audit import audit
from verdicts.warehouse.loading.changes import Changes, changes_of, note_elapsed, note_load
from verdicts.warehouse.loading.derived_values import derive
from verdicts.warehouse.loading.file_digests import held_digest, note_digest
from verdicts.warehouse.loading.merge import Moved, merge
from verdicts.warehouse.loading.staging import Rows, digests_of, staged, staged_log
from verdicts.warehouse.schema.versions import declare
from verdicts.warehouse.storage.connection import writing
from verdicts.warehouse.storage.errors import AuditFailed
from verdicts.warehouse.storage.sql_files import count

LOAD_MEMORY = 300_000_000
"""Bytes that DuckDB may hold during a load: with them a build of a million appearances holds 3.3 GB, with a billion
3.9, most of it the rows, polars and Arrow. Publishing keeps DuckDB's own limit: the search index sorts all texts.
"""


@dataclass(frozen=True, slots=True)
class LoadReport:
    """What a load did: the changes of every table it was given, crawls and fetches included."""

    load_id: str
    tables: Mapping[str, Changes]

    @property
    def is_changed(self) -> bool:
        """True when the corpus changed; crawls and fetches alone do not count."""
        return any(not self.tables[table].is_empty for table in CORPUS_TABLES if table in self.tables)

    @property
    def moved(self) -> int:
        """Rows added, changed and removed, of all tables."""
        return sum(change.added + change.changed + change.removed for change in self.tables.values())


def load(
    path: Path,
    rows: Mapping[str, Rows] | None,
    *,
    crawls: Rows,
    fetches: Rows,
    load_id: str,
    loaded_at: datetime,
    extractor_version: str,
    gate_measures: Rows = (),
    gate_accepts: Rows = (),
    clock: Callable[[], float] = time.monotonic,
) -> LoadReport:
    """Makes the file at `path` hold exactly `rows`, and all rows of the logs ever given.

    `rows` is the whole corpus by table name, a table left out being empty. After a night that brought nothing new it is
    None, and all of it stays. The logs are records with the columns of those tables: of `crawls` and `fetches` those
    already loaded may come again or be left out, what the gates noted is given whole. Loading the same rows again
    changes nothing, whatever their order. On any error the file is as it was. A `load_id` is used once; `clock` counts
    seconds.

    Raises ContractBroken, AuditFailed, WarehouseLocked, WarehouseBroken.
    """
    begun = clock()
    with writing(path, most_memory=LOAD_MEMORY) as connection:
        declare(connection, path, at=loaded_at)
        connection.execute("SET VARIABLE load_id = ?", [load_id])
        moved = {} if rows is None else _bring_corpus(connection, rows, load_id, path.parent)
        for table, given in (("crawls", crawls), ("fetches", fetches)):
            moved[table] = merge(connection, table, staged_log(table, given, load_id, path.parent), is_whole=False)
        for table, given in (("gate_measures", gate_measures), ("gate_accepts", gate_accepts)):
            # The newest run of a host is tested again by every build: what it showed before is replaced.
            moved[table] = merge(connection, table, staged_log(table, given, load_id, path.parent))
        changes = {table: changes_of(connection, table, load_id, sums) for table, sums in moved.items()}
        note_load(connection, changes, load_id=load_id, loaded_at=loaded_at, extractor_version=extractor_version)
        audit(connection, changes)
        note_elapsed(connection, load_id, round(1000 * (clock() - begun)))
    return LoadReport(load_id, changes)


def _bring_corpus(
    connection: duckdb.DuckDBPyConnection, rows: Mapping[str, Rows], load_id: str, folder: Path
) -> dict[str, Moved]:
    """What became of each table of the corpus."""
    digests = digests_of(rows)
    moved = {}
    for table in CORPUS_TABLES:
        digest = digests.get(table)
        if digest is not None and digest == held_digest(connection, table):
            moved[table] = Moved(0, 0, 0)
            continue
        given = staged(table, rows.get(table, ()), load_id, folder)
        moved[table] = merge(connection, table, given)
        _check_none_lost(connection, table, moved[table].given)
        note_digest(connection, table, digest)
    derive(connection)
    return moved


def _check_none_lost(connection: duckdb.DuckDBPyConnection, table: str, given: int) -> None:
    """The table holds as many rows as it was given. Raises AuditFailed."""
    loaded = count(connection, table)
    if loaded != given:
        raise AuditFailed(f"{table}_in_are_{table}_out", abs(loaded - given), [{"given": given, "loaded": loaded}])
