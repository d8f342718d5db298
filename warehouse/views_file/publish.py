"""Publishes a file of views over a manifest in the place of a loaded copy."""

import hashlib
import shutil
import time
from collections.abc import Callable
from pathlib import Path

from fetch.objects.objects import Objects
from warehouse.manifests.check import check_parts
from warehouse.manifests.manifest import Manifest, Part, publish_manifest
from warehouse.serving.publish import publish_file
from warehouse.serving.retention import Keep
from warehouse.views_file.corpus import corpus_of
from warehouse.views_file.file import write_views
from warehouse.views_file.given import Given
from warehouse.views_file.made import Made, make_relations

SMALL_ROWS = 50_000
"""A relation of so many rows stands in the file: a look-up there costs no request, and they take few megabytes."""

_WORKING = ".views-being-made"


def publish_views(
    objects: Objects,
    manifest: Manifest,
    serve_dir: Path,
    given: Given,
    *,
    keep: Keep | None = None,
    small_rows: int = SMALL_ROWS,
    clock: Callable[[], float] = time.monotonic,
) -> Path:
    """Makes a small DuckDB file of views over the parts of a manifest and points readers to it; returns its path.

    It answers what a copy of a load of the same rows answers. What it needs beyond the parts is published as parts of a
    further manifest, which names the given one in `made_of`. Its load is the only one that it knows. The rows are
    checked and audited as by a load. Raises ContractBroken, AuditFailed, `StorageFailed`, MemoryShort, WarehouseLocked.
    """

    def make(draft: Path) -> str:
        folder = serve_dir / _WORKING
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        try:
            _make(objects, manifest, given, draft, folder, small_rows, clock)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        return given.load_id

    return publish_file(serve_dir, make, keep)


def _make(
    objects: Objects,
    manifest: Manifest,
    given: Given,
    draft: Path,
    folder: Path,
    small_rows: int,
    clock: Callable[[], float],
) -> None:
    tables = dict(manifest.tables)
    small: dict[str, Path] = {}
    repeated = check_parts(objects, manifest)
    with corpus_of(objects, manifest, repeated, given, folder / "working.duckdb", clock) as connection:
        for made in make_relations(connection, manifest, folder):
            if made.rows <= small_rows:
                small[made.relation] = made.path
            else:
                tables[made.relation] = (_put(objects, made, f"{manifest.build_id}-{given.load_id}"),)
    served = publish_manifest(
        objects,
        build_id=manifest.build_id,
        created_at=given.loaded_at,
        extractor_version=manifest.extractor_version,
        normalizer_version=manifest.normalizer_version,
        tables=tables,
        made_of=manifest.number,
    )
    write_views(draft, objects, served, small, load_id=given.load_id, at=given.loaded_at)


def _put(objects: Objects, made: Made, name: str) -> Part:
    of_part = f"tables/{made.relation}/{name}.parquet"
    objects.create_from(of_part, made.path)
    with made.path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return Part(of_part, made.rows, made.path.stat().st_size, digest)
