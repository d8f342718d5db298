"""Publishes what a build made: a copy of the warehouse, or views over its parts if there are too many rows.

A separate process makes the file, so that a crash, kill or hang ends only that process. This process then names the
file and moves the pointer. Until then readers keep what they have.
"""

from collections.abc import Callable
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TypeVar

from verdicts.fetch.model.snapshot import new_run_id
from verdicts.fetch.objects import open_objects
from verdicts.fetch.store import checksums
from verdicts.fetch.store.run_log import gate_accepts, gate_measures
from verdicts.fetch.store.store import open_store
from verdicts.pipeline.build.build_manifest import Tables, read_manifest
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.errors import ConfigError, PublicationFailed
from verdicts.pipeline.progress import say, step
from verdicts.pipeline.workers.process import EndedEarly, done_apart
from verdicts.warehouse.loading.log import newest_load
from verdicts.warehouse.manifests import prune_parts, read, store_of
from verdicts.warehouse.serving.copy import make_copy
from verdicts.warehouse.serving.published import Keep, copies, publish, published
from verdicts.warehouse.storage.errors import NothingPublished, WarehouseBroken

R = TypeVar("R")

LEAST_S = 300.0
"""Seconds that any publication may take. A small one takes 1 s, or 60 s if it waits for locked files."""

BYTES_A_S, ROWS_A_S = 2_000_000, 3_000
"""Lowest accepted speed after that: bytes of the warehouse, or rows of parts, per second.

A twentieth of what two busy cores reached (docs/benchmarks.md): 1.9 GB in 37 s, 21 million rows in 360 s.
"""


def publish_built(folder: DataFolder, *, at: datetime, keep: Keep | None = None) -> Path:
    """Publishes the last build. Returns the file that readers open.

    A build of up to `max_rows` rows becomes a copy of the warehouse. A larger one becomes a file of views over its
    parts, and a line says so. Parts that no kept manifest and no published file names are removed.

    Raises `PublicationFailed` if the process ends early, `ContractBroken`, `AuditFailed`, `StorageFailed`,
    `MemoryShort`, `WarehouseLocked`, `WarehouseBroken`, `ConfigError` if the published views are newer than the
    warehouse, and `ManifestMissing` if the store no longer has the manifest of the build. Readers then keep what they
    have.
    """
    root = folder.root.absolute()
    built = read_manifest(folder.build_manifest)
    tables = None if built is None else built.tables
    rows = 0 if tables is None else read(open_objects(tables.store), tables.number).rows
    if tables is None or rows <= tables.max_rows:
        make, unit = partial(_copy, root, at), "copies"
        within_s = LEAST_S + folder.warehouse.stat().st_size / BYTES_A_S
    else:
        say(
            f"publish: views over manifest {tables.number} of {tables.store} instead of a copy:"
            f" its {rows:,} rows are more than max_rows, {tables.max_rows:,}",
            "views",
            manifest=tables.number,
            rows=rows,
            max_rows=tables.max_rows,
        )
        make, unit = partial(_views, root, at, tables), "files"
        within_s = LEAST_S + rows / ROWS_A_S

    def made(draft: Path) -> str:
        load_id = _apart(folder, within_s, make, draft.absolute())
        checksums.forget(folder.pointer)
        return load_id

    with step("publish", unit) as advance:
        path = publish(folder.serve, made, keep)
        checksums.note(path)
        checksums.note(folder.pointer)
        checksums.forget_removed(folder.serve)
        advance(1, 1)
    if tables is not None:
        _prune(folder, tables.store, within_s)
    return path


def _apart(folder: DataFolder, within_s: float, work: Callable[..., R], *arguments: object) -> R:
    try:
        return done_apart(work, *arguments, within_s=within_s)
    except EndedEarly as ended:
        try:
            kept = f"readers keep {published(folder.serve).name}"
        except NothingPublished:
            kept = "readers have no copy yet"
        raise PublicationFailed(f"publishing {ended}; {kept}; run 'verdicts publish' to try again") from ended


def _copy(root: Path, at: datetime, draft: Path) -> str:
    folder = DataFolder(root)
    _check_newest(folder)
    with checksums.rewritten(folder.warehouse):
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


def _views(root: Path, at: datetime, tables: Tables, draft: Path) -> str:
    # Imported only for views: the import takes as long as publishing a small copy.
    from verdicts.warehouse.loading.rows import Logs
    from verdicts.warehouse.serving.views_file import make_views

    folder, objects = DataFolder(root), open_objects(tables.store)
    with open_store(root, command="publish", read_only=True) as store:
        logs = Logs(store.crawls(), store.fetches(), gate_measures(store.state), gate_accepts(store.state))
    load_id = new_run_id(at, newest_load(folder.warehouse))
    return make_views(objects, read(objects, tables.number), logs, draft, load_id=load_id, loaded_at=at)


def _prune(folder: DataFolder, store_url: str, within_s: float) -> None:
    """Reports a failure and goes on: readers have the new file, and the next publication removes the parts."""
    try:
        removed = done_apart(_pruned, store_url, folder.serve.absolute(), within_s=within_s)
    except (EndedEarly, WarehouseBroken) as why:
        say(f"publish: no part is removed: {why}", "pruned", objects=0)
        return
    if removed:
        say(f"publish: {removed:,} objects removed that no manifest names", "pruned", objects=removed)


def _pruned(store_url: str, serve_dir: Path) -> int:
    return len(prune_parts(open_objects(store_url), copies(serve_dir)))
