"""Commands around a change of the extractor: what it makes of old rejects, and what it does to the rows."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from verdicts.commands.options import LazyChoice, Output, data_option, output_options
from verdicts.pipeline import exit_codes

if TYPE_CHECKING:
    from verdicts.pipeline.data_folder import DataFolder
    from verdicts.warehouse.serving.query import Question

PUBLISHED, BUILT = "published", "built"
"""Names of two states beside the ids of loads: what readers have, and what was built last."""


@click.command("replay")
@click.option(
    "--dry-run", is_flag=True, is_eager=True, help="Show what the present extractor makes of them; change nothing."
)
@data_option
def replay_rejects(dry_run: bool, data: Path) -> int:
    """Read the rejects again with the present extractor, and build what it can read now."""
    from verdicts.commands.printing.output import print_table
    from verdicts.commands.printing.summary import print_build, tell_held
    from verdicts.fetch.store.store import open_store
    from verdicts.pipeline import steps
    from verdicts.pipeline.build.replay import count_outcomes, replay
    from verdicts.pipeline.data_folder import DataFolder
    from verdicts.warehouse.serving.query import Answer

    folder = DataFolder(data)
    folder.check_is_one()
    with open_store(data, command="replay", read_only=dry_run) as store:
        replayed = replay(store, folder, keep=not dry_run)
        changed = sum(item.is_changed for item in replayed)
        columns = ("was", "is now", "rejects", "for example")
        print_table(Answer(columns, ("VARCHAR", "VARCHAR", "BIGINT", "VARCHAR"), list(count_outcomes(replayed))))
        click.echo(f"{len(replayed):,} rejects read again, {changed:,} of them otherwise than before")
        if dry_run or not changed:
            return exit_codes.DONE
        report = steps.build_corpus(store, folder)
    print_build(report)
    tell_held(report)
    click.echo("\nnext: verdicts diff, then verdicts publish")
    return exit_codes.PARTIAL if report.failed else exit_codes.DONE


def _tables() -> Iterable[str]:
    from verdicts.corpus.tables import CORPUS_TABLES

    return CORPUS_TABLES


@click.command()
@click.argument("before", metavar="LOAD_A", default=PUBLISHED)
@click.argument("after", metavar="LOAD_B", default=BUILT)
@click.option("--table", type=LazyChoice(_tables), help="Show the differences of this table, row by row.")
@click.option("--limit", type=click.IntRange(min=1), default=100, show_default=True, help="So many of them.")
@output_options
@data_option
def diff(before: str, after: str, table: str | None, limit: int, output: Output, data: Path) -> int:
    """What differs between two loads: ids of published ones, by default 'published' and 'built'."""
    from verdicts.commands.printing.output import write, write_answer
    from verdicts.pipeline.data_folder import DataFolder
    from verdicts.warehouse.serving.query import answer_of

    folder = DataFolder(data)
    old, new = (_state(folder, name) for name in (before, after))
    if old == new:
        raise click.UsageError(f"{before} and {after} are the same state")
    with _differences(old, new, table, limit) as question:
        if output.form == "parquet":
            write(question, output)
            return exit_codes.DONE
        # All of it before the first line: a pager would keep the warehouse open, and the night out.
        answer = answer_of(question)
    if answer.rows or output.form != "table":
        write_answer(answer, output)
    else:
        click.echo("nothing differs")
    return exit_codes.DONE


def _state(folder: DataFolder, name: str) -> Path:
    """The database file of a state."""
    from verdicts.warehouse.serving.published import copy_of, published

    if name == BUILT:
        return folder.warehouse
    return published(folder.serve) if name == PUBLISHED else copy_of(folder.serve, name)


def _differences(old: Path, new: Path, table: str | None, limit: int) -> AbstractContextManager[Question]:
    from verdicts.warehouse.serving.diff import row_differences, table_differences

    return table_differences(old, new) if table is None else row_differences(old, new, table, limit)


COMMANDS = (replay_rejects, diff)
