"""What a build made, published for readers: as a copy of the warehouse, or past a limit as views over its parts."""

from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from fetch.care.gate_log import gate_accepts, gate_measures
from fetch.model.run_id import new_run_id
from fetch.objects.objects import Objects
from fetch.objects.opening import open_objects
from fetch.store import checksums
from fetch.store.store import open_store
from pipeline.build.build_manifest import read_manifest
from pipeline.data_folder import DataFolder
from pipeline.errors import ConfigError
from pipeline.progress import say, step
from warehouse.loading.load import load, newest_load
from warehouse.manifests.check import check_parts
from warehouse.manifests.manifest import Manifest, read
from warehouse.manifests.rows import rows_of
from warehouse.serving.publish import publish
from warehouse.serving.published import published
from warehouse.serving.retention import Keep
from warehouse.storage.errors import NothingPublished, WarehouseBroken
from warehouse.views_file.given import Given
from warehouse.views_file.part_retention import prune_parts, store_of
from warehouse.views_file.publish import publish_views


def publish_built(folder: DataFolder, *, at: datetime, keep: Keep | None = None) -> Path:
    """Publishes what the last build made; returns the file that readers open.

    Raises as `publish_tables`; ManifestMissing where the store of a build past one machine has its manifest no more.
    """
    built = read_manifest(folder.build_manifest)
    if built is None or built.tables is None:
        return publish_copy(folder, at=at, keep=keep)
    store_url, number, max_rows = built.tables
    objects = open_objects(store_url)
    manifest = read(objects, number)
    if manifest.rows <= max_rows:
        path = publish_copy(folder, at=at, keep=keep)
        _prune(objects, folder)
        return path
    with open_store(folder.root, command="publish", read_only=True) as store:
        given = Given(
            new_run_id(at, newest_load(folder.warehouse)),
            at,
            store.crawls(),
            store.fetches(),
            gate_measures(store.state),
            gate_accepts(store.state),
        )
    return publish_tables(objects, manifest, folder, given, max_rows=max_rows, keep=keep)


def publish_tables(
    objects: Objects, manifest: Manifest, folder: DataFolder, given: Given, *, max_rows: int, keep: Keep | None = None
) -> Path:
    """Publishes the tables of a manifest in the data folder; returns the file that readers open.

    Up to `max_rows` rows they are loaded into the warehouse there, which is copied for readers as ever. Past that the
    file is one of views over the parts where they lie, and nothing is loaded: a line says so. Either way parts are
    removed that neither a kept manifest nor a published file names.

    Raises ContractBroken, AuditFailed, `StorageFailed`, MemoryShort, WarehouseLocked, WarehouseBroken; what was
    published before stays then.
    """
    if manifest.rows <= max_rows:
        _load(objects, manifest, folder, given)
        path = publish_copy(folder, at=given.loaded_at, keep=keep)
    else:
        say(
            f"publish: views over manifest {manifest.number} of {objects.url} instead of a copy:"
            f" its {manifest.rows:,} rows are more than max_rows, {max_rows:,}",
            "views",
            manifest=manifest.number,
            rows=manifest.rows,
            max_rows=max_rows,
        )
        with step("publish", "files") as advance:
            checksums.forget(folder.pointer)
            path = publish_views(objects, manifest, folder.serve, given, keep=keep)
            _note(folder, path)
            advance(1, 1)
    _prune(objects, folder)
    return path


def _prune(objects: Objects, folder: DataFolder) -> None:
    if removed := prune_parts(objects, folder.serve):
        say(f"publish: {len(removed):,} objects removed that nothing names any more", "pruned", objects=len(removed))


def publish_copy(folder: DataFolder, *, at: datetime, keep: Keep | None = None) -> Path:
    """A read-only copy of the warehouse, and the pointer moved to it; returns its path.

    Raises ConfigError where what is published are views over newer tables than the warehouse holds.
    """
    _check_newest(folder)
    with step("publish", "copies") as advance:
        checksums.forget(folder.pointer)
        with checksums.rewritten(folder.warehouse):
            path = publish(folder.warehouse, folder.serve, at=at, keep=keep)
        _note(folder, path)
        advance(1, 1)
    return path


def _load(objects: Objects, manifest: Manifest, folder: DataFolder, given: Given) -> None:
    check_parts(objects, manifest)
    folder.warehouse.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=folder.root, prefix=".parts-") as copied, checksums.rewritten(folder.warehouse):
        load(
            folder.warehouse,
            rows_of(objects, manifest, Path(copied)),
            crawls=given.crawls,
            fetches=given.fetches,
            gate_measures=given.gate_measures,
            gate_accepts=given.gate_accepts,
            load_id=given.load_id,
            loaded_at=given.loaded_at,
            extractor_version=manifest.extractor_version,
        )


def _note(folder: DataFolder, path: Path) -> None:
    checksums.note(path)
    checksums.note(folder.pointer)
    checksums.forget_removed(folder.serve)


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
