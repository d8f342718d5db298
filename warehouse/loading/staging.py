"""What a load is given, made fit for its table: in its columns and types, each row once, within its contract."""

import hashlib
import logging
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from corpus.tables import TABLES
from warehouse.loading.contracts import checked
from warehouse.loading.frames import frame, typed
from warehouse.storage.connection import first_line
from warehouse.storage.errors import ContractBroken

LOGGER = logging.getLogger(__name__)


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


def staged(table: str, rows: Rows, load_id: str) -> pl.DataFrame:
    """The rows of `table` as this load brings them, in their order: a file does not depend on the one they came in.

    Raises ContractBroken.
    """
    given = _read(table, rows, load_id) if isinstance(rows, ParquetFiles) else frame(table, rows, load_id=load_id)
    return checked(table, given).sort(TABLES[table].order)


def staged_log(table: str, rows: Rows, load_id: str) -> pl.DataFrame:
    """The rows of a log, which are independent of each other: one that breaks the contract is left out and told.

    Raises ContractBroken for files, which are of our own export, and for two rows of one key.
    """
    try:
        return staged(table, rows, load_id)
    except ContractBroken:
        if isinstance(rows, ParquetFiles):
            raise
        return staged(table, list(_sound(table, rows, load_id)), load_id)


def _sound(table: str, rows: Sequence[object], load_id: str) -> Iterator[object]:
    try:
        staged(table, rows, load_id)
    except ContractBroken as broken:
        if len(rows) == 1:
            LOGGER.error("%s; left out of the load: %.500s", broken, ascii(rows[0]))  # noqa: TRY400  no traceback tells more
            return
        half = len(rows) // 2
        yield from _sound(table, rows[:half], load_id)
        yield from _sound(table, rows[half:], load_id)
    else:
        yield from rows


def check_contracts(rows: Mapping[str, Rows]) -> None:
    """Raises ContractBroken for rows that no load takes."""
    for table, given in rows.items():
        staged(table, given, "none")


def digests_of(rows: Mapping[str, Rows]) -> dict[str, str]:
    """Table to the checksum of its files, for tables that come in files."""
    files = {table: given for table, given in rows.items() if isinstance(given, ParquetFiles)}
    with ThreadPoolExecutor() as pool:
        return dict(zip(files, pool.map(ParquetFiles.sha256, files.values()), strict=True))


def _arrow_table(path: Path, names: list[str]) -> pa.Table:
    """By Arrow, which raises where polars panics: one in a hundred files with a byte changed."""
    read = pq.ParquetFile(path).read(columns=names)
    read.validate(full=True)
    return read


def _read(table: str, files: ParquetFiles, load_id: str) -> pl.DataFrame:
    names = [name for name in TABLES[table].column_names if name != "load_id"]
    try:
        given = [pl.DataFrame(_arrow_table(path, names)) for path in files.paths]
        return typed(table, pl.concat(given).with_columns(pl.lit(load_id).alias("load_id")))
    except (pl.exceptions.PolarsError, pa.ArrowException, OSError, ValueError) as error:
        if isinstance(error, OSError) and error.errno:
            # Of Arrow's own, for what is no Parquet, none has a number.
            raise
        raise ContractBroken(table, f"readable as Parquet, its columns in it ({first_line(error)})", 0) from error
