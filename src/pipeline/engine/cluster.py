"""A Dask scheduler as its clients see it: whether it answers, and of which versions its workers are."""

import logging
import time
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from importlib.metadata import version
from uuid import uuid4

from distributed import Client, Security
from distributed.comm.core import connect

from verdicts.corpus.first_error import ending_with
from verdicts.pipeline import event_loop
from verdicts.pipeline.engine.versions import Versions, check_same, versions
from verdicts.pipeline.errors import ConfigError

CONNECTS_WITHIN_S = 10
"""Seconds that a scheduler may take to answer."""

TRIES = 6
"""Of making a client."""

ANSWERS_WITHIN_S = 5.0
"""Seconds in which an idle worker says its versions; one that is at work is asked with its first batch."""


@contextmanager
def connected(scheduler: str) -> Iterator[Client]:
    """A client of a scheduler, with or without workers. Raises `ConfigError` where it does not answer."""
    if "@" in scheduler:
        # Said without the address, which messages and reports would have from here on.
        raise ConfigError("Dask knows no user and password in the address of a scheduler; leave them out")
    with _silent():
        try:
            event_loop.run(_greet(scheduler))
            client = _client(scheduler)
        except (OSError, ValueError, MemoryError) as error:
            raise ConfigError(
                f"no Dask scheduler answers at {scheduler}, the scheduler of [scale]: it cannot be reached"
                f" ({_why(error)}); 'dask scheduler' starts one"
            ) from error
        with ending_with(lambda: client.close(timeout=2)):
            yield client


async def _greet(scheduler: str) -> None:
    """A client that reaches nobody would close itself for 20 s, and print a traceback."""
    comm = await connect(scheduler, timeout=CONNECTS_WITHIN_S, **Security().get_connection_args("client"))
    await comm.close()


def _why(error: Exception) -> str:
    # Dask takes the first bytes of an HTTP answer for a length: `Unable to allocate 3.07 EiB for an array`.
    return "another service answers there" if isinstance(error, MemoryError) else str(error)


def _client(scheduler: str) -> Client:
    """Dask asserts that its thread has begun within 10 s, and on a machine with much other work it had not."""
    for _ in range(TRIES - 1):
        with suppress(AssertionError):
            return Client(scheduler, timeout=CONNECTS_WITHIN_S, set_as_default=False)
    return Client(scheduler, timeout=CONNECTS_WITHIN_S, set_as_default=False)


@contextmanager
def _silent() -> Iterator[None]:
    """`distributed.client - ERROR - Failed to reconnect...`: what is raised says it."""
    loggers = [logging.getLogger(name) for name in ("distributed", "distributed.client")]
    former = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        for logger, level in zip(loggers, former, strict=True):
            logger.setLevel(level)


def check_versions(client: Client, scheduler: str, known: set[str]) -> None:
    """Raises `ConfigError` for a scheduler or a worker whose verdicts is another one, or missing.

    `known`: addresses that were looked at; those that answer are added.
    """
    check_scheduler(client, scheduler)
    here = versions()
    # First by a function that is there without verdicts: a worker ends that is sent one of ours and lacks it.
    for address, error in _asked(client, known, version, "verdicts"):
        if isinstance(error, ImportError):
            raise ConfigError(_lacks(f"the worker {address}"))
    for address, there in _asked(client, known, versions):
        if isinstance(there, Versions):
            check_same(f"the worker {address}", there, here)
            known.add(address)


def check_scheduler(client: Client, scheduler: str) -> None:
    """Raises `ConfigError` for a scheduler whose verdicts is another one, or missing."""
    try:
        client.run_on_scheduler(version, "verdicts")
        check_same(f"the scheduler {scheduler}", client.run_on_scheduler(versions), versions())
    except ImportError:
        raise ConfigError(_lacks(f"the scheduler {scheduler}")) from None


def _asked(
    client: Client, known: set[str], function: Callable[..., object], *args: str
) -> Iterator[tuple[str, object]]:
    """Each worker that has time to answer, and what it gives or fails with."""
    asked = {
        client.submit(function, *args, key=("versions", address, uuid4().hex), workers=[address], pure=False): address
        for address in client.nthreads()
        if address not in known
    }
    answers_until = time.monotonic() + ANSWERS_WITHIN_S
    for future, address in asked.items():
        with suppress(TimeoutError, CancelledError):
            error = future.exception(timeout=max(0.1, answers_until - time.monotonic()))
            yield address, future.result() if error is None else error


def _lacks(place: str) -> str:
    return f"{place} has no verdicts: pip install 'verdicts[scale]' there, and start it again"
