"""Refuses work that cannot succeed within the limits of address space and processes (`ulimit -v`, `-u`).

Libraries reserve much more than they use: glibc reserves 64 MB per thread. If that fails, the process dies of SIGABRT
or SIGSEGV.
"""

import os
import resource
from functools import cache
from threading import Event, Thread

from verdicts.warehouse.storage.errors import MemoryShort

LEAST_BYTES = 1_000_000_000
"""Address space that a build, publication or export needs: 0.9 GB for the demo site, mostly code."""

FRUGAL = {"MALLOC_ARENA_MAX": "1", "POLARS_MAX_THREADS": "1"}
"""glibc reads the first when a worker starts, polars the second when it is imported."""

THREADS, THREADS_OF_WORKER = 12, 10
"""Threads of a build, publication or export, and of each worker process (one per core): 32 on two cores.

A library that gets fewer panics, or repeats one line on standard error forever (polars' jemalloc).
"""

_M_ARENA_MAX = -8
"""`mallopt(3)`: MALLOC_ARENA_MAX for a process that already runs."""


def fit_address_space() -> None:
    """Makes libraries reserve little if a limit is set. Call it before they are imported."""
    # OpenBLAS would start a thread per core in every worker, and nothing here multiplies matrices.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    if _limit() is None:
        return
    for name, value in FRUGAL.items():
        os.environ.setdefault(name, value)
    import ctypes  # noqa: PLC0415  most starts have no limit

    ctypes.CDLL(None).mallopt(_M_ARENA_MAX, 1)


def check_limits() -> None:
    """Raises `MemoryShort` if a limit leaves less than LEAST_BYTES, or fewer threads than a build starts."""
    limit = _limit()
    if limit is not None and limit < LEAST_BYTES:
        raise MemoryShort(
            f"the address space is limited to {limit / 1e9:.2f} GB, and this takes {LEAST_BYTES / 1e9:g} GB at least:"
            " raise 'ulimit -v'"
        )

    _check_threads(THREADS + THREADS_OF_WORKER * (os.cpu_count() or 1))


@cache
def _check_threads(least: int) -> None:
    """Starts threads to find out: the limit counts all processes of an account or container. Only once per process."""
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
