"""Limits of address space and of processes (`ulimit -v`, `-u`): what cannot work within them is refused.

Libraries reserve much more than they use: glibc 64 MB for every thread. A library that gets no more ends the process
with SIGABRT or SIGSEGV.
"""

import ctypes
import os
import resource
from functools import cache
from threading import Event, Thread

from verdicts.warehouse.storage.errors import MemoryShort

LEAST_BYTES = 1_000_000_000
"""Address space that building, publishing and exporting takes: 0.9 GB for the demo site, most of it code."""

FRUGAL = {"MALLOC_ARENA_MAX": "1", "POLARS_MAX_THREADS": "1"}
"""Read by glibc when a worker starts, by polars when it is imported."""

THREADS, THREADS_OF_WORKER = 12, 10
"""Threads that building, publishing and exporting start, and each of the worker processes, one a processor: 28 on two.

A library that gets fewer panics, or writes the same line to standard error for ever (polars' jemalloc).
"""

_M_ARENA_MAX = -8
"""`mallopt(3)`: what MALLOC_ARENA_MAX sets, for a process that has started."""


def fit_address_space() -> None:
    """Has libraries reserve little, where a limit is set. To be called before they are imported."""
    # Nothing here multiplies matrices, and every worker would start a thread for every processor.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    if _limit() is None:
        return
    for name, value in FRUGAL.items():
        os.environ.setdefault(name, value)
    ctypes.CDLL(None).mallopt(_M_ARENA_MAX, 1)


def check_limits() -> None:
    """Raises `MemoryShort` where a limit leaves less than LEAST_BYTES, or fewer threads than a build starts."""
    limit = _limit()
    if limit is not None and limit < LEAST_BYTES:
        raise MemoryShort(
            f"the address space is limited to {limit / 1e9:.2f} GB, and this takes {LEAST_BYTES / 1e9:g} GB at least:"
            " raise 'ulimit -v'"
        )

    _check_threads(THREADS + THREADS_OF_WORKER * (os.cpu_count() or 1))


@cache
def _check_threads(least: int) -> None:
    """Tries, as the limit is of all processes of an account or container; once, as libraries keep what they start."""
    end = Event()
    threads = [Thread(target=end.wait, daemon=True) for _ in range(least)]
    started = 0
    try:
        for thread in threads:
            thread.start()
            started += 1
    except RuntimeError:
        raise MemoryShort(
            f"{started} of {least} threads can be started: raise 'ulimit -u', or the limit of the container"
        ) from None
    finally:
        end.set()
        for thread in threads[:started]:
            thread.join()


def _limit() -> int | None:
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    return None if limit == resource.RLIM_INFINITY else limit
