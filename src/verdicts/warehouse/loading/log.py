"""Facts about earlier loads for a build, and the loaded log for a store that lost its own."""

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

import duckdb

from verdicts.corpus.declare import Row
from verdicts.corpus.rows.runs import CrawlRow, FetchRow, GateAcceptRow, GateMeasureRow
from verdicts.corpus.tables import TABLES, name_relation
from verdicts.warehouse.schema.declared import read_version
from verdicts.warehouse.storage.connection import open_database

Logged = TypeVar("Logged", bound=Row)


@dataclass(frozen=True)
class LoadedLog:
    """Every run, every attempt, and the rows of the gates, in order."""

    crawls: list[CrawlRow]
    fetches: list[FetchRow]
    gate_measures: list[GateMeasureRow]
    gate_accepts: list[GateAcceptRow]


def read_log(path: Path) -> LoadedLog:
    """The log of the file at `path`. Raises WarehouseLocked, WarehouseBroken."""
    with open_database(path, is_read_only=True) as connection:
        return LoadedLog(
            _rows(connection, "crawls", CrawlRow),
            _rows(connection, "fetches", FetchRow),
            _rows(connection, "gate_measures", GateMeasureRow),
            _rows(connection, "gate_accepts", GateAcceptRow),
        )


def _rows(connection: duckdb.DuckDBPyConnection, table: str, row: type[Logged]) -> list[Logged]:
    names = ", ".join(row.__struct_fields__)
    order = ", ".join(TABLES[table].key)
    answer = connection.execute(f"SELECT {names} FROM {name_relation(table)} ORDER BY {order}").fetchall()  # noqa: S608  names of ours
    return [row(*map(_convert_item, values)) for values in answer]


def _convert_item(item: Any) -> Any:  # noqa: ANN401  a value of any column
    if isinstance(item, datetime):
        return item.astimezone(UTC)
    return tuple(item) if isinstance(item, list) else item


def newest_load(path: Path) -> str | None:
    """The id of the last load into the file at `path`; None before the first. Raises as `open_database` does."""
    if not path.exists():
        return None
    with open_database(path, is_read_only=True) as connection:
        if read_version(connection) is None:
            return None  # killed before its first commit
        ((newest,),) = connection.execute("SELECT max(load_id) FROM ops.loads").fetchall()
    return None if newest is None else str(newest)


def has_tools(path: Path) -> bool:
    """Whether the file at `path` has a tool."""
    with open_database(path, is_read_only=True) as connection:
        # A file of a load that was killed before its first commit has no table.
        return read_version(connection) is not None and bool(connection.execute("FROM tools LIMIT 1").fetchall())
