"""A limited address space (`ulimit -v`): little is reserved in it, and what cannot work there is refused.

Libraries reserve much more than they use: pyarrow's allocator one gigabyte, glibc 64 MB for every thread. A night of
the demo site uses 0.3 GB and reserves 2.9. A library that gets no more ends the process with SIGABRT or SIGSEGV.
"""

import ctypes
import os
import resource

from warehouse.storage.errors import MemoryShort

LEAST_BYTES = 1_000_000_000
"""Address space that building, publishing and exporting takes: 0.9 GB for the demo site, most of it code."""

FRUGAL = {"MALLOC_ARENA_MAX": "1", "ARROW_DEFAULT_MEMORY_POOL": "system", "POLARS_MAX_THREADS": "1"}
"""Read by glibc when a worker starts, by pyarrow and polars when they are imported."""

_M_ARENA_MAX = -8
"""`mallopt(3)`: what MALLOC_ARENA_MAX sets, for a process that has started."""


def fit_address_space() -> None:
    """Has libraries reserve little, where a limit is set. To be called before they are imported."""
    if _limit() is None:
        return
    for name, value in FRUGAL.items():
        os.environ.setdefault(name, value)
    ctypes.CDLL(None).mallopt(_M_ARENA_MAX, 1)


def check_address_space() -> None:
    """Raises `MemoryShort` where a limit leaves less than LEAST_BYTES."""
    limit = _limit()
    if limit is not None and limit < LEAST_BYTES:
        raise MemoryShort(
            f"the address space is limited to {limit / 1e9:.2f} GB, and this takes {LEAST_BYTES / 1e9:g} GB at least:"
            " raise 'ulimit -v'"
        )


def _limit() -> int | None:
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    return None if limit == resource.RLIM_INFINITY else limit
