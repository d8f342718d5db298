"""Commands for the published corpus: publish, export, compare, go back to an earlier copy."""

from __future__ import annotations

from contextlib import AbstractContextManager
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
from verdicts.warehouse.serving.published import copies, copy_of, published

if TYPE_CHECKING:
    from verdicts.warehouse.serving.query import Question


@cli.command()
@data_option
@config_option
def publish(folder: DataFolder, config: Path | None) -> None:
    from verdicts.pipeline import steps
    from verdicts.pipeline.sources.config import load_config

    click.echo(steps.publish_corpus(folder, load_config(config).care.keep))


@cli.command()
@click.argument("directory", type=click.Path(path_type=Path))
@data_option
@config_option
def export(directory: Path, folder: DataFolder, config: Path | None) -> None:
    from verdicts.pipeline import steps
    from verdicts.pipeline.sources.config import load_config

    report = steps.export_dataset(folder, directory, load_config(config).permitted_hosts)
    click.echo(f"{report.target}: files: {len(report.files)}")


@cli.command("rollback")
@data_option
def roll_back(folder: DataFolder) -> None:
    from verdicts.pipeline import steps

    click.echo(steps.roll_back(folder))
    print_line(
        "readers have this copy until the next run, ingest or publish gives them the last build again: 'verdicts diff'"
        " shows what comes back. To keep the copy, stop the schedule",
        is_error=True,
    )


@cli.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--url", "prefix", default="", help="Only URLs that begin with this.")
@force_option
@data_option
def cdxj(file: Path, prefix: str, is_forced: bool, folder: DataFolder) -> None:
    from verdicts.fetch.care.cdxj import cdx_records, write_index
    from verdicts.fetch.store.store import open_store

    check_target(file, folder, is_forced=is_forced)
    with open_store(folder.root, command="cdxj", read_only=True) as store:
        lines = write_index(file, cdx_records(store, prefix))
    click.echo(f"{file}: records: {lines:,}")


@cli.command()
@click.argument("file", type=click.Path(path_type=Path))
@force_option
@data_option
def wacz(file: Path, is_forced: bool, folder: DataFolder) -> None:
    from verdicts.fetch.care.wacz import write_wacz
    from verdicts.fetch.store.store import open_store

    check_target(file, folder, is_forced=is_forced)
    with open_store(folder.root, command="wacz", read_only=True) as store:
        segments, pages = write_wacz(store, file, datetime.now(UTC))
    click.echo(f"{file}: segments: {segments:,}, pages: {pages:,}")


PUBLISHED, BUILT = "published", "built"
"""States beside the ids of loads: what readers have, and the last build."""


@cli.command()
@click.argument("before", metavar="[LOAD_A", default=PUBLISHED)
@click.argument("after", metavar="LOAD_B]", default=BUILT)
@click.option("--table", type=click.Choice(CORPUS_TABLES), help="Show the differences in this table, row by row.")
@click.option("--limit", type=click.IntRange(min=1), default=100, show_default=True, help="The most rows to show.")
@output_options
@data_option
def diff(before: str, after: str, table: str | None, limit: int, output: Output, folder: DataFolder) -> None:
    """A load is the id of a published load, 'published' (the default of LOAD_A), or 'built' (of LOAD_B)."""
    from verdicts.warehouse.serving.query import answer_of

    old, new = (_state(folder, name) for name in (before, after))
    if old == new:
        raise click.UsageError(f"{before} and {after} are the same state; name two")
    with _differences(old, new, table, limit) as question:
        if output.form == "parquet":
            write(question, output)
            return
        # Read all before the first line: a pager would keep the warehouse open and block the night.
        answer = answer_of(question)
        both = (question.connection.table(name) for name in ("before.ops.loads", "ops.loads"))
        loads = [load_id for relation in both for (load_id,) in relation.max("load_id").fetchall()]
    if answer.rows or output.form != "table":
        write_answer(answer, output)
    else:
        is_first = len(copies(folder.serve)) == 1
        named = f" between {before} (load {loads[0]}) and {after} (load {loads[1]})"
        click.echo(f"nothing differs{': this corpus has one load, and readers have it' if is_first else named}")


def _state(folder: DataFolder, name: str) -> Path:
    if name == BUILT:
        return folder.warehouse
    return published(folder.serve) if name == PUBLISHED else copy_of(folder.serve, name)


def _differences(old: Path, new: Path, table: str | None, limit: int) -> AbstractContextManager[Question]:
    from verdicts.warehouse.serving.diff import row_differences, table_differences

    return table_differences(old, new) if table is None else row_differences(old, new, table, limit)
