"""Runs batches on the workers of a Dask scheduler: `dask worker` or `verdicts worker` on each machine.

If a worker dies, its batches run elsewhere. The scheduler gives up a batch that killed more workers than
`distributed.scheduler.allowed-failures` (3 by default).
"""

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager
from itertools import islice
from queue import Empty, SimpleQueue
from typing import TypeVar
from uuid import uuid4

from distributed import Client, Future, KilledWorker

from verdicts.pipeline.engine.cluster import check_installed, connected, run_as, versions
from verdicts.pipeline.errors import EngineFailed

B = TypeVar("B")
R = TypeVar("R")

WORKERS_WITHIN_S = 60.0
"""Seconds without a worker before a run is given up."""

LOOKS_EVERY_S = 2.0
"""Seconds between checks for workers while nothing is finished."""

BATCHES_A_THREAD = 3
"""Batches sent to the scheduler at a time: one running, the others waiting."""


class DaskEngine:
    """An `Engine` that raises `ConfigError` and `EngineFailed`."""

    def __init__(self, scheduler: str, *, workers_within_s: float = WORKERS_WITHIN_S) -> None:
        """`scheduler` is its address, such as `tcp://10.0.0.1:8786`."""
        self._scheduler = scheduler
        self._workers_within_s = workers_within_s
        self._known: set[str] = set()

    def run(self, function: Callable[[B], R], batches: Sequence[B]) -> Iterator[R]:
        """See `Engine.run`. Adds a note with the batch to an error of `function`."""
        if not batches:
            return
        with self._connected() as client:
            check_installed(client, self._scheduler, self._known)
            yield from self._results(client, function, batches)

    @contextmanager
    def _connected(self) -> Iterator[Client]:
        """A client of a scheduler with a worker. At the end, batches that no worker began are cancelled."""
        with connected(self._scheduler) as client:
            try:
                client.wait_for_workers(1, timeout=self._workers_within_s)
            except TimeoutError:
                raise self._without_workers() from None
            yield client

    def _results(self, client: Client, function: Callable[[B], R], batches: Sequence[B]) -> Iterator[R]:
        run, asker = uuid4().hex, versions()
        left = iter(enumerate(batches))
        done: SimpleQueue[Future[R]] = SimpleQueue()
        names: dict[Future[R], str] = {}
        while True:
            room = max(1, BATCHES_A_THREAD * _threads(client)) - len(names)
            for number, batch in islice(left, max(0, room)):
                # A key of this run only, because Dask reuses the result of a known key.
                key = (getattr(function, "__name__", "batch"), str(batch), number, run)
                future = client.submit(run_as, asker, function, batch, key=key, pure=False)
                names[future] = str(batch)
                future.add_done_callback(done.put)
            if not names:
                return
            future = self._when_there(client, done.get)
            yield self._result(client, future, names.pop(future))

    def _result(self, client: Client, future: Future[R], name: str) -> R:
        """If the worker dies before it returns the result, the batch runs again."""
        try:
            error = self._when_there(client, future.exception)
            if error is None:
                return self._when_there(client, future.result)
        except CancelledError as cancelled:
            raise EngineFailed(f"the scheduler {self._scheduler} is gone: {name} is not done") from cancelled
        if isinstance(error, KilledWorker):
            raise EngineFailed(
                f"{name} killed {error.allowed_failures + 1} workers, the last one {error.last_worker.address}:"
                " its log says why; give it more memory if that ran out, and run again"
            ) from error
        error.add_note(f"in the batch {name}")
        raise error

    def _when_there(self, client: Client, get: Callable[..., R]) -> R:
        """Calls `get` until it returns something. Raises `EngineFailed` if no worker is left."""
        alone_since: float | None = None
        while True:
            try:
                return get(timeout=LOOKS_EVERY_S)
            except (Empty, TimeoutError):
                now = time.monotonic()
                alone_since = None if _threads(client) else alone_since or now
                if alone_since is not None and now - alone_since > self._workers_within_s:
                    raise self._without_workers() from None

    def _without_workers(self) -> EngineFailed:
        return EngineFailed(
            f"the scheduler {self._scheduler} has had no worker for {self._workers_within_s:g} s; start one with"
            f" 'verdicts worker --scheduler {self._scheduler}' or 'dask worker {self._scheduler}'"
        )


def _threads(client: Client) -> int:
    return sum(client.nthreads().values())
