"""What a load is given, made fit for its table: in its columns and types, each row once, within its contract."""

import hashlib
import logging
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from operator import attrgetter
from pathlib import Path
from typing import Any, TypeAlias

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from verdicts.corpus.tables import TABLES
from verdicts.warehouse.loading.contracts import checked
from verdicts.warehouse.loading.frames import arrow_schema, frame, typed
from verdicts.warehouse.loading.ordering import in_order
from verdicts.warehouse.storage.connection import first_line
from verdicts.warehouse.storage.errors import ContractBroken

LOGGER = logging.getLogger(__name__)

AT_A_TIME = 100_000
"""Rows that are made fit at a time: of a table of two million all at once took six gigabytes."""


@dataclass(frozen=True, slots=True)
class ParquetFiles:
    """All rows of a table, in files of our own export or of the same columns; a load_id in them is not taken over."""

    paths: tuple[Path, ...]

    def sha256(self) -> str:
        """Checksum of their bytes, one after the other."""
        digest = hashlib.sha256()
        for path in self.paths:
            with path.open("rb") as file:
                while chunk := file.read(1 << 20):
                    digest.update(chunk)
        return digest.hexdigest()


Rows: TypeAlias = Sequence[object] | ParquetFiles


@dataclass(frozen=True, slots=True)
class Staged:
    """Rows within their contract and their keys, each key once.

    Few rows are a frame, many a reader of AT_A_TIME at a time, in the order of their table; but where `is_repeated`,
    two of them have one key, and they are in no order. What stops the reader stands in `stopped`: DuckDB says it is
    its own error.
    """

    keys: pl.DataFrame
    rows: pl.DataFrame | pa.RecordBatchReader
    is_repeated: bool = False
    stopped: list[Exception] = field(default_factory=list)


def staged(table: str, rows: Rows, load_id: str, folder: Path) -> Staged:
    """The rows of `table` as this load brings them; many are brought into their order in `folder`.

    Raises ContractBroken; of many rows only their reader does.
    """
    if _size(rows) <= AT_A_TIME:
        return whole(table, pl.concat(_parts(table, rows, load_id)))
    order = pl.concat(_columns(table, rows, TABLES[table].order))
    keys = order.select(TABLES[table].key).unique()
    is_repeated = keys.height < order.height
    parts: Iterator[pl.DataFrame] = (checked(table, part) for part in _parts(table, rows, load_id))
    if not is_repeated:
        parts = in_order(table, parts, order, folder, AT_A_TIME)
    stopped: list[Exception] = []
    reader = pa.RecordBatchReader.from_batches(arrow_schema(table), _batches(parts, stopped))
    return Staged(keys, reader, is_repeated, stopped)


def whole(table: str, rows: pl.DataFrame) -> Staged:
    """All rows that a load brings of a table, at once. Raises ContractBroken."""
    ordered = checked(table, rows).sort(TABLES[table].order)
    return Staged(ordered.select(TABLES[table].key), ordered)


def _batches(parts: Iterator[pl.DataFrame], stopped: list[Exception]) -> Iterator[pa.RecordBatch]:
    try:
        for part in parts:
            yield from part.to_arrow(compat_level=pl.CompatLevel.newest()).to_batches()
    except Exception as error:
        stopped.append(error)
        raise


def staged_log(table: str, rows: Rows, load_id: str, folder: Path) -> Staged:
    """The rows of a log, which are independent of each other: one that breaks the contract is left out and told.

    Raises ContractBroken for files, which are of our own export, and for two rows of one key.
    """
    try:
        if not isinstance(rows, ParquetFiles) and len(rows) > AT_A_TIME:
            # Their reader would tell too late.
            check_contract(table, rows)
        return staged(table, rows, load_id, folder)
    except ContractBroken:
        if isinstance(rows, ParquetFiles):
            raise
        return staged(table, list(_sound(table, rows)), load_id, folder)


def _size(rows: Rows) -> int:
    if not isinstance(rows, ParquetFiles):
        return len(rows)
    try:
        return sum(pq.read_metadata(path).num_rows for path in rows.paths)
    except pa.ArrowException:
        # What is wrong with a file is told when it is read.
        return 0


def _parts(table: str, rows: Rows, load_id: str) -> Iterator[pl.DataFrame]:
    if isinstance(rows, ParquetFiles):
        names = TABLES[table].column_names
        read = _read(table, rows, [name for name in names if name != "load_id"])
        return (typed(table, part.with_columns(load_id=pl.lit(load_id)), names) for part in read)
    starts = range(0, max(1, len(rows)), AT_A_TIME)
    return (frame(table, rows[start : start + AT_A_TIME], load_id=load_id) for start in starts)


def count_rows(rows: Mapping[str, Rows]) -> int:
    """How many rows all tables have."""
    return sum(map(_size, rows.values()))


def values_of(table: str, rows: Rows, names: Sequence[str]) -> Iterator[tuple[Any, ...]]:
    """Some columns of every row; at least two."""
    if isinstance(rows, ParquetFiles):
        for part in _columns(table, rows, names):
            yield from part.iter_rows()
    else:
        yield from map(attrgetter(*names), rows)


def _columns(table: str, rows: Rows, names: Sequence[str]) -> Iterator[pl.DataFrame]:
    if isinstance(rows, ParquetFiles):
        return (typed(table, part, names) for part in _read(table, rows, names))
    starts = range(0, len(rows), AT_A_TIME)
    return (frame(table, rows[start : start + AT_A_TIME], names) for start in starts)


def check_contract(table: str, rows: Rows) -> None:
    """Raises ContractBroken for rows that no load takes; keys are compared within a file's AT_A_TIME rows alone."""
    if not isinstance(rows, ParquetFiles):
        checked(table, frame(table, rows, load_id="none"))
        return
    for part in _parts(table, rows, "none"):
        checked(table, part)


def _sound(table: str, rows: Sequence[object]) -> Iterator[object]:
    try:
        check_contract(table, rows)
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
    """Raises ContractBroken for rows that no load takes."""
    for table, given in rows.items():
        check_contract(table, given)


def digests_of(rows: Mapping[str, Rows]) -> dict[str, str]:
    """Table to the checksum of its files, for tables that come in files."""
    files = {table: given for table, given in rows.items() if isinstance(given, ParquetFiles)}
    with ThreadPoolExecutor() as pool:
        return dict(zip(files, pool.map(ParquetFiles.sha256, files.values()), strict=True))


def _read(table: str, files: ParquetFiles, names: Sequence[str]) -> Iterator[pl.DataFrame]:
    for path in files.paths:
        try:
            with pq.ParquetFile(path) as file:
                empty = file.schema_arrow.empty_table().select(list(names))
                yield pl.DataFrame(empty)
                for part in file.iter_batches(AT_A_TIME, columns=names):
                    # By Arrow, which raises where polars panics: one in a hundred files with a byte changed.
                    part.validate(full=True)
                    yield pl.DataFrame(pa.Table.from_batches([part]))
        except (pl.exceptions.PolarsError, pa.ArrowException, OSError, ValueError, KeyError) as error:
            if isinstance(error, OSError) and error.errno:
                # Of Arrow's own, for what is no Parquet, none has a number.
                raise
            raise ContractBroken(table, f"readable as Parquet, its columns in it ({first_line(error)})", 0) from error
