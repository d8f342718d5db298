"""A process that can be killed: its start, its end, and its processor time."""

import ctypes
import math
import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from multiprocessing.connection import Connection, Pipe
from pathlib import Path
from typing import IO

from verdicts.fetch.model.errors import StorageFailed
from verdicts.pipeline.workers.record_rows import Job

START_S = 60.0
"""Seconds that a worker may take to start on a busy machine."""

_PR_SET_PDEATHSIG = 1
"""`prctl(2)`: sends this process a signal when its parent thread ends."""


@dataclass(slots=True)
class Worker:
    """A process, its job, and the number of finished pages. `job` is None until the process is ready.

    `began` and `cpu_s` are clock and processor time at the begin of the current page.
    """

    process: subprocess.Popen[bytes]
    connection: Connection
    job: Job | None
    deadline: float
    done: int = 0
    began: float = 0.0
    cpu_s: float = 0.0


def start_process(module: str, *arguments: str, stderr: IO[bytes] | None = None) -> Worker:
    """Starts a module of ours with the descriptor of its pipe and `arguments`.

    It ends with the thread that started it. Raises `StorageFailed`.
    """
    ours, theirs = Pipe()
    # -P keeps modules of the working folder out.
    call = [sys.executable, "-P", "-m", module, str(theirs.fileno()), *arguments]
    # Its own group: Ctrl-C goes only to the command, which ends its processes.
    try:
        process = subprocess.Popen(  # noqa: S603  our own module
            call, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL, stderr=stderr, process_group=0
        )
    except OSError as error:
        ours.close()
        raise StorageFailed(f"a worker cannot be started: {error.strerror}") from error
    finally:
        theirs.close()
    return Worker(process, ours, None, time.monotonic() + START_S)


def start_worker(memory_bytes: int) -> Worker:
    """Starts a worker with this limit of data. Raises `StorageFailed`."""
    return start_process("verdicts.pipeline.workers.worker", str(memory_bytes))


def end_worker(worker: Worker) -> None:
    worker.connection.close()
    worker.process.kill()
    worker.process.wait()


def end_with_parent() -> None:
    """Kills this process when its parent ends (Linux). Elsewhere it ends when its pipes are closed.

    Otherwise a worker could go on for minutes with a page that nobody waits for.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def cpu_seconds(pid: int) -> float:
    """Processor seconds of a process, or infinity if unknown, as on other systems than Linux.

    On a busy machine the clock says nothing about a page.
    """
    try:
        # `pid (name) state ...`: the name may hold blanks and parentheses. utime and stime are fields 14 and 15.
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError):
        return math.inf
