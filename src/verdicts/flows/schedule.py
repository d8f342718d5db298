"""The schedule: nights and weekly visits of everything, run by this process until a signal arrives."""

import asyncio
import signal
import sys
import tempfile
from pathlib import Path
from typing import Any

from prefect.client.orchestration import get_client
from prefect.client.schemas.schedules import CronSchedule
from prefect.runner import Runner
from prefect.schedules import Cron, Schedule
from prefect.settings import PREFECT_API_URL
from prefect.types.entrypoint import EntrypointType
from pydantic import ValidationError

from verdicts.flows.nightly import nightly
from verdicts.flows.states import end_killed_runs
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.pipeline_errors import ConfigError

WAIT_MINUTES = 12 * 60
"""How long a run waits for another one on the data folder, such as the weekly run for the night."""


class OrderlyRunner(Runner):
    """Ends its runs in order when a signal arrives; Prefect's leaves them `Running`, and the next run waits."""

    def handle_sigterm(self, *_args: Any, **_options: Any) -> None:  # noqa: ANN401  as Prefect has it
        if not self.started:
            sys.exit(0)
        self.execute_in_background(self.astop)


def read_schedule(cron: str, timezone: str) -> Schedule:
    """The schedule of a deployment. Raises `ConfigError` for an invalid cron expression or time zone."""
    try:
        CronSchedule(cron=cron, timezone=timezone)
    except ValidationError as error:
        reasons = "; ".join(item["msg"].removeprefix("Value error, ") for item in error.errors())
        raise ConfigError(f"'{cron}' is not a schedule in {timezone}: {reasons}") from None
    return Cron(cron, timezone=timezone)


def serve_nights(data: Path, config: Path | None, nights: Schedule, weeks: Schedule | None = None) -> None:
    """Runs what is due until a signal arrives. Then ends running flows in order, and returns. Raises `ConfigError`."""
    # Prefect would start a server of its own, without a schedule.
    if PREFECT_API_URL.value() is None:
        raise ConfigError("no Prefect API is configured; 'verdicts serve' starts one")
    with get_client(sync_client=True) as client:
        if (error := client.api_healthcheck()) is not None:
            raise ConfigError(f"the Prefect API at {client.api_url} does not answer ({error})")
    end_killed_runs(DataFolder(data))
    asyncio.run(_serve(data.resolve(), None if config is None else config.resolve(), nights, weeks))


async def _serve(data: Path, config: Path | None, nights: Schedule, weeks: Schedule | None) -> None:
    with tempfile.TemporaryDirectory() as folder:
        # A runner uses `/tmp/runner_storage`, which belongs to the first user of the machine.
        tempfile.tempdir = folder
        # Not by a limit of the deployments: Prefect ends a run that cannot renew its place because the API is away.
        runner = OrderlyRunner(limit=1)
        for name, schedule in (("nightly", nights), ("weekly", weeks)):
            if schedule is not None:
                parameters = {
                    "data": str(data),
                    "config": None if config is None else str(config),
                    "everything": name == "weekly",
                    "wait_minutes": WAIT_MINUTES,
                }
                # By module: a file path would be relative to the working folder.
                deployment = await nightly.ato_deployment(
                    name,
                    schedule=schedule,
                    parameters=parameters,
                    entrypoint_type=EntrypointType.MODULE_PATH,
                )
                await runner.aadd_deployment(deployment)
        for number in (signal.SIGINT, signal.SIGHUP):
            if signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, runner.handle_sigterm)
        await runner.start()
