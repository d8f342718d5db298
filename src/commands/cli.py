"""The console script: the group of all commands, and what becomes of an error."""

import os
import sys

import click

from commands import care, corpus_building, exit_codes, extractor_changes, publishing, questions, status
from pipeline.terminal.streams import guard_streams

COMMANDS = (
    *corpus_building.COMMANDS,
    *publishing.COMMANDS,
    *questions.COMMANDS,
    *status.COMMANDS,
    *extractor_changes.COMMANDS,
    *care.COMMANDS,
)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="verdicts")
def cli() -> None:
    """Builds a corpus of reviews out of pages that set two AI tools side by side."""


for command in COMMANDS:
    cli.add_command(command)


def main() -> None:
    """Runs a command; a failure becomes one line on standard error and a documented exit code."""
    guard_streams()
    try:
        code = cli.main(standalone_mode=False) or exit_codes.DONE
    except click.exceptions.Abort:
        code = exit_codes.INTERRUPTED
    except BrokenPipeError:
        code = exit_codes.DONE
    except click.exceptions.NoArgsIsHelpError as no_command:
        click.echo(no_command.format_message(), err=True)
        code = exit_codes.USAGE
    except Exception as error:
        documented = exit_codes.exit_code(error)
        if documented is None:
            raise
        click.echo(f"verdicts: {exit_codes.message(error)}", err=True)
        code = documented
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        # `verdicts sql ... | head` has read all it wants.
        _drop_output()
        code = exit_codes.DONE
    except OSError as error:
        # `verdicts sql ... > /dev/full`
        _drop_output()
        click.echo(f"verdicts: standard output: {error.strerror}", err=True)
        code = exit_codes.STORAGE
    sys.exit(code)


def _drop_output() -> None:
    """At its end Python would flush once more and complain."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
