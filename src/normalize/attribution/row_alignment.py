"""Row order: a scorecard reads row by row, A before B, and a missing take leaves no trace."""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple, TypeAlias

Side: TypeAlias = int
"""0 for A, 1 for B."""

Placement: TypeAlias = tuple[Side, float]


class _State(NamedTuple):
    """The side of a take, and how many of A's takes stand up to it (always 0 where A's number is free)."""

    side: Side
    count_a: int


_START = _State(1, 0)
"""Before the first take: as after a take of B, so that the first row can begin."""

_Ways: TypeAlias = tuple[int, int]
"""The most full rows, and in how many ways they come about."""

_Layer: TypeAlias = dict[_State, _Ways]


def align(known: Sequence[Side | None], sizes: tuple[int | None, int | None]) -> Sequence[Placement]:
    """The side of every take in the best alignment, and the share of equally good ones that agree with it there.

    The best alignments keep the known sides and panel sizes and have the fewest rows with one take alone: full rows are
    what panels mostly have. Of equals, the one whose early rows are full: the seats that are missing stand late. Falls
    back to free sizes where the sizes cannot be met. Cost: takes times panel size.
    """
    return _solve(tuple(known), sizes[0]) or _solve(tuple(known), None) or ()


@lru_cache(maxsize=16_384)
def _solve(known: tuple[Side | None, ...], size_a: int | None) -> tuple[Placement, ...] | None:
    heads = _heads(known, size_a)
    tails = _tails(known, size_a, heads)
    if not tails[0]:
        return None
    top, total = tails[0][_START]
    state, rows_so_far = _START, 0
    placed: list[Placement] = []
    for fixed, head, tail in zip(known, heads[1:], tails[1:], strict=True):
        # After A a full row goes on with B, after B the next begins with A.
        for side in (1 - state.side, state.side):
            following = _next(state, side, size_a)
            rows = rows_so_far + (state.side < side)
            if fixed in {None, side} and following in tail and rows + tail[following][0] == top:
                break
        state, rows_so_far = following, rows
        agreeing = sum(
            head[other][1] * ways
            for other, (rest, ways) in tail.items()
            if other.side == side and other in head and head[other][0] + rest == top
        )
        placed.append((side, agreeing / total))
    return tuple(placed)


def _heads(known: Sequence[Side | None], size_a: int | None) -> list[_Layer]:
    """Before and after every take, the best ways to have come to each state."""
    heads: list[_Layer] = [{_START: (0, 1)}]
    for fixed in known:
        reached: _Layer = {}
        for state, (rows, ways) in heads[-1].items():
            for side in _allowed(fixed):
                _add(reached, _next(state, side, size_a), rows + (state.side < side), ways)
        heads.append(reached)
    return heads


def _tails(known: Sequence[Side | None], size_a: int | None, heads: Sequence[_Layer]) -> list[_Layer]:
    """Before and after every take, the best ways to go on from each state to an end that has A's number."""
    tails: list[_Layer] = [{state: (0, 1) for state in heads[-1] if size_a is None or state.count_a == size_a}]
    for fixed, layer in zip(reversed(known), reversed(heads[:-1]), strict=True):
        going: _Layer = {}
        for state in layer:
            for side in _allowed(fixed):
                following = _next(state, side, size_a)
                if following in tails[-1]:
                    rows, ways = tails[-1][following]
                    _add(going, state, rows + (state.side < side), ways)
        tails.append(going)
    return tails[::-1]


def _allowed(fixed: Side | None) -> tuple[Side, ...]:
    return (0, 1) if fixed is None else (fixed,)


def _next(state: _State, side: Side, size_a: int | None) -> _State:
    return _State(side, 0 if size_a is None else state.count_a + (side == 0))


def _add(layer: _Layer, state: _State, rows: int, ways: int) -> None:
    best, so_far = layer.get(state, (-1, 0))
    if rows > best:
        layer[state] = (rows, ways)
    elif rows == best:
        layer[state] = (rows, so_far + ways)
