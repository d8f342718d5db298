"""The executor of a build past one machine."""

import hashlib
import traceback
from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from typing import NamedTuple
from uuid import uuid4

import msgspec

from verdicts.corpus.tables import CORPUS_TABLES
from verdicts.extract.declarations import profiles_with
from verdicts.extract.model.stored import StoredObservation
from verdicts.extract.page import EXTRACTOR_VERSION
from verdicts.fetch.objects import Objects, open_objects
from verdicts.normalize.corpus import NORMALIZER_VERSION
from verdicts.normalize.corrections import corrections_of
from verdicts.normalize.isolation import NO_FAULT_OF_A_PAGE
from verdicts.normalize.work import Known, without_collector
from verdicts.pipeline.build.build import HERE, Building, Changes, Executor
from verdicts.pipeline.build.build_manifest import Inputs, Tables
from verdicts.pipeline.build.record_files import begin_of, count_records, has_footer, observed_in
from verdicts.pipeline.build.row_files import Normalized
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.engine.engine import Engine, engine_of
from verdicts.pipeline.errors import NormalizerBroken
from verdicts.pipeline.logs import Failure, FailureLog
from verdicts.pipeline.progress import Advance, say
from verdicts.pipeline.scale.address_changes import add_sent_changes
from verdicts.pipeline.scale.extraction import extract_at_scale, ship
from verdicts.pipeline.scale.messages import TABLE_PARTS, StoredMessages, folder_of, forget_messages, left_by
from verdicts.pipeline.scale.partitions import Partitions, Stage, list_work, work_on
from verdicts.pipeline.scale.stages import STAGES
from verdicts.pipeline.sources.config_sections import ScaleConfig
from verdicts.warehouse.manifests import Manifest, Part, numbers, publish_manifest, read
from verdicts.warehouse.parts import check_parts, rows_of


class Plan(msgspec.Struct, frozen=True):
    """A normalization: its inputs, the number of partitions, and own profiles (`Declarations`)."""

    inputs: Inputs
    partitions: int
    own_profiles: tuple[tuple[str, bytes], ...] = ()
    versions: tuple[str, str] = (EXTRACTOR_VERSION, NORMALIZER_VERSION)

    @property
    def name(self) -> str:
        """A hash of the plan, so that earlier work on the same plan is found."""
        return hashlib.blake2b(msgspec.json.encode(self), digest_size=8).hexdigest()

    @property
    def known(self) -> Known:
        gone, moved = dict(self.inputs.gone), dict(self.inputs.moved)
        profiles = profiles_with(self.own_profiles)
        corrections = corrections_of(self.inputs.corrections)
        return Known(gone, moved, profiles, corrections, dict(self.inputs.rights))

    @property
    def divided(self) -> Partitions:
        segments = {begin_of(name): number for number, name in enumerate(self.inputs.files)}
        return Partitions(self.partitions, segments)


SNAPSHOTS_A_PARTITION = 4_000
"""Small corpora have few partitions, because each reads all objects of the previous stage."""


def partitions_of(snapshots: int, most: int) -> int:
    return max(1, min(most, -(-snapshots // SNAPSHOTS_A_PARTITION)))


def make_plan(
    objects: Objects, inputs: Inputs, partitions: int, own_profiles: tuple[tuple[str, bytes], ...] = ()
) -> Plan:
    plan = Plan(inputs, partitions, own_profiles)
    objects.create(_object(plan.name), msgspec.json.encode(plan))
    return plan


@lru_cache(maxsize=2)
def plan_of(store: str, name: str) -> Plan:
    """Loads a plan, cached per process."""
    return msgspec.json.decode(open_objects(store).read(_object(name)), type=Plan)


def _object(plan: str) -> str:
    return f"{folder_of(plan)}plan.json"


class Batch(NamedTuple):
    """A partition of a stage. `run` differs each time a plan is worked on."""

    store: str
    run: str
    plan: str
    stage: str
    number: int

    def __str__(self) -> str:
        return f"{self.stage} {self.number}"


class StageFailed(Exception):
    """A bug failed a stage on a whole partition. With its batch, the reason and the traceback."""


def normalize_at_scale(
    objects: Objects, engine: Engine, plan: Plan, failures: FailureLog, advance: Advance
) -> dict[str, list[Part]]:
    """Makes all rows of a plan. Returns the parts of each table. Does not repeat work of an earlier run.

    Observations that fail are left out, and listed in `rejects` and `failures`. Raises `NormalizerBroken` if they are
    too many or a stage fails as a whole, `EngineFailed`, `StorageFailed`.
    """
    run, partitions = uuid4().hex, plan.divided
    total, done = sum(len(places) for _, places in list_work(STAGES, partitions)), 0
    for stage, places in list_work(STAGES, partitions):
        batches = [Batch(objects.url, run, plan.name, stage.name, number) for number in places]
        try:
            for left_out in engine.run(work_on_batch, batches):
                for failure in left_out:
                    failures.add(*failure)
                done += 1
                advance(done, total)
        except StageFailed as failed:
            batch, reason, trace = failed.args
            failures.add(f"partition {batch.number} of the stage {stage.name}", "normalization", trace)
            raise NormalizerBroken(
                f"normalization fails in the stage {stage.name}: {reason}: a bug; nothing was loaded"
            ) from failed
    made: dict[str, list[Part]] = defaultdict(list)
    for sent in StoredMessages(objects, run, plan.name, partitions).sent(TABLE_PARTS, 0):
        made[sent.table].append(sent.part)
    return made


_STAGES: dict[str, Stage] = {stage.name: stage for stage in STAGES}


def work_on_batch(batch: Batch) -> list[Failure]:
    """Works on a batch. The result is the same every time, and the first one stays.

    Returns what it left out, which is nothing if it was done before. Raises `StageFailed`, `StorageFailed`.
    """
    objects, plan = open_objects(batch.store), plan_of(batch.store, batch.plan)
    if objects.size(left_by(plan.name, batch.stage, batch.number)) is not None:
        return []

    held = frozenset(place for place, _ in plan.inputs.held)

    def observed(number: int) -> list[StoredObservation]:
        if not plan.inputs.files:
            return []
        content = BytesIO(objects.read(f"records/{plan.inputs.files[number]}"))
        return [item for item in observed_in(content) if item.location not in held]

    try:
        with without_collector():
            messages = StoredMessages(objects, batch.run, plan.name, plan.divided, observed)
            left_out = work_on(_STAGES[batch.stage], batch.number, plan.known, plan.divided, messages)
    except NO_FAULT_OF_A_PAGE:
        raise
    except Exception as error:
        raise StageFailed(batch, f"{type(error).__name__}: {error}", traceback.format_exc()) from None
    return [
        Failure(item.observation.url, "normalization", "".join(traceback.format_exception(item.error)))
        for item in left_out
    ]


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

    def extract(self, of: Building, advance: Advance, *, anew: bool) -> list[Path]:
        objects, folder = self._objects, of.folder
        folder.records.mkdir(parents=True, exist_ok=True)
        shipped = ship(of.store, folder, objects, lambda *_: None)
        if shipped.files:
            say(f"{shipped.files:,} segments of {shipped.bytes:,} bytes are in {objects.url} now")
        names = extract_at_scale(objects, self._engine, of.failures, advance, declared=of.declared, anew=anew)
        own = {begin_of(entry.location.segment) for entry in of.store.index()}
        if others := sum(begin_of(name.rpartition("/")[2]) not in own for name in names):
            say(f"{others:,} segments were crawled elsewhere: their pages are built, but no gate here judges them")
        for path in (folder.root / name for name in names):
            if not has_footer(path):
                aside = path.with_suffix(".tmp")
                aside.write_bytes(objects.read(f"records/{path.name}"))
                aside.rename(path)
        return [folder.root / name for name in names]

    def add_changes(self, of: Building, own: Changes) -> Changes:
        return add_sent_changes(of.store, own, self._objects)

    def normalize(
        self,
        of: Building,
        files: Sequence[Path],
        inputs: Inputs,
        advance: Advance,
        *,
        is_checked: bool,  # noqa: ARG002  a part breaks no contract: it is checked when it is written
    ) -> Normalized:
        objects, partitions = self._objects, partitions_of(count_records(files), self._scale.bins)
        plan = make_plan(objects, inputs, partitions, of.declared.own_profiles)
        parts = normalize_at_scale(objects, self._engine, plan, of.failures, advance)
        tables = {table: tuple(of_table) for table, of_table in parts.items()}
        made = Manifest(0, plan.name, self._now, EXTRACTOR_VERSION, NORMALIZER_VERSION, tables)
        check_parts(objects, made)
        is_loaded = made.rows <= self._scale.max_rows
        rows = rows_of(objects, made, of.folder.parts) if is_loaded else {}
        of_tables = {table: rows.get(table, ()) for table in CORPUS_TABLES}
        return Normalized(of_tables, made.rows, is_loaded, keep=lambda: self._keep(made))

    def _keep(self, made: Manifest) -> Tables:
        """Publishes the manifest of the parts, and removes the messages of earlier builds."""
        published = publish_manifest(self._objects, made)
        say(f"{published.rows:,} rows are manifest {published.number} of {self._objects.url}")
        earlier = {read(self._objects, number).build_id for number in numbers(self._objects)}
        forget_messages(self._objects, earlier - {made.build_id})
        return Tables(self._objects.url, published.number, self._scale.max_rows)
