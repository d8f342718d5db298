"""Commands that answer questions from the published corpus."""

import sys
from dataclasses import replace
from pathlib import Path

import click

from verdicts.commands.asking import completion
from verdicts.commands.options import Output, data_option, output_options
from verdicts.pipeline import exit_codes

_STATEMENT_CHARS = 1_000_000
"""Of a SELECT from a file: `/dev/zero` would fill the memory."""

SEARCH = """
SELECT kind, round(relevance, 2) AS relevance, name AS tool, seat, score, verdict, text, id
FROM search($words, most := $limit)
"""


@click.command()
@click.argument("statement", required=False)
@click.option(
    "-f",
    "--file",
    "source",
    type=click.Path(exists=True, dir_okay=False, allow_dash=True),
    help="A file that holds the SELECT.",
)
@output_options
@data_option
def sql(statement: str | None, source: str | None, output: Output, data: Path) -> int:
    """Ask the corpus one SELECT, which may also read files of the data folder and the working folder.

    STATEMENT or FILE may be - for standard input.
    """
    statement = _statement(statement, source)
    working = Path.cwd()
    # Below the root is everything.
    readable = (data,) if working == working.parent else (data, working)
    from verdicts.commands.printing.output import write
    from verdicts.pipeline.data_folder import DataFolder
    from verdicts.warehouse.serving.published import published
    from verdicts.warehouse.serving.query import asked

    with asked(published(DataFolder(data).serve), statement, readable=readable) as question:
        write(question, output)
    return exit_codes.DONE


@click.command()
@click.argument("name", required=False, shell_complete=completion.questions)
@click.argument("values", nargs=-1, metavar="[PARAMETER=VALUE]...", shell_complete=completion.parameters)
@click.option("--bars", "is_drawn", is_flag=True, help="Draw the bars of a distribution elsewhere than on a terminal.")
@output_options
@data_option
def query(name: str | None, values: tuple[str, ...], is_drawn: bool, output: Output, data: Path) -> int:
    """Run a named question; without a name, list them by topic.

    On a terminal a distribution is drawn as bars, too.
    """
    if is_drawn and output.form != "table":
        raise click.UsageError("--bars is for tables")

    if name is None:
        _list_questions()
        return exit_codes.DONE
    from verdicts.commands.printing.output import write
    from verdicts.pipeline.data_folder import DataFolder
    from verdicts.warehouse.serving.named_queries import query_named
    from verdicts.warehouse.serving.published import published
    from verdicts.warehouse.serving.query import named_question, opened_for_questions, questions_of_ours

    question = query_named(name)
    if is_drawn or (output.target is None and sys.stdout.isatty()):
        output = replace(output, picture=question.picture)
    given = dict(map(_assignment, values))
    corpus = published(DataFolder(data).serve)
    with opened_for_questions(corpus) as connection, questions_of_ours(connection, corpus):
        write(named_question(connection, question, given), output)
    return exit_codes.DONE


@click.command()
@click.argument("words", nargs=-1, required=True)
@click.option("--limit", type=click.IntRange(min=1), default=10, show_default=True, help="So many of each.")
@output_options
@data_option
def search(words: tuple[str, ...], limit: int, output: Output, data: Path) -> int:
    """Tools, then takes, that WORDS are about, the most relevant first."""
    from verdicts.commands.printing.output import write
    from verdicts.pipeline.data_folder import DataFolder
    from verdicts.warehouse.serving.published import published
    from verdicts.warehouse.serving.query import asked, questions_of_ours

    corpus = published(DataFolder(data).serve)
    with (
        asked(corpus, SEARCH, {"words": " ".join(words), "limit": limit}) as question,
        questions_of_ours(question.connection, corpus),
    ):
        write(question, output)
    return exit_codes.DONE


@click.command()
@click.argument("words", metavar="ID_OR_TOOL")
@data_option
def show(words: str, data: Path) -> int:
    """A review, tool or page with its source words and its evidence.

    ID_OR_TOOL is an id, its first characters, or the slug or the name of a tool.
    """
    from verdicts.commands.printing.show import show_id
    from verdicts.fetch.model.errors import StoreDamaged
    from verdicts.pipeline.data_folder import DataFolder
    from verdicts.warehouse.serving.published import published

    folder = DataFolder(data)
    corpus = published(folder.serve)
    try:
        click.echo(show_id(corpus, folder.raw, words))
    except StoreDamaged:
        # All but the source words, then the error: which record it was.
        click.echo(show_id(corpus, None, words))
        raise
    return exit_codes.DONE


def _statement(statement: str | None, source: str | None) -> str:
    """The SELECT of the call, of a file, or of standard input."""
    if (statement is None) == (source is None):
        raise click.UsageError("ask one SELECT: as an argument, or with -f FILE, or - for standard input")
    if statement not in (None, "-"):
        return str(statement)
    from verdicts.fetch.given_files import open_stream

    named = "standard input" if source in (None, "-") else str(source)
    try:
        with click.open_file("-", encoding="utf-8-sig") if source in (None, "-") else open_stream(named) as file:
            asked = file.read(_STATEMENT_CHARS + 1)
    except UnicodeDecodeError as error:
        raise click.UsageError(f"{named} is not in UTF-8") from error
    if len(asked) > _STATEMENT_CHARS:
        raise click.UsageError(f"{named} has more than {_STATEMENT_CHARS:,} characters; ask one SELECT")
    return str(asked)


def _assignment(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise click.UsageError(f"{text!r} is no PARAMETER=VALUE")
    return name, value


def _list_questions() -> None:
    from verdicts.warehouse.serving.named_queries import TOPICS, queries_by_topic

    for place, (topic, questions) in enumerate(queries_by_topic()):
        click.echo(f"{'' if place == 0 else chr(10)}{TOPICS[topic]}")
        for question in questions:
            click.echo(f"  {question.name:<24} {question.question}")
            for parameter in question.parameters:
                assigned = parameter.name if parameter.default is None else f"{parameter.name}={parameter.default}"
                click.echo(f"  {'':<24}   {assigned}: {parameter.meaning}")


COMMANDS = (sql, query, search, show)
