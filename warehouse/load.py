"""Loads a whole corpus of rows into the loader's own file, in one transaction."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import duckdb
import polars as pl

from normalize.rows import TABLES, Row
from warehouse.audit import audit
from warehouse.connection import opened
from warehouse.contracts import CONTRACTS, checked
from warehouse.errors import WarehouseBroken
from warehouse.frames import frame
from warehouse.merge import Changes, merge
from warehouse.relations import statements


@dataclass(frozen=True, slots=True)
class LoadReport:
    """What a load did: the changes of every table it was given, crawls and fetches included."""

    load_id: str
    tables: Mapping[str, Changes]

    @property
    def is_changed(self) -> bool:
        """True when the corpus changed; crawls and fetches alone do not count."""
        return any(not self.tables[table].is_empty for table in TABLES)


@dataclass(frozen=True, slots=True)
class _LoadRow:
    load_id: str
    loaded_at: datetime
    rows_added: int
    rows_changed: int
    rows_removed: int
    extractor_version: str


def load(
    path: Path,
    rows: Mapping[str, Sequence[Row]],
    *,
    crawls: Sequence[object],
    fetches: Sequence[object],
    load_id: str,
    loaded_at: datetime,
    extractor_version: str,
) -> LoadReport:
    """Makes the file at `path` hold exactly `rows`, and all crawls and fetches ever given.

    `rows` is the whole corpus by table name; a table left out is empty. `crawls` and `fetches` are dataclasses with
    the columns of those tables; those already loaded may come again. Loading the same rows again changes nothing,
    whatever their order. On any error the file stays as it was.

    Raises ContractBroken, AuditFailed, WarehouseLocked, WarehouseBroken.
    """
    constants: dict[str, dict[str, object]] = {"review_aliases": {"load_id": load_id}}
    corpus = {table: checked(table, frame(table, rows.get(table, ()), **constants.get(table, {}))) for table in TABLES}
    log = {"crawls": checked("crawls", frame("crawls", crawls)), "fetches": checked("fetches", frame("fetches", fetches))}
    path.parent.mkdir(parents=True, exist_ok=True)
    with opened(path) as connection:
        connection.begin()
        try:
            _declare(connection, path)
            tables = {name: merge(connection, name, new, is_whole=True, kept=_KEPT.get(name, ())) for name, new in corpus.items()}
            tables |= {name: merge(connection, name, new, is_whole=False) for name, new in log.items()}
            report = LoadReport(load_id, tables)
            if report.is_changed:
                merge(connection, "loads", _entry(report, loaded_at, extractor_version), is_whole=False)
            audit(connection)
            connection.commit()
        except BaseException:
            # A COMMIT after a failed statement would roll back without saying so.
            with suppress(duckdb.TransactionException):
                connection.rollback()
            raise
    return report


_KEPT = {"review_aliases": ("load_id",)}
"""Columns that say when a row came: not part of what it says."""


def _entry(report: LoadReport, loaded_at: datetime, extractor_version: str) -> pl.DataFrame:
    changes = [report.tables[table] for table in TABLES]
    row = _LoadRow(
        load_id=report.load_id,
        loaded_at=loaded_at,
        rows_added=sum(change.added for change in changes),
        rows_changed=sum(change.changed for change in changes),
        rows_removed=sum(change.removed for change in changes),
        extractor_version=extractor_version,
    )
    return checked("loads", frame("loads", [row]))


def _declare(connection: duckdb.DuckDBPyConnection, path: Path) -> None:
    for table, statement in statements("schema").items():
        connection.execute(f"SELECT 1 FROM duckdb_tables() WHERE table_name = '{table}'")
        connection.execute(statement)
    for statement in statements("views").values():
        connection.execute(statement)
