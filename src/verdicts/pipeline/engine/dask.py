"""Runs batches on the workers of a Dask scheduler.

If a worker dies, its batches run elsewhere. The scheduler gives up a batch that killed more workers than
`distributed.scheduler.allowed-failures` (3 by default).
"""

import asyncio
import logging
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from importlib.metadata import version
from itertools import islice
from queue import Empty, SimpleQueue
from typing import Any, TypeVar
from uuid import uuid4

from distributed import Client, Future, KilledWorker, Security
from distributed.comm.core import connect

from verdicts.corpus.error_notes import ending_with
from verdicts.extract.page import EXTRACTOR_VERSION
from verdicts.normalize.corpus import NORMALIZER_VERSION
from verdicts.pipeline.gates.thresholds import GATE_VERSION
from verdicts.pipeline.pipeline_errors import ConfigError, EngineFailed

B = TypeVar("B")
R = TypeVar("R")

CONNECTS_WITHIN_S = 10
"""Seconds that a scheduler may take to answer."""

TRIES = 6
"""Attempts to make a client."""


@contextmanager
def connect_client(scheduler: str) -> Iterator[Client]:
    """A client of a scheduler, with or without workers. Raises `ConfigError` if it does not answer."""
    if "@" in scheduler:
        # Without the address, which all messages and reports would then contain.
        raise ConfigError("Dask knows no user and password in the address of a scheduler; leave them out")
    with _silence_logs():
        try:
            asyncio.run(_greet(scheduler))
            client = _make_client(scheduler)
        except (OSError, ValueError, MemoryError) as error:
            raise ConfigError(
                f"no Dask scheduler answers at {scheduler}, the scheduler of [scale]: it cannot be reached"
                f" ({_describe_error(error)}); 'dask scheduler' starts one"
            ) from error
        with ending_with(lambda: client.close(timeout=2)):
            yield client


async def _greet(scheduler: str) -> None:
    """Checks the address first. A client without an answer would take 20 s to close, and print a traceback."""
    comm = await connect(scheduler, timeout=CONNECTS_WITHIN_S, **Security().get_connection_args("client"))
    await comm.close()


def _describe_error(error: Exception) -> str:
    # Dask takes the first bytes of an HTTP answer for a length: `Unable to allocate 3.07 EiB for an array`.
    return "another service answers there" if isinstance(error, MemoryError) else str(error)


def _make_client(scheduler: str) -> Client:
    """Dask asserts that its thread starts within 10 s, which fails on a busy machine."""
    for _ in range(TRIES - 1):
        with suppress(AssertionError):
            return Client(scheduler, timeout=CONNECTS_WITHIN_S, set_as_default=False)
    return Client(scheduler, timeout=CONNECTS_WITHIN_S, set_as_default=False)


@contextmanager
def _silence_logs() -> Iterator[None]:
    """Hides `distributed.client - ERROR - Failed to reconnect...`, which the raised error repeats."""
    loggers = [logging.getLogger(name) for name in ("distributed", "distributed.client")]
    former = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        for logger, level in zip(loggers, former, strict=True):
            logger.setLevel(level)


def describe_program() -> str:
    """What is installed in this process, which must be equal wherever batches run."""
    parts = f"extractor {EXTRACTOR_VERSION}, normalizer {NORMALIZER_VERSION}, gates {GATE_VERSION}"
    return f"verdicts {version('verdicts')} ({parts})"


def run_as(asker: str, function: Callable[[B], R], batch: B) -> R:
    """Runs a batch if this process has the caller's versions. Other versions are refused before they write anything."""
    if (own := describe_program()) != asker:
        raise ConfigError(f"a worker has {own} and not {asker}: install the same there, and start it again")
    return function(batch)


def check_installed(client: Client, scheduler: str) -> None:
    """Raises `ConfigError` if the scheduler or a worker has no verdicts or another version: batches would fail."""
    parts: Any = client.get_versions(packages=["verdicts"])
    there = {f"the scheduler {scheduler}": parts["scheduler"]}
    there |= {f"the worker {address}": worker for address, worker in parts["workers"].items()}
    for place, its in there.items():
        if (found := its["packages"]["verdicts"]) != version("verdicts"):
            raise ConfigError(
                f"{place} has verdicts {found} and not {version('verdicts')}: install"
                " the extra 'scale' of this version there, and start it again"
            )


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

    def run(self, function: Callable[[B], R], batches: Sequence[B]) -> Iterator[R]:
        """See `Engine.run`. Adds a note with the batch to an error of `function`."""
        if not batches:
            return
        # At its end, batches that no worker began are cancelled.
        with connect_client(self._scheduler) as client:
            try:
                client.wait_for_workers(1, timeout=self._workers_within_s)
            except TimeoutError:
                raise self._describe_missing_workers() from None
            check_installed(client, self._scheduler)
            yield from self._list_results(client, function, batches)

    def _list_results(self, client: Client, function: Callable[[B], R], batches: Sequence[B]) -> Iterator[R]:
        run, asker = uuid4().hex, describe_program()
        left = iter(enumerate(batches))
        done: SimpleQueue[Future[R]] = SimpleQueue()
        names: dict[Future[R], str] = {}
        while True:
            room = max(1, BATCHES_A_THREAD * _count_threads(client)) - len(names)
            for number, batch in islice(left, max(0, room)):
                # A key of this run only, because Dask reuses the result of a known key.
                key = (getattr(function, "__name__", "batch"), str(batch), number, run)
                future = client.submit(run_as, asker, function, batch, key=key, pure=False)
                names[future] = str(batch)
                future.add_done_callback(done.put)
            if not names:
                return
            future = self._await(client, done.get)
            yield self._await_result(client, future, names.pop(future))

    def _await_result(self, client: Client, future: Future[R], name: str) -> R:
        """If the worker dies before it returns the result, the batch runs again."""
        try:
            error = self._await(client, future.exception)
            if error is None:
                return self._await(client, future.result)
        except CancelledError as cancelled:
            raise EngineFailed(f"the scheduler {self._scheduler} is gone: {name} is not done") from cancelled
        if isinstance(error, KilledWorker):
            raise EngineFailed(
                f"{name} killed {error.allowed_failures + 1} workers, the last one {error.last_worker.address}:"
                " its log says why; give it more memory if that ran out, and run again"
            ) from error
        error.add_note(f"in the batch {name}")
        raise error

    def _await(self, client: Client, get: Callable[..., R]) -> R:
        """Calls `get` until it returns something. Raises `EngineFailed` if no worker is left."""
        alone_since: float | None = None
        while True:
            try:
                return get(timeout=LOOKS_EVERY_S)
            except (Empty, TimeoutError):
                now = time.monotonic()
                alone_since = None if _count_threads(client) else alone_since or now
                if alone_since is not None and now - alone_since > self._workers_within_s:
                    raise self._describe_missing_workers() from None

    def _describe_missing_workers(self) -> EngineFailed:
        return EngineFailed(
            f"the scheduler {self._scheduler} has had no worker for {self._workers_within_s:g} s;"
            f" 'dask worker {self._scheduler}' starts one"
        )


def _count_threads(client: Client) -> int:
    return sum(client.nthreads().values())
