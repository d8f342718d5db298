"""The night as a flow in this process: `verdicts run` with a Prefect API, and `python flows/nightly.py`."""

import os
import signal
import sys
from pathlib import Path

import click

from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.errors import ConfigError
from verdicts.pipeline.exit_codes import DONE, PARTIAL, exit_code, message
from verdicts.pipeline.night import run_night
from verdicts.pipeline.nights.reporting import load_night_config
from verdicts.pipeline.sources.config import chosen_config, load_config
from verdicts.pipeline.terminal import silent_at_the_end

os.environ.setdefault("DO_NOT_TRACK", "1")
os.environ.setdefault("PREFECT_SERVER_ANALYTICS_ENABLED", "false")


def run_recorded(data: Path, config: Path | None, *, everything: bool) -> tuple[str, str]:
    """Runs the flow in this process. Returns the status and the result of the night, and raises its error.

    Prefect stops no night: if it fails before the night, the night runs without it.
    """
    silent_at_the_end()
    # A night that Prefect began has an ending.
    endings: list[tuple[str, str] | BaseException] = []
    why = None
    try:
        # Its settings may be invalid: Prefect reads files of the working folder, too.
        from verdicts.flows import states
        from verdicts.flows.nightly import nightly

        endings = states.endings
        endings.clear()
        # A later run may start in another folder.
        nightly(data.absolute(), None if config is None else config.absolute(), everything, return_state=True)
    except Exception as error:
        # An address may have a password.
        why = f"Prefect fails ({type(error).__name__}{'' if '@' in str(error) else f': {message(error)}'})"
    if not endings:
        notice = f"{why or 'Prefect did not begin'}; this night is not recorded"
        return run_night(data, load_config(config, for_night=True), everything=everything, notice=notice).result
    if why is not None:
        click.echo(f"{why}; the end of this night is not recorded", err=True)
    ending = endings[-1]
    if isinstance(ending, BaseException):
        raise ending
    return ending


@click.command()
@click.option("--data", type=click.Path(path_type=Path), default=Path("data"), show_default=True, help="Data folder.")
@click.option("--config", type=click.Path(path_type=Path), help="Config. [default: verdicts.toml, else the demo site]")
@click.option("--all", "everything", is_flag=True, help="Fetch every known page, whether it is due or not.")
@click.option("--cron", help="Run it by this schedule, in UTC, until a signal arrives.")
def cli(data: Path, config: Path | None, everything: bool, cron: str | None) -> None:
    """Runs the night."""
    from prefect.exceptions import TerminationSignal

    from verdicts.flows.states import SIGNALLED

    try:
        if cron is not None:
            load_config(config, for_night=True)
            _serve(data, config, cron)
            sys.exit(DONE)
        load_night_config(DataFolder(data), config)
        status, result = run_recorded(data, config, everything=everything)
    except Exception as error:
        if (code := exit_code(error)) is None:
            raise
        click.echo(f"verdicts: {message(error)}", err=True)
        sys.exit(code)
    except (KeyboardInterrupt, TerminationSignal) as ended:
        click.echo(f"verdicts: {SIGNALLED}", err=True)
        sys.exit(128 + getattr(ended, "signal", signal.SIGINT))
    click.echo(result)
    sys.exit(DONE if status == "done" else PARTIAL)


def _serve(data: Path, config: Path | None, cron: str) -> None:
    from prefect.settings import PREFECT_API_URL

    from verdicts.flows.serving import read_schedule, serve_nights

    # Prefect would start a server of its own, without a schedule.
    if PREFECT_API_URL.value() is None:
        raise ConfigError("no Prefect API is configured; 'verdicts serve' starts one")
    serve_nights(data, chosen_config(config), read_schedule(cron, "UTC"))
