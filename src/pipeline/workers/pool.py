"""Extracts pages in processes that can be killed, so that a hostile page costs only itself.

Lexbor cannot be interrupted, and 200,000 nested divs take it minutes. A parser that runs out of memory kills its
process. So a worker reports each page. If it reports nothing for too long, it is killed and another one continues. A
page that cost a worker is tried again, alone, after all others, and then rejected with the reason.
"""

import os
import sys
import time
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import wait

from verdicts.extract.declarations import NOTHING_DECLARED, Declarations
from verdicts.extract.model.records import Reject
from verdicts.fetch.model.errors import StorageFailed
from verdicts.fetch.model.snapshot import IndexEntry
from verdicts.pipeline.failure_log import FailureLog
from verdicts.pipeline.workers.process import START_S, Process, cpu_seconds, start
from verdicts.pipeline.workers.record_rows import ExtractorCrash, Job, RecordRow, observe, read_jobs

PAGE_S = 5.0
"""Processor seconds for one page. A real page takes 0.01, one of 60 MB 2.6."""

WAIT_S = 60.0
"""Clock seconds for one page, for busy machines."""

MEMORY_BYTES = 2_000_000_000
"""Data of a worker in bytes. A page of 60 MB needs 1.3 GB."""


@dataclass(slots=True)
class Worker:
    """A process, its job, and the number of finished pages. `job` is None until the process is ready.

    `began` and `cpu_s` are clock and processor time at the begin of the current page.
    """

    process: Process
    deadline: float
    job: Job | None = None
    done: int = 0
    began: float = 0.0
    cpu_s: float = 0.0


@dataclass(slots=True)
class Pool:
    """Workers and open jobs. `suspects` are pages that cost a worker. `again` has a job for each."""

    jobs: deque[Job]
    failures: FailureLog
    declared: Declarations
    workers: list[Worker] = field(default_factory=list)
    suspects: set[IndexEntry] = field(default_factory=set)
    again: deque[Job] = field(default_factory=deque)

    def add_worker(self) -> None:
        """Starts a worker, which gets a job once it is ready."""
        process = start(read_jobs, MEMORY_BYTES, self.declared)
        self.workers.append(Worker(process, time.monotonic() + START_S))


def cores() -> int:
    """The cores that this process may use, in a container or under `taskset` as well."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1


def read_pages(
    jobs: Sequence[Job], count: int, failures: FailureLog, declared: Declarations = NOTHING_DECLARED
) -> Iterator[RecordRow]:
    """Yields a row for each entry of all jobs, in any order, with at most `count` workers.

    A bug in extraction becomes a reject, and one of `failures`. Raises `StoreDamaged` for a damaged record,
    `StorageFailed` if a worker does not start.
    """
    pool = Pool(deque(jobs), failures, declared)
    try:
        yield from _read_jobs(pool, count)
        pool.jobs = pool.again
        yield from _read_jobs(pool, 1)
    finally:
        for worker in pool.workers:
            worker.process.end()


def _read_jobs(pool: Pool, count: int) -> Iterator[RecordRow]:
    for _ in range(min(count, len(pool.jobs))):
        pool.add_worker()
    while pool.workers:
        pause_s = max(0.0, min(worker.deadline for worker in pool.workers) - time.monotonic())
        ready = wait([worker.process.connection for worker in pool.workers], timeout=pause_s)
        for worker in list(pool.workers):
            connection = worker.process.connection
            if connection in ready:
                yield from _received(pool, worker)
            elif time.monotonic() >= worker.deadline and not connection.poll():
                yield from _overdue(pool, worker)


def _received(pool: Pool, worker: Worker) -> Iterator[RecordRow]:
    try:
        message = worker.process.connection.recv()
    except (EOFError, ConnectionError):
        yield from _died(pool, worker)
        return
    if isinstance(message, StorageFailed | OSError):
        raise message
    if isinstance(message, ExtractorCrash):
        reason = pool.failures.add(message.url, "extraction", message.trace)
        entry = _current_entry(worker)
        assert entry is not None
        message = observe(entry, Reject("extractor_failed", reason))
    if message is not None:
        worker.done += 1
        yield message
    if worker.job is None or worker.done == len(worker.job[1]):
        _send_job(pool, worker)
    _begin_page(worker)


def _begin_page(worker: Worker) -> None:
    worker.began, worker.cpu_s = time.monotonic(), cpu_seconds(worker.process.popen.pid)
    worker.deadline = worker.began + PAGE_S


def _send_job(pool: Pool, worker: Worker) -> None:
    """Sends the next job. Without one, ends the worker."""
    worker.done = 0
    worker.job = pool.jobs.popleft() if pool.jobs else None
    if worker.job is None:
        pool.workers.remove(worker)
        worker.process.end()
        return
    try:
        worker.process.connection.send(worker.job)
    except ConnectionError:
        worker.deadline = 0


def _overdue(pool: Pool, worker: Worker) -> Iterator[RecordRow]:
    entry = _current_entry(worker)
    left_s = PAGE_S - (cpu_seconds(worker.process.popen.pid) - worker.cpu_s)
    now = time.monotonic()
    if entry is not None and left_s > 0 and now < worker.began + WAIT_S:
        worker.deadline = min(now + left_s, worker.began + WAIT_S)
        return
    _replace(pool, worker)
    if entry is None:
        raise StorageFailed(f"a worker did not start within {START_S:g} s")
    if not _is_tried_again(pool, worker, entry):
        yield observe(entry, Reject("too_slow", f"the page takes more than {PAGE_S:g} s to read"))


def _died(pool: Pool, worker: Worker) -> Iterator[RecordRow]:
    entry = _current_entry(worker)
    if entry is None:
        raise StorageFailed(f"a worker ended with {worker.process.popen.wait()} before it read a page")
    code = worker.process.popen.wait()
    _replace(pool, worker)
    # Something else may have killed it, such as the kernel when memory is short.
    if not _is_tried_again(pool, worker, entry):
        yield observe(entry, Reject("worker_died", f"reading it ended the process, tried again alone, with {code}"))


def _is_tried_again(pool: Pool, worker: Worker, entry: IndexEntry) -> bool:
    """Whether the page will be tried again alone, because this was its first time."""
    if entry in pool.suspects:
        return False
    assert worker.job is not None
    pool.suspects.add(entry)
    pool.again.append((worker.job[0], (entry,)))
    return True


def _current_entry(worker: Worker) -> IndexEntry | None:
    return None if worker.job is None else worker.job[1][worker.done]


def _replace(pool: Pool, worker: Worker) -> None:
    """Replaces a worker. Its remaining pages return to the jobs."""
    pool.workers.remove(worker)
    worker.process.end()
    if worker.job is not None and (rest := worker.job[1][worker.done + 1 :]):
        pool.jobs.appendleft((worker.job[0], rest))
    pool.add_worker()
