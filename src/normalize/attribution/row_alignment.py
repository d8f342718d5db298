"""Aligns the takes of a page with the rows of its scorecard.

A scorecard reads row by row, A before B, and a missing take leaves no trace.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple, TypeAlias

Side: TypeAlias = int
"""0 for A, 1 for B."""

Placement: TypeAlias = tuple[Side, float]
"""The side of a take, and the share (0 to 1) of the best alignments that agree."""


class _State(NamedTuple):
    """The side of a take, and the number of A's takes up to it (always 0 where the size of A's panel is not given)."""

    side: Side
    count_a: int


_START = _State(1, 0)
"""Before the first take: the same as after a take of B, because a new row begins."""

_Ways: TypeAlias = tuple[int, int]
"""The largest number of full rows, and the number of ways to reach it."""

_Layer: TypeAlias = dict[_State, _Ways]


def align(known: Sequence[Side | None], sizes: tuple[int | None, int | None]) -> Sequence[Placement]:
    """The side of every take in the best alignment, and the share of equally good alignments that agree.

    The best alignments keep the known sides and panel sizes and have the fewest rows with a single take: most rows of
    real panels are full. Of equals, the one whose early rows are full is given: missing seats are mostly late ones.
    Sizes that cannot be met are ignored. Cost: number of takes times panel size.
    """
    return _solve(tuple(known), sizes[0]) or _solve(tuple(known), None) or ()


@lru_cache(maxsize=16_384)
def _solve(known: tuple[Side | None, ...], size_a: int | None) -> tuple[Placement, ...] | None:
    prefixes = _prefixes(known, size_a)
    suffixes = _suffixes(known, size_a, prefixes)
    if not suffixes[0]:
        return None
    most_rows, most_ways = suffixes[0][_START]
    state, rows_so_far = _START, 0
    placed: list[Placement] = []
    for fixed, prefix, suffix in zip(known, prefixes[1:], suffixes[1:], strict=True):
        # After A a full row goes on with B, after B the next begins with A.
        for side in (1 - state.side, state.side):
            following = _following(state, side, size_a)
            rows = rows_so_far + (state.side < side)
            if fixed in {None, side} and following in suffix and rows + suffix[following][0] == most_rows:
                break
        state, rows_so_far = following, rows
        agreeing = sum(
            prefix[candidate][1] * ways
            for candidate, (rest, ways) in suffix.items()
            if candidate.side == side and candidate in prefix and prefix[candidate][0] + rest == most_rows
        )
        placed.append((side, agreeing / most_ways))
    return tuple(placed)


def _prefixes(known: Sequence[Side | None], size_a: int | None) -> list[_Layer]:
    """The best ways to reach each state: one layer before the first take, and one after each."""
    prefixes: list[_Layer] = [{_START: (0, 1)}]
    for fixed in known:
        reached: _Layer = {}
        for state, (rows, ways) in prefixes[-1].items():
            for side in _allowed(fixed):
                _add(reached, _following(state, side, size_a), rows + (state.side < side), ways)
        prefixes.append(reached)
    return prefixes


def _suffixes(known: Sequence[Side | None], size_a: int | None, prefixes: Sequence[_Layer]) -> list[_Layer]:
    """The best ways from each state to an end with A's panel size: one layer before the first take, one after each."""
    suffixes: list[_Layer] = [{state: (0, 1) for state in prefixes[-1] if size_a is None or state.count_a == size_a}]
    for fixed, layer in zip(reversed(known), reversed(prefixes[:-1]), strict=True):
        leaving: _Layer = {}
        for state in layer:
            for side in _allowed(fixed):
                following = _following(state, side, size_a)
                if following in suffixes[-1]:
                    rows, ways = suffixes[-1][following]
                    _add(leaving, state, rows + (state.side < side), ways)
        suffixes.append(leaving)
    return suffixes[::-1]


def _allowed(fixed: Side | None) -> tuple[Side, ...]:
    return (0, 1) if fixed is None else (fixed,)


def _following(state: _State, side: Side, size_a: int | None) -> _State:
    return _State(side, 0 if size_a is None else state.count_a + (side == 0))


def _add(layer: _Layer, state: _State, rows: int, ways: int) -> None:
    best_rows, ways_so_far = layer.get(state, (-1, 0))
    if rows > best_rows:
        layer[state] = (rows, ways)
    elif rows == best_rows:
        layer[state] = (rows, ways_so_far + ways)
