"""Findings about what is made of the store: the warehouse, the copies for readers, and what they refer to."""

from collections.abc import Iterator
from pathlib import Path

from verdicts.fetch.model.errors import StoreDamaged
from verdicts.fetch.store import checksums
from verdicts.fetch.store.store import Store
from verdicts.pipeline.build.build_manifest import read_manifest
from verdicts.pipeline.build.record_files import VERSIONS
from verdicts.pipeline.care.findings import Finding
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.verify import damage_of, told_in
from verdicts.warehouse.schema.declared import VERSION, version_of
from verdicts.warehouse.serving.published import WITHDRAWN, published
from verdicts.warehouse.storage.connection import opened
from verdicts.warehouse.storage.errors import NothingPublished, WarehouseBroken, WarehouseLocked

_PLACES = "SELECT DISTINCT segment, segment_offset FROM {} WHERE segment IS NOT NULL"


def built(store: Store, folder: DataFolder) -> Iterator[Finding]:
    """Whether the warehouse is there, closed, of this version, and holds the last run."""
    log = folder.warehouse.with_name(f"{folder.warehouse.name}.wal")
    newest = store.newest_run()
    if newest is None:
        return
    if not folder.warehouse.exists():
        yield Finding(f"{folder.warehouse}: there are pages, and no corpus of them", "verdicts build")
        return
    if log.exists():
        yield Finding(f"{log}: a load was killed", "verdicts build")
    if checksums.is_as_noted(folder.warehouse) is False:
        yield Finding(f"{folder.warehouse}: it is not as it was written", "verdicts repair")
        return
    try:
        with opened(folder.warehouse, is_read_only=True) as connection:
            version = version_of(connection)
            loaded = connection.execute("SELECT max(crawl_id) FROM crawls").fetchall() if version == VERSION else []
    except WarehouseLocked:
        return
    except WarehouseBroken as broken:
        yield Finding(f"{folder.warehouse}: {str(broken).partition(';')[0]}", "verdicts repair")
        return
    if version is not None and version > VERSION:
        what = f"{folder.warehouse} is of version {version}, and this program knows {VERSION}"
        yield Finding(what, "uv tool upgrade verdicts")
    elif version is None:
        yield Finding(f"{folder.warehouse}: its first load was killed", "verdicts build")
    elif version != VERSION:
        yield Finding(f"{folder.warehouse} is of version {version}, and not yet of {VERSION}", "verdicts build")
    elif loaded != [(newest,)]:
        yield Finding(f"the last run, {newest}, is stored and not in the corpus", "verdicts build")
    yield from _record_files(folder)


def _record_files(folder: DataFolder) -> Iterator[Finding]:
    manifest = read_manifest(folder.build_manifest)
    if manifest is None:
        yield Finding(f"{folder.build_manifest}: the build's manifest is missing or damaged", "verdicts build")
        return
    lacking = [name for name in manifest.files if not (folder.records / name).exists()]
    if lacking:
        yield Finding(f"{folder.records / lacking[0]}: the record file is missing", "verdicts build")
    if any(f".{VERSIONS}." not in name for name in manifest.files):
        yield Finding("the corpus was built by another version of verdicts", "verdicts build")


def published_copies(folder: DataFolder) -> Iterator[Finding]:
    """Whether the pointer leads to a copy that opens."""
    if not folder.serve.exists():
        if folder.warehouse.exists():
            yield Finding("nothing is published", "verdicts publish")
        return
    for path in (folder.pointer, folder.serve / WITHDRAWN):
        if (damage := damage_of(path)) is not None:
            yield Finding(damage.line, "verdicts repair")
            return
    try:
        present = published(folder.serve)
        with opened(present, is_read_only=True) as connection:
            version = version_of(connection)
    except NothingPublished as nothing:
        yield Finding(str(nothing).partition(";")[0], "verdicts publish")
        return
    except WarehouseBroken:
        yield Finding(f"{folder.pointer}: the copy that it names cannot be opened", "verdicts repair")
        return
    if version is not None and version > VERSION:
        yield Finding(
            f"{present} is of version {version}, and this program knows {VERSION}", "uv tool upgrade verdicts"
        )


def nights_files(folder: DataFolder) -> Iterator[Finding]:
    """Reports, logs and metrics that are not as they were written."""
    for path in (path for directory in told_in(folder) for path in checksums.noted_in(directory)):
        if (damage := damage_of(path)) is not None:
            yield Finding(damage.line, "verdicts repair")


def references(store: Store, folder: DataFolder) -> Iterator[Finding]:
    """Rows that name a place in the raw store where no page is."""
    places = set(store.state.execute("SELECT segment, segment_offset FROM snapshots").fetchall())
    for path, mend in ((folder.warehouse, "verdicts build --all"), (_present(folder), "verdicts publish")):
        dangling = [] if path is None or not path.exists() else _dangling(path, places)
        if dangling:
            segment, offset = dangling[0]
            rows = f"{len(dangling):,} places in the raw store that its rows name"
            yield Finding(f"{path}: {rows} hold no page, such as {segment} at byte {offset:,}", mend)
            return


def _present(folder: DataFolder) -> Path | None:
    try:
        return published(folder.serve)
    except (NothingPublished, StoreDamaged):
        return None


def _dangling(path: Path, places: set[tuple[str, int]]) -> list[tuple[str, int]]:
    try:
        with opened(path, is_read_only=True) as connection:
            if version_of(connection) != VERSION:
                # A first load was killed, or another version made the file: it may have no table.
                return []
            named = connection.execute(f"{_PLACES.format('appearances')} UNION {_PLACES.format('rejects')}").fetchall()
    except (WarehouseBroken, WarehouseLocked):
        return []
    return sorted(set(named) - places)
