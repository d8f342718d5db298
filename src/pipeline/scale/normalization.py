"""Normalization past one machine: stage by stage, each once the one before is done.

Between stages the planner, this process, joins what crosses bins: identities, names and hosts of tools, texts that have
to do with each other, open reviews that hang together. All of that is keys, and in memory.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

from fetch.model.snapshot import Location
from fetch.objects.objects import Objects
from normalize.bins.messages import MOMENTS, MOVES, TEXT_TIES
from normalize.bins.open import moments, visits
from normalize.bins.outbox import EVERYBODY, Inbox, Outbox
from normalize.bins.texts import moves
from normalize.collector import without_collector
from normalize.identity.identity import IDENTITIES
from normalize.identity.identity_round import identity_round
from normalize.identity.known_tool import TOOLS, KnownTool
from normalize.identity.sightings import Sighting
from normalize.identity.tool_days import TOOL_DAYS, ToolDay
from normalize.identity.tool_identity import ALIASES
from normalize.judged_reviews import OPEN_REVIEWS, OpenReview
from normalize.rows.tool_round import products_of
from normalize.rows.tools import tool_alias_rows
from normalize.state.memory import MemoryState
from normalize.state.relation import R, Relation
from pipeline.engine.engine import Engine
from pipeline.errors import NormalizerBroken
from pipeline.failure_log import FailureLog
from pipeline.progress import Advance
from pipeline.scale.parcels import Sender, fetch, put
from pipeline.scale.plan import Plan, made_object
from pipeline.scale.row_objects import TABLE_PARTS, TablePart, put_rows
from pipeline.scale.stages import STAGES
from pipeline.scale.wire import SEEN
from pipeline.scale.work import Batch, StageFailed, work_on
from warehouse.manifests.manifest import Part


@dataclass(slots=True)
class _Run:
    sender: Sender
    engine: Engine
    plan: Plan
    failures: FailureLog
    advance: Advance
    done: int = 0
    parts: list[TablePart] = field(default_factory=list)

    @property
    def objects(self) -> Objects:
        return self.sender.objects


def normalize_at_scale(
    objects: Objects, engine: Engine, plan: Plan, failures: FailureLog, advance: Advance
) -> dict[str, list[Part]]:
    """All rows of a plan: table to its parts in the store. What an earlier run has done is not done again.

    Observations that normalization fails on are left out, told in `rejects` and among the failures. Raises
    `NormalizerBroken` where they are too many or a stage fails as a whole, `EngineFailed`, `StorageFailed`.
    """
    run = _Run(Sender(objects, uuid4().hex), engine, plan, failures, advance)
    with without_collector():
        _run(run, "sight")
        _say_identities(run, _sent(run, "sight", SEEN)[SEEN.name])
        _run(run, "deal", "pages", "tools")
        tools: list[KnownTool] = _sent(run, "tools", TOOLS)[TOOLS.name]
        _say_all(run, "tools", TOOLS, tools)
        run.parts += put_rows(objects, f"{plan.name}-products", {"products": products_of(tools)})
        _run(run, "candidates", "texts", "homes")
        _say_all(run, "moves", MOVES, moves(_sent(run, "homes", TEXT_TIES)[TEXT_TIES.name], plan.bins))
        _run(run, "moving", "folds")
        reviews: list[OpenReview] = _sent(run, "folds", OPEN_REVIEWS)[OPEN_REVIEWS.name]
        _say_moments(run, reviews)
        _run(run, "comparing")
        _say_visits(run, reviews, _sent(run, "comparing", TOOL_DAYS)[TOOL_DAYS.name])
        _run(run, "visiting", "open", "seats", "rows")
    return _parts(run)


def _parts(run: _Run) -> dict[str, list[Part]]:
    made: dict[str, list[Part]] = defaultdict(list)
    of_stages = (found for stage in STAGES for found in _sent(run, stage, TABLE_PARTS)[TABLE_PARTS.name])
    for found in (*run.parts, *of_stages):
        made[found.table].append(found.part)
    return made


def _units(plan: Plan, stage: str) -> int:
    """How many batches a stage has."""
    if stage in {"sight", "deal"}:
        return len(plan.records)
    return 2 * plan.bins if stage == "rows" else plan.bins


def _run(run: _Run, *stages: str) -> None:
    place = (run.objects.url, run.sender.run, run.plan.name)
    total = sum(_units(run.plan, stage) for stage in STAGES)
    for stage in stages:
        batches = [Batch(*place, stage, number) for number in range(_units(run.plan, stage))]
        try:
            for done in run.engine.run(work_on, batches):
                for url, trace in done.failures:
                    run.failures.add(url, "normalization", trace)
                run.done += 1
                run.advance(run.done, total)
        except StageFailed as failed:
            run.failures.add(f"bin {failed.batch.number} of the stage {stage}", "normalization", failed.trace)
            raise NormalizerBroken(
                f"normalization fails in the stage {stage}: {failed.reason}: a bug; nothing was loaded"
            ) from failed


def _sent(run: _Run, stage: str, *relations: Relation[Any]) -> Inbox:
    names = [made_object(run.plan.name, stage, unit) for unit in range(_units(run.plan, stage))]
    return fetch(run.sender, names, "planner", EVERYBODY, relations)


def _say(run: _Run, what: str, outbox: Outbox) -> None:
    put(run.objects, made_object(run.plan.name, "planner", what), outbox.sent)


def _say_all(run: _Run, what: str, relation: Relation[R], records: Iterable[R]) -> None:
    """To everybody."""
    outbox = Outbox(run.plan.bins)
    outbox.send_to("everybody", EVERYBODY, relation, records)
    put(run.objects, made_object(run.plan.name, "planner", what), outbox.sent)


def _say_identities(run: _Run, seen: Collection[Sighting]) -> None:
    """To each segment what its snapshots show, and to everybody which names are a tool's."""
    held = {Location(*place) for place in run.plan.held}
    state = MemoryState()
    identity_round(state, [one for one in seen if one.location not in held], (), dict(run.plan.moved), {})
    numbers = {_segment(name): number for number, name in enumerate(run.plan.records)}
    outbox = Outbox(run.plan.bins)
    for identity in state.all(IDENTITIES):
        outbox.send_to("deal", numbers[_segment(identity.location.segment)], IDENTITIES, (identity,))
    _say(run, "identities", outbox)
    aliases = [*state.all(ALIASES)]
    _say_all(run, "aliases", ALIASES, aliases)
    run.parts += put_rows(run.objects, f"{run.plan.name}-aliases", {"tool_aliases": [*tool_alias_rows(aliases)]})


def _segment(name: str) -> str:
    """What the names of a segment and of its record object have in common."""
    return name.rpartition("/")[2].partition(".")[0]


def _say_moments(run: _Run, reviews: Collection[OpenReview]) -> None:
    """To each bin of tools what their open reviews are compared with."""
    outbox = Outbox(run.plan.bins)
    for moment in moments(reviews):
        outbox.send("comparing", moment.tool_id, MOMENTS, moment)
    _say(run, "moments", outbox)


def _say_visits(run: _Run, reviews: Collection[OpenReview], days: Collection[ToolDay]) -> None:
    """To each bin of pages which of them visit which bin of open reviews, and to that bin what it decides."""
    found = visits(reviews, days, run.plan.bins)
    outbox = Outbox(run.plan.bins)
    for move in found.moves:
        outbox.send("visiting", move.key, MOVES, move)
    for review in reviews:
        outbox.send_to("open", found.bin_of_review[review.review_id], OPEN_REVIEWS, (review,))
    for number, shown in found.days.items():
        outbox.send_to("open", number, TOOL_DAYS, shown)
    _say(run, "visits", outbox)
