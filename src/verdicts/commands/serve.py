"""The nightly schedule on one machine, and workers on others."""

import os
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
    from verdicts.fetch.store.state import LOCK_FILE, hold
    from verdicts.flows.server import KEY, prefect_server
    from verdicts.pipeline.sources.config import chosen_config, load_config

    load_config(config, for_night=True)
    allow_to_end(ENDS_WITHIN_S)
    home = DataFolder(folder.root.resolve()).prefect
    home.mkdir(mode=0o700, parents=True, exist_ok=True)
    # `INFO | prefect.runner - Pausing all deployments...`; what a run says is in its log.
    os.environ.setdefault("PREFECT_LOGGING_LEVEL", "ERROR")
    # An API that ends costs seconds of tries, not minutes.
    os.environ.setdefault("PREFECT_CLIENT_MAX_RETRIES", "2")
    with ExitStack() as stack:
        stack.enter_context(hold(home / LOCK_FILE, "serve"))
        place = "the Prefect API that is configured"
        if not os.environ.get(KEY):
            place = stack.enter_context(prefect_server(home, port))
        from verdicts.flows.serving import schedule_of, serve_nights

        schedules = schedule_of(nightly_at, timezone), schedule_of(weekly_at, timezone)
        click.echo(f"nights at '{nightly_at}', everything at '{weekly_at}' ({timezone}); see {place}")
        serve_nights(folder.root, chosen_config(config), *schedules)


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
