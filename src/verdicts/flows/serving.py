"""The schedule: nights and weekly visits of everything, run by this process until a signal arrives."""

import asyncio
import tempfile
from collections.abc import Awaitable
from contextlib import suppress
from pathlib import Path
from typing import cast

from prefect.client.schemas.objects import ConcurrencyLimitConfig, ConcurrencyLimitStrategy
from prefect.client.schemas.schedules import CronSchedule
from prefect.deployments.runner import RunnerDeployment
from prefect.runner import Runner
from prefect.schedules import Cron, Schedule
from prefect.types.entrypoint import EntrypointType
from pydantic import ValidationError

from verdicts.flows.nightly import nightly
from verdicts.flows.states import end_killed_runs
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.errors import ConfigError
from verdicts.pipeline.event_loop import signals_to

ONE_AT_A_TIME = ConcurrencyLimitConfig(limit=1, collision_strategy=ConcurrencyLimitStrategy.ENQUEUE)

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


def serve_nights(data: Path, config: Path | None, nights: Schedule, weeks: Schedule | None = None) -> None:
    """Runs what is due until a signal arrives. Then ends running flows in order, and returns."""
    end_killed_runs(DataFolder(data))
    asyncio.run(_serve_until_signalled(data.resolve(), None if config is None else config.resolve(), nights, weeks))


async def _serve_until_signalled(data: Path, config: Path | None, nights: Schedule, weeks: Schedule | None) -> None:
    asked_to_end, loop = asyncio.Event(), asyncio.get_running_loop()

    def end(_number: int) -> None:
        loop.call_soon_threadsafe(asked_to_end.set)

    with signals_to(end), tempfile.TemporaryDirectory() as own:
        # A runner uses `/tmp/runner_storage`, which belongs to the first user of the machine.
        tempfile.tempdir = own
        runner = Runner()
        for name, schedule in (("nightly", nights), ("weekly", weeks)):
            if schedule is not None:
                deployment = nightly.to_deployment(
                    name,
                    schedule=schedule,
                    parameters={
                        "data": str(data),
                        "config": None if config is None else str(config),
                        "everything": name == "weekly",
                        "wait_minutes": WAIT_MINUTES,
                    },
                    concurrency_limit=ONE_AT_A_TIME,
                    # A file path would be relative to the working folder.
                    entrypoint_type=EntrypointType.MODULE_PATH,
                )
                await runner.aadd_deployment(await cast("Awaitable[RunnerDeployment]", deployment))
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
