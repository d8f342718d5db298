"""Loads a whole corpus of rows into the loader's own file, in one transaction."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import duckdb
import polars as pl

from normalize import Scope
from normalize.rows import TABLES, Row
from warehouse.audit import audit
from warehouse.catalog import relations
from warehouse.connection import opened
from warehouse.contracts import CONTRACTS, checked
from warehouse.errors import WarehouseBroken
from warehouse.frames import frame
from warehouse.merge import Changes, merge
from warehouse.relations import statements
from warehouse.scope import declare_scope

_CONSTANT = {"review_aliases": ("load_id",)}
"""Columns that say which load brought a row. The rows do not have them."""

_KEPT = {"review_aliases": ("load_id",), "tools": ("product",)}
"""Columns that are no part of what a row says: `derived/` fills them, or the load."""


@dataclass(frozen=True, slots=True)
class LoadReport:
    """What a load did: the changes of every table it was given, crawls and fetches included."""

    load_id: str
    tables: Mapping[str, Changes]

    @property
    def is_changed(self) -> bool:
        """True when the corpus changed; crawls and fetches alone do not count."""
        return any(not self.tables[table].is_empty for table in TABLES if table in self.tables)


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
    scope: Scope | None = None,
) -> LoadReport:
    """Makes the file at `path` hold exactly `rows`, and all crawls and fetches ever given.

    `rows` is the whole corpus by table name, or all of it that lies in `scope`: then the rest stays as it is. A table
    left out is empty. `crawls` and `fetches` are dataclasses with the columns of those tables; those already loaded may
    come again. Loading the same rows again changes nothing, whatever their order. On any error the file is as it was.

    Raises ContractBroken, AuditFailed, WarehouseLocked, WarehouseBroken.
    """
    corpus = {table: _checked(table, rows.get(table, ()), load_id) for table in TABLES}
    log = {"crawls": _checked("crawls", crawls, load_id), "fetches": _checked("fetches", fetches, load_id)}
    path.parent.mkdir(parents=True, exist_ok=True)
    with opened(path) as connection:
        connection.begin()
        try:
            _declare(connection, path)
            report = LoadReport(load_id, _merge_all(connection, corpus, log, scope))
            if report.is_changed:
                merge(connection, "loads", _entry(report, loaded_at, extractor_version), owned=None)
            audit(connection)
            connection.commit()
        except BaseException:
            # A COMMIT after a failed statement would roll back without saying so.
            with suppress(duckdb.TransactionException):
                connection.rollback()
            raise
    return report


def _checked(table: str, rows: Sequence[object], load_id: str) -> pl.DataFrame:
    constants = dict.fromkeys(_CONSTANT.get(table, ()), load_id)
    return checked(table, frame(table, rows, **constants))


def _merge_all(
    connection: duckdb.DuckDBPyConnection,
    corpus: Mapping[str, pl.DataFrame],
    log: Mapping[str, pl.DataFrame],
    scope: Scope | None,
) -> dict[str, Changes]:
    if scope is not None:
        declare_scope(connection, scope, corpus["reviews"])
    owned = {} if scope is None else statements("scopes")
    changes = {
        table: merge(connection, table, rows, owned=owned.get(table, table), kept=_KEPT.get(table, ()))
        for table, rows in corpus.items()
    }
    for statement in statements("derived").values():
        connection.execute(statement)
    return changes | {table: merge(connection, table, rows, owned=None) for table, rows in log.items()}


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
    for held in relations(connection):
        names = [column.name for column in held.columns]
        if held.name in CONTRACTS and names != CONTRACTS[held.name].column_names():
            raise WarehouseBroken(path, f"its table {held.name} is of another version; move the file away, build again")
    for statement in (
        *statements("schema").values(),
        *statements("views").values(),
        *statements("macros").values(),
    ):
        connection.execute(statement)
