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
    is_whole: bool,
    kept: tuple[str, ...] = (),
) -> Changes:
    """Adds what is new, updates what differs and, where `rows` are the whole table, removes what is gone.

    `kept` columns are set when a row is added and neither compared nor updated later. `rows` are unique by the key
    of the table. They are written in the order of that key, so that a file does not depend on the order they came in.
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
        {"WHEN NOT MATCHED BY SOURCE THEN DELETE" if is_whole else ""}
        RETURNING merge_action
    """  # noqa: S608 - names come from our own contracts
    connection.register("staged", rows.sort(names))
    try:
        actions = Counter(connection.execute(statement).fetchnumpy()["merge_action"].tolist())
    finally:
        connection.unregister("staged")
    return Changes(actions["INSERT"], actions["UPDATE"], actions["DELETE"])


def _quoted(name: str) -> str:
    return f'"{name}"'
