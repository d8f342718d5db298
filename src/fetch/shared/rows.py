"""What is known of addresses, between the shared frontier and a fetcher's own state.

A fetcher notes which rows it changes (temporary triggers), so that a commit gives back those and no others.
"""

import sqlite3
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from psycopg import sql

from verdicts.fetch.shared.database import Database


class SharedTable(NamedTuple):
    """A table that both have. Its rows are found by `key`; each is of one host."""

    name: str
    key: tuple[str, ...]
    columns: tuple[str, ...]


URLS = SharedTable(
    "urls",
    ("url",),
    (
        "url",
        "host",
        "due_at",
        "handled_in",
        "fetched_at",
        "unconditional_at",
        "interval_s",
        "lastmod",
        "claim",
        "is_content_unverified",
        "etag",
        "last_modified",
        "is_etag_wrong",
        "sha256",
        "not_found_nights",
        "not_found_on",
        "is_gone",
        "alias_of",
        "hops",
        "depth",
        "discovered_in",
        "discovered_from",
        "standing",
        "gone_in",
        "moved_to",
    ),
)
HOSTS = SharedTable("hosts", ("host",), ("host", "lastmod_right", "lastmod_wrong"))
TABLES = (URLS, HOSTS)


def note_changes(state: sqlite3.Connection) -> None:
    """From here on this connection notes the rows that it writes."""
    for table in TABLES:
        keys = ", ".join(table.key)
        state.execute(f"CREATE TEMP TABLE IF NOT EXISTS changed_{table.name} ({keys})")
        values = ", ".join(f"NEW.{key}" for key in table.key)
        for event in ("INSERT", "UPDATE"):
            state.execute(
                f"CREATE TEMP TRIGGER IF NOT EXISTS note_{table.name}_{event} AFTER {event} ON main.{table.name}"  # noqa: S608
                # No OR IGNORE: what a statement says of conflicts holds in its triggers too.
                f" BEGIN INSERT INTO changed_{table.name} VALUES ({values}); END"
            )


def check_out(database: Database, state: sqlite3.Connection, hosts: Sequence[str]) -> None:
    """Replaces what the state knows of some hosts by what the frontier knows. Part of the caller's transaction."""
    for table in TABLES:
        _replace(state, table, hosts, _known(database, table, hosts))


def _known(database: Database, table: SharedTable, hosts: Sequence[str]) -> Iterable[tuple[Any, ...]]:
    question = sql.SQL("SELECT {} FROM {} WHERE host = ANY(%s)").format(
        sql.SQL(", ").join(map(sql.Identifier, table.columns)), sql.Identifier(table.name)
    )
    order = sql.SQL(" ORDER BY number") if table is URLS else sql.SQL("")
    return database.execute(question + order, (list(hosts),))


def _replace(
    state: sqlite3.Connection, table: SharedTable, hosts: Sequence[str], rows: Iterable[tuple[Any, ...]]
) -> None:
    marks = ", ".join("?" * len(hosts))
    state.execute(f"DELETE FROM {table.name} WHERE host IN ({marks})", tuple(hosts))  # noqa: S608  names of ours
    values = ", ".join("?" * len(table.columns))
    state.executemany(f"INSERT INTO {table.name} ({', '.join(table.columns)}) VALUES ({values})", rows)  # noqa: S608
    # What came from there is not given back.
    of_hosts = f"SELECT {', '.join(table.key)} FROM {table.name} WHERE host IN ({marks})"  # noqa: S608
    state.execute(f"DELETE FROM changed_{table.name} WHERE {_keys(table)} IN ({of_hosts})", tuple(hosts))  # noqa: S608


def changed_rows(state: sqlite3.Connection, table: SharedTable, hosts: Sequence[str]) -> list[tuple[Any, ...]]:
    """The rows of some hosts that were written since they were last forgotten."""
    marks = ", ".join("?" * len(hosts))
    return state.execute(
        f"SELECT {', '.join(table.columns)} FROM main.{table.name} WHERE host IN ({marks})"  # noqa: S608  names of ours
        f" AND {_keys(table)} IN (SELECT * FROM changed_{table.name})",
        tuple(hosts),
    ).fetchall()


def _keys(table: SharedTable) -> str:
    return f"({', '.join(table.key)})" if len(table.key) > 1 else table.key[0]


def forget_changes(state: sqlite3.Connection) -> None:
    """What was written is given back, or is another fetcher's to write."""
    for table in TABLES:
        state.execute(f"DELETE FROM changed_{table.name}")  # noqa: S608  names of ours


def give(database: Database, table: SharedTable, rows: Sequence[tuple[Any, ...]]) -> None:
    """Writes rows into the frontier. Part of the caller's transaction."""
    if not rows:
        return
    names = [sql.Identifier(name) for name in table.columns]
    others = [sql.Identifier(name) for name in table.columns if name not in table.key]
    statement = sql.SQL("INSERT INTO {} ({}) VALUES ({}) ON CONFLICT ({}) DO UPDATE SET {}").format(
        sql.Identifier(table.name),
        sql.SQL(", ").join(names),
        sql.SQL(", ").join([sql.Placeholder()] * len(names)),
        sql.SQL(", ").join(map(sql.Identifier, table.key)),
        sql.SQL(", ").join(sql.SQL("{0} = excluded.{0}").format(name) for name in others),
    )
    with database.cursor() as cursor:
        cursor.executemany(statement, rows)
