"""Python's cyclic garbage collector, which finds nothing in a batch of rows and walks all of them to see that."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def without_collector() -> Iterator[None]:
    """A batch without the cyclic collector: millions of objects that stay would be walked time and again.

    A fifth of normalization's CPU. What has no cycles is freed all the same.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
