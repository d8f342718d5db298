"""The parts of a manifest as DuckDB reads them where they lie, in a folder or in a bucket."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb

from verdicts.fetch.objects import Objects
from verdicts.warehouse.manifests.manifest import Manifest, Part
from verdicts.warehouse.storage.connection import opened
from verdicts.warehouse.storage.reachable import address, reach_objects

SCAN_MEMORY = 1_000_000_000
"""Bytes that DuckDB may hold of a scan; the rest goes to its temporary folder."""


@contextmanager
def scanning(objects: Objects, manifest: Manifest) -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection that can read the parts of a manifest, with a file of its own that is gone at the end."""
    parts = [part for of_table in manifest.tables.values() for part in of_table]
    with (
        TemporaryDirectory(prefix="verdicts-") as folder,
        opened(Path(folder) / "scan.duckdb", most_memory=SCAN_MEMORY) as connection,
    ):
        register(connection, objects, parts)
        yield connection


def register(connection: duckdb.DuckDBPyConnection, objects: Objects, parts: Iterable[Part]) -> None:
    """Lets a connection read parts that lie in a bucket."""
    reach_objects(connection, {objects.url: {part.name: part.bytes for part in parts}})


def rows_in(objects: Objects, parts: Sequence[Part]) -> str:
    """What selects all rows of some parts of one table, as it stands behind FROM."""
    return parquet([address(objects.url, part.name) for part in parts])


def parquet(paths: Sequence[Path | str]) -> str:
    """What selects all rows of some files, as it stands behind FROM."""
    files = ", ".join("'" + str(path).replace("'", "''") + "'" for path in paths)
    return f"read_parquet([{files}])"
