"""`python flows/nightly.py`: the night once, or by a schedule."""

import os
import sys
from pathlib import Path

import click
from prefect.settings import PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS, temporary_settings

from verdicts.flows import states
from verdicts.flows.nightly import nightly
from verdicts.flows.serving import schedule_of, serve_nights
from verdicts.pipeline import prefect_api
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.errors import ConfigError
from verdicts.pipeline.exit_codes import DONE, PARTIAL, exit_code, message
from verdicts.pipeline.night import run_night
from verdicts.pipeline.nights.reporting import load_night_config
from verdicts.pipeline.progress import say
from verdicts.pipeline.sources.config import chosen_config, load_config
from verdicts.pipeline.terminal import silent_at_the_end


def run_once(data: Path, config: Path | None, *, everything: bool) -> tuple[str, str]:
    """Runs the flow in this process. Returns the status and the result of the night, and raises its error.

    Prefect stops no night: if it fails before the night, the night runs without it.
    """
    states.final_states.clear()
    why = None
    try:
        # A later run may start in another folder.
        path = None if config is None else config.absolute()
        nightly(data.absolute(), path, everything, return_state=True)
    except Exception as error:
        why = f"Prefect fails ({type(error).__name__}: {message(error)})"
    if not states.final_states:
        notice = f"{why or 'Prefect did not begin'}; this night is not recorded"
        return run_night(data, load_config(config, for_night=True), everything=everything, notice=notice).result
    if why is not None:
        say(f"{why}; the end of this night is not recorded")
    state = states.final_states[-1]
    return states.status_of(state), state.message or ""


@click.command()
@click.option("--data", type=click.Path(path_type=Path), default=Path("data"), show_default=True, help="Data folder.")
@click.option("--config", type=click.Path(path_type=Path), help="Config. [default: verdicts.toml, else the demo site]")
@click.option("--all", "everything", is_flag=True, help="Fetch every known page, whether it is due or not.")
@click.option("--cron", help="Run it by this schedule, in UTC, until a signal arrives.")
def cli(data: Path, config: Path | None, everything: bool, cron: str | None) -> None:
    """Runs the night."""
    silent_at_the_end()
    states.keep_log()
    os.environ.setdefault("PREFECT_SERVER_ANALYTICS_ENABLED", "false")
    try:
        sys.exit(_run(data, config, everything=everything, cron=cron))
    except Exception as error:
        if (code := exit_code(error)) is None:
            raise
        say(f"verdicts: {message(error)}")
        sys.exit(code)


def _run(data: Path, config: Path | None, *, everything: bool, cron: str | None) -> int:
    settings = load_config(config, for_night=True) if cron else load_night_config(DataFolder(data), config)
    api = prefect_api.configured()
    why = None if api is None else api.failure()
    if cron is not None:
        if api is None or why is not None:
            raise ConfigError(f"{why or 'no Prefect API is configured'}; 'verdicts serve' starts one")
        serve_nights(data, chosen_config(config), schedule_of(cron, "UTC"))
        return DONE
    if why is not None:
        notice = f"{why}; this night is not recorded"
        status, result = run_night(data, settings, everything=everything, notice=notice).result
    else:
        # Without an API, Prefect starts a server in this process, for a minute on a busy machine.
        with temporary_settings({PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS: 300}):
            status, result = run_once(data, config, everything=everything)
    say(result)
    return DONE if status == "done" else PARTIAL


def main() -> None:
    cli()
