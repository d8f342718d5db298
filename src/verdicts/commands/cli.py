"""The console script: turns errors and signals into exit codes.

It handles signals before it imports the commands: click alone takes half of a command's start.
"""

import os
import sys
from contextlib import suppress

from verdicts.commands.signals import EndingSignals
from verdicts.pipeline.terminal import guard_streams


def main() -> None:
    """Runs a command; a failure or a signal becomes one line on standard error and a documented exit code."""
    with EndingSignals() as signals:
        try:
            guard_streams()
            code = _flush_output(_run_logged())
        except BaseException:
            if signals.received is None:
                raise
            with suppress(OSError):
                sys.stdout.flush()
            signals.end()
    sys.exit(code)


def _run_logged() -> int:
    """Runs the command; returns its exit code. A bug keeps its traceback, also in the log."""
    from verdicts.pipeline.logs import send_log

    # OpenBLAS would start a thread per core in every worker, and nothing here multiplies matrices.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    with send_log():
        return _run_command()


def _run_command() -> int:
    import click

    from verdicts.commands.group import cli
    from verdicts.commands.options import add_data_to_hints
    from verdicts.pipeline import exit_codes
    from verdicts.pipeline.logs import note
    from verdicts.pipeline.pipeline_errors import Interrupted

    try:
        return cli.main(standalone_mode=False) or exit_codes.DONE
    except Interrupted:
        raise
    except (BrokenPipeError, SystemExit):
        # `| head` has read enough: click exits with 1 only then.
        return exit_codes.DONE
    except click.exceptions.NoArgsIsHelpError as no_command:
        click.echo(no_command.format_message(), err=True)
        return exit_codes.USAGE
    except BaseException as error:
        documented = exit_codes.find_exit_code(error)
        if documented is None:
            if isinstance(error, Exception):
                note("failed", "a bug", error=error)
            raise
        message = add_data_to_hints(exit_codes.describe_error(error))
        note("failed", message, exit_code=documented)
        click.echo(f"verdicts: {message}", err=True)
        return documented


def _flush_output(code: int) -> int:
    """Writes buffered output; returns `code`, or another one if that fails."""
    from verdicts.pipeline import exit_codes

    try:
        sys.stdout.flush()
    except BrokenPipeError:
        # `verdicts sql ... | head` has read enough.
        _drop_output()
        return exit_codes.DONE
    except OSError as error:
        # `verdicts sql ... > /dev/full`
        _drop_output()
        sys.stderr.write(f"verdicts: standard output: {error.strerror}\n")
        return exit_codes.STORAGE
    return code


def _drop_output() -> None:
    """At exit Python would flush again and complain."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
