"""An error while something is closed, removed or rolled back never hides the first error."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def note_errors(first: BaseException) -> Iterator[None]:
    """Adds an error of the body as a note to `first`, which the caller raises. Ctrl+C passes through."""
    try:
        yield
    except Exception as second:
        first.add_note(f"after that, cleaning up failed too: {type(second).__name__}: {second}")


@contextmanager
def ending_with(end: Callable[[], object]) -> Iterator[None]:
    """Calls `end` after the body. If both fail, the error of `end` becomes a note of the first error."""
    try:
        yield
    except BaseException as first:
        with note_errors(first):
            end()
        raise
    end()
