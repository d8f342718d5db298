"""What two states of the corpus have in common, and what not: rows by their keys, values column by column."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb
import polars as pl

from corpus.tables import CORPUS_TABLES, TABLES
from warehouse.storage.connection import attached, opened

_UNCOMPARED = ("load_id",)
"""Which load brought a row is no part of what it says."""


def diff_tables(before: Path, after: Path) -> pl.DataFrame:
    """A row a table that differs: rows added, changed and removed, and how many changed in which column."""
    with _both(before, after) as connection:
        counts = [
            _counts(table, connection.execute(_counting(connection, table)).fetchall()[0]) for table in CORPUS_TABLES
        ]
    schema = {"relation": pl.String, "added": pl.Int64, "changed": pl.Int64, "removed": pl.Int64, "columns": pl.String}
    found = pl.DataFrame(counts, schema=schema, orient="row")
    return found.filter(pl.any_horizontal(pl.col("added", "changed", "removed") > 0))


def diff_rows(before: Path, after: Path, table: str, limit: int) -> pl.DataFrame:
    """A row a difference of `table`, by key: a value that changed, or a whole row (as JSON) that came or went."""
    with _both(before, after) as connection:
        found: pl.DataFrame = connection.sql(f"{_differing(connection, table)} LIMIT {limit}").pl()
    return found


@contextmanager
def _both(before: Path, after: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    with opened(after, is_read_only=True) as connection, attached(connection, before, "before"):
        yield connection


def _columns(connection: duckdb.DuckDBPyConnection, table: str) -> list[str]:
    """Columns that both states have and that are compared."""
    question = "SELECT column_name FROM duckdb_columns() WHERE database_name = 'before' AND table_name = ?"
    held = {name for (name,) in connection.execute(question, [table]).fetchall()}
    return [
        name for name in TABLES[table].column_names if name in held and name not in (*TABLES[table].key, *_UNCOMPARED)
    ]


def _differs(table: str, name: str) -> str:
    first = TABLES[table].key[0]
    return f"old.{first} IS NOT NULL AND new.{first} IS NOT NULL AND old.{name} IS DISTINCT FROM new.{name}"


def _joined(table: str) -> str:
    on = " AND ".join(f"old.{name} = new.{name}" for name in TABLES[table].key)
    return f"before.{table} AS old FULL JOIN {table} AS new ON {on}"


def _counting(connection: duckdb.DuckDBPyConnection, table: str) -> str:
    first = TABLES[table].key[0]
    differs = {name: _differs(table, name) for name in _columns(connection, table)}
    any_differs = " OR ".join(differs.values()) or "false"
    told = ", ".join(f"'{name}': count(*) FILTER ({condition})" for name, condition in differs.items())
    return f"""
        SELECT
            count(*) FILTER (old.{first} IS NULL),
            count(*) FILTER ({any_differs}),
            count(*) FILTER (new.{first} IS NULL),
            MAP {{{told}}}
        FROM {_joined(table)}
    """  # noqa: S608 - names come from our own contracts


def _counts(table: str, row: tuple[int, int, int, dict[str, int]]) -> tuple[str, int, int, int, str]:
    added, changed, removed, told = row
    columns = ", ".join(f"{name} {count:,}" for name, count in sorted(told.items(), key=lambda item: -item[1]) if count)
    return table, added, changed, removed, columns


def _differing(connection: duckdb.DuckDBPyConnection, table: str) -> str:
    names = TABLES[table].key
    keys = ", ".join(f"coalesce(old.{name}, new.{name}) AS {name}" for name in names)
    # (difference, column, before, after, which rows)
    differences = [
        ("added", "NULL", "NULL", "to_json(new)", f"old.{names[0]} IS NULL"),
        ("removed", "NULL", "to_json(old)", "NULL", f"new.{names[0]} IS NULL"),
        *(
            ("changed", f"'{name}'", f"old.{name}", f"new.{name}", _differs(table, name))
            for name in _columns(connection, table)
        ),
    ]
    selects = (
        f"""
        SELECT
            '{difference}' AS difference,
            {keys},
            {column}::VARCHAR AS "column",
            {before}::VARCHAR AS before,
            {after}::VARCHAR AS after
        FROM {_joined(table)}
        WHERE {condition}
        """  # noqa: S608 - names come from our own contracts
        for difference, column, before, after, condition in differences
    )
    return " UNION ALL ".join(selects) + f' ORDER BY difference, {", ".join(names)}, "column"'
