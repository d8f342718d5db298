"""Rewrites a DuckDB file without its free blocks. VACUUM and CHECKPOINT do not release them."""

from pathlib import Path

import duckdb

from verdicts.corpus.first_error import ending_with
from verdicts.fetch.given_files import sync
from verdicts.warehouse.storage.connection import attached, fitting_block_bytes, opened
from verdicts.warehouse.storage.errors import WarehouseBroken

_CATALOG = {
    "duckdb_tables()": "schema_name, table_name, comment, sql",
    "duckdb_columns()": "schema_name, table_name, column_name, data_type, is_nullable, column_default, comment",
    "duckdb_views()": "schema_name, view_name, comment, sql",
    "duckdb_indexes()": "schema_name, table_name, index_name, comment, sql",
    "duckdb_functions()": "schema_name, function_name, parameters, macro_definition, comment",
    "duckdb_sequences()": "schema_name, sequence_name, last_value, comment",
}
"""Everything in a file except its rows."""


def free_share(path: Path) -> float:
    """Share of free blocks in a file. Raises like `opened`."""
    total, free = _sizes(path, "total_blocks, free_blocks")
    return free / total if total else 0.0


def has_fitting_blocks(path: Path) -> bool:
    """Whether the size of its blocks fits the size of a file. Raises like `opened`."""
    (held,) = _sizes(path, "block_size")
    return held >= fitting_block_bytes(path.stat().st_size)


def _sizes(path: Path, columns: str) -> tuple[int, ...]:
    sizes = f"SELECT {columns} FROM pragma_database_size() WHERE database_name = current_database()"  # noqa: S608  ours
    with opened(path, is_read_only=True) as connection:
        (found,) = connection.execute(sizes).fetchall()
    return found


def compact(path: Path) -> int:
    """Rewrites a file, compares catalog and rows, and replaces it. Returns the freed bytes.

    Raises WarehouseLocked, WarehouseBroken; then the file stays as it was. The caller must lock its folder.
    """
    draft = path.with_name(f".{path.name}.compact.tmp")
    drafts = (draft, draft.with_name(f"{draft.name}.wal"))
    _remove(*drafts)
    before = path.stat().st_size
    with ending_with(lambda: _remove(*drafts)):
        with opened(path) as connection:
            connection.execute("CHECKPOINT")
        with opened(draft, expected_bytes=before) as connection, attached(connection, path, "old"):
            ((name,),) = connection.execute("SELECT current_database()").fetchall()
            connection.execute(f'COPY FROM DATABASE old TO "{name}"')
            connection.execute("CHECKPOINT")
            if _content(connection, "old") != _content(connection, name):
                raise WarehouseBroken(path, "a copy of it has other rows; it stays as it is")
        sync(draft)
        if draft.stat().st_size >= before:
            return 0
        draft.replace(path)
        sync(path.parent)
    return before - path.stat().st_size


def _content(connection: duckdb.DuckDBPyConnection, database: str) -> tuple[object, ...]:
    queries = (f"SELECT {columns} FROM {of} WHERE database_name = ? ORDER BY ALL" for of, columns in _CATALOG.items())  # noqa: S608
    catalog = [connection.execute(query, [database]).fetchall() for query in queries]
    tables = [(schema, table) for schema, table, *_ in catalog[0]]
    rows = [
        connection.execute(
            f'SELECT count(*), bit_xor(hash(row)), sum(hash(row)) FROM "{database}"."{schema}"."{table}" AS row'  # noqa: S608  names of the catalog
        ).fetchall()
        for schema, table in tables
    ]
    return (*catalog, rows)


def _remove(*paths: Path) -> None:
    for path in paths:
        path.unlink(missing_ok=True)
