"""What is measured of the warehouse, ours and the others': each does one thing in a folder of its own."""

import os
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import duckdb
import polars as pl

from benchmarks.warehouse_corpus import rows_of
from builders.warehouse_files import publish
from verdicts.corpus.tables import TABLES
from verdicts.warehouse.documents.manifest import PARTITIONED
from verdicts.warehouse.exporting.export import export
from verdicts.warehouse.loading.load import LoadReport, load

NOW = datetime(2026, 11, 21, tzinfo=UTC)
NOTHING: dict[str, Any] = {"crawls": (), "fetches": (), "loaded_at": NOW, "extractor_version": "2"}

Contender = Callable[[Path, Path], None]
"""Takes the folder with `corpus/` and `night/`, and the one it works in."""


def ours(given: Path, work: Path) -> None:
    """Contracts, staging, merge, audits, one transaction."""
    _changed(load(work / "corpus.duckdb", rows_of(given / "corpus"), load_id="1", **NOTHING), is_changed=True)


def ours_again(given: Path, work: Path) -> None:
    _changed(load(work / "corpus.duckdb", rows_of(given / "corpus"), load_id="2", **NOTHING), is_changed=False)


def ours_night(given: Path, work: Path) -> None:
    _changed(load(work / "corpus.duckdb", rows_of(given / "night"), load_id="3", **NOTHING), is_changed=True)


def _changed(report: LoadReport, *, is_changed: bool) -> None:
    if report.is_changed != is_changed:
        raise AssertionError(report)


def publish_copy(given: Path, work: Path) -> None:
    publish(work / "corpus.duckdb", work / "serve", at=NOW)


def ours_export(given: Path, work: Path) -> None:
    export(work / "corpus.duckdb", work / "dataset")


def ctas(given: Path, work: Path) -> None:
    """The limit: DuckDB's CREATE TABLE AS, nothing checked."""
    with duckdb.connect(work / "bare.duckdb") as connection:
        for file in sorted((given / "corpus").glob("*.parquet")):
            connection.execute(f"CREATE TABLE {file.stem} AS FROM read_parquet('{file}')")
        connection.execute("CHECKPOINT")


def copy(given: Path, work: Path) -> None:
    """The limit: DuckDB's COPY, in whatever order the rows lie."""
    (work / "copied").mkdir(exist_ok=True)
    with duckdb.connect(work / "corpus.duckdb", read_only=True) as connection:
        connection.execute("SET TimeZone = 'UTC'")
        for file in sorted((given / "corpus").glob("*.parquet")):
            target = work / "copied" / file.name
            connection.execute(f"COPY {file.stem} TO '{target}' (FORMAT parquet, COMPRESSION zstd)")


def dlt_arrow(given: Path, work: Path) -> None:
    _dlt(given, work, lambda file: iter([pl.read_parquet(file).to_arrow()]), "parquet")


def dlt_dicts(given: Path, work: Path) -> None:
    """What dlt makes of dicts unasked: INSERT statements."""
    _dlt(given, work, _dicts, "insert_values")


def dlt_dicts_parquet(given: Path, work: Path) -> None:
    """The faster of its ways for dicts: Parquet files."""
    _dlt(given, work, _dicts, "parquet")


def _dicts(file: Path) -> Iterator[list[dict[str, Any]]]:
    for batch in pl.read_parquet(file).iter_slices(50_000):
        yield batch.to_dicts()


def _dlt(given: Path, work: Path, rows: Callable[[Path], Iterator[Any]], files: str) -> None:
    os.environ.update(RUNTIME__DLTHUB_TELEMETRY="false", RUNTIME__LOG_LEVEL="CRITICAL")
    import dlt

    resources = [
        dlt.resource(
            rows(file),
            name=file.stem,
            write_disposition="merge",
            primary_key=TABLES[file.stem].key,
            max_table_nesting=0,
        )
        for file in sorted((given / "corpus").glob("*.parquet"))
    ]
    destination = dlt.destinations.duckdb(str(work / "dlt.duckdb"))
    pipeline = dlt.pipeline("warehouse", pipelines_dir=str(work), destination=destination, dataset_name="rows")
    pipeline.run(resources, loader_file_format=files).raise_on_failed_jobs()


CONTENDERS: dict[str, Contender] = {
    "ours": ours,
    "ours again": ours_again,
    "publish, first": publish_copy,
    "ours export": ours_export,
    "copy": copy,
    "ours night": ours_night,
    "publish, night": publish_copy,
    "ctas": ctas,
    "dlt arrow": dlt_arrow,
    "dlt dicts": dlt_dicts,
    "dlt dicts, parquet": dlt_dicts_parquet,
}
NEEDS = dict.fromkeys(("dlt arrow", "dlt dicts", "dlt dicts, parquet"), "dlt")
"""The module that each imports."""


Digest = dict[str, tuple[int, int]]
"""Rows of each table, and a sum over their values: the same on both sides, whatever the order."""


def digest(database: Path, schema: str, given: Path) -> Digest:
    """Of the tables in a file."""
    with duckdb.connect(database, read_only=True) as connection:
        connection.execute("SET TimeZone = 'UTC'")
        return {file.stem: _digest(connection, f"{schema}.{file.stem}", file) for file in _files(given)}


def digest_files(folder: Path, given: Path) -> Digest:
    """Of exported files."""
    with duckdb.connect() as connection:
        connection.execute("SET TimeZone = 'UTC'")
        names = {table: f"{table}/*.parquet" for table in PARTITIONED if (folder / table).is_dir()}
        return {
            file.stem: _digest(connection, f"'{folder}/{names.get(file.stem, file.name)}'", file)
            for file in _files(given)
        }


def _files(given: Path) -> list[Path]:
    return sorted(given.glob("*.parquet"))


def _digest(connection: duckdb.DuckDBPyConnection, relation: str, file: Path) -> tuple[int, int]:
    # Lists are JSON with dlt, and a column without a value is not made.
    held = {name for name, *_ in connection.execute(f"DESCRIBE FROM {relation}").fetchall()}
    names = [name for name, dtype in pl.read_parquet_schema(file).items() if not dtype.is_nested()]
    values = ", ".join(f"{name}::VARCHAR" if name in held else "NULL::VARCHAR" for name in names)
    ((rows, total),) = connection.execute(f"SELECT count(*), sum(hash({values})) FROM {relation}").fetchall()
    return int(rows), int(total or 0)
