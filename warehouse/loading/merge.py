"""Brings one table to the state of a frame, by statements made of the declared columns."""

import duckdb
import polars as pl

from corpus.tables import TABLES


def merge(
    connection: duckdb.DuckDBPyConnection, table: str, rows: pl.DataFrame, *, owned: str | None
) -> tuple[int, int]:
    """Adds what is new, updates what differs, and removes what is gone of the rows that `rows` replace.

    `owned` says which these are: the table's name for all of them, a query that selects some, None for none. A row
    that differs takes the new load_id, which alone makes no difference. `rows` are unique by the key of the table.

    Returns how many rows were added and removed.
    """
    names = TABLES[table].key
    connection.register("staged", rows)
    try:
        removed = 0 if owned is None else _remove(connection, table, owned, names)
        before = count(connection, table)
        connection.execute(_insert(table) if before == 0 else _merge(table, rows.columns))
        return count(connection, table) - before, removed
    finally:
        connection.unregister("staged")


def count(connection: duckdb.DuckDBPyConnection, relation: str) -> int:
    """Rows of a table, or of a query in parentheses."""
    ((rows,),) = connection.execute(f"SELECT count(*) FROM {relation}").fetchall()  # noqa: S608 - names and queries of ours
    return int(rows)


def _insert(table: str) -> str:
    return f"INSERT INTO {table} BY NAME FROM staged"


def _merge(table: str, columns: list[str]) -> str:
    names = TABLES[table].key
    derived = {column.name for column in TABLES[table].columns if column.is_derived}
    values = [name for name in columns if name not in names and name not in derived]
    is_changed = " OR ".join(
        f"old.{_quoted(name)} IS DISTINCT FROM new.{_quoted(name)}" for name in values if name != "load_id"
    )
    return f"""
        MERGE INTO {table} AS old
        USING staged AS new
        ON {" AND ".join(f"old.{_quoted(name)} = new.{_quoted(name)}" for name in names)}
        WHEN MATCHED AND ({is_changed})
            THEN UPDATE SET {", ".join(f"{_quoted(name)} = new.{_quoted(name)}" for name in values)}
        WHEN NOT MATCHED
            THEN INSERT ({", ".join(map(_quoted, columns))})
            VALUES ({", ".join(f"new.{_quoted(name)}" for name in columns)})
    """  # noqa: S608 - names come from our own contracts


def _remove(connection: duckdb.DuckDBPyConnection, table: str, owned: str, names: tuple[str, ...]) -> int:
    """Deletes the owned rows that `staged` lacks; returns how many."""
    keys = ", ".join(map(_quoted, names))
    among = "" if owned == table else f"({keys}) IN (SELECT ({keys}) FROM ({owned})) AND"  # noqa: S608 - ours
    statement = f"DELETE FROM {table} WHERE {among} ({keys}) NOT IN (SELECT ({keys}) FROM staged)"  # noqa: S608 - ours
    ((deleted,),) = connection.execute(statement).fetchall()
    return int(deleted)


def _quoted(name: str) -> str:
    return f'"{name}"'
