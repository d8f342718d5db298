"""Stages rows for a load: the temporary table `staged` has the declared columns and types of a table."""

import hashlib
import logging
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from operator import attrgetter
from pathlib import Path
from typing import Any, TypeAlias

import duckdb
import polars as pl

from verdicts.corpus.columns import LOAD_ID, SqlType
from verdicts.corpus.tables import TABLES
from verdicts.fetch.model.addresses import find_host
from verdicts.fetch.model.outcome import CLASSES
from verdicts.warehouse.loading.checks import check_contract
from verdicts.warehouse.storage.connection import first_line, scratch
from verdicts.warehouse.storage.sql_files import literal, quote_name
from verdicts.warehouse.storage.warehouse_errors import ContractBroken

LOGGER = logging.getLogger(__name__)

AT_A_TIME = 20_000
"""Rows in one frame: a hundred thousand take 140 MB."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_TIME = pl.Datetime("us", "UTC")
_WORDS = pl.List(pl.String)

_POLARS_TYPES: dict[SqlType, pl.DataType] = {
    "VARCHAR": pl.String(),
    "VARCHAR[]": _WORDS,
    "BIGINT": pl.Int64(),
    "DOUBLE": pl.Float64(),
    "BOOLEAN": pl.Boolean(),
    "TIMESTAMPTZ": _TIME,
}

_DISK = re.compile(r"No space left|File too large|Could not write|Disk quota|Input/output error")
"""DuckDB's messages if the disk fails, not the file."""


@dataclass(frozen=True, slots=True)
class ParquetFiles:
    """All rows of a table in Parquet files with its columns. Their load_id and content_hash are ignored."""

    paths: tuple[Path, ...]

    def sha256(self) -> str:
        """Checksum of the bytes of all files in order."""
        digest = hashlib.sha256()
        for path in self.paths:
            with path.open("rb") as file:
                hashlib.file_digest(file, lambda: digest)
        return digest.hexdigest()


Rows: TypeAlias = Sequence[object] | ParquetFiles


@dataclass(frozen=True, slots=True)
class Logs:
    """The rows of the logs: runs and attempts, which may repeat or omit loaded ones, and all rows of the gates."""

    crawls: Rows = ()
    fetches: Rows = ()
    gate_measures: Rows = ()
    gate_accepts: Rows = ()


LOGS = ("crawls", "fetches", "gate_measures", "gate_accepts")
"""The tables of `Logs`."""


class ArrowStream:
    """A frame for DuckDB without pyarrow: it has only the Arrow C stream."""

    def __init__(self, frame: pl.DataFrame) -> None:
        self.__arrow_c_stream__ = frame.__arrow_c_stream__


_DERIVED: Mapping[tuple[str, str], Callable[[Any], object]] = {
    ("fetches", "host"): lambda row: find_host(row.url) or None,
    ("fetches", "outcome_class"): lambda row: CLASSES.get(row.outcome, "other"),
}
"""Table and column to a function for its value, for columns that the rows of a log lack.

An unknown outcome of an earlier version has the class `other`."""


def frame(table: str, rows: Sequence[object], *, load_id: str) -> pl.DataFrame:
    """The rows with the columns and types of `table`.

    Raises ContractBroken if a row lacks a column or has a value of another type.
    """
    return pl.DataFrame(
        [
            pl.repeat(load_id, len(rows), dtype=pl.String, eager=True).alias(column.name)
            if column.name == LOAD_ID.name
            else _column(table, column.name, _POLARS_TYPES[column.type], rows)
            for column in TABLES[table].loaded_columns
        ]
    )


def _column(table: str, name: str, dtype: pl.DataType, rows: Sequence[object]) -> pl.Series:
    try:
        values: list[Any] = list(map(_DERIVED.get((table, name)) or attrgetter(name), rows))
    except AttributeError as error:
        raise ContractBroken(table, f"{name}|present", len(rows)) from error
    try:
        return _series(values, dtype).alias(name)
    except (TypeError, ValueError, OverflowError, pl.exceptions.PolarsError) as error:
        raise ContractBroken(table, f"{name}|dtype {dtype}", len(rows)) from error


def _series(values: list[Any], dtype: pl.DataType) -> pl.Series:
    # polars converts times and lists value by value. Differences are seven times as fast, and most lists repeat.
    if dtype == _TIME:
        since = [None if value is None else value - _EPOCH for value in values]
        return pl.Series(since, dtype=pl.Duration("us")).cast(pl.Int64).cast(_TIME)
    if dtype == _WORDS:
        numbers = {value: number for number, value in enumerate(dict.fromkeys(values))}
        return pl.Series([*numbers], dtype=_WORDS).gather([numbers[value] for value in values])
    return pl.Series(values, dtype=dtype)


def stage(connection: duckdb.DuckDBPyConnection, table: str, rows: Rows, load_id: str) -> None:
    """Makes the temporary view `staged` of distinct rows that fulfil their contract. Raises ContractBroken.

    Rows in files are not copied: each question reads the columns that it needs.
    """
    columns = [column for column in TABLES[table].loaded_columns if column.name != LOAD_ID.name]
    source = parquet(rows.paths) if isinstance(rows, ParquetFiles) else _keep_in_memory(connection, table, rows)
    values = ", ".join(f"{quote_name(column.name)}::{column.type} AS {quote_name(column.name)}" for column in columns)
    select = f"SELECT {values}, {literal(load_id)} AS load_id FROM {source}"  # noqa: S608  names of ours
    with _file_errors(table):
        connection.execute(f"CREATE OR REPLACE TEMP VIEW staged AS {select}")
        check_contract(connection, table)


def _keep_in_memory(connection: duckdb.DuckDBPyConnection, table: str, rows: Sequence[object]) -> str:
    """Makes a temporary table of the rows, and returns its name."""
    columns = TABLES[table].loaded_columns
    declared = ", ".join(f"{quote_name(column.name)} {column.type}" for column in columns)
    connection.execute(f"CREATE OR REPLACE TEMP TABLE kept ({declared})")
    for start in range(0, len(rows), AT_A_TIME):
        connection.register("arrived", ArrowStream(frame(table, rows[start : start + AT_A_TIME], load_id="none")))
        connection.execute("INSERT INTO kept FROM arrived")
        connection.unregister("arrived")
    return "kept"


def stage_log(connection: duckdb.DuckDBPyConnection, table: str, rows: Rows, load_id: str) -> None:
    """As `stage`, but leaves out and logs a row that breaks the contract: rows of a log are independent.

    Raises ContractBroken for files, which this program exported, and for different rows with the same key.
    """
    try:
        stage(connection, table, rows, load_id)
    except ContractBroken:
        if isinstance(rows, ParquetFiles):
            raise
        stage(connection, table, [*_sound(table, rows)], load_id)


def _sound(table: str, rows: Sequence[object]) -> Iterator[object]:
    try:
        check_contracts({table: rows})
    except ContractBroken as broken:
        if len(rows) == 1:
            LOGGER.error("%s; left out of the load: %.500s", broken, ascii(rows[0]))  # noqa: TRY400  no traceback tells more
            return
        half = len(rows) // 2
        yield from _sound(table, rows[:half])
        yield from _sound(table, rows[half:])
    else:
        yield from rows


def check_contracts(rows: Mapping[str, Rows]) -> None:
    """Raises ContractBroken for rows that a load would refuse."""
    with scratch() as connection:
        for table, table_rows in rows.items():
            stage(connection, table, table_rows, "none")


def read_values(rows: Rows, names: Sequence[str]) -> Iterator[tuple[Any, ...]]:
    """The columns `names`, at least two, of every row."""
    if isinstance(rows, ParquetFiles):
        return pl.scan_parquet([*rows.paths], glob=False).select(names).collect().iter_rows()
    return map(attrgetter(*names), rows)


def parquet(paths: Sequence[Path | str]) -> str:
    """The SQL after FROM that selects all rows of some files."""
    # DuckDB reads a path as a pattern, but not an address of a bucket.
    files = (re.sub(r"[*?\[]", r"[\g<0>]", str(path)) if isinstance(path, Path) else path for path in paths)
    return f"read_parquet([{', '.join(map(literal, files))}])"


@contextmanager
def _file_errors(table: str) -> Iterator[None]:
    """Raises errors of the files as ContractBroken, but not errors of memory or disk."""
    try:
        yield
    except duckdb.Error as error:
        if isinstance(error, duckdb.OutOfMemoryException) or _DISK.search(str(error)):
            raise
        raise ContractBroken(table, f"readable as Parquet, its columns in it ({first_line(error)})", 0) from error


def hash_files(rows: Mapping[str, Rows]) -> dict[str, str]:
    """Table to the checksum of its files, for tables in files."""
    files = {table: table_rows for table, table_rows in rows.items() if isinstance(table_rows, ParquetFiles)}
    with ThreadPoolExecutor() as pool:
        return dict(zip(files, pool.map(ParquetFiles.sha256, files.values()), strict=True))
