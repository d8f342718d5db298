"""All commands: each chapter adds its own to the group."""

from verdicts.commands import asking, building, care, nights, publishing, recipes, serve, status, viewing  # noqa: F401
from verdicts.commands.group import cli

__all__ = ["cli"]
