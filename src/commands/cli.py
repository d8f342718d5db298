"""The console script: what becomes of an error and of a signal.

It takes the signals before it imports the commands: click alone is half of the time in which a command starts.
"""

import os
import sys
from contextlib import suppress

from verdicts.commands.signals import EndingSignals
from verdicts.pipeline.terminal import guard_streams


def main() -> None:
    """Runs a command; a failure or a signal becomes one line on standard error and a documented exit code."""
    signals = EndingSignals()
    try:
        signals.take()
        guard_streams()
        code = _written(_run())
        signals.disarm()
    except BaseException:
        number = signals.received()
        if number is None:
            raise
        signals.report()
        with suppress(OSError):
            sys.stdout.flush()
        # Not by way of Python's own end, which waits for threads and tears down libraries whose objects the traceback
        # still holds: `nanobind: leaked 12 instances!`
        os._exit(signals.exit_code(number))
    sys.exit(code)


def _run() -> int:
    """Runs the command that was called; returns its exit code. A bug keeps its traceback, and the log has it too."""
    from verdicts.pipeline.logs import logging_of_command
    from verdicts.pipeline.memory import fit_address_space

    fit_address_space()
    with logging_of_command():
        return _called()


def _called() -> int:
    import click

    from verdicts.commands.group import cli
    from verdicts.commands.options import with_data
    from verdicts.pipeline import exit_codes
    from verdicts.pipeline.logs import note

    try:
        return cli.main(standalone_mode=False) or exit_codes.DONE
    except (BrokenPipeError, SystemExit):
        # `| head` has read all it wants: click exits with 1 then, and for nothing else.
        return exit_codes.DONE
    except click.exceptions.NoArgsIsHelpError as no_command:
        click.echo(no_command.format_message(), err=True)
        return exit_codes.USAGE
    except BaseException as error:
        documented = exit_codes.exit_code(error)
        if documented is None:
            if isinstance(error, Exception):
                note("failed", "a bug", error=error)
            raise
        message = with_data(exit_codes.message(error))
        note("failed", message, exit_code=documented)
        click.echo(f"verdicts: {message}", err=True)
        return documented


def _written(code: int) -> int:
    """Writes what is still in memory; returns `code`, or another one where that fails."""
    from verdicts.pipeline import exit_codes

    try:
        sys.stdout.flush()
    except BrokenPipeError:
        # `verdicts sql ... | head` has read all it wants.
        _drop_output()
        return exit_codes.DONE
    except OSError as error:
        # `verdicts sql ... > /dev/full`
        _drop_output()
        sys.stderr.write(f"verdicts: standard output: {error.strerror}\n")
        return exit_codes.STORAGE
    return code


def _drop_output() -> None:
    """At its end Python would flush once more and complain."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
