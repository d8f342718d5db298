"""The nightly schedule on one machine, and workers on others."""

import os
import tempfile
import warnings
from contextlib import ExitStack
from pathlib import Path

import click

from verdicts.commands.group import cli
from verdicts.commands.options import config_option, data_option
from verdicts.commands.signals import allow_to_end
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.errors import ConfigError

ENDS_WITHIN_S = 40.0
"""Seconds for a running night to end, then for the server."""


@cli.command()
@data_option
@config_option
@click.option(
    "--at", "nightly_at", default="30 2 * * *", show_default=True, help="When the night runs, in cron format."
)
@click.option(
    "--weekly-at", default="30 12 * * 0", show_default=True, help="When every page is fetched, in cron format."
)
@click.option("--timezone", default="UTC", show_default=True, help="Time zone of both, such as Europe/Vienna.")
@click.option(
    "--port", default=4200, show_default=True, help="Port of the server on 127.0.0.1, if no other server is configured."
)
def serve(folder: DataFolder, config: Path | None, nightly_at: str, weekly_at: str, timezone: str, port: int) -> None:
    from verdicts.pipeline import prefect_api
    from verdicts.pipeline.sources.config import chosen_config, load_config

    prefect_api.check_installed()
    load_config(config, for_night=True)
    allow_to_end(ENDS_WITHIN_S)
    os.environ.setdefault("DO_NOT_TRACK", "1")
    # `INFO | prefect.runner - Pausing all deployments...`; what a run says is in its log.
    os.environ.setdefault("PREFECT_LOGGING_LEVEL", "WARNING")
    prefect_api.reach_loopback()
    configured = prefect_api.configured()
    if configured is not None:
        prefect_api.check_answers(configured.url)
    home = DataFolder(folder.root.resolve()).prefect
    from verdicts.fetch.store.state import LOCK_FILE, hold
    from verdicts.flows.server import listening, prefect_server

    with ExitStack() as stack:
        if home.exists():
            # Checked before the port, which the other one holds.
            with hold(home / LOCK_FILE, "serve"):
                pass
        api = configured
        if api is None:
            taken = stack.enter_context(listening(port))
            api = prefect_api.on_port(taken.getsockname()[1])
        api.use()
        os.environ.setdefault("PREFECT_HOME", str(home))
        prefect_api.ensure_home(home)
        # `UserWarning: Failed to create the Prefect home directory`: it is created once the schedule is valid.
        warnings.filterwarnings("ignore", message="Failed to create the Prefect home", category=UserWarning)
        from verdicts.flows.serving import end_killed_runs, schedule_of, serve_schedule

        schedules = schedule_of(nightly_at, timezone), schedule_of(weekly_at, timezone)
        # `RuntimeWarning: coroutine 'Runner.astop' was never awaited`, from Prefect's own shutdown.
        warnings.filterwarnings("ignore", category=RuntimeWarning, module="prefect")
        prefect_api.make_private(home)
        # Prefect's runner makes `runner_storage` in the system's temporary folder, where the first user's shuts out all
        # others. Its runs have their own temporary files where they always are.
        tempfile.tempdir = str(home)
        stack.enter_context(hold(home / LOCK_FILE, "serve"))
        place = api.url.removesuffix("/api")
        if configured is None:
            stack.enter_context(prefect_server(home, taken, api))
            end_killed_runs()
            stack.enter_context(prefect_api.announced(home, api))
            place += f", with the password in {folder.prefect / prefect_api.SERVED}"
        click.echo(f"nights at '{nightly_at}', everything at '{weekly_at}' ({timezone}); see {place}")
        serve_schedule(folder.root, chosen_config(config), *schedules)


WORKER_ENDS_WITHIN_S = 20.0
"""Seconds for the worker process to end."""


@cli.command()
@config_option
@click.option(
    "--scheduler", help="Address of the scheduler. [default: from [scale] in the config]", metavar="tcp://HOST:PORT"
)
def worker(config: Path | None, scheduler: str | None) -> None:
    from verdicts.pipeline.engine.engine import check_dask
    from verdicts.pipeline.sources.config import load_config

    address = scheduler or load_config(config).scale.scheduler
    if address is None:
        raise ConfigError("no scheduler: set one in [scale] of the config, or use --scheduler")
    check_dask()
    allow_to_end(WORKER_ENDS_WITHIN_S)
    from verdicts.pipeline.engine.dask import join

    join(address, click.echo)
