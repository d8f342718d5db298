"""The group of all commands."""

import click

from verdicts.commands import (
    care,
    corpus_building,
    extractor_changes,
    gates,
    nights,
    publishing,
    serve,
    status,
    worker,
)
from verdicts.commands.asking import completion, documents, explore, notebook, questions
from verdicts.commands.recipes import commands as recipes

COMMANDS = (
    *corpus_building.COMMANDS,
    *publishing.COMMANDS,
    *questions.COMMANDS,
    *explore.COMMANDS,
    *notebook.COMMANDS,
    *documents.COMMANDS,
    *completion.COMMANDS,
    *status.COMMANDS,
    *nights.COMMANDS,
    *gates.COMMANDS,
    *extractor_changes.COMMANDS,
    *care.COMMANDS,
    *serve.COMMANDS,
    *worker.COMMANDS,
    *recipes.COMMANDS,
)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="verdicts")
def cli() -> None:
    """Builds a corpus of reviews out of pages that set two AI tools side by side."""


for command in COMMANDS:
    cli.add_command(command)
