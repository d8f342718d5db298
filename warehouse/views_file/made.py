"""What readers need beyond the parts of a build, as Parquet files: made of the parts by DuckDB, in bounded memory."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import duckdb

from corpus.tables import CORPUS_TABLES, TABLES
from warehouse.manifests.manifest import SEARCH_TABLES, Manifest
from warehouse.manifests.parts import ROW_GROUP
from warehouse.manifests.scan import parquet
from warehouse.schema.dataset_views import DATASET_VIEWS
from warehouse.serving.search_index import bring_index_up_to_date
from warehouse.storage.sql_files import declarations, quoted

ORDERS = {
    "search.indexed": ("document",),
    "search.names": ("tool_id",),
    "search.postings": ("term", "document"),
    "search.words": ("language", "stem", "word", "term"),
}
"""What a search looks rows up by."""

SEARCH_ROW_GROUP = 122_880
"""A search reads columns of all texts: the fewer groups, the fewer requests to a bucket."""

_IN_PARQUET = {"HUGEINT": "DECIMAL(38, 0)", "UHUGEINT": "DECIMAL(38, 0)"}
"""Parquet has no integers of 128 bits, the type of sums."""


class Made(NamedTuple):
    """The rows of a relation in a file."""

    relation: str
    path: Path
    rows: int


def make_relations(connection: duckdb.DuckDBPyConnection, manifest: Manifest, folder: Path) -> Iterator[Made]:
    """Every relation of a copy that is not read from the parts of the manifest, each after those that it reads."""
    of_rows = "SELECT table_name FROM duckdb_tables() WHERE schema_name = 'main' AND database_name = current_database()"
    held = {name for (name,) in connection.execute(of_rows).fetchall()} & TABLES.keys()
    for table in TABLES:
        if table in held and (table not in CORPUS_TABLES or manifest.tables.get(table)):
            yield _make(connection, table, folder)
    for view in declarations("schema/views"):
        made = _make(connection, view, folder)
        # Views that read it need not make it again.
        connection.execute(f"CREATE OR REPLACE VIEW {view} AS {_select(connection, view, parquet([made.path]))}")
        yield made
    bring_index_up_to_date(connection)
    for table in SEARCH_TABLES:
        yield _make(connection, table, folder)


def _make(connection: duckdb.DuckDBPyConnection, relation: str, folder: Path) -> Made:
    path = folder / f"{relation}.parquet"
    columns = ", ".join(
        f"{quoted(name)}::{_IN_PARQUET.get(type_, type_)} AS {quoted(name)}"
        for name, type_ in types_of(connection, relation)
    )
    order = f" ORDER BY {', '.join(map(quoted, _order_of(relation)))}" if _order_of(relation) else ""
    to = "'" + str(path).replace("'", "''") + "'"
    rows_together = SEARCH_ROW_GROUP if relation in SEARCH_TABLES else ROW_GROUP
    options = f"FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE {rows_together}"
    statement = f"COPY (SELECT {columns} FROM {relation}{order}) TO {to} ({options})"  # noqa: S608  names of ours
    ((rows,),) = connection.execute(statement).fetchall()
    return Made(relation, path, int(rows))


def _order_of(relation: str) -> tuple[str, ...]:
    """The columns by which its rows lie in a file: those by which they are looked up come first."""
    if relation in TABLES:
        return TABLES[relation].key
    return ORDERS.get(relation) or DATASET_VIEWS.get(relation, ())


def types_of(connection: duckdb.DuckDBPyConnection, relation: str) -> list[tuple[str, str]]:
    """Columns of a relation and their types, in order."""
    return [(name, type_) for name, type_, *_ in connection.execute(f"DESCRIBE {relation}").fetchall()]


def _select(connection: duckdb.DuckDBPyConnection, relation: str, rows: str) -> str:
    """What reads a relation's rows back, in the types that it has."""
    columns = ", ".join(f"{quoted(name)}::{type_} AS {quoted(name)}" for name, type_ in types_of(connection, relation))
    return f"SELECT {columns} FROM {rows}"  # noqa: S608  names of ours
