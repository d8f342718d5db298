"""Row order: a scorecard reads row by row, A before B, and a missing take leaves no trace."""

from collections.abc import Sequence
from functools import cache

Side = int


def align(known: Sequence[Side | None], sizes: tuple[int | None, int | None]) -> list[tuple[Side, float]]:
    """The side (0 for A, 1 for B) of every take, and the share of the best alignments that agree with it.

    The best alignments keep the known sides and panel sizes and have the fewest rows with one take alone: full rows are
    what panels mostly have. Falls back to free sizes where the sizes cannot be met. Cost: takes times panel size.
    """
    solved = _solve(tuple(known), sizes[0])
    return solved if solved is not None else _solve(tuple(known), None) or []


def _solve(known: tuple[Side | None, ...], size_a: int | None) -> list[tuple[Side, float]] | None:
    count = len(known)

    @cache
    def best(at: int, previous: Side, a_so_far: int) -> tuple[int, int]:
        """(full rows, number of ways to get them) from here on; (-1, 0) where it cannot be done."""
        if at == count:
            return (0, 1) if size_a is None or a_so_far == size_a else (-1, 0)
        rows, ways = -1, 0
        for side in (0, 1) if known[at] is None else (known[at],):
            found, number = best(at + 1, side, a_so_far + (side == 0))
            if number == 0:
                continue
            found += previous == 0 and side == 1
            if found > rows:
                rows, ways = found, number
            elif found == rows:
                ways += number
        return rows, ways

    @cache
    def reached(at: int, side: Side, a_so_far: int) -> tuple[int, int]:
        """(full rows, ways) up to and with the take `at` on this side, `a_so_far` counting it."""
        if known[at] not in {None, side} or a_so_far < 0:
            return -1, 0
        before = a_so_far - (side == 0)
        if at == 0:
            return (0, 1) if before == 0 else (-1, 0)
        rows, ways = -1, 0
        for previous in (0, 1):
            found, number = reached(at - 1, previous, before)
            if number == 0:
                continue
            found += previous == 0 and side == 1
            if found > rows:
                rows, ways = found, number
            elif found == rows:
                ways += number
        return rows, ways

    top, total = best(0, 1, 0)
    if total == 0:
        return None
    result = []
    for at in range(count):
        weights = [0, 0]
        for side in (0, 1):
            for a_so_far in range(at + 2):
                head, head_ways = reached(at, side, a_so_far)
                tail, tail_ways = best(at + 1, side, a_so_far)
                if head_ways and tail_ways and head + tail == top:
                    weights[side] += head_ways * tail_ways
        side = 0 if weights[0] >= weights[1] else 1
        result.append((side, weights[side] / total))
    return result
