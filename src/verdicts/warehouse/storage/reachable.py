"""The objects that an open file reads, and access to them."""

import re
from collections.abc import Mapping
from pathlib import Path

import duckdb

from verdicts.fetch.objects import BUCKET, open_objects

_GONE = re.compile(r'"[^"]*/(tables/[\w.]+/[^/"]+\.parquet)[^"]*"')
"""A missing file: `Permission Error: Cannot access file "/.../tables/reviews/a.parquet/**/*.parquet"`."""

_STORE_SAID = re.compile(r"^(?:verdicts\.[\w.]+\.)?(?P<error>ObjectMissing|StorageFailed): (?P<why>.+)", re.MULTILINE)
"""The last line of a Python error while DuckDB read. On Python 3.14 it follows a traceback and has the module's name:
`verdicts.fetch.model.errors.StorageFailed: ...`."""


def address(url: str, name: str) -> str:
    """DuckDB's name of an object: the path of a file, or `s3://bucket/prefix/name`."""
    home = url if url.startswith(BUCKET) else str(Path(url).resolve())
    return f"{home}/{name}"


def named_objects(connection: duckdb.DuckDBPyConnection) -> dict[str, dict[str, int]]:
    """Address of each store to the names and sizes of its objects that the open files read."""
    # `duckdb_tables()` would load every table: a third of what opening a file reviews.
    known = "SELECT database_name FROM duckdb_schemas() WHERE schema_name = 'objects'"
    found: dict[str, dict[str, int]] = {}
    for (database,) in connection.execute(known).fetchall():
        ((url,),) = connection.execute(f'SELECT url FROM "{database}".objects.store').fetchall()  # noqa: S608  ours
        parts = connection.execute(f'SELECT name, bytes FROM "{database}".objects.parts').fetchall()  # noqa: S608  ours
        found.setdefault(url, {}).update(parts)
    return found


def reach_objects(connection: duckdb.DuckDBPyConnection, objects: Mapping[str, Mapping[str, int]]) -> None:
    """Lets a connection read these objects of buckets. It needs no help for files in folders.

    Raises `StorageFailed` if the packages for buckets are missing.
    """
    buckets = {url: names for url, names in objects.items() if url.startswith(BUCKET)}
    if not buckets:
        return
    opened = {url: open_objects(url) for url in buckets}
    from verdicts.warehouse.storage.object_files import Known, ObjectFiles  # noqa: PLC0415  who has no bucket has no fsspec

    if connection.filesystem_is_registered(ObjectFiles.protocol):
        connection.unregister_filesystem(ObjectFiles.protocol)
    known = {
        address(url, name): Known(opened[url], name, size)
        for url, names in buckets.items()
        for name, size in names.items()
    }
    connection.register_filesystem(ObjectFiles(known))


def out_of_reach(error: duckdb.Error) -> str | None:
    """What is wrong with a part that an open file reads, and what to do. None for other errors."""
    remedy = "'verdicts build', then 'verdicts publish' make it again"
    if (said := _STORE_SAID.search(str(error))) is not None:
        of_it = "" if said["error"] == "StorageFailed" else f"; {remedy}"
        return f"its rows cannot be read: {said['why']}{of_it}"
    if (gone := _GONE.search(str(error).partition("\n")[0])) is not None:
        return f"its rows cannot be read: {gone[1]} is not in the store; {remedy}"
    return None
