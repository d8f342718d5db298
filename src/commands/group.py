"""The group of all commands; `chapters` has it with every command in it."""

import click


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="verdicts")
def cli() -> None:
    """Build and ask a corpus of reviews from pages that compare two AI tools."""
