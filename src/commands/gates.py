"""What the gates hold back, and how a person lets it in."""

import getpass
from pathlib import Path

import click

from verdicts.commands.options import data_option
from verdicts.pipeline import exit_codes


@click.command("check")
@click.argument("measure", required=False)
@click.option("--accept", "host", metavar="HOST", help="Let in what is held of a host: all, or MEASURE alone.")
@click.option("--why", metavar="TEXT", help="The reason, which is kept. Needed with --accept.")
@data_option
def check_gates(measure: str | None, host: str | None, why: str | None, data: Path) -> int:
    """The gates: what the last night lost, and what is held back for it."""
    if host is None:
        if measure is not None or why is not None:
            raise click.UsageError("MEASURE and --why go with --accept HOST")
        return _show(data)
    if not (why or "").strip():
        raise click.UsageError("--accept needs --why TEXT: the reason is kept")
    return _accept(data, host, measure, str(why).strip())


def _show(data: Path) -> int:
    from verdicts.commands.printing.gate_report import print_gates
    from verdicts.fetch.store.run_log import gate_measures
    from verdicts.fetch.store.store import open_store
    from verdicts.pipeline.build.gates import in_force
    from verdicts.pipeline.gates.words import check_held

    with open_store(data, command="check", read_only=True) as store:
        rows = in_force(gate_measures(store.state))
        is_judged = store.newest_run() in {None, *(row.crawl_id for row in rows)}
    print_gates(rows, is_judged=is_judged)
    check_held(rows)
    return exit_codes.DONE


def _accept(data: Path, host: str, measure: str | None, why: str) -> int:
    from verdicts.fetch.store.store import open_store
    from verdicts.pipeline import steps
    from verdicts.pipeline.data_folder import DataFolder
    from verdicts.pipeline.terminal import shown_line

    DataFolder(data).check_is_one()
    with open_store(data, command="check") as store:
        accepted = steps.accept_loss(store, host, measure, by=_account(), why=why)
    measures = ", ".join(row.measure for row in accepted)
    click.echo(shown_line(f"{host}: {measures} accepted as run {accepted[0].crawl_id} read it"))
    click.echo("\nnext: verdicts build, then verdicts publish")
    return exit_codes.DONE


def _account() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        # A container's account may have a number alone.
        return "unknown"


COMMANDS = (check_gates,)
