"""Batches in processes of this machine."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import TypeVar

from verdicts.pipeline.errors import EngineFailed

B = TypeVar("B")
R = TypeVar("R")


class LocalEngine:
    """See `Engine`. One worker is this process; others are started once and stay until the engine is let go."""

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self._pool: ProcessPoolExecutor | None = None

    @property
    def workers(self) -> int:
        return self._workers

    def run(self, function: Callable[[B], R], batches: Sequence[B]) -> Iterator[R]:
        """See `Engine.run`."""
        if self._workers == 1:
            yield from map(function, batches)
            return
        if self._pool is None:
            # Forked, a process would hold the locks of the threads that polars has in this one.
            self._pool = ProcessPoolExecutor(self._workers, mp_context=get_context("spawn"))
        futures = [self._pool.submit(function, batch) for batch in batches]
        try:
            for future in as_completed(futures):
                yield future.result()
        except BrokenProcessPool as error:
            self._pool = None
            raise EngineFailed("a process ended while it worked on a batch: out of memory, or killed") from error
        finally:
            for future in futures:
                future.cancel()
