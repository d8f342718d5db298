"""The connected components of a graph, from its edges."""

from collections.abc import Iterable, Mapping
from typing import TypeVar

T = TypeVar("T", int, str, tuple[str, str])


def join_pairs(pairs: Iterable[tuple[T, T]]) -> Mapping[T, T]:
    """Each member of a pair to the smallest member of its connected component. A pair is connected."""
    first: dict[T, T] = {}

    def find(one: T) -> T:
        while (above := first.setdefault(one, one)) != one:
            first[one] = first[above]
            one = first[above]
        return one

    for pair in pairs:
        one, other = find(pair[0]), find(pair[1])
        first[max(one, other)] = min(one, other)
    return {one: find(one) for one in first}
