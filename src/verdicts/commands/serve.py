"""The nightly schedule."""

import os
from contextlib import ExitStack
from pathlib import Path

import click

from verdicts.commands.group import cli
from verdicts.commands.options import config_option, data_option
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.pipeline_errors import ConfigError


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
    "--port",
    type=click.IntRange(0, 65535),
    default=4200,
    show_default=True,
    help="Port of the server on 127.0.0.1, if no other server is configured.",
)
def serve(folder: DataFolder, config: Path | None, nightly_at: str, weekly_at: str, timezone: str, port: int) -> None:
    from verdicts.fetch.store.state import LOCK_FILE, hold
    from verdicts.flows.prefect_api import KEY, SERVED, prefect_server
    from verdicts.pipeline.sources.config import choose_config, load_config

    load_config(config, for_night=True)
    home = DataFolder(folder.root.resolve()).prefect
    home.mkdir(parents=True, exist_ok=True)
    home.chmod(0o700)
    # `INFO | prefect.runner - Pausing all deployments...`; what a run says is in its log.
    os.environ.setdefault("PREFECT_LOGGING_LEVEL", "ERROR")
    # An API that ends costs seconds of tries, not minutes.
    os.environ.setdefault("PREFECT_CLIENT_MAX_RETRIES", "2")
    with ExitStack() as stack:
        stack.enter_context(hold(home / LOCK_FILE, "serve"))
        server = "the Prefect API that is configured"
        if not os.environ.get(KEY):
            address = stack.enter_context(prefect_server(home, port))
            server = f"{address}, with the password in {folder.prefect / SERVED}"
        try:
            from verdicts.flows.schedule import read_schedule, serve_nights
        except ValueError as error:
            raise ConfigError(f"a setting of Prefect is invalid: {error}") from None
        schedules = read_schedule(nightly_at, timezone), read_schedule(weekly_at, timezone)
        click.echo(f"nights at '{nightly_at}', everything at '{weekly_at}' ({timezone}); see {server}")
        serve_nights(folder.root, choose_config(config), *schedules)
