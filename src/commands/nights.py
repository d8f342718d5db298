"""What a night came to, for whoever looks in the morning: its report, and what is wrong since when."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from verdicts.commands.options import config_option, data_option
from verdicts.pipeline import exit_codes

if TYPE_CHECKING:
    from verdicts.pipeline.data_folder import DataFolder
    from verdicts.pipeline.nights.night_log import LoggedNight, NightEnding


@click.command()
@click.option(
    "--night", "night_id", metavar="ID", help="Another night, or the first characters of it. [default: the newest]"
)
@click.option("--output", type=click.Path(path_type=Path), help="A file, .html or .md. [default: Markdown, printed]")
@data_option
@config_option
def report(night_id: str | None, output: Path | None, data: Path, config: Path | None) -> int:
    """The report of a night: its state, hosts, losses, changes and care."""
    from verdicts.pipeline.data_folder import DataFolder
    from verdicts.pipeline.nights.report import FORMS

    folder = DataFolder(data)
    if output is not None and output.suffix not in FORMS:
        raise click.UsageError(f"{output} is neither .html nor .md, the two forms of a report")
    if output is not None and folder.is_own(output):
        raise click.UsageError(f"{output} belongs to the data folder, which has its reports in {folder.reports}")
    folder.check_is_one()
    text = _text(folder, config, _ended(folder, night_id), ".md" if output is None else output.suffix)
    if output is None:
        click.echo(text, nl=False)
        return exit_codes.DONE
    from verdicts.fetch.given_files import open_output

    with open_output(output) as file:
        file.write(text)
    return exit_codes.DONE


def _text(folder: DataFolder, config: Path | None, ending: NightEnding, form: str) -> str:
    """The report as it was written after the night. One that is not kept is made of what the data folder says now."""
    from verdicts.pipeline.nights.report import kept_report, report_of

    kept = kept_report(folder, ending.night_id, form)
    if kept is not None:
        return kept
    from verdicts.pipeline.nights.report_facts import facts_of
    from verdicts.pipeline.sources.config import load_config

    return report_of(facts_of(folder, load_config(config).care, ending))[form]


def _ended(folder: DataFolder, night_id: str | None) -> NightEnding:
    """The night that is asked for. Raises `click.UsageError` where it is none, or has not ended."""
    from verdicts.pipeline.nights.night_log import logged_nights

    nights = [night for night in logged_nights(folder) if not _is_refused(night)]
    if not nights:
        raise click.ClickException(f"{folder.root} has no night yet; 'verdicts run' makes one, and its report")
    if night_id is None:
        return next((night.ending for night in nights if night.ending is not None), None) or _unended(nights[0])
    named = [night for night in nights if night.night_id.startswith(night_id)]
    if len(named) > 1:
        raise click.UsageError(
            f"{len(named)} nights begin {night_id!r}: {', '.join(night.night_id for night in named)}"
        )
    if not named:
        raise click.UsageError(f"there is no night {night_id!r}; the nearest is {_nearest(nights, night_id)}")
    return named[0].ending or _unended(named[0])


def _unended(night: LoggedNight) -> NightEnding:
    raise click.ClickException(f"night {night.night_id} has not ended: it runs, or its process was killed")


def _is_refused(night: LoggedNight) -> bool:
    return night.ending is not None and night.ending.status == "refused"


def _nearest(nights: list[LoggedNight], night_id: str) -> str:
    """The night before the one that was asked for, as their names sort by time; the oldest where there is none."""
    earlier = [night.night_id for night in nights if night.night_id < night_id]
    return earlier[0] if earlier else nights[-1].night_id


@click.command()
@data_option
@config_option
@click.option("--test", "is_test", is_flag=True, help="Send a message to every address of [alerts], now.")
def alerts(data: Path, config: Path | None, is_test: bool) -> int:
    """The open incidents, and who could not be told of them; `--test` tries the addresses."""
    if is_test:
        return _test(config)
    from verdicts.pipeline.data_folder import DataFolder
    from verdicts.pipeline.nights.incidents import read_incidents
    from verdicts.pipeline.terminal import shown_line

    folder = DataFolder(data)
    folder.check_is_one()
    incidents = read_incidents(folder)
    lines = [incident.line for incident in incidents.open] or ["nothing is wrong that a night has found"]
    lines += [
        f"{item.address} could not be told of night {item.night_id}: {item.why}" for item in incidents.undelivered
    ]
    for line in lines:
        click.echo(shown_line(line))
    return exit_codes.DONE


def _test(config: Path | None) -> int:
    from verdicts.pipeline import steps
    from verdicts.pipeline.errors import ConfigError
    from verdicts.pipeline.nights.alerts import deliver, test_of
    from verdicts.pipeline.sources.config import load_config
    from verdicts.pipeline.terminal import shown_line

    settings = load_config(config, for_night=True).alerts
    if settings.webhook is None and not settings.apprise:
        raise ConfigError("[alerts] names no webhook and no apprise address: nobody would be told; 'docs/alerts.md'")
    ending, message = test_of(steps.now())
    sent, failed = deliver(settings, message, ending, beats=True)
    click.echo(f"{sent:,} told")
    for item in failed:
        click.echo(shown_line(f"{item.address} could not be told: {item.why}"), err=True)
    return exit_codes.PARTIAL if failed else exit_codes.DONE


COMMANDS = (report, alerts)
