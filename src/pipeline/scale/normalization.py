"""Normalization past one process: the partitions of a stage are batches of an engine, what is between is objects."""

import traceback
from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple
from uuid import uuid4

from verdicts.fetch.objects import Objects, open_objects
from verdicts.normalize.corpus import STAGES
from verdicts.normalize.isolation import NO_FAULT_OF_A_PAGE, LeftOut
from verdicts.normalize.work import Stage, due, run_stages, without_collector, work_on
from verdicts.pipeline.engine.engine import Engine
from verdicts.pipeline.errors import NormalizerBroken
from verdicts.pipeline.failure_log import Failure, FailureLog
from verdicts.pipeline.progress import Advance
from verdicts.pipeline.scale.mail import TABLE_PARTS, StoreMail
from verdicts.pipeline.scale.plan import Plan, left_by, plan_of
from verdicts.warehouse.manifests import Part


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
    for found in StoreMail(objects, run, plan).sent(TABLE_PARTS, 0):
        made[found.table].append(found.part)
    return made


_STAGES: dict[str, Stage] = {stage.name: stage for stage in STAGES}


def work_on_batch(batch: Batch) -> Done:
    """Works on a batch. What it leaves is made of the same whenever it is done, and the first stays.

    Raises `StageFailed`, `StorageFailed`.
    """
    objects, plan = open_objects(batch.store), plan_of(batch.store, batch.plan)
    if objects.size(left_by(plan.name, batch.stage, batch.number)) is not None:
        return Done(batch)
    try:
        with without_collector():
            mail = StoreMail(objects, batch.run, plan)
            left_out = work_on(_STAGES[batch.stage], batch.number, mail.known, mail)
    except NO_FAULT_OF_A_PAGE:
        raise
    except Exception as error:
        raise StageFailed(batch, f"{type(error).__name__}: {error}", traceback.format_exc()) from None
    return Done(batch, tuple(_failures(left_out)))


def _failures(left_out: Sequence[LeftOut]) -> Sequence[Failure]:
    return [
        Failure(item.observation.url, "normalization", "".join(traceback.format_exception(item.error)))
        for item in left_out
    ]
