"""The connected components of a graph, from its edges."""

from collections.abc import Iterable, Mapping
from typing import TypeVar

T = TypeVar("T", int, str, tuple[str, str])


def join_pairs(pairs: Iterable[tuple[T, T]]) -> Mapping[T, T]:
    """Each member of a pair to the smallest member of its connected component. A pair is connected."""
    roots: dict[T, T] = {}

    def find_root(member: T) -> T:
        while (above := roots.setdefault(member, member)) != member:
            roots[member] = roots[above]
            member = roots[above]
        return member

    for pair in pairs:
        first, second = find_root(pair[0]), find_root(pair[1])
        roots[max(first, second)] = min(first, second)
    return {member: find_root(member) for member in roots}
