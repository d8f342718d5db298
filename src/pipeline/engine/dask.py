"""Batches on the workers of a Dask scheduler: `dask scheduler`, and `dask worker` or `verdicts worker` on each machine.

A worker that dies has its batches done elsewhere: the scheduler sees to that, and gives a batch up once it took one
worker more along than `distributed.scheduler.allowed-failures` says (3 where nobody said otherwise).
"""

import logging
import time
from asyncio import CancelledError
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib.metadata import version
from itertools import islice
from queue import Empty, SimpleQueue
from typing import TypeVar
from uuid import uuid4

from distributed import Client, Future, KilledWorker

from pipeline.engine.versions import Versions, check_same, run_as, versions
from pipeline.errors import ConfigError, EngineFailed

B = TypeVar("B")
R = TypeVar("R")

CONNECTS_WITHIN_S = 10
"""Seconds that a scheduler may take to answer."""

WORKERS_WITHIN_S = 60.0
"""Seconds without any worker, at the beginning or on the way, after which a run is given up."""

LOOKS_EVERY_S = 2.0
"""Between two looks whether a worker is there at all, while nothing is done."""

ANSWERS_WITHIN_S = 5.0
"""Seconds in which an idle worker says its versions; one that is at work is asked with its first batch."""

BATCHES_A_THREAD = 3
"""Handed to the scheduler at a time: one is worked on, the others are there when it is done."""


class DaskEngine:
    """See `Engine`. What it raises of its own: `ConfigError` and `EngineFailed`."""

    def __init__(self, scheduler: str, *, workers_within_s: float = WORKERS_WITHIN_S) -> None:
        """`scheduler`: its address, as `tcp://10.0.0.1:8786`."""
        self._scheduler = scheduler
        self._workers_within_s = workers_within_s

    @property
    def workers(self) -> int:
        with self._connected() as client:
            return _threads(client)

    def run(self, function: Callable[[B], R], batches: Sequence[B]) -> Iterator[R]:
        """See `Engine.run`. The note of an error of `function` says which batch it is of."""
        if not batches:
            return
        with self._connected() as client:
            _check_versions(client, self._scheduler)
            yield from self._results(client, function, batches)

    @contextmanager
    def _connected(self) -> Iterator[Client]:
        """A client of a scheduler that has a worker. Closed, all that no worker has begun is cancelled."""
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
                # Of this run alone: Dask gives what it has under a key instead of working on it.
                key = (getattr(function, "__name__", "batch"), str(batch), number, run)
                future = client.submit(run_as, asker, function, batch, key=key, pure=False)
                names[future] = str(batch)
                future.add_done_callback(done.put)
            if not names:
                return
            future = self._when_there(client, done.get)
            yield self._result(client, future, names.pop(future))

    def _result(self, client: Client, future: Future[R], name: str) -> R:
        """The worker that has the result may die before it gives it: then the batch is done again."""
        try:
            error = self._when_there(client, future.exception)
            if error is None:
                return self._when_there(client, future.result)
        except CancelledError as cancelled:
            raise EngineFailed(f"the scheduler {self._scheduler} is gone: {name} is not done") from cancelled
        if isinstance(error, KilledWorker):
            raise EngineFailed(
                f"{name} took {error.allowed_failures + 1} workers along, the last one {error.last_worker.address}:"
                " see why in its log, give it more memory where that was short, and run again"
            ) from error
        error.add_note(f"in the batch {name}")
        raise error

    def _when_there(self, client: Client, get: Callable[..., R]) -> R:
        """What `get` gives, called until it gives anything. Raises `EngineFailed` where no worker is left."""
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


@contextmanager
def connected(scheduler: str) -> Iterator[Client]:
    """A client of a scheduler, with or without workers. Raises `ConfigError` where it does not answer."""
    for name in ("distributed", "distributed.client"):
        # `distributed.client - ERROR - Failed to reconnect...`: what is raised says it.
        logging.getLogger(name).setLevel(logging.CRITICAL)
    try:
        client = Client(scheduler, timeout=CONNECTS_WITHIN_S, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        raise ConfigError(
            f"no Dask scheduler answers at {scheduler}, the scheduler of [scale]; 'dask scheduler' starts one ({error})"
        ) from error
    try:
        yield client
    finally:
        client.close(timeout=2)


def _threads(client: Client) -> int:
    return sum(client.nthreads().values())


def _check_versions(client: Client, scheduler: str) -> None:
    """Raises `ConfigError` for a scheduler or a worker whose verdicts is another one, or missing."""
    here = versions()
    try:
        # First by a function that is there without verdicts: a worker ends that is sent one of ours and lacks it.
        client.run_on_scheduler(version, "verdicts")
        check_same(f"the scheduler {scheduler}", client.run_on_scheduler(versions), here)
    except ImportError:
        raise ConfigError(_lacks(f"the scheduler {scheduler}")) from None
    for address, error in _asked(client, version, "verdicts"):
        if isinstance(error, ImportError):
            raise ConfigError(_lacks(f"the worker {address}"))
    for address, there in _asked(client, versions):
        if isinstance(there, Versions):
            check_same(f"the worker {address}", there, here)


def _asked(client: Client, function: Callable[..., object], *args: str) -> Iterator[tuple[str, object]]:
    """Each worker that has time to answer, and what it gives or fails with."""
    asked = {
        client.submit(function, *args, key=("versions", address, uuid4().hex), workers=[address], pure=False): address
        for address in client.nthreads()
    }
    answers_until = time.monotonic() + ANSWERS_WITHIN_S
    for future, address in asked.items():
        with suppress(TimeoutError, CancelledError):
            error = future.exception(timeout=max(0.1, answers_until - time.monotonic()))
            yield address, future.result() if error is None else error


def _lacks(place: str) -> str:
    return f"{place} has no verdicts: pip install 'verdicts[scale]' there, and start it again"
