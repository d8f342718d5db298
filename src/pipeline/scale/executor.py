"""The executor of a build past one machine."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from verdicts.corpus.tables import CORPUS_TABLES
from verdicts.extract.declarations import Declarations
from verdicts.extract.page import EXTRACTOR_VERSION
from verdicts.fetch.objects import Objects, open_objects
from verdicts.fetch.store import checksums
from verdicts.fetch.store.store import Store
from verdicts.normalize.corpus import NORMALIZER_VERSION
from verdicts.pipeline.build.build import HERE, Executor, Normalized
from verdicts.pipeline.build.build_manifest import Inputs, Tables
from verdicts.pipeline.build.record_files import begin_of, count_records, is_whole
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.engine.engine import Engine, engine_of
from verdicts.pipeline.logs import FailureLog
from verdicts.pipeline.progress import Advance, say
from verdicts.pipeline.scale.extraction import extract_at_scale, ship
from verdicts.pipeline.scale.messages import forget_messages
from verdicts.pipeline.scale.normalization import make_plan, normalize_at_scale, partitions_of
from verdicts.pipeline.sources.config_sections import ScaleConfig
from verdicts.warehouse.manifests import Manifest, numbers, publish_manifest, read
from verdicts.warehouse.parts import check_parts, rows_of


def executor_of(scale: ScaleConfig, data: DataFolder, now: datetime) -> Executor:
    """The executor that the config asks for. Raises `ConfigError`."""
    if scale.store is None and scale.scheduler is None:
        return HERE
    return PastOneMachine(scale, data, engine_of(scale), now)


class PastOneMachine(Executor):
    """Runs batches on an engine, over the store of the config.

    The gates judge on this machine, so record files are copied here.
    """

    def __init__(self, scale: ScaleConfig, data: DataFolder, engine: Engine, now: datetime) -> None:
        self._scale, self._engine, self._now = scale, engine, now
        self._objects = open_objects(scale.store or str(data.root))

    def extract(
        self,
        store: Store,
        folder: DataFolder,
        declared: Declarations,
        failures: FailureLog,
        advance: Advance,
        *,
        anew: bool,
    ) -> list[Path]:
        """See `Executor.extract`."""
        objects = self._objects
        folder.records.mkdir(parents=True, exist_ok=True)
        shipped = ship(store, folder, objects, lambda *_: None)
        if shipped.files:
            say(f"{shipped.files:,} segments of {shipped.bytes:,} bytes are in {objects.url} now")
        names = extract_at_scale(objects, self._engine, failures, advance, declared=declared, anew=anew)
        own = {begin_of(entry.location.segment) for entry in store.index()}
        if others := sum(begin_of(name.rpartition("/")[2]) not in own for name in names):
            say(f"{others:,} segments were crawled elsewhere: their pages are built, but no gate here judges them")
        for path in (folder.root / name for name in names):
            if not is_whole(path):
                aside = path.with_suffix(".tmp")
                aside.write_bytes(objects.read(f"records/{path.name}"))
                checksums.forget(path)
                aside.rename(path)
                checksums.note(path)
        return [folder.root / name for name in names]

    def normalize(
        self,
        folder: DataFolder,
        files: Sequence[Path],
        inputs: Inputs,
        declared: Declarations,
        failures: FailureLog,
        advance: Advance,
        *,
        is_checked: bool,  # noqa: ARG002  a part breaks no contract: it is checked when it is written
    ) -> Normalized:
        """See `Executor.normalize`."""
        plan = make_plan(
            self._objects, inputs, partitions_of(count_records(files), self._scale.bins), declared.own_profiles
        )
        parts = normalize_at_scale(self._objects, self._engine, plan, failures, advance)
        tables = {table: tuple(of_table) for table, of_table in parts.items()}
        made = Manifest(0, plan.name, self._now, EXTRACTOR_VERSION, NORMALIZER_VERSION, tables)
        check_parts(self._objects, made)
        is_loaded = made.rows <= self._scale.max_rows
        rows = rows_of(self._objects, made, folder.parts) if is_loaded else {}
        return NormalizedParts(
            {table: rows.get(table, ()) for table in CORPUS_TABLES},
            made.rows,
            is_loaded,
            objects=self._objects,
            made=made,
            max_rows=self._scale.max_rows,
        )


@dataclass(kw_only=True, slots=True)
class NormalizedParts(Normalized):
    """Rows in parts of the store, copied to this machine if they fit into one file."""

    objects: Objects
    made: Manifest
    max_rows: int

    def keep(self) -> Tables:
        """Publishes the manifest of the parts, and removes the messages of earlier builds."""
        published = publish_manifest(
            self.objects,
            build_id=self.made.build_id,
            created_at=self.made.created_at,
            extractor_version=self.made.extractor_version,
            normalizer_version=self.made.normalizer_version,
            tables=self.made.tables,
        )
        say(f"{published.rows:,} rows are manifest {published.number} of {self.objects.url}")
        earlier = {read(self.objects, number).build_id for number in numbers(self.objects)}
        forget_messages(self.objects, earlier - {self.made.build_id})
        return Tables(self.objects.url, published.number, self.max_rows)
