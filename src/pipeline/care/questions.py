"""What a store and a published copy answer, asked when they are backed up and again when they are restored."""

import sqlite3
from collections.abc import Mapping
from pathlib import Path

from verdicts.corpus.tables import CORPUS_TABLES
from verdicts.warehouse.storage.connection import opened

_OF_STATE = ("crawls", "urls", "fetches", "snapshots", "segments", "records")


def first_run(state: sqlite3.Connection) -> str | None:
    """The id of the first run of a store, by which it is known; None before it."""
    (first,) = state.execute("SELECT min(crawl_id) FROM crawls").fetchone()
    return None if first is None else str(first)


def counts_of_state(state: sqlite3.Connection) -> Mapping[str, int]:
    """Rows of the tables of a state: `state.urls` and others."""
    return {f"state.{table}": _count(state, table) for table in _OF_STATE}


def _count(state: sqlite3.Connection, table: str) -> int:
    (count,) = state.execute(f"SELECT count(*) FROM {table}").fetchone()  # noqa: S608  constant names
    return int(count)


def counts_of_copy(path: Path) -> Mapping[str, int]:
    """Rows of the tables of a published copy. Raises as `opened` does."""
    with opened(path, is_read_only=True) as connection:
        present = {
            name
            for (name,) in connection.execute(
                "SELECT table_name FROM duckdb_columns() WHERE schema_name = 'main'"
            ).fetchall()
        }
        counts: dict[str, int] = {}
        for table in (name for name in CORPUS_TABLES if name in present):
            ((count,),) = connection.execute(f"SELECT count(*) FROM {table}").fetchall()  # noqa: S608  constant names
            counts[table] = int(count)
    return counts
