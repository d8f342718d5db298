"""A batch of normalization: one bin of one stage, as an engine works on it."""

from typing import NamedTuple

from fetch.objects.opening import open_objects
from normalize.bins.outbox import Outbox
from normalize.collector import without_collector
from pipeline.scale.parcels import put
from pipeline.scale.plan import made_object, plan_of
from pipeline.scale.row_objects import put_rows
from pipeline.scale.stages import STAGES, Work


class Batch(NamedTuple):
    """A bin of a stage, or a segment, of the plan of a store."""

    store: str
    plan: str
    stage: str
    number: int


class Done(NamedTuple):
    """The batch, and whether it was done before."""

    batch: Batch
    was_done: bool


def work_on(batch: Batch) -> Done:
    """Works on a batch. What it leaves is made of the same whenever it is done, and the first stays."""
    objects, plan = open_objects(batch.store), plan_of(batch.store, batch.plan)
    name = made_object(plan.name, batch.stage, batch.number)
    if objects.size(name) is not None:
        return Done(batch, was_done=True)
    work = Work(objects, plan, batch.stage, batch.number, Outbox(plan.bins))
    with without_collector():
        put_rows(objects, f"{plan.name}-{batch.stage}-{batch.number:05d}", STAGES[batch.stage](work))
        # Written last: who sees it knows that the rows are there.
        put(objects, name, work.outbox.sent)
    return Done(batch, was_done=False)
