"""`python flows/nightly.py`: the flow once, or by a schedule."""

import os
import sys
from pathlib import Path

import click

from verdicts.pipeline.pipeline_errors import ConfigError
from verdicts.pipeline.sources.config import choose_config, load_config


@click.command()
@click.option("--data", type=click.Path(path_type=Path), default=Path("data"), show_default=True, help="Data folder.")
@click.option("--config", type=click.Path(path_type=Path), help="Config. [default: verdicts.toml, else the demo site]")
@click.option("--all", "everything", is_flag=True, help="Fetch every known page, whether it is due or not.")
@click.option("--cron", help="Run it by this schedule, in UTC, until a signal arrives.")
def cli(data: Path, config: Path | None, everything: bool, cron: str | None) -> None:
    """Runs the night."""
    from verdicts.flows.nightly import nightly
    from verdicts.flows.schedule import read_schedule, serve_nights
    from verdicts.flows.states import find_dead_api

    os.environ.setdefault("PREFECT_SERVER_ANALYTICS_ENABLED", "false")
    if cron is None:
        if (error := find_dead_api()) is not None:
            click.echo(f"Prefect's API does not answer ({error}); the night runs without a record there", err=True)
            call = ["run", "--data", str(data), *([] if config is None else ["--config", str(config)])]
            os.execv(sys.executable, [sys.executable, "-m", "verdicts", *call, *(["--all"] if everything else [])])  # noqa: S606
        # A later run may start in another folder.
        state = nightly(data.absolute(), None if config is None else config.absolute(), everything, return_state=True)
        sys.exit(0 if state.is_completed() else 1)
    try:
        load_config(config, for_night=True)
        serve_nights(data, choose_config(config), read_schedule(cron, "UTC"))
    except ConfigError as error:
        raise click.ClickException(str(error)) from None
