"""The command that erases a page, a host or a review for ever."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from verdicts.commands.group import cli
from verdicts.commands.options import config_option, data_option
from verdicts.commands.printing.summary import print_line, print_next
from verdicts.pipeline import exit_codes
from verdicts.pipeline.data_folder import DataFolder

if TYPE_CHECKING:
    from verdicts.pipeline.forget import Plan

_PAGES_TOLD = 20

ELSEWHERE = """\
verdicts cannot reach what left this data folder. Look for it in:
  backups, and folders of 'verdicts snapshot': delete them ('restic forget SNAPSHOT --prune')
  datasets, WACZ files and copies that you published or gave away: replace them, and tell who took them
  programs that have an older copy open (explore, mcp, notebooks, BI tools): start them again
  other data folders and fetchers: run the same command there
  logs outside of this folder, and the files that you ingested: delete what names it
"""

IN_BUCKET = """\
  the bucket {}: delete the objects of these segments in raw/, records/ and index/, and all of messages/, then build:
"""


@cli.command()
@click.argument("name", metavar="[URL|HOST|REVIEW_ID]", required=False)
@click.option("--dry-run", is_flag=True, is_eager=True, help="Show what would be erased. Change nothing.")
@click.option("--yes", "is_sure", is_flag=True, help="Do not ask.")
@data_option
@config_option
def forget(name: str | None, folder: DataFolder, config: Path | None, dry_run: bool, is_sure: bool) -> int:
    """Without a name, erases what the list forgotten.txt says: what an earlier call left, or a backup brought back."""
    from verdicts.fetch.store.store import open_store
    from verdicts.pipeline import steps
    from verdicts.pipeline.forget import find_listed, find_target, find_traces, plan
    from verdicts.pipeline.forget import forget as forget_all
    from verdicts.pipeline.sources.config import load_config

    folder.check_is_one()
    settings = load_config(config)
    steps.check_declarations(folder)
    with open_store(folder.root, command="forget", read_only=dry_run) as store:
        target = find_listed(store, folder) if name is None else find_target(store, folder, name)
        planned = plan(store, folder, target)
        _print_plan(planned)
        if dry_run:
            print_next(f"verdicts forget {name or ''}".strip())
            return exit_codes.DONE
        # The list has only what a person confirmed before.
        if name is not None and not is_sure:
            _confirm(name)
        readers_have = forget_all(store, folder, settings, planned)
    for path in find_traces(folder, target):
        print_line(f"{path}: still names it, or may have its bytes; look, then delete the file or the lines")
    click.echo(ELSEWHERE, nl=False)
    if settings.scale.store is not None:
        click.echo(IN_BUCKET.format(settings.scale.store), nl=False)
        for segment in planned.extent.segments:
            print_line(f"    {segment}")
    print_line(f"forgotten: {target.name}; readers have {readers_have.name}")
    return exit_codes.DONE


def _confirm(name: str) -> None:
    if not sys.stdin.isatty():
        raise click.UsageError("standard input is not a terminal, so nothing was changed; add --yes to confirm")
    click.confirm(f"Forget {name} for ever? This cannot be undone", abort=True)


def _print_plan(planned: Plan) -> None:
    target, extent = planned.target, planned.extent
    for page in target.pages[:_PAGES_TOLD]:
        print_line(f"page {page}")
    if len(target.pages) > _PAGES_TOLD:
        print_line(f"and {len(target.pages) - _PAGES_TOLD:,} more pages")
    for twin in planned.twins[:_PAGES_TOLD]:
        print_line(f"{twin} is the same page, and stays: forget it, too")
    for text in target.texts:
        print_line(f"words {text}")
    print_line(f"snapshots in the raw store: {extent.snapshots:,} go, {len(planned.struck):,} stay without the words")
    print_line(f"segments of it that are written again: {len(extent.segments):,}")
    print_line(f"addresses in the frontier: {extent.addresses:,}, attempts in the log: {extent.attempts:,}")
    print_line("the warehouse is built again: readers who follow its changes need a full copy")
    print_line(f"published copies deleted: {len(planned.copies):,}; readers get a new one")
    for dataset in planned.datasets:
        print_line(f"the dataset {dataset} is written again")
