"""A batch of normalization: one bin of one stage, as an engine works on it."""

import traceback
from typing import NamedTuple

from fetch.objects.opening import open_objects
from normalize.bins.outbox import Outbox
from normalize.collector import without_collector
from normalize.isolation import NO_FAULT_OF_A_PAGE, reject_of
from pipeline.scale.parcels import Sender, put
from pipeline.scale.plan import made_object, plan_of
from pipeline.scale.row_objects import put_rows, tell_parts
from pipeline.scale.stages import STAGES
from pipeline.scale.unit import Work


class Batch(NamedTuple):
    """A bin of a stage, or a segment, of the plan of a store; `run` is another one whenever a plan is worked on."""

    store: str
    run: str
    plan: str
    stage: str
    number: int

    def __str__(self) -> str:
        return f"{self.stage} {self.number}"


class Failure(NamedTuple):
    """An address that normalization fails on, and the traceback: a bug."""

    url: str
    trace: str


class Done(NamedTuple):
    """The batch, and what it left out; nothing where it was done before."""

    batch: Batch
    failures: tuple[Failure, ...] = ()


class StageFailed(Exception):
    """A stage failed on a bin as a whole, a bug; `trace` is where."""

    def __init__(self, batch: Batch, reason: str, trace: str) -> None:
        super().__init__(batch, reason, trace)
        self.batch, self.reason, self.trace = batch, reason, trace


def work_on(batch: Batch) -> Done:
    """Works on a batch. What it leaves is made of the same whenever it is done, and the first stays.

    Raises `StageFailed`, `StorageFailed`.
    """
    objects, plan = open_objects(batch.store), plan_of(batch.store, batch.plan)
    name = made_object(plan.name, batch.stage, batch.number)
    if objects.size(name) is not None:
        return Done(batch)
    work = Work(Sender(objects, batch.run), plan, batch.stage, batch.number, Outbox(plan.bins))
    try:
        with without_collector():
            rows = {table: [*of_table] for table, of_table in STAGES[batch.stage](work).items()}
    except NO_FAULT_OF_A_PAGE:
        raise
    except Exception as error:
        raise StageFailed(batch, f"{type(error).__name__}: {error}", traceback.format_exc()) from None
    if work.left_out:
        rows["rejects"] = [*rows.get("rejects", ()), *map(reject_of, work.left_out)]
    tell_parts(work.outbox, put_rows(objects, f"{plan.name}-{batch.stage}-{batch.number:05d}", rows))
    # Written last: who sees it knows that the rows are there.
    put(objects, name, work.outbox.sent)
    return Done(
        batch, tuple(Failure(of.url, "".join(traceback.format_exception(error))) for of, error in work.left_out)
    )
