"""The schedule: nights, weekly visits of everything, and files on demand, run by this process."""

from functools import partial
from pathlib import Path
from typing import cast

from prefect import serve
from prefect.client.schemas.objects import ConcurrencyLimitConfig, ConcurrencyLimitStrategy
from prefect.client.schemas.schedules import CronSchedule
from prefect.deployments.runner import RunnerDeployment
from prefect.schedules import Cron, Schedule
from prefect.types.entrypoint import EntrypointType
from pydantic import ValidationError

from flows.nightly import ingest, nightly
from pipeline.errors import ConfigError

ONE_AT_A_TIME = ConcurrencyLimitConfig(limit=1, collision_strategy=ConcurrencyLimitStrategy.ENQUEUE)
BY_MODULE = EntrypointType.MODULE_PATH
"""Wherever the service was started: a file's path would be looked for in its working folder."""

WAIT_MINUTES = 12 * 60
"""How long a run waits for another one that holds the data folder, such as the week's for the night's."""


def schedule_of(cron: str, timezone: str) -> Schedule:
    """When a deployment runs. Raises `ConfigError` for what is no cron expression or no time zone."""
    try:
        CronSchedule(cron=cron, timezone=timezone)
    except ValidationError as error:
        said = "; ".join(item["msg"].removeprefix("Value error, ") for item in error.errors())
        raise ConfigError(f"no schedule '{cron}' in {timezone}: {said}") from None
    return Cron(cron, timezone=timezone)


def serve_schedule(data: Path, config: Path | None, nights: Schedule, weeks: Schedule) -> None:
    """Runs what is due until it is ended."""
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
    serve(*cast("tuple[RunnerDeployment, ...]", deployments), print_starting_message=False)
