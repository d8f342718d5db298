"""Brings one table to the state of the rows it is given, by statements made of the declared columns."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

import duckdb

from verdicts.corpus.tables import TABLES
from verdicts.warehouse.loading.staging import Staged
from verdicts.warehouse.storage.errors import ContractBroken
from verdicts.warehouse.storage.sql_files import count, quoted


class Moved(NamedTuple):
    """Rows that a merge was given, and how many it added and removed."""

    given: int
    added: int
    removed: int


def merge(connection: duckdb.DuckDBPyConnection, table: str, rows: Staged, *, is_whole: bool = True) -> Moved:
    """Adds what is new, updates what differs, and removes what is gone.

    Without `is_whole` nothing is gone: the rows are those of a log. A row that differs takes the new load_id, which
    alone makes no difference. Rows are added in the order of their table: a file does not depend on the one they
    came in. Raises ContractBroken.
    """
    before = count(connection, table)
    with registered(connection, rows):
        source = source_of(connection, table, rows)
        connection.execute(_insert(table, source) if before == 0 else _merge(table, source))
        after = count(connection, table)
        removed = _remove(connection, table) if is_whole and before else 0
    return Moved(rows.keys.height, after - before, removed)


@contextmanager
def registered(connection: duckdb.DuckDBPyConnection, rows: Staged) -> Iterator[None]:
    """The rows are the relation `staged`, their keys `staged_keys`. Raises what stopped their reader."""
    connection.register("staged", rows.rows)
    connection.register("staged_keys", rows.keys)
    # After an error the transaction is aborted, and the connection will be closed.
    try:
        yield
    except duckdb.Error:
        if rows.stopped:
            raise rows.stopped[0] from None
        raise
    connection.unregister("staged")
    connection.unregister("staged_keys")


def source_of(connection: duckdb.DuckDBPyConnection, table: str, rows: Staged) -> str:
    """What selects the staged rows, each once, in the order of their table. Raises ContractBroken."""
    if not rows.is_repeated:
        return "FROM staged"
    order = ", ".join(f"{quoted(name)} NULLS FIRST" for name in TABLES[table].order)
    connection.execute("CREATE OR REPLACE TEMP TABLE distinct_rows AS SELECT DISTINCT * FROM staged")
    if further := count(connection, "distinct_rows") - rows.keys.height:
        raise ContractBroken(table, "primary_key", 2 * further)
    return f"FROM distinct_rows ORDER BY {order}"


def _insert(table: str, source: str) -> str:
    return f"INSERT INTO {table} BY NAME {source}"


def _merge(table: str, source: str) -> str:
    names, columns = TABLES[table].key, TABLES[table].column_names
    derived = {column.name for column in TABLES[table].columns if column.is_derived}
    values = [name for name in columns if name not in names and name not in derived]
    is_changed = " OR ".join(
        f"old.{quoted(name)} IS DISTINCT FROM new.{quoted(name)}" for name in values if name != "load_id"
    )
    return f"""
        MERGE INTO {table} AS old
        USING ({source}) AS new
        ON {" AND ".join(f"old.{quoted(name)} = new.{quoted(name)}" for name in names)}
        WHEN MATCHED AND ({is_changed})
            THEN UPDATE SET {", ".join(f"{quoted(name)} = new.{quoted(name)}" for name in values)}
        WHEN NOT MATCHED
            THEN INSERT ({", ".join(map(quoted, columns))})
            VALUES ({", ".join(f"new.{quoted(name)}" for name in columns)})
    """  # noqa: S608 - names come from our own contracts


def _remove(connection: duckdb.DuckDBPyConnection, table: str) -> int:
    """Deletes the rows that are not among the staged; returns how many."""
    keys = ", ".join(map(quoted, TABLES[table].key))
    statement = f"DELETE FROM {table} WHERE ({keys}) NOT IN (SELECT ({keys}) FROM staged_keys)"  # noqa: S608 - ours
    ((deleted,),) = connection.execute(statement).fetchall()
    return int(deleted)
