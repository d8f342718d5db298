"""Commands that answer questions from the published corpus, and their shell completion.

They use `verdicts.reading`, as Python programs do, and never take the store's lock.
"""

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import click
from click.shell_completion import BashComplete, CompletionItem, get_completion_class

from verdicts.commands.options import Output, data_option, output_options
from verdicts.pipeline import exit_codes
from verdicts.pipeline.data_folder import DataFolder
from verdicts.warehouse.serving.published import published

_STATEMENT_CHARS = 1_000_000
"""The most characters of a SELECT from a file: `/dev/zero` would fill the memory."""


def _questions(_context: click.Context, _param: click.Parameter, begun: str) -> list[CompletionItem[str]]:
    from verdicts.warehouse.serving.named_queries import list_queries

    return [CompletionItem(query.name, help=query.question) for query in list_queries() if query.name.startswith(begun)]


def _parameters(context: click.Context, _param: click.Parameter, begun: str) -> list[CompletionItem[str]]:
    """The question's parameters that begin so and are not set yet, with `=`."""
    given = context.params.get("values") or ()
    # bash splits `seat=Builder` into three words.
    if "=" in begun or given[-1:] == ("=",):
        return []
    names = {word.partition("=")[0] for word in given}
    return [
        item
        for item in _all_parameters(context.params.get("name"))
        if item.value.startswith(begun) and item.value[:-1] not in names
    ]


def _all_parameters(name: str | None) -> Iterator[CompletionItem[str]]:
    from verdicts.warehouse.serving.named_queries import list_queries

    for query in list_queries():
        if query.name == name:
            yield from (CompletionItem(f"{each.name}=", help=each.meaning) for each in query.parameters)


@click.command()
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
def sql(statement: str | None, source: str | None, output: Output, data: Path) -> int:
    """Run one SELECT on the corpus. It may also read files in the data folder and the working folder.

    STATEMENT or FILE can be - for standard input.
    """
    statement = _statement(statement, source)
    working = Path.cwd()
    # Every file is below the root.
    readable = (data,) if working == working.parent else (data, working)
    from verdicts.commands.printing.output import write
    from verdicts.warehouse.serving.query import asked

    with asked(published(DataFolder(data).serve), statement, readable=readable) as question:
        write(question, output)
    return exit_codes.DONE


@click.command()
@click.argument("name", required=False, shell_complete=_questions)
@click.argument("values", nargs=-1, metavar="[PARAMETER=VALUE]...", shell_complete=_parameters)
@click.option("--bars", "is_drawn", is_flag=True, help="Draw the bars of a distribution even if this is no terminal.")
@output_options
@data_option
def query(name: str | None, values: tuple[str, ...], is_drawn: bool, output: Output, data: Path) -> int:
    """Ask a named question. Without a name, list all questions by topic.

    On a terminal a distribution also gets bars.
    """
    if is_drawn and output.form != "table":
        raise click.UsageError("--bars works only with tables")

    if name is None:
        _list_questions()
        return exit_codes.DONE
    from verdicts.commands.printing.output import write
    from verdicts.reading.corpus import named
    from verdicts.warehouse.serving.named_queries import query_named

    picture = query_named(name).picture
    if is_drawn or (output.target is None and sys.stdout.isatty()):
        output = replace(output, picture=picture)
    given = dict(map(_assignment, values))
    with named(published(DataFolder(data).serve), name, given) as question:
        write(question, output)
    return exit_codes.DONE


@click.command()
@click.argument("words", nargs=-1, required=True)
@click.option(
    "--limit", type=click.IntRange(min=1), default=10, show_default=True, help="The most tools and takes to show."
)
@output_options
@data_option
def search(words: tuple[str, ...], limit: int, output: Output, data: Path) -> int:
    """Find tools and takes about WORDS, the most relevant first."""
    from verdicts.commands.printing.output import write
    from verdicts.reading.corpus import searched

    with searched(published(DataFolder(data).serve), " ".join(words), limit) as question:
        write(question, output)
    return exit_codes.DONE


@click.command()
@click.argument("words", metavar="ID_OR_TOOL")
@data_option
def show(words: str, data: Path) -> int:
    """Show a review, tool or page with its source words and its evidence.

    ID_OR_TOOL is an id, the first characters of one, or the slug or name of a tool.
    """
    from verdicts.fetch.model.errors import StoreDamaged
    from verdicts.reading.story import story_of

    folder = DataFolder(data)
    corpus = published(folder.serve)
    try:
        click.echo(story_of(corpus, folder.raw, words))
    except StoreDamaged:
        # First the story without source words, then the error that names the damaged record.
        click.echo(story_of(corpus, None, words))
        raise
    return exit_codes.DONE


def _statement(statement: str | None, source: str | None) -> str:
    if (statement is None) == (source is None):
        raise click.UsageError("give one SELECT: as an argument, with -f FILE, or - for standard input")
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
        raise click.UsageError(f"{named} has more than {_STATEMENT_CHARS:,} characters; give one SELECT")
    return str(asked)


def _assignment(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise click.UsageError(f"{text!r} is not PARAMETER=VALUE")
    return name, value


def _list_questions() -> None:
    from verdicts.warehouse.serving.named_queries import TOPICS, queries_by_topic

    for number, (topic, questions) in enumerate(queries_by_topic()):
        click.echo(f"{'' if number == 0 else chr(10)}{TOPICS[topic]}")
        for question in questions:
            click.echo(f"  {question.name:<24} {question.question}")
            for parameter in question.parameters:
                assigned = parameter.name if parameter.default is None else f"{parameter.name}={parameter.default}"
                click.echo(f"  {'':<24}   {assigned}: {parameter.meaning}")


PROGRAM, VARIABLE = "verdicts", "_VERDICTS_COMPLETE"
"""Program and variable of click's completion; both are in the scripts."""

_NO_SPACE = {
    "bash": ("    return 0\n", "    [[ ${COMPREPLY[*]} == *= ]] && compopt -o nospace\n    return 0\n"),
    "zsh": (
        "        _describe -V unsorted completions_with_descriptions -U\n",
        """\
        local -a ending=()
        [[ $completions_with_descriptions[1] == *=:* ]] && ending=(-S '')
        _describe -V unsorted completions_with_descriptions -U "${ending[@]}"
""",
    ),
    "fish": ("", ""),
}
"""Changes to click's scripts, so that a value can follow `seat=` without a space; fish needs none."""


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(context: click.Context, shell: str) -> int:
    """Print the SHELL script that completes commands, options and questions."""
    kind = get_completion_class(shell) or BashComplete
    script = kind(context.find_root().command, {}, PROGRAM, VARIABLE).source()
    theirs, ours = _NO_SPACE[shell]
    click.echo(script.replace(theirs, ours, 1))
    return exit_codes.DONE


COMMANDS = (sql, query, search, show, completion)
