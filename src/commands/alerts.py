"""What is wrong at present, who could not be told, and whether the addresses work."""

from pathlib import Path

import click

from commands.options import config_option, data_option
from pipeline import exit_codes


@click.command()
@data_option
@config_option
@click.option("--test", "is_test", is_flag=True, help="Send a message to every address of [alerts], now.")
def alerts(data: Path, config: Path | None, is_test: bool) -> int:
    """The open incidents, and who could not be told of them; `--test` tries the addresses."""
    if is_test:
        return _test(config)
    from pipeline.data_folder import DataFolder
    from pipeline.nights.incident_file import read_told
    from pipeline.nights.messages import incident_line
    from pipeline.terminal.streams import shown_line

    folder = DataFolder(data)
    folder.check_is_one()
    told = read_told(folder)
    lines = [incident_line(incident) for incident in told.open] or ["nothing is wrong that a night has found"]
    lines += [f"{item.address} could not be told of night {item.night_id}: {item.why}" for item in told.undelivered]
    for line in lines:
        click.echo(shown_line(line))
    return exit_codes.DONE


def _test(config: Path | None) -> int:
    from pipeline import steps
    from pipeline.errors import ConfigError
    from pipeline.nights.delivery import beat, deliver
    from pipeline.nights.messages import test_of
    from pipeline.sources.targets import alerts_of, check_config
    from pipeline.terminal.streams import shown_line

    check_config(config)
    settings = alerts_of(config)
    if settings.webhook is None and not settings.apprise:
        raise ConfigError("[alerts] names no webhook and no apprise address: nobody would be told; 'docs/alerts.md'")
    ending, message = test_of(steps.now())
    sent, failed = deliver(settings, message, ending)
    if (lost := beat(settings, ending)) is not None:
        failed.append(lost)
    click.echo(f"{sent:,} told")
    for item in failed:
        click.echo(shown_line(f"{item.address} could not be told: {item.why}"), err=True)
    return exit_codes.PARTIAL if failed else exit_codes.DONE


COMMANDS = (alerts,)
