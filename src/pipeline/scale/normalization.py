"""Normalization past one process: a plan, and its partitions of each stage as batches of an engine.

Plan and messages are objects in the store.
"""

import hashlib
import traceback
from collections import defaultdict
from functools import lru_cache
from io import BytesIO
from typing import NamedTuple
from uuid import uuid4

import msgspec

from verdicts.extract.declarations import profiles_with
from verdicts.extract.model.stored import StoredObservation
from verdicts.extract.page import EXTRACTOR_VERSION
from verdicts.fetch.objects import Objects, open_objects
from verdicts.normalize.corpus import NORMALIZER_VERSION, STAGES
from verdicts.normalize.corrections import corrections_of
from verdicts.normalize.isolation import NO_FAULT_OF_A_PAGE
from verdicts.normalize.work import Known, Stage, due, run_stages, without_collector, work_on
from verdicts.pipeline.build.build_manifest import Inputs
from verdicts.pipeline.build.record_files import begin_of, observed_in
from verdicts.pipeline.engine.engine import Engine
from verdicts.pipeline.errors import NormalizerBroken
from verdicts.pipeline.failure_log import Failure, FailureLog
from verdicts.pipeline.progress import Advance
from verdicts.pipeline.scale.messages import TABLE_PARTS, StoredMessages, folder_of, left_by
from verdicts.warehouse.manifests import Part


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
        """The input of the stages."""
        gone, moved = frozenset(self.inputs.gone), dict(self.inputs.moved)
        segments = {begin_of(name): number for number, name in enumerate(self.inputs.files)}
        profiles = profiles_with(self.own_profiles)
        corrections = corrections_of(self.inputs.corrections)
        return Known(gone, moved, profiles, self.partitions, segments, corrections)


SNAPSHOTS_A_PARTITION = 4_000
"""Small corpora have few partitions, because each reads all objects of the previous stage."""


def partitions_of(snapshots: int, most: int) -> int:
    """The number of partitions for this many snapshots."""
    return max(1, min(most, -(-snapshots // SNAPSHOTS_A_PARTITION)))


def make_plan(
    objects: Objects, inputs: Inputs, partitions: int, own_profiles: tuple[tuple[str, bytes], ...] = ()
) -> Plan:
    """Creates the plan in the store."""
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


class Done(NamedTuple):
    """The batch and what it left out, which is nothing if it was done before."""

    batch: Batch
    failures: tuple[Failure, ...] = ()


class StageFailed(Exception):
    """A bug failed a stage on a whole partition."""

    def __init__(self, batch: Batch, reason: str, trace: str) -> None:
        super().__init__(batch, reason, trace)
        self.batch, self.reason, self.trace = batch, reason, trace


def normalize_at_scale(
    objects: Objects, engine: Engine, plan: Plan, failures: FailureLog, advance: Advance
) -> dict[str, list[Part]]:
    """Makes all rows of a plan. Returns the parts of each table. Does not repeat work of an earlier run.

    Observations that fail are left out, and listed in `rejects` and `failures`. Raises `NormalizerBroken` if they are
    too many or a stage fails as a whole, `EngineFailed`, `StorageFailed`.
    """
    run, known = uuid4().hex, plan.known
    total, done = sum(len(numbers) for _, numbers in due(STAGES, known)), 0

    def execute(stage: Stage, numbers: range) -> None:
        nonlocal done
        batches = [Batch(objects.url, run, plan.name, stage.name, number) for number in numbers]
        try:
            for result in engine.run(work_on_batch, batches):
                for failure in result.failures:
                    failures.add(*failure)
                done += 1
                advance(done, total)
        except StageFailed as failed:
            failures.add(f"partition {failed.batch.number} of the stage {stage.name}", "normalization", failed.trace)
            raise NormalizerBroken(
                f"normalization fails in the stage {stage.name}: {failed.reason}: a bug; nothing was loaded"
            ) from failed

    run_stages(STAGES, known, execute)
    made: dict[str, list[Part]] = defaultdict(list)
    for sent in StoredMessages(objects, run, plan.name, known).sent(TABLE_PARTS, 0):
        made[sent.table].append(sent.part)
    return made


_STAGES: dict[str, Stage] = {stage.name: stage for stage in STAGES}


def work_on_batch(batch: Batch) -> Done:
    """Works on a batch. The result is the same every time, and the first one stays.

    Raises `StageFailed`, `StorageFailed`.
    """
    objects, plan = open_objects(batch.store), plan_of(batch.store, batch.plan)
    if objects.size(left_by(plan.name, batch.stage, batch.number)) is not None:
        return Done(batch)

    known, held = plan.known, frozenset(place for place, _ in plan.inputs.held)

    def observed(number: int) -> list[StoredObservation]:
        if not plan.inputs.files:
            return []
        content = BytesIO(objects.read(f"records/{plan.inputs.files[number]}"))
        return [item for item in observed_in(content) if item.location not in held]

    try:
        with without_collector():
            messages = StoredMessages(objects, batch.run, plan.name, known, observed)
            left_out = work_on(_STAGES[batch.stage], batch.number, known, messages)
    except NO_FAULT_OF_A_PAGE:
        raise
    except Exception as error:
        raise StageFailed(batch, f"{type(error).__name__}: {error}", traceback.format_exc()) from None
    failures = (
        Failure(item.observation.url, "normalization", "".join(traceback.format_exception(item.error)))
        for item in left_out
    )
    return Done(batch, tuple(failures))
