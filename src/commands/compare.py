"""Commands around a change of the extractor: what it makes of old rejects, and what it does to the rows."""

from pathlib import Path

import click
import polars as pl

from commands import exit_codes
from commands.options import data_option, format_option, output_option
from commands.output import write
from commands.summary import print_load
from corpus.tables import CORPUS_TABLES
from fetch.store.store import open_store
from pipeline import steps
from pipeline.build import build as build_corpus
from pipeline.data_folder import DataFolder
from pipeline.replay import counted, replay
from warehouse.serving.diff import diff_rows, diff_tables
from warehouse.serving.publish import copy_of, published

HEAD = ["was", "is now", "rejects", "for example"]


PUBLISHED, BUILT = "published", "built"
"""Names of two states beside the ids of loads: what readers have, and what was built last."""


@click.command("replay")
@click.option("--dry-run", is_flag=True, help="Show what the present extractor makes of them; change nothing.")
@data_option
def replay_rejects(dry_run: bool, data: Path) -> int:
    """Read the rejects again with the present extractor, and build what it can read now."""
    folder = DataFolder(data)
    with open_store(data, command="replay", read_only=dry_run) as store:
        replayed = replay(store, folder, keep=not dry_run)
        news = sum(item.is_news for item in replayed)
        write(pl.DataFrame(counted(replayed), schema=HEAD, orient="row"), "table")
        click.echo(f"{len(replayed):,} rejects read again, {news:,} of them otherwise than before")
        if dry_run or not news:
            return exit_codes.DONE
        report = build_corpus(store, folder, now=steps.now())
    print_load(report)
    click.echo("\nnext: verdicts diff, then verdicts publish")
    return exit_codes.DONE


@click.command()
@click.argument("before", metavar="LOAD_A", default=PUBLISHED)
@click.argument("after", metavar="LOAD_B", default=BUILT)
@click.option("--table", type=click.Choice(list(CORPUS_TABLES)), help="Show the differences of this table, row by row.")
@click.option("--limit", type=click.IntRange(min=1), default=100, show_default=True, help="So many of them.")
@format_option
@output_option
@data_option
def diff(before: str, after: str, table: str | None, limit: int, form: str, output: Path | None, data: Path) -> int:
    """What differs between two loads: ids of published ones, by default 'published' and 'built'."""
    folder = DataFolder(data)
    one, other = (_state(folder, name) for name in (before, after))
    if one == other:
        raise click.UsageError(f"{before} and {after} are the same state")
    found = diff_tables(one, other) if table is None else diff_rows(one, other, table, limit)
    if form == "table" and found.is_empty():
        click.echo("nothing differs")
    else:
        write(found, form, output)
    return exit_codes.DONE


def _state(folder: DataFolder, name: str) -> Path:
    if name == BUILT:
        return folder.warehouse
    return published(folder.serve) if name == PUBLISHED else copy_of(folder.serve, name)


COMPARE_COMMANDS = (replay_rejects, diff)
