"""Normalization past one process: a plan, the partitions of each stage as batches of an engine, and what a batch does.

The messages between stages are objects of the store (`messages`), and so is the plan, which every batch reads first.
"""

import hashlib
import traceback
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from io import BytesIO
from typing import NamedTuple
from uuid import uuid4

import msgspec

from verdicts.extract.model.stored import StoredObservation
from verdicts.extract.page import EXTRACTOR_VERSION
from verdicts.fetch.model.snapshot import Location
from verdicts.fetch.objects import Objects, open_objects
from verdicts.normalize.corpus import NORMALIZER_VERSION, STAGES
from verdicts.normalize.isolation import NO_FAULT_OF_A_PAGE
from verdicts.normalize.work import Known, Stage, due, run_stages, without_collector, work_on
from verdicts.pipeline.build.record_files import observed_in
from verdicts.pipeline.engine.engine import Engine
from verdicts.pipeline.errors import NormalizerBroken
from verdicts.pipeline.failure_log import Failure, FailureLog
from verdicts.pipeline.progress import Advance
from verdicts.pipeline.scale.messages import TABLE_PARTS, StoredMessages, folder_of, left_by
from verdicts.warehouse.manifests import Part


class Plan(msgspec.Struct, frozen=True):
    """Names of record objects, addresses that are gone or moved, snapshots that are held back, and partitions."""

    records: tuple[str, ...]
    gone: tuple[str, ...]
    moved: tuple[tuple[str, str], ...]
    held: tuple[tuple[str, int], ...]
    partitions: int
    versions: tuple[str, str] = (EXTRACTOR_VERSION, NORMALIZER_VERSION)

    @property
    def name(self) -> str:
        """The same for the same plan: what was made of it is found again."""
        return hashlib.blake2b(msgspec.json.encode(self), digest_size=8).hexdigest()

    @property
    def known(self) -> Known:
        """What the stages know before they begin."""
        segments = {record.rpartition("/")[2].partition(".")[0]: number for number, record in enumerate(self.records)}
        return Known(frozenset(self.gone), dict(self.moved), partitions=self.partitions, segments=segments)


SNAPSHOTS_A_PARTITION = 4_000
"""A small corpus has fewer partitions than it may have: each one reads what all of the stage before have left."""


def partitions_of(snapshots: int, most: int) -> int:
    """How many partitions so many snapshots are worked on in."""
    return max(1, min(most, -(-snapshots // SNAPSHOTS_A_PARTITION)))


def make_plan(
    objects: Objects,
    records: Sequence[str],
    *,
    gone: Collection[str],
    moved: Mapping[str, str],
    held: Collection[Location],
    partitions: int,
) -> Plan:
    """The plan, which is kept in the store."""
    places = tuple((place.segment, place.offset) for place in sorted(held))
    plan = Plan(tuple(records), tuple(sorted(gone)), tuple(sorted(moved.items())), places, partitions)
    objects.create(_object(plan.name), msgspec.json.encode(plan))
    return plan


@lru_cache(maxsize=2)
def plan_of(store: str, name: str) -> Plan:
    """The plan of that name, in a process that works on its batches."""
    return msgspec.json.decode(open_objects(store).read(_object(name)), type=Plan)


def _object(plan: str) -> str:
    return f"{folder_of(plan)}plan.json"


class Batch(NamedTuple):
    """A partition of a stage, of the plan of a store; `run` is another one whenever a plan is worked on."""

    store: str
    run: str
    plan: str
    stage: str
    number: int

    def __str__(self) -> str:
        return f"{self.stage} {self.number}"


class Done(NamedTuple):
    """The batch, and what it left out; nothing where it was done before."""

    batch: Batch
    failures: tuple[Failure, ...] = ()


class StageFailed(Exception):
    """A stage failed on a partition as a whole, a bug; `trace` is where."""

    def __init__(self, batch: Batch, reason: str, trace: str) -> None:
        super().__init__(batch, reason, trace)
        self.batch, self.reason, self.trace = batch, reason, trace


def normalize_at_scale(
    objects: Objects, engine: Engine, plan: Plan, failures: FailureLog, advance: Advance
) -> dict[str, list[Part]]:
    """All rows of a plan: table to its parts in the store. What an earlier run has done is not done again.

    Observations that normalization fails on are left out, told in `rejects` and among the failures. Raises
    `NormalizerBroken` where they are too many or a stage fails as a whole, `EngineFailed`, `StorageFailed`.
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
    """Works on a batch. What it leaves is made of the same whenever it is done, and the first stays.

    Raises `StageFailed`, `StorageFailed`.
    """
    objects, plan = open_objects(batch.store), plan_of(batch.store, batch.plan)
    if objects.size(left_by(plan.name, batch.stage, batch.number)) is not None:
        return Done(batch)

    def observed(number: int) -> list[StoredObservation]:
        content = BytesIO(objects.read(plan.records[number])) if plan.records else None
        return [] if content is None else [item for item in observed_in(content) if tuple(item.location) not in held]

    known, held = plan.known, frozenset(plan.held)
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
