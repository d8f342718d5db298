"""The group of all commands. A chapter is imported when one of its commands is called."""

from importlib import import_module

import click

CHAPTERS = {
    "asking": "sql query search show completion",
    "building": "run crawl build ingest load init replay",
    "care": "verify repair doctor compact snapshot",
    "nights": "report alerts check",
    "publishing": "publish export path rollback cdxj diff",
    "recipes": "recipe",
    "serve": "serve worker",
    "status": "status",
    "viewing": "explore docs notebook",
}
"""Module to its commands: a start waits for the imports of one chapter, not of all."""

_MODULES = {name: module for module, names in CHAPTERS.items() for name in names.split()}


class Chapters(click.Group):
    """A group whose chapters add their commands to it when they are imported."""

    def list_commands(self, _ctx: click.Context) -> list[str]:
        return sorted(_MODULES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in _MODULES:
            import_module(f"verdicts.commands.{_MODULES[cmd_name]}")
        return super().get_command(ctx, cmd_name)


@click.group(cls=Chapters, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="verdicts")
def cli() -> None:
    """Build and ask a corpus of reviews from pages that compare two AI tools."""
