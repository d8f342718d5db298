"""The group of all commands."""

import click

from verdicts.commands import asking, building, care, nights, publishing, recipes, serve, status, viewing


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="verdicts")
def cli() -> None:
    """Build and ask a corpus of reviews from pages that compare two AI tools."""


for chapter in (building, publishing, asking, viewing, status, nights, care, serve, recipes):
    for command in chapter.COMMANDS:
        cli.add_command(command)
