"""The nightly schedule on one machine."""

import os
import warnings
from contextlib import nullcontext
from pathlib import Path

import click

from commands.options import config_option, data_option
from commands.signals import allow_to_end
from pipeline import exit_codes, prefect_api

ENDS_WITHIN_S = 40.0
"""Seconds for a night that runs to end in order, then for the server."""


@click.command()
@data_option
@config_option
@click.option("--at", "nightly_at", default="30 2 * * *", show_default=True, help="When the night runs, as in cron.")
@click.option("--weekly-at", default="30 12 * * 0", show_default=True, help="When every page is asked for.")
@click.option("--timezone", default="UTC", show_default=True)
@click.option("--port", default=4200, show_default=True, help="Of the server on 127.0.0.1, where none is configured.")
def serve(data: Path, config: Path | None, nightly_at: str, weekly_at: str, timezone: str, port: int) -> int:
    """Run the nights by schedule: server, schedule and worker, until it is ended."""
    from pipeline.data_folder import DataFolder
    from pipeline.sources.targets import check_config, chosen_config

    check_config(config)
    allow_to_end(ENDS_WITHIN_S)
    os.environ.setdefault("DO_NOT_TRACK", "1")
    # `INFO | prefect.runner - Pausing all deployments...`; what a run says is in its log.
    os.environ.setdefault("PREFECT_LOGGING_LEVEL", "WARNING")
    prefect_api.reach_loopback()
    configured = prefect_api.api_url()
    if configured is not None:
        prefect_api.check_answers(configured)
    url = configured or prefect_api.url_at(port)
    home = DataFolder(data).prefect
    os.environ[prefect_api.KEY] = url
    os.environ.setdefault("PREFECT_HOME", str(home.resolve()))
    prefect_api.ensure_home(home)
    # `UserWarning: Failed to create the Prefect home directory`: it is made once the schedule is known to be one.
    warnings.filterwarnings("ignore", message="Failed to create the Prefect home", category=UserWarning)
    from fetch.store.lock import hold
    from flows.server import check_free, prefect_server

    if home.exists():
        # Before the port that the other one has.
        with hold(home / "lock", "serve"):
            pass
    if not configured:
        check_free(port)
    from flows.killed_runs import end_killed_runs
    from flows.serving import schedule_of, serve_schedule

    schedules = schedule_of(nightly_at, timezone), schedule_of(weekly_at, timezone)
    # `RuntimeWarning: coroutine 'Runner.astop' was never awaited`, of Prefect's own end.
    warnings.filterwarnings("ignore", category=RuntimeWarning, module="prefect")
    home.mkdir(parents=True, exist_ok=True)
    with hold(home / "lock", "serve"), nullcontext() if configured else prefect_server(home, port):
        if not configured:
            end_killed_runs()
        click.echo(f"nights at '{nightly_at}', everything at '{weekly_at}' ({timezone}); to be seen at {url[:-4]}")
        with prefect_api.announced(home, url):
            serve_schedule(data, chosen_config(config), *schedules)
    return exit_codes.DONE


COMMANDS = (serve,)
