"""Parts of tables as Parquet objects: checked and written, read in place, or copied for a load."""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb
import polars as pl

from verdicts.corpus.columns import LOAD_ID
from verdicts.corpus.tables import CORPUS_TABLES, TABLES
from verdicts.fetch.model.errors import StorageFailed
from verdicts.fetch.objects import FolderObjects, Objects
from verdicts.warehouse.loading.checks import of_key, offending
from verdicts.warehouse.loading.rows import ParquetFiles, parquet, stage
from verdicts.warehouse.manifests import Manifest, Part
from verdicts.warehouse.storage.connection import opened, scratch
from verdicts.warehouse.storage.errors import AuditFailed
from verdicts.warehouse.storage.reachable import address, reach_objects
from verdicts.warehouse.storage.sql_files import count, literal, quoted

ROW_GROUP = 20_480
"""Rows of a row group. If a key is not among them, none of them is read."""

SCAN_MEMORY = 1_000_000_000
"""Most bytes that DuckDB holds of a scan; the rest goes to its temporary folder."""


def write_part(objects: Objects, table: str, name: str, rows: Sequence[object]) -> Part:
    """Creates the part `tables/<table>/<name>.parquet` from row structs in any order.

    The same rows give the same bytes. `name` is the build's id and the partition. If the part exists already, it stays
    and is described. A part has no `load_id` and no `content_hash`. Raises ContractBroken, `StorageFailed`.
    """
    of_part = f"tables/{table}/{name}.parquet"
    with TemporaryDirectory(prefix="verdicts-") as folder:
        path = Path(folder, "part.parquet")
        written = _write(path, table, rows)
        body = path.read_bytes()
        if not objects.create(of_part, body):
            body = objects.read(of_part)
            path.write_bytes(body)
            written = pl.scan_parquet(path).select(pl.len()).collect().item()
    return Part(of_part, written, len(body), hashlib.sha256(body).hexdigest())


def _write(path: Path, table: str, rows: Sequence[object]) -> int:
    key = ", ".join(map(quoted, TABLES[table].key))
    own = ", ".join(quoted(column.name) for column in TABLES[table].stored if column is not LOAD_ID)
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
        copy = f"COPY (SELECT {own} FROM staged ORDER BY {key}) TO {literal(path)} ({listed})"  # noqa: S608  names of ours
        ((written,),) = connection.execute(copy).fetchall()
    return int(written)


@contextmanager
def scanning(objects: Objects, manifest: Manifest) -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection that can read the parts of a manifest. Its own file is removed at the end."""
    parts = [part for of_table in manifest.tables.values() for part in of_table]
    with (
        TemporaryDirectory(prefix="verdicts-") as folder,
        opened(Path(folder) / "scan.duckdb", most_memory=SCAN_MEMORY) as connection,
    ):
        register(connection, objects, parts)
        yield connection


def register(connection: duckdb.DuckDBPyConnection, objects: Objects, parts: Iterable[Part]) -> None:
    """Lets a connection read parts in a bucket."""
    reach_objects(connection, {objects.url: {part.name: part.bytes for part in parts}})


def rows_in(objects: Objects, parts: Sequence[Part]) -> str:
    """The SQL after FROM that selects all rows of some parts of one table."""
    return parquet([address(objects.url, part.name) for part in parts])


def check_parts(objects: Objects, manifest: Manifest) -> dict[str, int]:
    """Table to the number of keys that are in several parts with equal rows; only tables with such keys.

    Raises AuditFailed if such rows differ, `StorageFailed`, MemoryShort.
    """
    with scanning(objects, manifest) as connection:
        found = {
            table: _repeated(connection, table, rows_in(objects, parts))
            for table, parts in manifest.tables.items()
            # Within one part the contract has checked it.
            if len(parts) > 1
        }
    return {table: repeated for table, repeated in found.items() if repeated}


def _repeated(connection: duckdb.DuckDBPyConnection, table: str, rows: str) -> int:
    connection.execute(f"CREATE OR REPLACE TEMP TABLE repeated AS {of_key(table, rows)}")
    keys = ", ".join(map(quoted, TABLES[table].key))
    distinct = f"(SELECT DISTINCT * FROM {rows} SEMI JOIN repeated USING ({keys}))"  # noqa: S608  names of ours
    repeated = count(connection, "repeated")
    if repeated and (sample := offending(connection, f"{of_key(table, distinct)} ORDER BY {keys}")):
        raise AuditFailed(f"{table}_parts_agree", count(connection, f"({of_key(table, distinct)})"), sample)
    return repeated


def rows_of(objects: Objects, manifest: Manifest, folder: Path) -> dict[str, ParquetFiles]:
    """The files of each table as rows for `load`, with their checksums verified.

    Files of a bucket are copied to `folder`, which the caller removes after the load; a folder store has its own files.
    Raises ObjectMissing, `StorageFailed`.
    """
    home = Path(objects.url) if isinstance(objects, FolderObjects) else folder
    return {
        table: ParquetFiles(tuple(_file(objects, part, home) for part in manifest.tables[table]))
        for table in CORPUS_TABLES
        if table in manifest.tables
    }


def _file(objects: Objects, part: Part, home: Path) -> Path:
    path = home / part.name
    body = objects.read(part.name)
    if hashlib.sha256(body).hexdigest() != part.sha256:
        raise StorageFailed(f"{part.name}: its bytes are not those that its manifest names; run the build again")
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(body)
    return path
