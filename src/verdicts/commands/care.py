"""Commands that check a data folder and repair it."""

from contextlib import suppress
from pathlib import Path

import click

from verdicts.commands.group import cli
from verdicts.commands.options import add_data, add_data_to_hints, config_option, data_option
from verdicts.commands.printing.summary import print_line, print_next
from verdicts.pipeline import exit_codes
from verdicts.pipeline.data_folder import DataFolder


@cli.command()
@data_option
def verify(folder: DataFolder) -> int:
    from verdicts.pipeline import steps

    verified = steps.verify_data(folder)
    for damage in verified.damaged:
        click.echo(damage.line)
    if not verified.damaged:
        click.echo(f"{verified.records:,} records and the state verified, none damaged")
        return exit_codes.DONE
    click.echo(f"{len(verified.damaged):,} damaged, {verified.records:,} records undamaged")
    print_next("verdicts repair")
    return exit_codes.STORAGE


@cli.command("repair")
@data_option
@config_option
def repair_data(folder: DataFolder, config: Path | None) -> None:
    from verdicts.pipeline.repair import repair
    from verdicts.pipeline.sources.config import load_config

    repaired: list[str] = []

    def report(line: str) -> None:
        repaired.append(line)
        click.echo(line)

    repair(folder, report, load_config(config))
    if not repaired:
        click.echo("nothing is damaged")


@cli.command("doctor")
@data_option
def examine_data(folder: DataFolder) -> int:
    """Only reads."""
    from verdicts.fetch.model.fetch_errors import StorageFailed
    from verdicts.fetch.store.state import find_store_holder
    from verdicts.pipeline import steps
    from verdicts.pipeline.nights.doctor import examine

    findings = examine(folder, steps.now())
    with suppress(StorageFailed):
        if (holder := find_store_holder(folder.root)) is not None:
            print_line(f"running: {holder}")
    for finding in findings:
        print_line(add_data_to_hints(finding.what))
        print_line(f"    {add_data(finding.mend)}")
    if not findings:
        click.echo("nothing is wrong")
    return exit_codes.USAGE if findings else exit_codes.DONE


@cli.command("snapshot")
@click.argument("directory", type=click.Path(path_type=Path))
@data_option
def take_snapshot(directory: Path, folder: DataFolder) -> None:
    """Works while a night runs."""
    from verdicts.pipeline import steps

    taken = steps.snapshot_data(folder, directory)
    linked, copied = taken.linked_bytes / 1e6, (taken.bytes - taken.linked_bytes) / 1e6
    click.echo(f"{directory}: {taken.files:,} files, {copied:,.1f} MB copied, {linked:,.1f} MB hard links")
