"""Writes tables to files, on the disk when it returns: in their order, the same bytes from run to run."""

from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import duckdb

from warehouse.contracts import CONTRACTS, order
from warehouse.durable import sync
from warehouse.manifest import ExportedFile, sha256_of

FORMS = ("parquet", "csv", "jsonl")

PARTITIONED = {"reviews": "first_seen_at"}
"""Tables written as a file a month, and the column that says which: a row never moves to another file."""

_OPTIONS = {
    "parquet": "FORMAT parquet, COMPRESSION zstd",
    "csv": "FORMAT csv, HEADER",
    "jsonl": "FORMAT json",
}


def write_tables(
    connection: duckdb.DuckDBPyConnection, folder: Path, tables: Sequence[str], forms: Sequence[str]
) -> tuple[ExportedFile, ...]:
    """Every table in every form. A file is synced and summed up while the next one is written."""
    written: list[tuple[str, str, str, int, Future[str]]] = []
    with ThreadPoolExecutor(max_workers=1) as pool:
        for table in tables:
            for name, condition in _partitions(connection, table):
                for form in forms:
                    path = folder / f"{name}.{form}"
                    path.parent.mkdir(exist_ok=True)
                    rows = _copy(connection, table, condition, form, path)
                    written.append((f"{name}.{form}", table, form, rows, pool.submit(_finish, path)))
        return tuple(
            ExportedFile(name, table, form, rows, (folder / name).stat().st_size, digest.result())
            for name, table, form, rows, digest in written
        )


def _finish(path: Path) -> str:
    sync(path)
    return sha256_of(path)


def file_pattern(table: str, form: str) -> str:
    """Where the rows of a table are: a name, or a glob for all of its months."""
    return f"{table}/*.{form}" if table in PARTITIONED else f"{table}.{form}"


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


def _copy(connection: duckdb.DuckDBPyConnection, table: str, condition: str, form: str, path: Path) -> int:
    columns = ", ".join(CONTRACTS[table].column_names())
    if form == "csv":
        # CSV has no lists.
        columns = ", ".join(
            f"to_json({name})::VARCHAR AS {name}" if type(column).__name__ == "List" else name
            for name, column in CONTRACTS[table].columns().items()
        )
    rows = f"SELECT {columns} FROM {table} WHERE {condition} ORDER BY {', '.join(order(table))}"  # noqa: S608 - ours
    quoted = str(path).replace("'", "''")
    ((copied,),) = connection.execute(f"COPY ({rows}) TO '{quoted}' ({_OPTIONS[form]})").fetchall()
    return int(copied)
