"""The views of a copy, which are tables of their rows."""

import re
from collections.abc import Collection
from graphlib import TopologicalSorter

import duckdb

from corpus.tables import TABLES
from warehouse.copying.keyed_views import KEYED_VIEWS, TOUCHED, Keyed
from warehouse.loading.merge import count
from warehouse.storage.sql_files import read_sql

_HEAD = re.compile(r"\A\s*CREATE OR REPLACE VIEW \w+ AS\b")


def materialize_views(connection: duckdb.DuckDBPyConnection) -> None:
    """Makes each view a table of its rows, under the same name and with the same comments.

    A table among the others: whoever browses the file sees each name once.
    """
    for name in read_sql("schema/views"):
        _materialize(connection, name, f"FROM {name}", "VIEW")


def bring_views(connection: duckdb.DuckDBPyConnection, changed: Collection[str]) -> None:
    """Brings the views of a copy to the state of its tables, of which some have changed.

    The temporary tables of `changed_rows` are there.
    """
    touched = read_sql("copying/touched")
    for keys in TOUCHED:
        connection.execute(f"CREATE OR REPLACE TEMP TABLE touched_{keys} AS {touched[keys]}")
        if keys == "renamed_tools":
            connection.execute(f"SET VARIABLE renamed_words = ({read_sql('copying')['renamed_words']})")
    reads = {name: _names_in(_select(connection, name)) - {name} for name in read_sql("schema/views")}
    moved = {*changed}
    for name in TopologicalSorter({name: sorted(reads[name] & reads.keys()) for name in reads}).static_order():
        if reads[name].isdisjoint(moved):
            continue
        if name not in KEYED_VIEWS:
            _materialize(connection, name, _select(connection, name), "TABLE")
        elif not _bring(connection, name, KEYED_VIEWS[name]):
            continue
        moved.add(name)


def _names_in(sql: str) -> set[str]:
    return {*re.findall(r"\w+", sql)} & {*TABLES, *read_sql("schema/views")}


def _select(connection: duckdb.DuckDBPyConnection, name: str) -> str:
    declaration, *_ = connection.extract_statements(read_sql("schema/views")[name])
    return _HEAD.sub("", declaration.query, count=1).rstrip("; \n")


def _bring(connection: duckdb.DuckDBPyConnection, name: str, keyed: Keyed) -> bool:
    """Whether any row became another."""
    near = ", ".join(
        f"{table} AS (FROM {_near(connection, table, column, keys)})" for table, (column, keys) in keyed.reads.items()
    )
    of_keys = f"{keyed.column} IN (SELECT {keyed.column} FROM touched_{keyed.keys})"  # noqa: S608  names of ours
    connection.execute(
        f"CREATE OR REPLACE TEMP TABLE rows_now AS WITH {near} FROM (\n{_select(connection, name)}\n) WHERE {of_keys}"
    )
    connection.execute(
        f"CREATE OR REPLACE TEMP TABLE rows_before AS SELECT rowid AS place, hash(found) AS bits"  # noqa: S608  ours
        f" FROM {name} AS found WHERE {of_keys}"
    )
    # Where many rows were deleted DuckDB writes the table anew; of those touched few are others.
    connection.execute(f"CREATE OR REPLACE TEMP TABLE other_rows AS {read_sql('copying')['other_rows']}")
    others = "SELECT place FROM rows_before SEMI JOIN other_rows USING (bits)"
    connection.execute(f"DELETE FROM {name} WHERE rowid IN ({others})")  # noqa: S608  names of ours
    connection.execute(f"INSERT INTO {name} BY NAME FROM rows_now AS found WHERE hash(found) IN (FROM other_rows)")
    return count(connection, "other_rows") > 0


def _near(connection: duckdb.DuckDBPyConnection, table: str, column: str, keys: str) -> str:
    """Makes a temporary table of the rows of a table that have one of the keys, and gives its name.

    First places by the key alone: of a million rows DuckDB reads the other columns only where one was found.
    """
    near = f"near_{table}_{column}_{keys}"
    # `scored_takes` and `head_to_head` change on the way, but are read only after that.
    connection.execute(
        f"CREATE TEMP TABLE IF NOT EXISTS {near} AS SELECT found.* FROM main.{table} AS found SEMI JOIN"  # noqa: S608
        f" (SELECT rowid AS place FROM main.{table} SEMI JOIN touched_{keys} USING ({column})) AS places"
        " ON found.rowid = places.place"
    )
    return near


def _materialize(connection: duckdb.DuckDBPyConnection, name: str, select: str, before: str) -> None:
    _, comment, *of_columns = connection.extract_statements(read_sql("schema/views")[name])
    connection.execute(f"CREATE TABLE rows_of_{name} AS {select}")
    connection.execute(f"DROP {before} {name}")
    connection.execute(f"ALTER TABLE rows_of_{name} RENAME TO {name}")
    connection.execute(comment.query.replace("COMMENT ON VIEW", "COMMENT ON TABLE", 1))
    for column in of_columns:
        connection.execute(column)
