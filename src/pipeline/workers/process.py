"""A worker process as its pool has it: what it works on, since when, and how it is started and ended."""

import subprocess
import sys
import time
from dataclasses import dataclass
from multiprocessing.connection import Connection, Pipe
from typing import IO

from verdicts.fetch.model.errors import StorageFailed
from verdicts.pipeline.workers.jobs import Job

START_S = 60.0
"""Seconds that a worker may take to start, on a busy machine."""


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
