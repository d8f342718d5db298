"""The executor of a build past one machine."""

import traceback
from collections import defaultdict
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import Any
from uuid import uuid4

from verdicts.corpus.tables import CORPUS_TABLES
from verdicts.fetch.objects import Objects, open_objects
from verdicts.normalize.isolation import NO_FAULT_OF_A_PAGE
from verdicts.normalize.work import pause_collector
from verdicts.pipeline.build.build import HERE, Building, Changes, Executor
from verdicts.pipeline.build.build_manifest import Inputs
from verdicts.pipeline.build.record_files import count_records, cut_suffixes, has_footer, read_observations
from verdicts.pipeline.build.row_files import Normalized
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.engine.engine import Engine, make_engine
from verdicts.pipeline.logs import Failure, FailureLog
from verdicts.pipeline.pipeline_errors import NormalizerBroken, PipelineError
from verdicts.pipeline.progress import Advance, say
from verdicts.pipeline.scale.address_changes import add_sent_changes
from verdicts.pipeline.scale.batches import Batch, Plan, count_partitions, load_plan, make_plan
from verdicts.pipeline.scale.messages import TABLE_PARTS, forget_others, leave, name_object, read_sent, read_shared
from verdicts.pipeline.scale.partitions import Relation, work_on
from verdicts.pipeline.scale.relations import OBSERVED
from verdicts.pipeline.scale.shipping import extract_at_scale, ship
from verdicts.pipeline.scale.stages import STAGES
from verdicts.pipeline.sources.config_sections import ScaleConfig
from verdicts.warehouse.parts import Part, fetch_rows


def normalize_at_scale(
    objects: Objects, engine: Engine, plan: Plan, failures: FailureLog, advance: Advance
) -> dict[str, list[Part]]:
    """Makes all rows of a plan. Returns the parts of each table. Does not repeat work of an earlier run.

    Observations that fail are left out, and listed in `rejects` and `failures`. Raises `NormalizerBroken` if a stage
    fails as a whole, `EngineFailed`, `StorageFailed`.
    """
    run, partitions = uuid4().hex, plan.divisions
    done, total = 0, sum(partitions.count(stage.by) for stage in STAGES)
    for stage in STAGES:
        batches = [Batch(objects.url, run, plan.name, stage.name, n) for n in range(partitions.count(stage.by))]
        try:
            for left_out in engine.run(work_on_batch, batches):
                for failure in left_out:
                    failures.add(*failure)
                done += 1
                advance(done, total)
        except (*NO_FAULT_OF_A_PAGE, PipelineError):
            raise
        except Exception as error:
            failures.add(f"the stage {stage.name}", "normalization", traceback.format_exc())
            reason = f"{type(error).__name__}: {error}"
            raise NormalizerBroken(
                f"normalization fails in the stage {stage.name}: {reason}: a bug; nothing was loaded"
            ) from error
    made: dict[str, list[Part]] = defaultdict(list)
    for sent in read_sent(Batch(objects.url, run, plan.name, "", 0), TABLE_PARTS, 0):
        made[sent.table].append(sent.part)
    return made


def work_on_batch(batch: Batch) -> list[Failure]:
    """Works on a batch. The result is the same every time, and the first one stays.

    Returns what it left out, which is nothing if it was done before. Raises `StorageFailed`.
    """
    objects, plan = open_objects(batch.store), load_plan(batch.store, batch.plan)
    if objects.size(name_object(plan.name, batch.stage, batch.number)) is not None:
        return []
    withheld = frozenset(location for location, _ in plan.inputs.held)
    rows: dict[str, list[Any]] = defaultdict(list)

    (stage,) = (stage for stage in STAGES if stage.name == batch.stage)

    def receive(relation: Relation[Any], number: int) -> Sequence[Any]:
        if relation is not OBSERVED:
            is_shared = relation.by == "all" and stage.by != "all"
            return read_shared(*batch[:3], relation.name) if is_shared else read_sent(batch, relation, number)
        content = [BytesIO(objects.read(f"records/{name}")) for name in plan.inputs.files[number : number + 1]]
        return [item for file in content for item in read_observations(file) if item.location not in withheld]

    with pause_collector():
        work = work_on(
            stage, batch.number, plan.run_inputs, plan.divisions, receive, lambda table, new: rows[table].extend(new)
        )
        leave(batch, work, rows)
    return [
        Failure(item.observation.url, "normalization", "".join(traceback.format_exception(item.error)))
        for item in work.output.left_out
    ]


def make_executor(scale: ScaleConfig, data: DataFolder) -> Executor:
    """The executor that the config asks for. Raises `ConfigError`."""
    if scale.store is None and scale.scheduler is None:
        return HERE
    return PastOneMachine(scale, data, make_engine(scale))


class PastOneMachine(Executor):
    """Runs batches on an engine, over the store of the config.

    The gates judge on this machine, so record files are copied here.
    """

    def __init__(self, scale: ScaleConfig, data: DataFolder, engine: Engine) -> None:
        self._scale, self._engine = scale, engine
        self._objects = open_objects(scale.store or str(data.root))

    def extract(self, building: Building, advance: Advance, *, anew: bool) -> list[Path]:
        objects, folder = self._objects, building.folder
        folder.records.mkdir(parents=True, exist_ok=True)
        ship(building.store, folder, objects, lambda *_: None)
        names = extract_at_scale(
            objects, self._engine, building.failures, advance, declared=building.declared, anew=anew
        )
        segments = {cut_suffixes(entry.location.segment) for entry in building.store.index()}
        if others := sum(cut_suffixes(name.rpartition("/")[2]) not in segments for name in names):
            say(f"{others:,} segments were crawled elsewhere: their pages are built, but no gate here judges them")
        for path in (folder.root / name for name in names):
            if not has_footer(path):
                aside = path.with_suffix(".tmp")
                aside.write_bytes(objects.read(f"records/{path.name}"))
                aside.rename(path)
        return [folder.root / name for name in names]

    def add_changes(self, building: Building, own: Changes) -> Changes:
        return add_sent_changes(building.store, own, self._objects)

    def normalize(
        self,
        building: Building,
        files: Sequence[Path],
        inputs: Inputs,
        advance: Advance,
        *,
        is_checked: bool,  # noqa: ARG002  a part breaks no contract: it is checked when it is written
    ) -> Normalized:
        objects, partitions = self._objects, count_partitions(count_records(files), self._scale.bins)
        plan = make_plan(objects, inputs, partitions, building.declared.own_profiles)
        parts = normalize_at_scale(objects, self._engine, plan, building.failures, advance)
        forget_others(objects, plan.name)
        rows = fetch_rows(objects, parts, building.folder.parts)
        total = sum(part.rows for of_table in parts.values() for part in of_table)
        return Normalized({table: rows.get(table, ()) for table in CORPUS_TABLES}, total)
