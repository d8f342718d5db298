"""Commands that ask of the published corpus. None of them takes the store's lock."""

from pathlib import Path

import click

from commands import exit_codes
from commands.options import data_option, format_option, output_option
from commands.output import write
from commands.show import show_id
from commands.status import print_status
from fetch.store.store import open_store
from pipeline import steps
from pipeline.data_folder import DataFolder
from pipeline.quality_gate import check
from warehouse.serving.named_queries import list_queries, query_named
from warehouse.serving.publish import published, rollback
from warehouse.serving.query import ask

SEARCH = """
SELECT round(relevance, 2) AS relevance, name AS tool, seat, score, verdict, text, review_id
FROM search_reviews($words, most := $limit)
"""


@click.command()
@click.argument("statement")
@format_option
@output_option
@data_option
def sql(statement: str, form: str, output: Path | None, data: Path) -> int:
    """Ask the corpus one SELECT."""
    write(ask(published(DataFolder(data).serve), statement), form, output)
    return exit_codes.DONE


@click.command()
@click.argument("name", required=False)
@click.argument("values", nargs=-1, metavar="[PARAMETER=VALUE]...")
@format_option
@output_option
@data_option
def query(name: str | None, values: tuple[str, ...], form: str, output: Path | None, data: Path) -> int:
    """Run a named question; without a name, list them."""
    if name is None:
        _list_questions()
        return exit_codes.DONE
    question = query_named(name)
    bound = question.bound(dict(map(_assignment, values)))
    write(ask(published(DataFolder(data).serve), question.sql, bound), form, output)
    return exit_codes.DONE


@click.command()
@click.argument("words", nargs=-1, required=True)
@click.option("--limit", type=click.IntRange(min=1), default=10, show_default=True, help="So many reviews.")
@format_option
@output_option
@data_option
def search(words: tuple[str, ...], limit: int, form: str, output: Path | None, data: Path) -> int:
    """Reviews that have at least one of WORDS, the most relevant first."""
    asked: dict[str, str | int] = {"words": " ".join(words), "limit": limit}
    write(ask(published(DataFolder(data).serve), SEARCH, asked), form, output)
    return exit_codes.DONE


@click.command()
@click.argument("wanted", metavar="ID")
@data_option
def show(wanted: str, data: Path) -> int:
    """A review, tool or page with its source words and its evidence."""
    folder = DataFolder(data)
    click.echo(show_id(published(folder.serve), folder.raw, wanted))
    return exit_codes.DONE


@click.command()
@data_option
def status(data: Path) -> int:
    """The last nights and what the corpus covers."""
    with open_store(data, command="status", read_only=True) as store:
        print_status(store, DataFolder(data))
    return exit_codes.DONE


@click.command("check")
@data_option
def check_gates(data: Path) -> int:
    """The gates: whether the last night should reach its readers."""
    drift = steps.drift_now(DataFolder(data))
    click.echo(f"{drift.again:,} pages read again, {len(drift.lost):,} of them no comparisons any more")
    for url in drift.lost[:10]:
        click.echo(url)
    check(drift)
    return exit_codes.DONE


@click.command()
@data_option
def path(data: Path) -> int:
    """The file that readers open."""
    click.echo(published(DataFolder(data).serve))
    return exit_codes.DONE


@click.command("rollback")
@data_option
def roll_back(data: Path) -> int:
    """Point readers at the copy published before."""
    click.echo(rollback(DataFolder(data).serve))
    return exit_codes.DONE


def _assignment(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise click.UsageError(f"{text!r} is no PARAMETER=VALUE")
    return name, value


def _list_questions() -> None:
    for question in list_queries():
        click.echo(f"{question.name:<24} {question.question}")
        for parameter in question.parameters:
            assigned = parameter.name if parameter.default is None else f"{parameter.name}={parameter.default}"
            click.echo(f"{'':<24}   {assigned}: {parameter.meaning}")


ASK_COMMANDS = (sql, query, search, show, status, check_gates, path, roll_back)
