"""The result of a night: its report, current problems, and data that the gates hold back."""

from __future__ import annotations

import getpass
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from verdicts.commands.group import cli
from verdicts.commands.options import check_target, config_option, data_option, force_option
from verdicts.commands.printing.summary import print_line, print_next
from verdicts.corpus.rows.runs import GateMeasureRow
from verdicts.pipeline import exit_codes
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.gates.holds import describe_loss, group_by_host, list_holds
from verdicts.pipeline.pipeline_errors import ConfigError

if TYPE_CHECKING:
    from verdicts.pipeline.nights.record import NightRecord


FORMS = (".html", ".md")
"""File name endings of a report."""


@cli.command()
@click.option(
    "--night", "night_id", metavar="ID", help="A night, by the first characters of its id. [default: the newest]"
)
@click.option(
    "--output", type=click.Path(path_type=Path), help="Write to this file, .html or .md. [default: print Markdown]"
)
@force_option
@data_option
def report(night_id: str | None, output: Path | None, is_forced: bool, folder: DataFolder) -> None:
    if output is not None and output.suffix not in FORMS:
        raise click.UsageError(f"{output} must end with .html or .md")
    if output is not None:
        check_target(output, folder, is_forced=is_forced)
    folder.check_is_one()
    from verdicts.pipeline.nights.record import read_nights

    nights = read_nights(folder)
    night = _find_night(folder, [night for night in nights if night.status != "refused"], night_id)
    from verdicts.pipeline.nights.report import render_report

    text = render_report(night, nights)[".md" if output is None else output.suffix]
    if output is None:
        click.echo(text, nl=False)
        return
    from verdicts.fetch.input_files import open_output

    with open_output(output) as file:
        file.write(text)


def _find_night(folder: DataFolder, nights: list[NightRecord], night_id: str | None) -> NightRecord:
    """The requested night. Raises `click.UsageError` if it does not exist or has not ended."""
    if not nights:
        raise click.ClickException(f"{folder.root} has no night yet; run 'verdicts run'")
    named = [night for night in nights if night.night_id.startswith(night_id or "")]
    if night_id is None:
        named = [night for night in nights if night.ended_at is not None][:1] or nights[:1]
    if len(named) > 1:
        raise click.UsageError(
            f"{len(named)} nights begin {night_id!r}: {', '.join(night.night_id for night in named)}"
        )
    if not named:
        raise click.UsageError(f"there is no night {night_id!r}; 'verdicts status' lists the last ones")
    if named[0].ended_at is None:
        raise click.ClickException(
            f"night {named[0].night_id} has not ended: it is running, or was killed; 'verdicts status' says which"
        )
    return named[0]


@cli.command()
@data_option
@config_option
@click.option("--test", "is_test", is_flag=True, help="Send a test message to every address in [alerts] now.")
def alerts(folder: DataFolder, config: Path | None, is_test: bool) -> int:
    """`--test` tries the addresses."""
    if is_test:
        return _send_test(config)
    from verdicts.pipeline.nights.record import find_latest, read_nights

    folder.check_is_one()
    last = find_latest(read_nights(folder))
    lines = [incident.line for incident in (last.incidents if last else ())] or ["no open incidents"]
    lines += [
        f"{item.address} got no alert of night {item.night_id}: {item.why}"
        for item in (last.undelivered if last else ())
    ]
    for line in lines:
        print_line(line)
    return exit_codes.DONE


def _send_test(config: Path | None) -> int:
    from verdicts.pipeline import steps
    from verdicts.pipeline.nights.alerts import TEST, deliver
    from verdicts.pipeline.nights.record import NightRecord
    from verdicts.pipeline.sources.config import load_config

    settings = load_config(config, for_night=True).alerts
    if not settings.apprise:
        raise ConfigError("[alerts] has no apprise address, so nobody would get an alert; see docs/monitoring.md")
    sent, failed = deliver(settings, TEST, NightRecord("test", steps.now(), status="done"), beats=True)
    click.echo(f"{sent:,} sent")
    for item in failed:
        print_line(f"{item.address} could not be reached: {item.why}", is_error=True)
    return exit_codes.PARTIAL if failed else exit_codes.DONE


@cli.command("check")
@click.argument("measure", required=False)
@click.option("--accept", "host", metavar="HOST", help="Accept the losses of a host, all or only MEASURE.")
@click.option("--why", metavar="TEXT", help="The reason. Required with --accept.")
@data_option
def check_gates(measure: str | None, host: str | None, why: str | None, folder: DataFolder) -> None:
    if host is None:
        if measure is not None or why is not None:
            raise click.UsageError("MEASURE and --why go with --accept HOST")
        _show_gates(folder)
    elif not (why or "").strip():
        raise click.UsageError("--accept needs a reason: --why TEXT")
    else:
        _accept_loss(folder, host, measure, str(why).strip())


def _show_gates(folder: DataFolder) -> None:
    from verdicts.fetch.store.run_log import read_gate_measures
    from verdicts.fetch.store.store import open_store
    from verdicts.pipeline.gates.holds import check_holds, pick_newest_rows

    with open_store(folder.root, command="check", read_only=True) as store:
        rows = pick_newest_rows(read_gate_measures(store.state))
        is_judged = store.find_newest_run() in {None, *(row.crawl_id for row in rows)}
    print_gates(rows, is_judged=is_judged)
    check_holds(rows)


def _accept_loss(folder: DataFolder, host: str, measure: str | None, why: str) -> None:
    from verdicts.fetch.store.store import open_store
    from verdicts.pipeline.build.judge_runs import accept_loss
    from verdicts.pipeline.steps import now

    folder.check_is_one()
    with open_store(folder.root, command="check") as store:
        accepted = accept_loss(store, host, measure, by=_find_account(), why=why, at=now())
    measures = ", ".join(row.measure for row in accepted)
    print_line(f"{host}: {measures} accepted as run {accepted[0].crawl_id} read it")
    print_next("verdicts build", "verdicts publish")


def _find_account() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        # A container's account may have only a number.
        return "unknown"


SHOWN = ("shadow", "accepted", "watch")
"""States besides `held` that get a line."""


def print_gates(rows: Sequence[GateMeasureRow], *, is_judged: bool) -> None:
    """Prints the newest run of every host. `is_judged`: the newest run of all is among them."""
    if not rows:
        click.echo("nothing was judged yet: the gates judge each run when it is built")
    for host in group_by_host(rows):
        _print_host(host.host, host.rows)
    for line in list_holds(rows):
        print_line(line)
    if rows and not is_judged:
        click.echo("the newest run is not built yet; 'verdicts build' judges it")


def _print_host(host: str, rows: Sequence[GateMeasureRow]) -> None:
    states = {row.state for row in rows}
    state = next((state for state in ("held", "unjudged", *SHOWN) if state in states), "passed")
    word = "not judged: there is no earlier accepted run to compare with" if state == "unjudged" else state
    print_line(f"{host}: {word} ({rows[0].crawl_id}, tests: {len(rows)})")
    for row in sorted(rows, key=lambda row: row.state):
        if row.state in SHOWN:
            print_line(f"  {row.state}: {describe_loss(row)}")
            for example in row.examples:
                print_line(f"    {example}")
