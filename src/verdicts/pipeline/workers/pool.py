"""Extracts pages in processes that can be killed, so that a hostile page costs only itself.

Lexbor cannot be interrupted, and 200,000 nested divs take it minutes. A parser that runs out of memory kills its
process. So a worker reports each page. If it reports nothing for too long, it is killed and another one continues. A
page that cost a worker is tried again, alone, after all others, and then rejected with the reason.
"""

import gc
import os
import resource
import signal
import sys
import time
import traceback
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import NamedTuple, TypeAlias

from msgspec.structs import astuple

from verdicts.extract.declarations import NOTHING_DECLARED, Declarations
from verdicts.extract.model.records import Extracted, Observation, Reject
from verdicts.extract.model.stored import StoredObservation, encoded, stored
from verdicts.extract.page import extract
from verdicts.extract.panel.profile import SHIPPED, Profiles
from verdicts.fetch.model.errors import StorageFailed
from verdicts.fetch.model.snapshot import IndexEntry, Snapshot, has_address
from verdicts.fetch.store.warc import read_segment
from verdicts.normalize.identity.sightings import tool_keys
from verdicts.pipeline.gates.measures import list_places, measure_page, measure_tools
from verdicts.pipeline.logs import FailureLog
from verdicts.pipeline.terminal import guard_streams
from verdicts.pipeline.workers.process import START_S, Process, start

Job: TypeAlias = tuple[Path, tuple[IndexEntry, ...]]
"""The path of a segment, and some of its index entries in order."""


@dataclass(frozen=True, slots=True)
class ExtractorCrash:
    """A bug: extraction raised on this page. With the traceback."""

    url: str
    trace: str


class RecordRow(NamedTuple):
    """An observation, the amounts it shows, and its tools (`tool_keys`)."""

    url: str
    fetched_at: datetime
    crawl_id: str
    segment: str
    segment_offset: int
    sha256: str
    kind: str
    record: str
    tools: tuple[int, ...]
    amounts: tuple[float | None, ...]
    """How much it shows of each measure (`verdicts.pipeline.gates.measures`)."""
    tool_amounts: tuple[float | None, ...]
    """The same for each tool, one after the other."""
    failure: str | None
    address: str | None
    crc32: int
    """Of the observation (`StoredObservation`)."""

    @property
    def observation(self) -> Observation:
        failure = None if self.failure is None else self.failure.encode()
        return StoredObservation(*self[:7], self.record.encode(), failure, self.address).observation


def record_row(observation: Observation, profiles: Profiles = SHIPPED) -> RecordRow:
    """The row of an observation, with valid Unicode. `profiles`: those it was read with."""
    observation, record = encoded(observation)
    kept = stored(observation, record)
    places = list_places(observation.extracted, profiles)
    failure = None if kept.failure is None else kept.failure.decode()
    shown = measure_page(places), measure_tools(observation.extracted, places)
    tools = tool_keys(observation, profiles)
    return RecordRow._make((*astuple(kept)[:7], record.decode(), tools, *shown, failure, kept.address, kept.crc32))


def observe(entry: IndexEntry, extracted: Extracted, profiles: Profiles = SHIPPED) -> RecordRow:
    """The observation of a snapshot."""
    return record_row(
        Observation(
            url=entry.url,
            fetched_at=entry.fetched_at,
            crawl_id=entry.crawl_id,
            location=entry.location,
            sha256=entry.sha256,
            extracted=extracted,
            address=entry.final_url if has_address(entry.url) else None,
        ),
        profiles,
    )


def read_jobs(connection: Connection, memory_bytes: int, page_s: float, declared: Declarations) -> None:
    """Runs in a worker process, which may hold this much data: jobs in, page by page a `RecordRow` out.

    SIGPROF ends the process once a page has taken `page_s` of its processor time: on a busy machine the clock says
    nothing about a page.

    Sends an `ExtractorCrash` for a page, or the `StorageFailed` or `OSError` that ends the job.
    """
    guard_streams()
    resource.setrlimit(resource.RLIMIT_DATA, (memory_bytes, memory_bytes))
    while True:
        segment, entries = connection.recv()
        snapshots = read_segment(segment, [entry.location.offset for entry in entries])
        try:
            for entry, snapshot in zip(entries, snapshots, strict=True):
                signal.setitimer(signal.ITIMER_PROF, page_s)
                connection.send(read_page(entry, snapshot, declared))
        except ConnectionError:
            raise
        except (StorageFailed, OSError) as failure:
            connection.send(failure)


def read_page(entry: IndexEntry, snapshot: Snapshot, declared: Declarations) -> RecordRow | ExtractorCrash:
    """What extraction gives for a snapshot."""
    try:
        return observe(entry, extract(snapshot, declared.profiles, declared.recipes), declared.profiles)
    except MemoryError:
        gc.collect()
        return observe(entry, Reject("too_much_memory", "the page takes more memory to read than a worker may have"))
    except Exception:
        return ExtractorCrash(snapshot.url, traceback.format_exc())


PAGE_S = 5.0
"""Processor seconds for one page. A real page takes 0.01, one of 60 MB 2.6."""

WAIT_S = 60.0
"""Clock seconds for one page, for busy machines."""

MEMORY_BYTES = 2_000_000_000
"""Data of a worker in bytes. A page of 60 MB needs 1.3 GB."""


@dataclass(slots=True)
class Worker:
    """A process, its job, and the number of finished pages. `job` is None until the process is ready."""

    process: Process
    deadline: float
    job: Job | None = None
    done: int = 0


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
        process = start(read_jobs, MEMORY_BYTES, PAGE_S, self.declared)
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
                yield from _lost(pool, worker, None)


def _received(pool: Pool, worker: Worker) -> Iterator[RecordRow]:
    try:
        message = worker.process.connection.recv()
    except (EOFError, ConnectionError):
        yield from _lost(pool, worker, worker.process.popen.wait())
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
    worker.deadline = time.monotonic() + WAIT_S


def _send_job(pool: Pool, worker: Worker) -> None:
    """Sends the next job. Without one, ends the worker."""
    worker.done = 0
    worker.job = pool.jobs.popleft() if pool.jobs else None
    if worker.job is None:
        pool.workers.remove(worker)
        worker.process.end()
        return
    # One that has ended already says so when it is asked for a page.
    with suppress(ConnectionError):
        worker.process.connection.send(worker.job)


def _lost(pool: Pool, worker: Worker, code: int | None) -> Iterator[RecordRow]:
    """The worker ended with this code, or gets on no more. Its page is tried again alone, and then rejected.

    Something else may have killed it, such as the kernel when memory is short.
    """
    entry = _current_entry(worker)
    if worker.job is None or entry is None:
        why = f"did not start within {START_S:g} s" if code is None else f"ended with {code} before it read a page"
        raise StorageFailed(f"a worker {why}")
    _replace(pool, worker)
    if entry not in pool.suspects:
        pool.suspects.add(entry)
        pool.again.append((worker.job[0], (entry,)))
    elif code in {None, -signal.SIGPROF}:
        limit_s = WAIT_S if code is None else PAGE_S
        yield observe(entry, Reject("too_slow", f"the page takes more than {limit_s:g} s to read"))
    else:
        yield observe(entry, Reject("worker_died", f"reading it ended the process, tried again alone, with {code}"))


def _current_entry(worker: Worker) -> IndexEntry | None:
    return None if worker.job is None else worker.job[1][worker.done]


def _replace(pool: Pool, worker: Worker) -> None:
    """Replaces a worker. Its remaining pages return to the jobs."""
    pool.workers.remove(worker)
    worker.process.end()
    if worker.job is not None and (rest := worker.job[1][worker.done + 1 :]):
        pool.jobs.appendleft((worker.job[0], rest))
    pool.add_worker()
