"""Pages read in processes that can be killed: a hostile page costs itself and not the night.

Lexbor cannot be interrupted and is super-linear on hostile nesting (200,000 nested divs: minutes), and a parser that
runs out of memory takes its process along. So a worker reports page by page; one that says nothing for too long is
killed, the page it had in hand is rejected with the reason, and another worker takes the rest.
"""

import subprocess
import sys
import time
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, Pipe, wait

from extract.model.records import Observation, Reject
from fetch.model.errors import StorageFailed
from fetch.model.log import IndexEntry
from pipeline.workers.jobs import Bug, Job, observe

PAGE_S = 5.0
"""Seconds a page may take. A real one takes 0.01, one of 60 MB 2.6."""

START_S = 60.0
"""Seconds a worker may take to start, on a machine with other things to do."""

MEMORY_BYTES = 2_000_000_000
"""Data a worker may hold. Reading a page of 60 MB takes 1.3 GB."""


class ExtractorBroken(Exception):
    """A bug: extraction raised on a page. The message has the page and the traceback."""


@dataclass(slots=True)
class Worker:
    """A process, the job it has and how much of it is done. No job until it has said that it is ready."""

    process: subprocess.Popen[bytes]
    connection: Connection
    job: Job | None
    deadline: float
    done: int = 0


@dataclass(slots=True)
class Pool:
    """Workers, and jobs that none has taken. A page that a worker died of is tried once more, alone."""

    jobs: deque[Job]
    stack: ExitStack
    workers: list[Worker] = field(default_factory=list)
    suspects: set[IndexEntry] = field(default_factory=set)


def read_pages(jobs: Sequence[Job], count: int) -> Iterator[Observation]:
    """An observation for every entry of every job, in any order. `count` workers at most."""
    with ExitStack() as stack:
        pool = Pool(deque(jobs), stack)
        for _ in range(min(count, len(jobs))):
            _start(pool)
        while pool.workers:
            pause_s = max(0.0, min(worker.deadline for worker in pool.workers) - time.monotonic())
            ready = wait([worker.connection for worker in pool.workers], timeout=pause_s)
            for worker in list(pool.workers):
                if worker.connection in ready:
                    yield from _received(pool, worker)
                elif time.monotonic() >= worker.deadline and not worker.connection.poll():
                    yield from _late(pool, worker)


def _start(pool: Pool) -> None:
    ours, theirs = Pipe()
    # -P: a folder called flows where the command was started is not ours.
    call = [sys.executable, "-P", "-m", "pipeline.workers.worker", str(theirs.fileno()), str(MEMORY_BYTES)]
    process = subprocess.Popen(call, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL)  # noqa: S603  our own module
    theirs.close()
    pool.stack.callback(_end, process, ours)
    pool.workers.append(Worker(process, ours, None, time.monotonic() + START_S))


def _end(process: subprocess.Popen[bytes], connection: Connection) -> None:
    connection.close()
    process.kill()
    process.wait()


def _received(pool: Pool, worker: Worker) -> Iterator[Observation]:
    try:
        message = worker.connection.recv()
    except (EOFError, ConnectionError):
        yield from _died(pool, worker)
        return
    if isinstance(message, Bug):
        raise ExtractorBroken(f"{message.url}\n{message.trace}")
    if message is not None:
        worker.done += 1
        yield message
    if worker.job is None or worker.done == len(worker.job[1]):
        _hand_over(pool, worker)
    worker.deadline = time.monotonic() + PAGE_S


def _hand_over(pool: Pool, worker: Worker) -> None:
    """The next job; where there is none the worker is let go."""
    worker.done = 0
    worker.job = pool.jobs.popleft() if pool.jobs else None
    if worker.job is None:
        pool.workers.remove(worker)
        _end(worker.process, worker.connection)
        return
    try:
        worker.connection.send(worker.job)
    except ConnectionError:
        worker.deadline = 0


def _late(pool: Pool, worker: Worker) -> Iterator[Observation]:
    entry = _in_hand(worker)
    _replace(pool, worker)
    if entry is None:
        raise StorageFailed(f"a worker did not start within {START_S:g} s")
    yield observe(entry, Reject("too_slow", f"the page takes more than {PAGE_S:g} s to read"))


def _died(pool: Pool, worker: Worker) -> Iterator[Observation]:
    entry = _in_hand(worker)
    if entry is None:
        _end(worker.process, worker.connection)
        raise StorageFailed(f"a worker ended with {worker.process.returncode} before it read a page")
    code = worker.process.wait()
    _replace(pool, worker)
    if entry in pool.suspects:
        yield observe(entry, Reject("worker_died", f"reading the page ended the process, twice, with {code}"))
    else:
        # It may have been killed from outside, as the kernel does when memory is short.
        pool.suspects.add(entry)
        assert worker.job is not None
        pool.jobs.append((worker.job[0], (entry,)))


def _in_hand(worker: Worker) -> IndexEntry | None:
    return None if worker.job is None else worker.job[1][worker.done]


def _replace(pool: Pool, worker: Worker) -> None:
    """Ends a worker; another one takes what it had not begun."""
    pool.workers.remove(worker)
    _end(worker.process, worker.connection)
    if worker.job is not None and (rest := worker.job[1][worker.done + 1 :]):
        pool.jobs.appendleft((worker.job[0], rest))
    _start(pool)
