"""Brings one table to the state of a frame, by a statement made of the declared columns."""

from collections import Counter
from dataclasses import dataclass

import duckdb
import polars as pl

from warehouse.contracts import key


@dataclass(frozen=True, slots=True)
class Changes:
    """Rows of one table that a load added, changed and removed."""

    added: int
    changed: int
    removed: int

    @property
    def is_empty(self) -> bool:
        return self == Changes(0, 0, 0)


def merge(
    connection: duckdb.DuckDBPyConnection,
    table: str,
    rows: pl.DataFrame,
    *,
    owned: str | None,
    kept: tuple[str, ...] = (),
) -> Changes:
    """Adds what is new, updates what differs, and removes what is gone of the rows that `rows` replace.

    `owned` says which these are: the table's name for all of them, a query that selects some, None for none. `kept`
    columns are set when a row is added and neither compared nor updated later. `rows` are unique by the key of the
    table. They are written in the order of that key, so that a file does not depend on the order they came in.
    """
    names = key(table)
    values = [name for name in rows.columns if name not in names and name not in kept]
    statement = f"""
        MERGE INTO {_quoted(table)} AS old
        USING staged AS new
        ON {" AND ".join(f"old.{_quoted(name)} = new.{_quoted(name)}" for name in names)}
        WHEN MATCHED AND ({" OR ".join(f"old.{_quoted(name)} IS DISTINCT FROM new.{_quoted(name)}" for name in values)})
            THEN UPDATE SET {", ".join(f"{_quoted(name)} = new.{_quoted(name)}" for name in values)}
        WHEN NOT MATCHED
            THEN INSERT ({", ".join(map(_quoted, rows.columns))})
            VALUES ({", ".join(f"new.{_quoted(name)}" for name in rows.columns)})
        {"WHEN NOT MATCHED BY SOURCE THEN DELETE" if owned == table else ""}
        RETURNING merge_action
    """  # noqa: S608 - names come from our own contracts
    connection.register("staged", rows.sort(names))
    try:
        removed = 0 if owned in {None, table} else _remove(connection, table, f"({owned})", names)
        actions = Counter(connection.execute(statement).fetchnumpy()["merge_action"].tolist())
    finally:
        connection.unregister("staged")
    return Changes(actions["INSERT"], actions["UPDATE"], actions["DELETE"] + removed)


def _remove(connection: duckdb.DuckDBPyConnection, table: str, owned: str, names: tuple[str, ...]) -> int:
    """Deletes owned rows that `staged` has no more; how many."""
    keys = ", ".join(map(_quoted, names))
    statement = f"""
        DELETE FROM {_quoted(table)}
        WHERE ({keys}) IN (SELECT ({keys}) FROM {owned}) AND ({keys}) NOT IN (SELECT ({keys}) FROM staged)
        RETURNING 1
    """  # noqa: S608 - names come from our own contracts, the query from a file of ours
    return len(connection.execute(statement).fetchall())


def _quoted(name: str) -> str:
    return f'"{name}"'
