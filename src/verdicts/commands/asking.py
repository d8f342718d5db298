"""Commands that answer questions from the published corpus, and what a shell completes in them.

They use `verdicts.reading`, as Python programs do, and never take the store's lock.
"""

import shlex
from dataclasses import replace
from pathlib import Path

import click
from click.shell_completion import CompletionItem

from verdicts.commands.group import cli
from verdicts.commands.options import Output, data_option, ids_option, output_options
from verdicts.commands.printing.output import write
from verdicts.fetch.input_files import open_stream
from verdicts.pipeline import exit_codes
from verdicts.pipeline.data_folder import DataFolder
from verdicts.warehouse.serving.named_queries import TOPICS, WINDOW, Query, list_queries, queries_by_topic, query_named
from verdicts.warehouse.serving.published import find_published

_STATEMENT_CHARS = 1_000_000
"""The most characters of a SELECT from a file: `/dev/zero` would fill the memory."""


def _questions(_context: click.Context, _param: click.Parameter, begun: str) -> list[CompletionItem[str]]:
    return [CompletionItem(query.name, help=query.question) for query in list_queries() if query.name.startswith(begun)]


def _tools(context: click.Context, _param: click.Parameter, begun: str) -> list[CompletionItem[str]]:
    """Slugs, as a shell parts a name at its spaces."""
    from verdicts.warehouse.serving.query import ask

    sql = "SELECT slug, any_value(name) FROM tools WHERE starts_with(slug, $begun) GROUP BY ALL ORDER BY ALL LIMIT 50"
    try:
        rows = ask(find_published(context.params["folder"].serve), sql, {"begun": begun.lower()}).rows
    except tuple(exit_codes.EXIT_CODES):
        return []
    return [CompletionItem(slug, help=name) for slug, name in rows]


@cli.command()
@click.argument("statement", required=False)
@click.option(
    "-f",
    "--file",
    "source",
    type=click.Path(exists=True, dir_okay=False, allow_dash=True),
    help="Read the SELECT from a file.",
)
@output_options
@data_option
def sql(statement: str | None, source: str | None, output: Output, folder: DataFolder) -> None:
    """It may also read files in the data folder and the working folder.

    STATEMENT or FILE can be - for standard input.
    """
    statement = _statement(statement, source)
    working = Path.cwd()
    # Every file is below the root.
    readable = (folder.root,) if working == working.parent else (folder.root, working)
    from verdicts.warehouse.serving.query import open_question

    with open_question(find_published(folder.serve), statement, readable=readable) as question:
        if write(question, output) == 0:
            click.echo("no rows", err=True)


class _Question(click.Command):
    """A parameter with dashes, `--limit 3`, is a mistake that shows how to write it."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        given = [*args]
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            name = error.option_name.lstrip("-")
            query = next((declared for declared in list_queries() if declared.name in given), None)
            if query is None or name not in query.accepted_parameters:
                raise
            _, _, rest = " ".join(given).partition(f"--{name}")
            parameter = f"{name}={rest[1:].partition(' -')[0] or 'VALUE'}"
            raise click.UsageError(f"a parameter has no dashes; write {shlex.quote(parameter)}") from None


@cli.command(cls=_Question)
@click.argument("name", required=False, shell_complete=_questions)
@click.argument("values", nargs=-1, metavar="[[PARAMETER=]VALUE]...")
@click.option("--all", "is_whole", is_flag=True, help="List all questions, not only the main ones.")
@ids_option
@output_options
@data_option
def query(
    name: str | None,
    values: tuple[str, ...],
    is_whole: bool,
    ids: str,
    output: Output,
    folder: DataFolder,
) -> None:
    """A VALUE without a name is for the first parameter."""
    if name is None:
        _list_questions(folder, is_whole=is_whole)
        return
    if is_whole:
        raise click.UsageError("--all lists questions and takes no name")
    from verdicts.warehouse.serving.question_answers import ask_named, why_empty

    question = query_named(name)
    given = _read_arguments(question, values)
    with ask_named(find_published(folder.serve), name, given) as asking:
        rows = write(asking, replace(output, ids=ids))
        limit = asking.values.get("limit")
        lack = why_empty(asking.connection, question) if rows == 0 else None
    for note in question.notes if rows and output.form == "table" else ():
        click.echo(f"note: {note}", err=True)
    if rows == 0:
        narrows = {name: value for name, value in given.items() if name not in ("limit", "sort") or value == "0"}
        called = " ".join(f"{name}={value}" for name, value in narrows.items()) or name
        click.echo(f"no rows for {called}{'' if lack is None else f': {lack}'}", err=True)
    elif (output.form != "table" or output.target is not None) and str(rows) == str(limit):
        # A file with 50 of 182 reviews looks like all of them.
        click.echo(f"limit={limit} allows no more rows; a larger limit may give more", err=True)


@cli.command()
@click.argument("words", nargs=-1, required=True)
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    default=10,
    show_default=True,
    help="Maximum number of tools, and of reviews.",
)
@ids_option
@output_options
@data_option
def search(words: tuple[str, ...], limit: int, ids: str, output: Output, folder: DataFolder) -> None:
    """Each has at least one of the WORDS, in any form. The address or title of a page, or an id, finds that record."""
    from verdicts.warehouse.serving.question_answers import NOTHING_FOUND, ask_search

    with ask_search(find_published(folder.serve), " ".join(words), limit) as question:
        if write(question, replace(output, ids=ids)) == 0:
            click.echo(NOTHING_FOUND.format(" ".join(words)), err=True)


@cli.command()
@click.argument("words", metavar="RECORD", shell_complete=_tools)
@click.option("--source", "is_with_source", is_flag=True, help="Show the words of each page, too.")
@data_option
def show(words: str, is_with_source: bool, folder: DataFolder) -> None:
    """RECORD is an id, its first characters, the slug or name of a tool, or the address or title of a page."""
    from verdicts.reading.story import tell_story

    click.echo(tell_story(find_published(folder.serve), folder.raw if is_with_source else None, words))


def _statement(statement: str | None, source: str | None) -> str:
    if (statement is None) == (source is None):
        raise click.UsageError("give one SELECT: as an argument, with -f FILE, or - for standard input")
    if statement not in (None, "-"):
        return str(statement)
    named = "standard input" if source in (None, "-") else str(source)
    try:
        with click.open_file("-", encoding="utf-8-sig") if source in (None, "-") else open_stream(named) as file:
            text = file.read(_STATEMENT_CHARS + 1)
    except UnicodeDecodeError as error:
        raise click.UsageError(f"{named} is not in UTF-8") from error
    if len(text) > _STATEMENT_CHARS:
        raise click.UsageError(f"{named} has more than {_STATEMENT_CHARS:,} characters; give one SELECT")
    return str(text)


def _read_arguments(query: Query, values: tuple[str, ...]) -> dict[str, str]:
    """Parameters and their values. A value alone, or an address with a `=`, is that of the first parameter."""
    given: dict[str, str] = {}
    for text in values:
        name, equals, value = text.partition("=")
        if not (equals and name.isidentifier()):
            if not query.parameters:
                raise click.UsageError(f"{text!r}: the query {query.name} has no parameters")
            name, value = query.parameters[0].name, text
        if name in given:
            alternatives = " or ".join(
                f"{parameter.name}=VALUE" for parameter in query.parameters if parameter.name != name
            )
            raise click.UsageError(
                f"{name} is given twice, {given[name]!r} and {value!r}; quote a value with spaces"
                + f", or name another parameter: {alternatives}" * bool(alternatives)
            )
        given[name] = value
    return given


def _list_questions(folder: DataFolder, *, is_whole: bool) -> None:
    from verdicts.warehouse.serving.query import open_for_questions
    from verdicts.warehouse.serving.question_answers import has_panel

    try:
        with open_for_questions(find_published(folder.serve)) as connection:
            is_of_panel = has_panel(connection)
    except tuple(exit_codes.EXIT_CODES):
        is_of_panel = True
    for number, (topic, questions) in enumerate(queries_by_topic(is_short=not is_whole, has_panel=is_of_panel)):
        click.echo(f"{'' if number == 0 else chr(10)}{TOPICS[topic]}")
        for question in questions:
            click.echo(f"  {question.name:<24} {question.question}")
            for parameter in question.parameters:
                assigned = parameter.name if parameter.default is None else f"{parameter.name}={parameter.default}"
                click.echo(f"  {'':<24}   {assigned}: {parameter.meaning}")
    click.echo("\nEvery question also takes:")
    for parameter in WINDOW.values():
        click.echo(f"  {parameter.name}: {parameter.meaning}")
    if not is_whole:
        click.echo(f"\n'verdicts query --all' lists all {len(list_queries())} questions.")
