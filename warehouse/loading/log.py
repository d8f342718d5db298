"""The log as it was last loaded, to be given back to a store that lost its own."""

from dataclasses import fields
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

import duckdb

from corpus.rows.runs import CrawlRow, FetchRow
from warehouse.storage.connection import opened

Row = TypeVar("Row", CrawlRow, FetchRow)


def read_log(path: Path) -> tuple[list[CrawlRow], list[FetchRow]]:
    """Every run and every attempt, in order. Raises WarehouseLocked, WarehouseBroken."""
    with opened(path, is_read_only=True) as connection:
        return _rows(connection, "crawls", CrawlRow), _rows(connection, "fetches", FetchRow)


def _rows(connection: duckdb.DuckDBPyConnection, table: str, row: type[Row]) -> list[Row]:
    names = [field.name for field in fields(row)]
    answer = connection.execute(f"SELECT {', '.join(names)} FROM {table} ORDER BY 1")  # noqa: S608  names of our own
    return [row(**_in_utc(dict(zip(names, values, strict=True)))) for values in answer.fetchall()]


def _in_utc(values: dict[str, Any]) -> dict[str, Any]:
    return {name: item.astimezone(UTC) if isinstance(item, datetime) else item for name, item in values.items()}
