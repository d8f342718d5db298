"""One function over many batches, wherever there is room for it."""

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol, TypeVar

B = TypeVar("B")
R = TypeVar("R")


class Engine(Protocol):
    """Where batches are worked on."""

    @property
    def workers(self) -> int:
        """How many batches are worked on at a time, at least 1."""

    def run(self, function: Callable[[B], R], batches: Sequence[B]) -> Iterator[R]:
        """What a module's function gives of each batch, in any order, as soon as it is there.

        Batches and results are small and can be pickled; `str` of a batch is what a person calls it. A batch may be
        worked on more than once, also at the same time, and its result is given once. Raises what `function` raises,
        and `EngineFailed` where a batch took its worker along again and again.
        """
