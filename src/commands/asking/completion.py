"""What a shell completes: commands, options, questions and their parameters. click's own scripts ask for it."""

from collections.abc import Iterator

import click
from click.shell_completion import BashComplete, CompletionItem, get_completion_class

from verdicts.pipeline import exit_codes

PROGRAM, VARIABLE = "verdicts", "_VERDICTS_COMPLETE"
"""What is completed, and where click looks for what it is asked; both are in the scripts."""

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
"""What is another in click's scripts, so that a value follows `seat=` at once; fish does so by itself."""


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(context: click.Context, shell: str) -> int:
    """Print the script by which a SHELL completes commands, options and questions."""
    kind = get_completion_class(shell) or BashComplete
    script = kind(context.find_root().command, {}, PROGRAM, VARIABLE).source()
    theirs, ours = _NO_SPACE[shell]
    click.echo(script.replace(theirs, ours, 1))
    return exit_codes.DONE


def questions(_context: click.Context, _param: click.Parameter, begun: str) -> list[CompletionItem[str]]:
    """The named questions that begin so."""
    from verdicts.warehouse.serving.named_queries import list_queries

    return [CompletionItem(query.name, help=query.question) for query in list_queries() if query.name.startswith(begun)]


def parameters(context: click.Context, _param: click.Parameter, begun: str) -> list[CompletionItem[str]]:
    """The parameters of the question that is called which begin so and are not given yet, with their `=`."""
    given = context.params.get("values") or ()
    # bash parts `seat=Builder` into three words.
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


COMMANDS = (completion,)
