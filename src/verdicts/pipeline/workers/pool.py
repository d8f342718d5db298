"""Extracts pages in processes that can be killed, so that a hostile page costs only itself.

Lexbor cannot be interrupted, and 200,000 nested divs take it minutes. A parser that runs out of memory kills its
process. So a worker reports each page. If it gives nothing back for too long, it is killed and another one goes
on. A page that cost a worker is tried again, alone, after all others, and then rejected with the reason.
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
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import NamedTuple, TypeAlias

from verdicts.extract.declarations import NOTHING_DECLARED, Declarations
from verdicts.extract.model.records import Reject
from verdicts.extract.page import extract
from verdicts.fetch.model.fetch_errors import StorageFailed
from verdicts.fetch.model.snapshot import IndexEntry, Snapshot
from verdicts.fetch.store.warc import read_segment
from verdicts.pipeline.logs import FailureLog
from verdicts.pipeline.terminal import guard_streams
from verdicts.pipeline.workers.process import START_S, Process, start
from verdicts.pipeline.workers.record_rows import RecordRow, observe

Page: TypeAlias = tuple[Path, IndexEntry]
"""The path of a segment, and a page in it."""

PAGE_S = 5.0
"""Processor seconds for one page. A real page takes 0.01, one of 60 MB 2.6."""

WAIT_S = 60.0
"""Clock seconds for one page, for busy machines."""

MEMORY_BYTES = 2_000_000_000
"""Data of a worker in bytes. A page of 60 MB needs 1.3 GB."""


@dataclass(frozen=True, slots=True)
class ExtractorCrash:
    """A bug: extraction raised on this page. With the traceback."""

    trace: str


def answer_pages(connection: Connection, memory_bytes: int, page_s: float, declared: Declarations) -> None:
    """Runs in a worker process, which may hold this much data: a page in, a `RecordRow` or `ExtractorCrash` out.

    SIGPROF ends the process once a page has taken `page_s` of its processor time: on a busy machine the clock says
    nothing about a page. A `StorageFailed` or `OSError` is sent back.
    """
    guard_streams()
    resource.setrlimit(resource.RLIMIT_DATA, (memory_bytes, memory_bytes))
    while True:
        segment, entry = connection.recv()
        signal.setitimer(signal.ITIMER_PROF, page_s)
        try:
            (snapshot,) = read_segment(segment, [entry.location.offset])
            answer: object = read_page(entry, snapshot, declared)
        except (StorageFailed, OSError) as failure:
            answer = failure
        connection.send(answer)


def read_page(entry: IndexEntry, snapshot: Snapshot, declared: Declarations) -> RecordRow | ExtractorCrash:
    """The result of extraction for a snapshot."""
    try:
        return observe(entry, extract(snapshot, declared.profiles, declared.recipes), declared.profiles)
    except MemoryError:
        gc.collect()
        return observe(entry, Reject("too_much_memory", "the page takes more memory to read than a worker may have"))
    except Exception:
        return ExtractorCrash(traceback.format_exc())


def count_cores() -> int:
    """The cores that this process may use, in a container or under `taskset` as well."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1


def read_pages(
    pages: Sequence[Page], count: int, failures: FailureLog, declared: Declarations = NOTHING_DECLARED
) -> Iterator[RecordRow]:
    """Yields a row for each page, in any order, with at most `count` workers.

    A bug in extraction becomes a reject, and one of `failures`. Raises `StoreDamaged` for a damaged record,
    `StorageFailed` if a worker does not start.
    """
    # Something else may have killed a worker, such as the kernel when memory is short.
    suspects: list[Page] = []
    for (_, entry), answer in _read_all(pages, count, declared, suspects):
        yield _make_row(entry, answer, failures)
    for (_, entry), answer in _read_all([*suspects], 1, declared, None):
        yield _make_row(entry, answer, failures)


def _make_row(entry: IndexEntry, answer: object, failures: FailureLog) -> RecordRow:
    match answer:
        case RecordRow():
            return answer
        case StorageFailed() | OSError():
            raise answer
        case ExtractorCrash(trace):
            return observe(entry, Reject("extractor_failed", failures.add(entry.url, "extraction", trace)))
        case Lost(code) if code in {None, -signal.SIGPROF}:
            limit_s = WAIT_S if code is None else PAGE_S
            return observe(entry, Reject("too_slow", f"the page takes more than {limit_s:g} s to read"))
        case Lost(code):
            why = f"reading it ended the process, tried again alone, with {code}"
            return observe(entry, Reject("worker_died", why))
    raise TypeError(answer)


class Lost(NamedTuple):
    """The worker ended with this code, or makes no progress."""

    code: int | None


IN_PIPE = 4
"""Pages that a worker has at a time: it reads the first, and does not wait for this process to get the next."""


@dataclass(slots=True)
class Worker:
    """A process, and the pages that it has: it reads the first. It is not `is_ready` until it has started."""

    process: Process
    deadline: float
    pages: deque[Page] = field(default_factory=deque)
    is_ready: bool = False

    def give(self, page: Page) -> None:
        self.pages.append(page)
        # A worker that has already ended is noticed when its page is requested.
        with suppress(ConnectionError):
            self.process.connection.send(page)

    def receive(self) -> object:
        self.deadline = time.monotonic() + WAIT_S
        try:
            return self.process.connection.recv() if self.process.connection.poll() else Lost(None)
        except (EOFError, ConnectionError):
            return Lost(self.process.popen.wait())


def _start_worker(declared: Declarations) -> Worker:
    return Worker(start(answer_pages, MEMORY_BYTES, PAGE_S, declared), time.monotonic() + START_S)


def _read_all(
    pages: Sequence[Page], count: int, declared: Declarations, suspects: list[Page] | None
) -> Iterator[tuple[Page, object]]:
    """Each page with what its worker answered, or with `Lost`; where `suspects` are collected, such a page goes there.

    Raises `StorageFailed`.
    """
    waiting = deque(pages)
    workers: list[Worker] = []
    try:
        workers += (_start_worker(declared) for _ in range(min(count, len(waiting))))
        while workers:
            pause_s = max(0.0, min(worker.deadline for worker in workers) - time.monotonic())
            ready = wait([worker.process.connection for worker in workers], timeout=pause_s)
            now = time.monotonic()
            for worker in [one for one in workers if one.process.connection in ready or one.deadline <= now]:
                answer = worker.receive()
                page = worker.pages.popleft() if worker.is_ready and worker.pages else None
                if isinstance(answer, Lost):
                    if page is None:
                        late = f"did not start within {START_S:g} s"
                        ended = f"ended with {answer.code} before it read a page"
                        raise StorageFailed(f"a worker {late if answer.code is None else ended}")
                    waiting.extendleft(reversed(worker.pages))
                    _end(worker, workers)
                    if waiting:
                        workers.append(_start_worker(declared))
                else:
                    worker.is_ready = True
                    while waiting and len(worker.pages) < IN_PIPE:
                        worker.give(waiting.popleft())
                    if not worker.pages:
                        _end(worker, workers)
                if isinstance(answer, Lost) and suspects is not None and page is not None:
                    suspects.append(page)
                elif page is not None:
                    yield page, answer
    finally:
        for worker in workers:
            worker.process.end()


def _end(worker: Worker, workers: list[Worker]) -> None:
    workers.remove(worker)
    worker.process.end()
