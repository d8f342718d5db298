"""A worker process that can be killed: a crash of a library costs only the present page.

    python -P -m verdicts.pipeline.workers.process FD

FD is the descriptor of a pipe. The process takes a module's function with its arguments from it, sends `None` once it
is ready, and calls the function with the pipe and the arguments.
"""

import ctypes
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, Pipe

from verdicts.fetch.model.fetch_errors import StorageFailed

START_S = 60.0
"""Seconds that a process may take to start on a busy machine."""

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


def start(work: Callable[..., None], *arguments: object) -> Process:
    """Starts a process that calls `work` with its pipe and `arguments`. It ends with the thread that started it.

    Raises `StorageFailed`.
    """
    ours, theirs = Pipe()
    # -P keeps modules of the working folder out.
    call = [sys.executable, "-P", "-m", "verdicts.pipeline.workers.process", str(theirs.fileno())]
    # Its own group: Ctrl-C goes only to the command, which ends its processes.
    try:
        popen = subprocess.Popen(  # noqa: S603  our own module
            call, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL, process_group=0
        )
    except OSError as error:
        ours.close()
        raise StorageFailed(f"a worker cannot be started: {error.strerror}") from error
    finally:
        theirs.close()
    # If the process has already ended, the reader of the pipe notices.
    with suppress(ConnectionError):
        ours.send((work, arguments))
    return Process(popen, ours)


def end_with_parent() -> None:
    """Kills this process when its parent ends (Linux). Elsewhere it ends when its pipes are closed.

    Otherwise a worker could go on for minutes with a page that nobody waits for.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


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
