"""The command line. Each command is a few lines over the same library functions that the flows call."""

import os
import sys
import time
from pathlib import Path
from typing import NoReturn

import click

from commands import exit_codes
from commands.ask import ASK_COMMANDS
from commands.compare import COMPARE_COMMANDS
from commands.options import data_option
from commands.skip_report import print_left_alone, print_plan
from commands.summary import print_load, print_summary
from corpus.tables import TABLES
from fetch.store.store import open_store
from pipeline import steps
from pipeline.build import build as build_corpus
from pipeline.config import TEMPLATE, ConfigError
from pipeline.data_folder import DataFolder
from pipeline.ingest_sources import find_sources
from warehouse.exporting.table_files import FORMS as EXPORT_FORMS
from warehouse.serving.publish import published

QUESTION = 'verdicts sql "SELECT name, panel_ship_pct, mean_score FROM scorecards ORDER BY mean_score DESC LIMIT 5"'

config_option = click.option(
    "--config",
    type=click.Path(path_type=Path),
    default=None,
    help="What to crawl. [default: verdicts.toml where it exists, else the bundled demo site]",
)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="verdicts")
def cli() -> None:
    """Builds a corpus of reviews out of pages that set two AI tools side by side."""


@cli.command()
@data_option
@config_option
def run(data: Path, config: Path | None) -> int:
    """The whole night once: crawl, build, publish, export."""
    started = time.monotonic()
    steps.check_config(config)
    # Prefect keeps its record of runs beside the data, not in the home folder of whoever runs the night.
    home = data.resolve() / "prefect"
    home.mkdir(parents=True, exist_ok=True)
    os.environ.setdefault("PREFECT_HOME", str(home))
    from flows.nightly import run_nightly  # noqa: PLC0415  importing Prefect takes 2 s, which only this command owes

    status = run_nightly(data, config)
    print_summary(published(DataFolder(data).serve), time.monotonic() - started, _with_data(QUESTION, data))
    return _crawl_code(status)


@cli.command()
@data_option
@config_option
@click.option("--all", "everything", is_flag=True, help="Ask for every known page, due or not.")
@click.option("--dry-run", is_flag=True, help="Show what would be fetched and what not, and why; write nothing.")
def crawl(data: Path, config: Path | None, everything: bool, dry_run: bool) -> int:
    """Fetch what is due into the raw store."""
    if dry_run:
        print_plan(steps.plan_now(data, config))
        return exit_codes.DONE
    steps.check_config(config)
    with open_store(data, command="crawl") as store:
        record = steps.crawl_now(store, config, everything=everything)
        click.echo(f"{record.crawl_id}: {record.fetched} fetched, {record.unchanged} unchanged, {record.failed} failed")
        print_left_alone(store, record.crawl_id)
    return _crawl_code(record.status)


@cli.command()
@data_option
@click.option("--all", "anew", is_flag=True, help="Read the whole raw store again.")
def build(data: Path, anew: bool) -> int:
    """Raw store to warehouse, without a network."""
    folder = DataFolder(data)
    with open_store(data, command="build") as store:
        report = build_corpus(store, folder, now=steps.now(), anew=anew)
    print_load(report)
    return exit_codes.DONE


@cli.command()
@data_option
def publish(data: Path) -> int:
    """A read-only copy of the warehouse for readers."""
    click.echo(steps.publish_corpus(DataFolder(data)))
    return exit_codes.DONE


@cli.command()
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--urls", type=click.Path(path_type=Path), help="CSV with path and url. [default: urls.csv beside the files]"
)
@data_option
def ingest(paths: tuple[Path, ...], urls: Path | None, data: Path) -> int:
    """Text dumps, HTML files and WARC files into the corpus."""
    started = time.monotonic()
    folder = DataFolder(data)
    sources = find_sources(paths, urls)
    if not sources:
        raise ConfigError("no .txt, .html or WARC file among the paths")
    with open_store(data, command="ingest") as store:
        record = steps.ingest_files(store, sources)
        build_corpus(store, folder, now=steps.now())
        corpus = steps.publish_corpus(folder)
    next_command = 'verdicts sql "SELECT attribution, count(*) AS reviews FROM reviews GROUP BY ALL ORDER BY ALL"'
    print_summary(corpus, time.monotonic() - started, _with_data(next_command, data))
    return exit_codes.PARTIAL if record.failed else exit_codes.DONE


@cli.command()
@click.argument("directory", type=click.Path(path_type=Path))
@click.option(
    "--table", "tables", multiple=True, type=click.Choice(list(TABLES)), help="Only this one; may be given again."
)
@click.option("--format", "forms", default="parquet", show_default=True, help=f"Of {', '.join(EXPORT_FORMS)}.")
@data_option
def export(directory: Path, tables: tuple[str, ...], forms: str, data: Path) -> int:
    """The published corpus as a dataset in DIRECTORY."""
    chosen = tuple(dict.fromkeys(form.strip() for form in forms.split(",")))
    if unknown := set(chosen) - set(EXPORT_FORMS):
        raise click.UsageError(f"no format {min(unknown)!r}; there are {', '.join(EXPORT_FORMS)}")
    report = steps.export_dataset(DataFolder(data), directory, tables=tables or tuple(TABLES), forms=chosen)
    click.echo(f"{report.target}: {len(report.files)} files")
    return exit_codes.DONE


@cli.command()
@click.argument("directory", type=click.Path(path_type=Path))
@data_option
def load(directory: Path, data: Path) -> int:
    """A warehouse out of an exported dataset, to be asked like any other."""
    started = time.monotonic()
    folder = DataFolder(data)
    steps.load_dataset(folder, directory)
    print_summary(steps.publish_corpus(folder), time.monotonic() - started, _with_data("verdicts query", data))
    return exit_codes.DONE


@cli.command()
@click.option("--config", type=click.Path(path_type=Path), default=steps.DEFAULT_CONFIG, show_default=True)
def init(config: Path) -> int:
    """Write a first, commented config."""
    try:
        with config.open("x", encoding="utf-8") as file:
            file.write(TEMPLATE)
    except FileExistsError:
        raise ConfigError(f"{config} is there already and is left as it is") from None
    click.echo(f"{config}: put your contact into user_agent, then 'verdicts crawl --config {config}'")
    return exit_codes.DONE


for command in (*ASK_COMMANDS, *COMPARE_COMMANDS):
    cli.add_command(command)


def _crawl_code(status: str) -> int:
    return exit_codes.DONE if status == "done" else exit_codes.PARTIAL


def _with_data(command: str, data: Path) -> str:
    return command if data == Path("data") else f"{command} --data {data}"


def main() -> None:
    """The console script: runs a command, turns failures into one line and a documented exit code."""
    try:
        code = cli.main(standalone_mode=False) or exit_codes.DONE
    except click.exceptions.Abort:
        code = exit_codes.INTERRUPTED
    except BrokenPipeError:
        code = exit_codes.DONE
    except click.exceptions.NoArgsIsHelpError as no_command:
        click.echo(no_command.format_message(), err=True)
        code = exit_codes.USAGE
    except Exception as error:
        known = exit_codes.exit_code(error)
        if known is None:
            raise
        click.echo(f"verdicts: {exit_codes.message(error)}", err=True)
        code = known
    _leave(code)


def _leave(code: int) -> NoReturn:
    """Ends the process once everything is written.

    Beside Prefect's threads the interpreter tears DuckDB's bindings down in an order that makes them print forty lines
    of `nanobind: leaked 84 functions!`; nothing is lost by not tearing down at all.
    """
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except BrokenPipeError:
        # `verdicts sql ... | head` has read all it wants.
        code = exit_codes.DONE
    os._exit(code)
