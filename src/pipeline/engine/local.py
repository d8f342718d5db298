"""Batches in processes of this machine."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import TypeVar

from pipeline.errors import EngineFailed

B = TypeVar("B")
R = TypeVar("R")


class LocalEngine:
    """See `Engine`. One worker is this process."""

    def __init__(self, workers: int) -> None:
        self._workers = workers

    @property
    def workers(self) -> int:
        return self._workers

    def run(self, function: Callable[[B], R], batches: Sequence[B]) -> Iterator[R]:
        """See `Engine.run`."""
        if self._workers == 1 or len(batches) < 2:
            yield from map(function, batches)
            return
        # Forked, a process would hold the locks of the threads that polars has in this one.
        context = get_context("spawn")
        with ProcessPoolExecutor(min(self._workers, len(batches)), mp_context=context) as pool:
            futures = [pool.submit(function, batch) for batch in batches]
            try:
                for future in as_completed(futures):
                    yield future.result()
            except BrokenProcessPool as error:
                raise EngineFailed("a process ended while it worked on a batch: out of memory, or killed") from error
            finally:
                for future in futures:
                    future.cancel()
