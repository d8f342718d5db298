"""A process that can be killed: it does one piece of work, and what a library does to it costs that work alone.

    python -P -m verdicts.pipeline.workers.process FD

FD is the descriptor of a pipe. The process takes a module's function with its arguments from it, sends `None` once it
is ready, and calls the function with the pipe and the arguments.
"""

import ctypes
import faulthandler
import os
import signal
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, Pipe
from typing import IO, Any, TypeVar, cast

from verdicts.fetch.model.errors import StorageFailed
from verdicts.pipeline.logs import note

R = TypeVar("R")

START_S = 60.0
"""Seconds that a process may take to start on a busy machine."""

SAID_BYTES = 4_000
"""Kept in the log from the end of its standard error, where Python reports a crash."""

_PR_SET_PDEATHSIG = 1
"""`prctl(2)`: sends this process a signal when its parent thread ends."""


@dataclass(frozen=True, slots=True)
class Process:
    """A started process, and this end of its pipe."""

    popen: subprocess.Popen[bytes]
    connection: Connection

    def end(self) -> None:
        """Kills it."""
        self.connection.close()
        self.popen.kill()
        self.popen.wait()


def start(work: Callable[..., None], *arguments: object, stderr: IO[bytes] | None = None) -> Process:
    """Starts a process that calls `work` with its pipe and `arguments`. It ends with the thread that started it.

    Raises `StorageFailed`.
    """
    ours, theirs = Pipe()
    # -P keeps modules of the working folder out.
    call = [sys.executable, "-P", "-m", "verdicts.pipeline.workers.process", str(theirs.fileno())]
    # Its own group: Ctrl-C goes only to the command, which ends its processes.
    try:
        popen = subprocess.Popen(  # noqa: S603  our own module
            call, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL, stderr=stderr, process_group=0
        )
    except OSError as error:
        ours.close()
        raise StorageFailed(f"a worker cannot be started: {error.strerror}") from error
    finally:
        theirs.close()
    # Where it has ended already, the pipe says so to who reads.
    with suppress(ConnectionError):
        ours.send((work, arguments))
    return Process(popen, ours)


def end_with_parent() -> None:
    """Kills this process when its parent ends (Linux). Elsewhere it ends when its pipes are closed.

    Otherwise a worker could go on for minutes with a page that nobody waits for.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


class EndedEarly(Exception):
    """The process ended before its work was done, or was killed after its time. The message says how."""


def done_apart(work: Callable[..., R], *arguments: object, within_s: float) -> R:
    """Calls `work`, a module's function, in another process. Function, arguments and result are pickled.

    Raises what `work` raises, `EndedEarly`, and `StorageFailed` if no process can be started. The process is always
    gone afterwards.
    """
    with tempfile.TemporaryFile() as said:
        process = start(_answer, work, arguments, stderr=said)
        try:
            _received(process.connection, START_S, "did not start")
            result, error = _received(process.connection, within_s, "was not done")
        except (EOFError, ConnectionError):
            raise EndedEarly(_how_it_ended(process.popen.wait(), said)) from None
        finally:
            process.end()
    if error is not None:
        raise error
    return cast("R", result)


def _received(connection: Connection, seconds: float, what: str) -> Any:  # noqa: ANN401
    # Checked twice: if this process was stopped meanwhile, the time is over before it looked.
    if not connection.poll(seconds) and not connection.poll():
        raise EndedEarly(f"{what} within {seconds:,.0f} s and was ended")
    return connection.recv()


def _how_it_ended(code: int, said: IO[bytes]) -> str:
    said.seek(max(0, said.seek(0, os.SEEK_END) - SAID_BYTES))
    words = said.read().decode(errors="replace").strip()
    note("process_ended", f"a process ended with {code}", said=words)
    if code < 0:
        return f"was ended by signal {-code} ({signal.strsignal(-code)})"
    last = words.rpartition("\n")[2]
    return f"ended with code {code} before it was done" + (f" ({last})" if last else "")


def _answer(connection: Connection, work: Callable[..., object], arguments: tuple[object, ...]) -> None:
    faulthandler.enable()
    try:
        answer: tuple[object, BaseException | None] = work(*arguments), None
    except BaseException as error:  # it is raised where the work is waited for
        # Pickling drops the traceback, so it is added as a note.
        error.add_note(traceback.format_exc())
        answer = None, error
    connection.send(answer)


def main() -> None:
    end_with_parent()
    connection: Connection = Connection(int(sys.argv[1]))
    # The pipe ends when nobody waits for the work any more.
    with suppress(EOFError, ConnectionError):
        work, arguments = connection.recv()
        connection.send(None)
        work(connection, *arguments)


if __name__ == "__main__":
    main()
