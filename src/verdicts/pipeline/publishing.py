"""Publishes what a build made: a copy of the warehouse, or views over its parts if there are too many rows.

The file is a draft until it is whole. Then it gets its name, and the pointer moves. Whatever ends this process, also a
crash in DuckDB, readers keep what they have, and the next publication removes the draft.
"""

from datetime import datetime
from functools import partial
from pathlib import Path

from verdicts.fetch.model.snapshot import new_run_id
from verdicts.fetch.objects import open_objects
from verdicts.fetch.store.run_log import gate_accepts, gate_measures
from verdicts.fetch.store.store import open_store
from verdicts.pipeline.build.build_manifest import Tables, read_manifest
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.errors import ConfigError
from verdicts.pipeline.progress import say, step
from verdicts.warehouse.loading.log import newest_load
from verdicts.warehouse.manifests import prune_parts, read, store_of
from verdicts.warehouse.serving.copy import make_copy
from verdicts.warehouse.serving.published import Keep, copies, publish, published
from verdicts.warehouse.storage.errors import NothingPublished, WarehouseBroken


def publish_built(folder: DataFolder, *, at: datetime, keep: Keep | None = None) -> Path:
    """Publishes the last build. Returns the file that readers open.

    A build of up to `max_rows` rows becomes a copy of the warehouse. A larger one becomes a file of views over its
    parts, and a line says so. Parts that no kept manifest and no published file names are removed.

    Raises `ContractBroken`, `AuditFailed`, `StorageFailed`, `MemoryShort`, `WarehouseLocked`, `WarehouseBroken`,
    `ConfigError` if the published views are newer than the warehouse, and `ManifestMissing` if the store no longer has
    the manifest of the build. Readers then keep what they have.
    """
    built = read_manifest(folder.build_manifest)
    tables = None if built is None else built.tables
    rows = 0 if tables is None else read(open_objects(tables.store), tables.number).rows
    if tables is None or rows <= tables.max_rows:
        make, unit = partial(_copy, folder, at), "copies"
    else:
        say(
            f"publish: views over manifest {tables.number} of {tables.store} instead of a copy:"
            f" its {rows:,} rows are more than max_rows, {tables.max_rows:,}",
            "views",
            manifest=tables.number,
            rows=rows,
            max_rows=tables.max_rows,
        )
        make, unit = partial(_views, folder, at, tables), "files"

    with step("publish", unit) as advance:
        path = publish(folder.serve, make, keep)
        advance(1, 1)
    if tables is not None:
        _prune(folder, tables.store)
    return path


def _copy(folder: DataFolder, at: datetime, draft: Path) -> str:
    _check_newest(folder)
    return make_copy(folder.warehouse, draft, at)


def _check_newest(folder: DataFolder) -> None:
    try:
        present = published(folder.serve)
        store = store_of(present)
    except (NothingPublished, WarehouseBroken):
        return
    if store is not None and store.load_id > (newest_load(folder.warehouse) or ""):
        raise ConfigError(
            f"{present.name} is views over manifest {store.manifest} of {store.url}, newer than the warehouse here;"
            " 'verdicts build' makes and publishes the tables anew"
        )


def _views(folder: DataFolder, at: datetime, tables: Tables, draft: Path) -> str:
    # Imported only for views: the import takes as long as publishing a small copy.
    from verdicts.warehouse.loading.rows import Logs
    from verdicts.warehouse.serving.views_file import make_views

    objects = open_objects(tables.store)
    with open_store(folder.root, command="publish", read_only=True) as store:
        logs = Logs(store.crawls(), store.fetches(), gate_measures(store.state), gate_accepts(store.state))
    load_id = new_run_id(at, newest_load(folder.warehouse))
    return make_views(objects, read(objects, tables.number), logs, draft, load_id=load_id, loaded_at=at)


def _prune(folder: DataFolder, store_url: str) -> None:
    """If a file cannot be read, says so: readers have the new one, and the next publication removes the parts."""
    try:
        removed = prune_parts(open_objects(store_url), copies(folder.serve))
    except WarehouseBroken as why:
        say(f"publish: no part is removed: {why}", "pruned", objects=0)
        return
    if removed:
        say(f"publish: {len(removed):,} objects removed that no manifest names", "pruned", objects=len(removed))
