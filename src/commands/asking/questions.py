"""Commands that answer questions from the published corpus."""

from collections.abc import Mapping
from pathlib import Path

import click

from commands.options import Output, data_option, output_options
from pipeline import exit_codes

SEARCH = """
SELECT round(relevance, 2) AS relevance, name AS tool, seat, score, verdict, text, review_id
FROM search_reviews($words, most := $limit)
"""


@click.command()
@click.argument("statement")
@output_options
@data_option
def sql(statement: str, output: Output, data: Path) -> int:
    """Ask the corpus one SELECT, which may also read files of the data folder and the working folder."""
    working = Path.cwd()
    # Below the root is everything.
    readable = (data,) if working == working.parent else (data, working)
    return _answer(data, statement, {}, output, readable=readable)


@click.command()
@click.argument("name", required=False)
@click.argument("values", nargs=-1, metavar="[PARAMETER=VALUE]...")
@output_options
@data_option
def query(name: str | None, values: tuple[str, ...], output: Output, data: Path) -> int:
    """Run a named question; without a name, list them."""
    from warehouse.serving.named_queries import query_named

    if name is None:
        _list_questions()
        return exit_codes.DONE
    question = query_named(name)
    return _answer(data, question.sql, question.bound(dict(map(_assignment, values))), output)


@click.command()
@click.argument("words", nargs=-1, required=True)
@click.option("--limit", type=click.IntRange(min=1), default=10, show_default=True, help="So many reviews.")
@output_options
@data_option
def search(words: tuple[str, ...], limit: int, output: Output, data: Path) -> int:
    """Reviews that have at least one of WORDS, the most relevant first."""
    return _answer(data, SEARCH, {"words": " ".join(words), "limit": limit}, output)


@click.command()
@click.argument("prefix", metavar="ID")
@data_option
def show(prefix: str, data: Path) -> int:
    """A review, tool or page with its source words and its evidence."""
    from commands.printing.show import show_id
    from fetch.model.errors import StoreDamaged
    from pipeline.data_folder import DataFolder
    from warehouse.serving.published import published

    folder = DataFolder(data)
    corpus = published(folder.serve)
    try:
        click.echo(show_id(corpus, folder.raw, prefix))
    except StoreDamaged:
        # All but the source words, then the error: which record it was.
        click.echo(show_id(corpus, None, prefix))
        raise
    return exit_codes.DONE


def _answer(
    data: Path,
    statement: str,
    values: Mapping[str, str | int | None],
    output: Output,
    *,
    readable: tuple[Path, ...] = (),
) -> int:
    from commands.printing.output import write
    from pipeline.data_folder import DataFolder
    from warehouse.serving.published import published
    from warehouse.serving.query import asked

    with asked(published(DataFolder(data).serve), statement, values, readable=readable) as question:
        write(question, output)
    return exit_codes.DONE


def _assignment(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise click.UsageError(f"{text!r} is no PARAMETER=VALUE")
    return name, value


def _list_questions() -> None:
    from warehouse.serving.named_queries import list_queries

    for question in list_queries():
        click.echo(f"{question.name:<24} {question.question}")
        for parameter in question.parameters:
            assigned = parameter.name if parameter.default is None else f"{parameter.name}={parameter.default}"
            click.echo(f"{'':<24}   {assigned}: {parameter.meaning}")


COMMANDS = (sql, query, search, show)
