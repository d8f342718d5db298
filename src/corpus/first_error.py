"""What fails while something is closed, removed or rolled back never hides the error that came before it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def noted_on(first: BaseException) -> Iterator[None]:
    """An error of the body becomes a note of the `first` one, which the caller raises. An interruption passes."""
    try:
        yield
    except Exception as second:
        first.add_note(f"after that, cleaning up failed too: {type(second).__name__}: {second}")


@contextmanager
def ending_with(end: Callable[[], object]) -> Iterator[None]:
    """Calls `end` after the body. After a body that failed, an error of `end` becomes a note of the first one."""
    try:
        yield
    except BaseException as first:
        with noted_on(first):
            end()
        raise
    end()
