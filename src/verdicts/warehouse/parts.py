"""Parts of tables as Parquet objects: what a partition of a build hands over to the load."""

import hashlib
from collections.abc import Mapping, Sequence
from operator import attrgetter
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
import polars as pl

from verdicts.corpus.columns import LOAD_ID
from verdicts.corpus.tables import TABLES
from verdicts.fetch.model.fetch_errors import StorageFailed
from verdicts.fetch.objects import FolderObjects, Objects
from verdicts.warehouse.loading.rows import ParquetFiles, stage
from verdicts.warehouse.storage.connection import scratch
from verdicts.warehouse.storage.sql_files import literal, quote_name

ROW_GROUP = 20_480
"""Rows of a row group. If a key is not among them, none of them is read."""


class Part(msgspec.Struct, frozen=True):
    """An object with rows of one table, and its checksum."""

    name: str
    rows: int
    sha256: str


def write_part(objects: Objects, table: str, name: str, rows: Sequence[object]) -> Part:
    """Creates the part `name` from row structs in any order.

    The same rows give the same bytes. If the part exists already, it stays and is described. A part has no `load_id`
    and no `content_hash`. Raises ContractBroken, `StorageFailed`.
    """
    with TemporaryDirectory(prefix="verdicts-") as folder:
        path = Path(folder, "part.parquet")
        written = _write(path, table, rows)
        body = path.read_bytes()
        if not objects.create(name, body):
            body = objects.read(name)
            path.write_bytes(body)
            written = pl.scan_parquet(path).select(pl.len()).collect().item()
    return Part(name, written, hashlib.sha256(body).hexdigest())


def _write(path: Path, table: str, rows: Sequence[object]) -> int:
    key = ", ".join(map(quote_name, TABLES[table].key))
    columns = ", ".join(quote_name(column.name) for column in TABLES[table].loaded_columns if column is not LOAD_ID)
    options = {
        "FORMAT": "parquet",
        "COMPRESSION": "zstd",
        "ROW_GROUP_SIZE": ROW_GROUP,
        # Only a column with a dictionary gets a filter of its values, which look-ups by id need.
        "DICTIONARY_SIZE_LIMIT": ROW_GROUP,
        "STRING_DICTIONARY_PAGE_SIZE_LIMIT": 1 << 30,
    }
    listed = ", ".join(f"{option} {value}" for option, value in options.items())
    with scratch() as connection:
        stage(connection, table, rows, "none")
        copy = f"COPY (SELECT {columns} FROM staged ORDER BY {key}) TO {literal(path)} ({listed})"  # noqa: S608  names of ours
        ((written,),) = connection.execute(copy).fetchall()
    return int(written)


def fetch_rows(objects: Objects, parts: Mapping[str, Sequence[Part]], folder: Path) -> dict[str, ParquetFiles]:
    """The files of each table as rows for `load`, with their checksums verified.

    Files of a bucket are copied to `folder`, which the caller removes after the load; a folder store has its own files.
    Raises ObjectMissing, `StorageFailed`.
    """
    home = Path(objects.url) if isinstance(objects, FolderObjects) else folder
    return {
        table: ParquetFiles(tuple(_file(objects, part, home) for part in sorted(of_table, key=attrgetter("name"))))
        for table, of_table in parts.items()
    }


def _file(objects: Objects, part: Part, home: Path) -> Path:
    path = home / part.name
    body = objects.read(part.name)
    if hashlib.sha256(body).hexdigest() != part.sha256:
        raise StorageFailed(f"{part.name}: its bytes are not those that were written; run the build again")
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(body)
    return path
