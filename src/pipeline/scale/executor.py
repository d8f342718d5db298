"""A build past one machine, as `verdicts.pipeline.build` asks for it: where pages are extracted and normalized."""

import shutil
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from verdicts.corpus.tables import CORPUS_TABLES
from verdicts.extract.page import EXTRACTOR_VERSION
from verdicts.fetch.objects import Objects, open_objects
from verdicts.fetch.store import checksums
from verdicts.fetch.store.store import Store
from verdicts.normalize.corpus import NORMALIZER_VERSION
from verdicts.pipeline.build.build import HERE, Executor
from verdicts.pipeline.build.build_manifest import BuildManifest, Tables
from verdicts.pipeline.build.normalization import Normalized
from verdicts.pipeline.build.record_files import begin_of, count_records, is_whole
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.engine.engine import Engine, engine_of
from verdicts.pipeline.failure_log import FailureLog
from verdicts.pipeline.progress import Advance, say
from verdicts.pipeline.recipes import read_recipes
from verdicts.pipeline.scale.extraction import extract_at_scale
from verdicts.pipeline.scale.normalization import normalize_at_scale
from verdicts.pipeline.scale.plan import forget_messages, make_plan, partitions_of
from verdicts.pipeline.scale.shipping import ship
from verdicts.pipeline.sources.config_sections import ScaleConfig
from verdicts.warehouse.manifests import Manifest, numbers, publish_manifest, read
from verdicts.warehouse.parts import check_parts, rows_of


def executor_of(scale: ScaleConfig, data: DataFolder, now: datetime) -> Executor:
    """Where the config wants pages extracted and normalized. Raises `ConfigError`."""
    if scale.store is None and scale.scheduler is None:
        return HERE
    return past_one_machine(scale, data, engine_of(scale), now)


def past_one_machine(scale: ScaleConfig, data: DataFolder, engine: Engine, now: datetime) -> Executor:
    """Extraction and normalization on an engine, over the store of the config.

    What gates judge is read on this machine: record files that were
    made elsewhere are copied here.
    """
    objects = open_objects(scale.store or str(data.root))

    def extract(store: Store, folder: DataFolder, advance: Advance, failures: FailureLog, anew: bool) -> list[Path]:
        folder.records.mkdir(parents=True, exist_ok=True)
        shipped = ship(store, folder, objects, lambda *_: None)
        if shipped.files:
            say(f"{shipped.files:,} segments of {shipped.bytes:,} bytes are in {objects.url} now")
        names = extract_at_scale(objects, engine, failures, advance, recipes=read_recipes(folder.recipes), anew=anew)
        own = {begin_of(entry.location.segment) for entry in store.index()}
        if others := sum(begin_of(name.rpartition("/")[2]) not in own for name in names):
            say(f"{others:,} segments were crawled elsewhere: their pages are built, and judged by no gate here")
        return [_here(objects, name, folder) for name in names]

    def normalize(
        folder: DataFolder,
        files: Sequence[Path],
        manifest: BuildManifest,
        failures: FailureLog,
        _is_checked: bool,
        advance: Advance,
    ) -> Normalized:
        plan = make_plan(
            objects,
            [f"{folder.records.name}/{file.name}" for file in files],
            gone=manifest.gone,
            moved=dict(manifest.moved),
            held=[place for place, _ in manifest.held],
            partitions=partitions_of(count_records(files), scale.bins),
        )
        parts = normalize_at_scale(objects, engine, plan, failures, advance)
        tables = {table: tuple(of_table) for table, of_table in parts.items()}
        made = Manifest(0, plan.name, now, EXTRACTOR_VERSION, NORMALIZER_VERSION, tables)
        check_parts(objects, made)
        return _normalized(objects, made, folder, scale.max_rows)

    return Executor(extract, normalize)


def _here(objects: Objects, name: str, folder: DataFolder) -> Path:
    """The record file of an object in the data folder."""
    path = folder.root / name
    if not is_whole(path):
        checksums.forget(path)
        path.write_bytes(objects.read(name))
        checksums.note(path)
    return path


def _normalized(objects: Objects, made: Manifest, folder: DataFolder, max_rows: int) -> Normalized:
    """The rows to load, if they are few enough for one file; the manifest is published with the load."""
    copied = folder.warehouse.parent / "parts"
    is_loaded = made.rows <= max_rows

    def keep() -> Tables:
        published = publish_manifest(
            objects,
            build_id=made.build_id,
            created_at=made.created_at,
            extractor_version=made.extractor_version,
            normalizer_version=made.normalizer_version,
            tables=made.tables,
        )
        say(f"{published.rows:,} rows are manifest {published.number} of {objects.url}")
        forget_messages(objects, {read(objects, number).build_id for number in numbers(objects)} - {made.build_id})
        drop()
        return Tables(objects.url, published.number, max_rows)

    def drop() -> None:
        shutil.rmtree(copied, ignore_errors=True)

    rows = rows_of(objects, made, copied) if is_loaded else {}
    left = 0 if is_loaded else made.rows
    return Normalized({table: rows.get(table, ()) for table in CORPUS_TABLES}, is_loaded, left, keep, drop)
