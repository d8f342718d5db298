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

from verdicts.extract.model.records import Reject
from verdicts.extract.recipes.recipe import NO_RECIPES, Recipes
from verdicts.fetch.model.errors import StorageFailed
from verdicts.fetch.model.snapshot import IndexEntry
from verdicts.pipeline.failure_log import FailureLog
from verdicts.pipeline.workers.process import START_S, Worker, cpu_seconds, end_worker, start_worker
from verdicts.pipeline.workers.record_rows import ExtractorCrash, Job, RecordRow, observe

PAGE_S = 5.0
"""Processor seconds for one page. A real page takes 0.01, one of 60 MB 2.6."""

WAIT_S = 60.0
"""Clock seconds for one page, for busy machines."""

MEMORY_BYTES = 2_000_000_000
"""Data of a worker in bytes. A page of 60 MB needs 1.3 GB."""


@dataclass(slots=True)
class Pool:
    """Workers and open jobs. `suspects` are pages that cost a worker. `again` has a job for each.

    `kept` collects idle workers for a later pool. If it is None, they are ended.
    """

    jobs: deque[Job]
    failures: FailureLog
    kept: list[Worker] | None
    recipes: Recipes
    workers: list[Worker] = field(default_factory=list)
    suspects: set[IndexEntry] = field(default_factory=set)
    again: deque[Job] = field(default_factory=deque)


def cores() -> int:
    """The cores that this process may use, in a container or under `taskset` as well."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1


def read_pages(
    jobs: Sequence[Job],
    count: int,
    failures: FailureLog,
    kept: list[Worker] | None = None,
    recipes: Recipes = NO_RECIPES,
) -> Iterator[RecordRow]:
    """Yields a row for each entry of all jobs, in any order, with at most `count` workers.

    Takes workers from `kept` first, and leaves all there at the end. They end with the calling thread. A bug in
    extraction becomes a reject, and one of `failures`. Raises `StoreDamaged` for a damaged record, `StorageFailed` if a
    worker does not start.
    """
    pool = Pool(deque(jobs), failures, kept, recipes)
    try:
        yield from _read_jobs(pool, count)
        pool.jobs = pool.again
        yield from _read_jobs(pool, 1)
    finally:
        for worker in pool.workers:
            end_worker(worker)


def _read_jobs(pool: Pool, count: int) -> Iterator[RecordRow]:
    for _ in range(min(count, len(pool.jobs))):
        _take(pool)
    while pool.workers:
        pause_s = max(0.0, min(worker.deadline for worker in pool.workers) - time.monotonic())
        ready = wait([worker.connection for worker in pool.workers], timeout=pause_s)
        for worker in list(pool.workers):
            if worker.connection in ready:
                yield from _received(pool, worker)
            elif time.monotonic() >= worker.deadline and not worker.connection.poll():
                yield from _overdue(pool, worker)


def _take(pool: Pool) -> None:
    while pool.kept:
        worker = pool.kept.pop()
        if worker.process.poll() is None:
            pool.workers.append(worker)
            _send_job(pool, worker)
            _begin_page(worker)
            return
        end_worker(worker)
    pool.workers.append(start_worker(MEMORY_BYTES))


def _received(pool: Pool, worker: Worker) -> Iterator[RecordRow]:
    try:
        message = worker.connection.recv()
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
    worker.began, worker.cpu_s = time.monotonic(), cpu_seconds(worker.process.pid)
    worker.deadline = worker.began + PAGE_S


def _send_job(pool: Pool, worker: Worker) -> None:
    """Sends the next job. Without one, keeps or ends the worker."""
    worker.done = 0
    worker.job = pool.jobs.popleft() if pool.jobs else None
    if worker.job is None:
        pool.workers.remove(worker)
        if pool.kept is None:
            end_worker(worker)
        else:
            pool.kept.append(worker)
        return
    try:
        worker.connection.send((*worker.job, pool.recipes))
    except ConnectionError:
        worker.deadline = 0


def _overdue(pool: Pool, worker: Worker) -> Iterator[RecordRow]:
    entry = _current_entry(worker)
    left_s = PAGE_S - (cpu_seconds(worker.process.pid) - worker.cpu_s)
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
        end_worker(worker)
        raise StorageFailed(f"a worker ended with {worker.process.returncode} before it read a page")
    code = worker.process.wait()
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
    end_worker(worker)
    if worker.job is not None and (rest := worker.job[1][worker.done + 1 :]):
        pool.jobs.appendleft((worker.job[0], rest))
    pool.workers.append(start_worker(MEMORY_BYTES))
