"""Commands for the published corpus: publish, export, compare, go back to an earlier copy."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from verdicts.commands.group import cli
from verdicts.commands.options import Output, check_target, config_option, data_option, force_option, output_options
from verdicts.commands.printing.output import write, write_answer
from verdicts.commands.printing.summary import print_line
from verdicts.corpus.tables import CORPUS_TABLES
from verdicts.pipeline.data_folder import DataFolder
from verdicts.warehouse.serving.published import copies, find_copy, find_published, read_load_id

if TYPE_CHECKING:
    from verdicts.warehouse.serving.diff import Differences


@cli.command()
@data_option
@config_option
def publish(folder: DataFolder, config: Path | None) -> None:
    from verdicts.pipeline import steps
    from verdicts.pipeline.sources.config import load_config

    click.echo(steps.publish_corpus(folder, load_config(config).care.keep))


@cli.command()
@click.argument("target", type=click.Path(path_type=Path))
@force_option
@data_option
@config_option
def export(target: Path, is_forced: bool, folder: DataFolder, config: Path | None) -> None:
    """TARGET is a folder for Parquet files, or a file: corpus.xlsx for Excel, corpus.sqlite for SQLite and Datasette.

    A folder with an earlier export is replaced. The table [dataset] of the config says what a dataset has.
    """
    from verdicts.pipeline import steps
    from verdicts.pipeline.sources.config import load_config
    from verdicts.warehouse.exporting.single_file import WRITERS

    if target.suffix.lower() in WRITERS:
        check_target(target, folder, is_forced=is_forced)
    report = steps.export_dataset(folder, target, load_config(config).dataset_settings)
    click.echo(f"{report.target}: files: {report.files}")


@cli.command("rollback")
@data_option
def roll_back(folder: DataFolder) -> None:
    from verdicts.pipeline import steps

    click.echo(steps.roll_back(folder))
    print_line(
        "readers have this copy until the next run, ingest or publish, which publishes the last build again "
        "('verdicts diff' shows the differences). To keep the copy, stop the schedule",
        is_error=True,
    )


@cli.command()
@click.argument("file", type=click.Path(path_type=Path))
@force_option
@data_option
def wacz(file: Path, is_forced: bool, folder: DataFolder) -> None:
    from verdicts.fetch.replay.wacz import write_wacz
    from verdicts.fetch.store.store import open_store

    check_target(file, folder, is_forced=is_forced)
    with open_store(folder.root, command="wacz", read_only=True) as store:
        segments, pages = write_wacz(store, file, datetime.now(UTC))
    click.echo(f"{file}: segments: {segments:,}, pages: {pages:,}")


@cli.command()
@click.option("--since", metavar="LOAD", required=True, help="The load that your copy has, as in ops.loads.")
@output_options
@data_option
def changes(since: str, output: Output, folder: DataFolder) -> None:
    """Each changed row once: its table, its key, whether it was added, changed or removed, and its columns now.

    The largest load_id of the answer is the next LOAD; without rows, LOAD stays.
    """
    from verdicts.warehouse.serving.question_answers import ask_changes

    with ask_changes(find_published(folder.serve), since) as question:
        if write(question, output) == 0:
            print_line(f"no row changed after {since}", is_error=True)


PUBLISHED, BUILT = "published", "built"
"""States beside the ids of loads: what readers have, and the last build."""


@cli.command()
@click.argument("before", metavar="[A", default=PUBLISHED)
@click.argument("after", metavar="B]", default=BUILT)
@click.option("--table", type=click.Choice(CORPUS_TABLES), help="Show the differences in this table, row by row.")
@click.option("--limit", type=click.IntRange(min=1), help="Maximum number of rows. [default: 100 in a table, else all]")
@output_options
@data_option
def diff(before: str, after: str, table: str | None, limit: int | None, output: Output, folder: DataFolder) -> None:
    """A and B are loads, copies (corpus.duckdb) or datasets (folders).

    A load is its id, 'published' (the default of A) or 'built' (of B). The answer is a count for each table; with
    --table or another format it is the rows that differ, with the columns of history.changes.
    """
    from verdicts.warehouse.serving.query import read_answer

    if before == after:
        raise click.UsageError(f"{before} and {after} are the same state; name two")
    is_table = output.form == "table"
    with _open_differences(folder, before, after, CORPUS_TABLES if table is None else (table,)) as differences:
        if differences.apart:
            apart = ", ".join(differences.apart)
            print_line(f"not compared, because only one of the two has it in this form: {apart}", is_error=True)
        question = differences.counts if is_table and table is None else differences.rows
        most = limit or (_SHOWN if is_table and table is not None else None)
        if most is not None:
            question = replace(question, sql=f"{question.sql} LIMIT {most}")
        if not is_table:
            write(question, output)
            return
        # Read all before the first line: `| less` would keep the warehouse open and block the night.
        answer = read_answer(question)
    if answer.rows:
        write_answer(answer, output)
    elif (before, after) == (PUBLISHED, BUILT) and len(copies(folder.serve)) == 1:
        click.echo("nothing differs: this corpus has one load, and readers have it")
    else:
        click.echo(f"nothing differs between {before} and {after}")


_SHOWN = 100
"""Most rows of a table that nobody limited."""


@contextmanager
def _open_differences(folder: DataFolder, before: str, after: str, tables: Sequence[str]) -> Iterator[Differences]:
    """Of two loads whose changes are kept, what loads changed; else the difference of their files."""
    from verdicts.warehouse.serving.diff import compare_files, compare_loads, list_kept_loads

    with ExitStack() as stack:
        if not any(map(_is_path, (before, after))):
            holder = folder.warehouse if BUILT in (before, after) else find_published(folder.serve)
            kept = list_kept_loads(holder)
            first, last = (_find_load(folder, name, kept) for name in (before, after))
            if first is not None and last is not None and first <= last:
                yield stack.enter_context(compare_loads(holder, first, last, tables))
                return
        states = [_find_state(stack, folder, name) for name in (before, after)]
        datasets = [Path(name) for name in (before, after) if _is_path(name) and Path(name).is_dir()]
        yield stack.enter_context(compare_files(states[0], states[1], tables, readable=datasets))


def _is_path(name: str) -> bool:
    return name not in {PUBLISHED, BUILT} and Path(name).exists()


def _find_load(folder: DataFolder, name: str, kept: Sequence[str]) -> str | None:
    """The load of `kept` that `name` means, by the beginning of its id."""
    if name == BUILT:
        return kept[-1] if kept else None
    start = read_load_id(find_published(folder.serve)) if name == PUBLISHED else name
    matches = [load_id for load_id in kept if load_id.startswith(start)]
    return matches[0] if len(matches) == 1 else None


def _find_state(stack: ExitStack, folder: DataFolder, name: str) -> Path:
    """The file to compare; for a dataset, a file that reads it."""
    if _is_path(name):
        from verdicts.warehouse.exporting.dataset import view_dataset

        return stack.enter_context(view_dataset(Path(name))) if Path(name).is_dir() else Path(name)
    if "/" in name or name.endswith(".duckdb"):
        raise click.UsageError(f"{name}: there is no such copy or dataset")
    if name == BUILT:
        return folder.warehouse
    return find_published(folder.serve) if name == PUBLISHED else find_copy(folder.serve, name)
