"""A process that can be killed: how it is started and ended, and how long it has worked."""

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
"""Seconds that a worker may take to start, on a busy machine."""

_PR_SET_PDEATHSIG = 1
"""`prctl(2)`: the signal that the kernel sends to this process when the thread that started it ends."""


@dataclass(slots=True)
class Worker:
    """A process, its job and how many pages of it are done. `job` is None until the process is ready.

    `began` and `cpu_s` are the moment and the processor time at which it began its page.
    """

    process: subprocess.Popen[bytes]
    connection: Connection
    job: Job | None
    deadline: float
    done: int = 0
    began: float = 0.0
    cpu_s: float = 0.0


def start_process(module: str, *arguments: str, stderr: IO[bytes] | None = None) -> Worker:
    """A process that runs a module of ours, given the descriptor of its pipe and `arguments`.

    It ends when the thread that started it ends. Raises `StorageFailed`.
    """
    ours, theirs = Pipe()
    # -P: a folder called `pipeline` in the working folder is not ours.
    call = [sys.executable, "-P", "-m", module, str(theirs.fileno()), *arguments]
    # In a group of its own: a Ctrl-C at the terminal is for the command, which ends its processes.
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
    """A worker that may hold so much data. Raises `StorageFailed`."""
    return start_process("verdicts.pipeline.workers.worker", str(memory_bytes))


def end_worker(worker: Worker) -> None:
    """Kills the process, and waits for its end."""
    worker.connection.close()
    worker.process.kill()
    worker.process.wait()


def end_with_parent() -> None:
    """Has this process killed when its parent ends. On Linux alone; elsewhere it ends when its pipes are closed.

    A page that takes minutes would keep a worker going long after nobody waits for it.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def cpu_seconds(pid: int) -> float:
    """Seconds of processor time that a process has used: on a busy machine the clock says nothing of a page.

    Infinite where that cannot be known, as off Linux.
    """
    try:
        # `pid (name) state ...`, and a name may hold blanks and parentheses; utime and stime are fields 14 and 15.
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError):
        return math.inf
