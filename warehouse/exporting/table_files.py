"""Writes tables to files, on the disk when it returns: in their order, the same bytes from run to run."""

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from itertools import product
from pathlib import Path

import duckdb

from verdicts.warehouse.documents.manifest import PARTITIONED, ExportedFile, sha256_of
from verdicts.warehouse.schema.catalog import Relation
from verdicts.warehouse.schema.dataset_views import order_of
from verdicts.warehouse.storage.durable import sync

FORMS = ("parquet", "csv", "jsonl")

_OPTIONS = {
    "parquet": "FORMAT parquet, COMPRESSION zstd",
    "csv": "FORMAT csv, HEADER",
    "jsonl": "FORMAT json",
}


def write_tables(
    connection: duckdb.DuckDBPyConnection, folder: Path, tables: Sequence[Relation], forms: Sequence[str]
) -> tuple[ExportedFile, ...]:
    """Every table in every form, as many files at a time as there are cores: one of few rows keeps only one busy."""
    parts = [(table, *part) for table in tables for part in _partitions(connection, table.name)]
    for name in PARTITIONED.keys() & {table.name for table in tables}:
        (folder / name).mkdir()
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool, ExitStack() as others:
        files = []
        for (table, name, condition), form in product(parts, forms):
            cursor = connection.cursor()
            others.callback(cursor.interrupt)
            files.append(pool.submit(_file, cursor, folder, table, name, condition, form))
        # Where one file fails, or a signal comes, the others need not be finished first.
        others.callback(pool.shutdown, wait=False, cancel_futures=True)
        return tuple(file.result() for file in files)


def _file(
    connection: duckdb.DuckDBPyConnection, folder: Path, table: Relation, name: str, condition: str, form: str
) -> ExportedFile:
    path = folder / f"{name}.{form}"
    connection.execute("SET TimeZone = 'UTC'")
    rows = _copy(connection, table, condition, form, path)
    sync(path)
    return ExportedFile(f"{name}.{form}", table.name, form, rows, path.stat().st_size, sha256_of(path))


def _partitions(connection: duckdb.DuckDBPyConnection, table: str) -> Iterator[tuple[str, str]]:
    """Name, without its ending, and condition of each file of a table."""
    column = PARTITIONED.get(table)
    if column is None:
        yield table, "true"
        return
    question = f"SELECT DISTINCT date_trunc('month', {column})::DATE AS month FROM {table} ORDER BY month"  # noqa: S608
    months = [month for (month,) in connection.execute(question).fetchall()]
    for month in months:
        moment = f"TIMESTAMPTZ '{month} 00:00:00+00'"
        yield f"{table}/{month:%Y-%m}", f"{column} >= {moment} AND {column} < {moment} + INTERVAL 1 MONTH"
    if not months:
        yield f"{table}/none", "true"


def _copy(connection: duckdb.DuckDBPyConnection, table: Relation, condition: str, form: str, path: Path) -> int:
    columns = ", ".join(column.name for column in table.columns)
    if form == "csv":
        # CSV has no lists.
        columns = ", ".join(
            f"to_json({column.name})::VARCHAR AS {column.name}" if column.type == "VARCHAR[]" else column.name
            for column in table.columns
        )
    rows = f"SELECT {columns} FROM {table.name} WHERE {condition} ORDER BY {', '.join(order_of(table.name))}"  # noqa: S608 - ours
    quoted = str(path).replace("'", "''")
    ((copied,),) = connection.execute(f"COPY ({rows}) TO '{quoted}' ({_OPTIONS[form]})").fetchall()
    return int(copied)
