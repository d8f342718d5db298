"""The schedule: nights, weekly visits of everything, and files on demand, run by this process.

Runs of a killed service are ended first, because the server believes they run and makes the next night wait.
"""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import cast

from prefect.client.orchestration import get_client
from prefect.client.schemas import filters
from prefect.client.schemas.objects import ConcurrencyLimitConfig, ConcurrencyLimitStrategy, State, StateType
from prefect.client.schemas.schedules import CronSchedule
from prefect.deployments.runner import RunnerDeployment
from prefect.runner import Runner
from prefect.schedules import Cron, Schedule
from prefect.states import Crashed
from prefect.types.entrypoint import EntrypointType
from pydantic import ValidationError

from verdicts.flows.nightly import ingest, nightly
from verdicts.pipeline.errors import ConfigError
from verdicts.pipeline.event_loop import signals_to

ONE_AT_A_TIME = ConcurrencyLimitConfig(limit=1, collision_strategy=ConcurrencyLimitStrategy.ENQUEUE)
BY_MODULE = EntrypointType.MODULE_PATH
"""By module, because a file path would be relative to the working folder."""

WAIT_MINUTES = 12 * 60
"""How long a run waits for another one on the data folder, such as the weekly run for the night."""


def schedule_of(cron: str, timezone: str) -> Schedule:
    """The schedule of a deployment. Raises `ConfigError` for an invalid cron expression or time zone."""
    try:
        CronSchedule(cron=cron, timezone=timezone)
    except ValidationError as error:
        said = "; ".join(item["msg"].removeprefix("Value error, ") for item in error.errors())
        raise ConfigError(f"'{cron}' is not a schedule in {timezone}: {said}") from None
    return Cron(cron, timezone=timezone)


def serve_schedule(data: Path, config: Path | None, nights: Schedule, weeks: Schedule) -> None:
    """Runs what is due until a signal arrives. Then ends running flows in order, and returns."""
    parameters = {
        "data": str(data.resolve()),
        "config": None if config is None else str(config.resolve()),
        "wait_minutes": WAIT_MINUTES,
    }
    night = partial(nightly.to_deployment, concurrency_limit=ONE_AT_A_TIME, entrypoint_type=BY_MODULE)
    deployments = (
        night("nightly", schedule=nights, parameters=parameters),
        night("weekly", schedule=weeks, parameters=parameters | {"everything": True}),
        ingest.to_deployment(
            "ingest", parameters={"data": parameters["data"], "wait_minutes": WAIT_MINUTES}, entrypoint_type=BY_MODULE
        ),
    )
    asyncio.run(_run_until_signalled(cast("tuple[RunnerDeployment, ...]", deployments)))


async def _run_until_signalled(deployments: Sequence[RunnerDeployment]) -> None:
    asked_to_end, loop = asyncio.Event(), asyncio.get_running_loop()

    def end(_number: int) -> None:
        loop.call_soon_threadsafe(asked_to_end.set)

    with signals_to(end):
        runner = Runner(pause_on_shutdown=True)
        for deployment in deployments:
            await runner.aadd_deployment(deployment)
        serving = asyncio.create_task(runner.start())
        # Prefect handles SIGTERM in its first step by leaving the loop, which would kill its runs instead of asking
        # them to end.
        await asyncio.sleep(0)
        with signals_to(end):
            asked = asyncio.create_task(asked_to_end.wait())
            await asyncio.wait({serving, asked}, return_when=asyncio.FIRST_COMPLETED)
            asked.cancel()
            if runner.started and not serving.done():
                await runner.astop()
            else:
                serving.cancel()
            with suppress(asyncio.CancelledError):
                await serving


UNDER_WAY = [StateType.PENDING, StateType.RUNNING, StateType.CANCELLING]

MESSAGE = "killed with the service that ran it; what was finished is kept, and the next run goes on from there"


def end_killed_runs() -> None:
    """Marks scheduled runs as crashed. Call it before the only service of a server starts a run."""
    crashed: State[None] = Crashed(message=MESSAGE)
    runs_under_way = filters.FlowRunFilter(
        state=filters.FlowRunFilterState(type=filters.FlowRunFilterStateType(any_=UNDER_WAY)),
        deployment_id=filters.FlowRunFilterDeploymentId(is_null_=False),
    )
    tasks_under_way = filters.TaskRunFilter(
        state=filters.TaskRunFilterState(type=filters.TaskRunFilterStateType(any_=UNDER_WAY))
    )
    with get_client(sync_client=True) as client:
        for run in client.read_flow_runs(flow_run_filter=runs_under_way):
            of_run = filters.FlowRunFilter(id=filters.FlowRunFilterId(any_=[run.id]))
            for task in client.read_task_runs(flow_run_filter=of_run, task_run_filter=tasks_under_way):
                client.set_task_run_state(task.id, crashed, force=True)
            client.set_flow_run_state(run.id, crashed, force=True)
