"""Brings the tables of a cloned copy to the state of the attached database `warehouse`.

Of every table of the corpus it leaves two temporary tables behind: `left_<table>`, rows of before that differ or are
gone, with their `place`, and `brought_<table>`, rows that were added or that differ. Every row bears the id of the
load that brought it as it is.
"""

from collections.abc import Sequence

import duckdb

from corpus.tables import TABLES
from warehouse.copying.doubt import NotByChanges
from warehouse.loading.merge import count, quoted

LARGEST_SHARE = 0.3
"""Of the rows of a large table: where more of them changed, a copy made whole costs no more."""

LARGE_ROWS = 10_000

_SEARCH = ("indexed", "words", "names")
"""Tables of the search index whose rows bear no load. Of `postings` the document says which are new."""


def bring_tables(connection: duckdb.DuckDBPyConnection) -> list[str]:
    """The tables of the corpus that changed. Raises NotByChanges."""
    loads = _new_loads(connection)
    changed = [table for table in TABLES if _bring_table(connection, table, loads)]
    for table in changed:
        _check_same(connection, table)
    return changed


def bring_search(connection: duckdb.DuckDBPyConnection) -> None:
    """Brings the search index of the copy to that of the warehouse. Raises NotByChanges."""
    _bring_changed_search(connection)
    tables = (*_SEARCH, "postings")
    if all(_is_same(connection, table, "search") for table in tables):
        return
    # It was made anew in the warehouse, which numbers texts and words anew.
    for table in tables:
        connection.execute(f"DELETE FROM search.{table}")  # noqa: S608  names of ours
        connection.execute(f"INSERT INTO search.{table} BY NAME FROM warehouse.search.{table}")
        _check_same(connection, table, "search")


def _bring_changed_search(connection: duckdb.DuckDBPyConnection) -> None:
    for table in _SEARCH:
        columns = _columns(connection, "search", table)
        of_row = f"hash({', '.join(map(quoted, columns))})"
        here, there = f"search.{table}", f"warehouse.search.{table}"
        missing = f"SELECT * FROM {{}} WHERE {of_row} NOT IN (SELECT {of_row} FROM {{}})"  # noqa: S608  names of ours
        connection.execute(f"CREATE TEMP TABLE left_search_{table} AS {missing.format(here, there)}")
        connection.execute(f"CREATE TEMP TABLE brought_search_{table} AS {missing.format(there, here)}")
        if count(connection, f"left_search_{table}"):
            connection.execute(
                f"DELETE FROM {here} WHERE {of_row} IN (SELECT {of_row} FROM left_search_{table})"  # noqa: S608  ours
            )
        connection.execute(f"INSERT INTO {here} BY NAME FROM brought_search_{table}")
    connection.execute("DELETE FROM search.postings WHERE document IN (SELECT document FROM left_search_indexed)")
    connection.execute(
        "INSERT INTO search.postings BY NAME FROM warehouse.search.postings"
        " WHERE document IN (SELECT document FROM brought_search_indexed) ORDER BY term, document"
    )


def _new_loads(connection: duckdb.DuckDBPyConnection) -> list[str]:
    """Loads of the warehouse that the copy has not. Raises NotByChanges where the copy is not of this warehouse."""
    if foreign := count(connection, "(FROM main.loads EXCEPT FROM warehouse.main.loads)"):
        raise NotByChanges(f"the last copy has {foreign} loads that are not the warehouse's")
    loads = "SELECT load_id FROM warehouse.main.loads WHERE load_id NOT IN (SELECT load_id FROM main.loads)"
    return [load_id for (load_id,) in connection.execute(loads).fetchall()]


def _bring_table(connection: duckdb.DuckDBPyConnection, table: str, loads: Sequence[str]) -> bool:
    """Whether it changed."""
    there = f"warehouse.main.{table}"
    ids = ", ".join("'" + load_id.replace("'", "''") + "'" for load_id in loads) or "NULL"
    connection.execute(f"CREATE TEMP TABLE brought_{table} AS FROM {there} WHERE load_id IN ({ids})")
    _check_share(connection, f"brought_{table}", table)
    keys = ", ".join(map(quoted, TABLES[table].key))
    connection.execute(
        f"CREATE TEMP TABLE places_{table} AS"  # noqa: S608  names of ours
        f" SELECT rowid AS place FROM main.{table} SEMI JOIN brought_{table} USING ({keys})"
    )
    brought = count(connection, f"brought_{table}")
    gone = count(connection, table) - count(connection, f"places_{table}") + brought - count(connection, there)
    if gone < 0:
        raise NotByChanges(f"{-gone} rows of {table} are of a load that the last copy has, and are not there")
    if gone:
        connection.execute(
            f"INSERT INTO places_{table} SELECT rowid FROM main.{table}"  # noqa: S608  names of ours
            f" WHERE hash({keys}) NOT IN (SELECT hash({keys}) FROM {there})"
        )
    connection.execute(
        f"CREATE TEMP TABLE left_{table} AS SELECT place, found.*"  # noqa: S608  names of ours
        f" FROM main.{table} AS found INNER JOIN places_{table} AS places ON found.rowid = places.place"
    )
    left = count(connection, f"left_{table}")
    if left:
        connection.execute(f"DELETE FROM main.{table} WHERE rowid IN (SELECT place FROM left_{table})")  # noqa: S608
    if brought:
        order = ", ".join(f"{quoted(name)} NULLS FIRST" for name in TABLES[table].order)
        connection.execute(f"INSERT INTO main.{table} BY NAME FROM brought_{table} ORDER BY {order}")
    return bool(left or brought)


def _check_share(connection: duckdb.DuckDBPyConnection, brought: str, table: str) -> None:
    new, held = count(connection, brought), count(connection, table)
    if new > LARGE_ROWS and new > LARGEST_SHARE * held:
        raise NotByChanges(f"{new:,} rows of {table} are new or differ, and the last copy has {held:,}")


def _check_same(connection: duckdb.DuckDBPyConnection, table: str, schema: str = "main") -> None:
    if not _is_same(connection, table, schema):
        raise NotByChanges(f"{schema}.{table} would not have the rows of the warehouse")


def _is_same(connection: duckdb.DuckDBPyConnection, table: str, schema: str = "main") -> bool:
    """Whether the copy has as many rows as the warehouse, and the same sum of their hashes."""
    columns = ", ".join(map(quoted, _columns(connection, schema, table)))
    here, there = (
        connection.execute(f"SELECT count(*), sum(hash({columns})) FROM {place}{schema}.{table}").fetchall()  # noqa: S608
        for place in ("", "warehouse.")
    )
    return here == there


def _columns(connection: duckdb.DuckDBPyConnection, schema: str, table: str) -> list[str]:
    of_table = (
        "SELECT column_name FROM duckdb_columns()"
        " WHERE database_name = current_database() AND schema_name = ? AND table_name = ? ORDER BY column_index"
    )
    return [name for (name,) in connection.execute(of_table, [schema, table]).fetchall()]
