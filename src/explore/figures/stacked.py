"""What nights asked for and how it ended, as columns; failures once more on a scale of their own."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any

WIDTH, LEFT, RIGHT, TOP = 640, 48, 6, 8
HEIGHT, BOTTOM = 130, 20
FAILED_HEIGHT = 46
DAY_LABEL = 70
"""Units between days that are named below the columns: `30 Nov` takes 62 of them on a telephone."""

PARTS = ("unchanged", "stored", "other", "failed")
"""From the bottom."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a column; `kind` is one of PARTS."""

    kind: str
    y: float
    height: float


@dataclass(frozen=True, slots=True)
class Column:
    """A night; its failures stand in the panel below as `failed`."""

    x: float
    width: float
    parts: tuple[Part, ...]
    failed: Part | None
    says: str


@dataclass(frozen=True, slots=True)
class Stacked:
    """Columns from the oldest night to the newest. Tick: where, and its number. `days`: where, and its name."""

    columns: tuple[Column, ...]
    ticks: tuple[tuple[float, str], ...]
    failed_ticks: tuple[tuple[float, str], ...]
    days: tuple[tuple[float, str], ...]


def stacked_of(nights: Sequence[Mapping[str, Any]]) -> Stacked:
    """Of the answer of `outcomes_by_night`, the newest night first."""
    oldest_first = nights[::-1]
    most = _round_up(max((sum(night[part] for part in PARTS) for night in nights), default=0))
    most_failed = _round_up(max((night["failed"] for night in nights), default=0))
    pitch = min(40.0, (WIDTH - LEFT - RIGHT) / max(1, len(nights)))
    columns = tuple(_column(night, place, pitch, most, most_failed) for place, night in enumerate(oldest_first))
    every = ceil(DAY_LABEL / pitch)
    days = tuple(
        (round(LEFT + pitch * (place + 0.5), 1), f"{night['started_at'].day} {night['started_at']:%b}")
        for place, night in enumerate(oldest_first)
        if place % every == 0
    )
    return Stacked(columns, _ticks(most, HEIGHT, TOP), _ticks(most_failed, FAILED_HEIGHT, TOP), days)


def _column(night: Mapping[str, Any], place: int, pitch: float, most: int, most_failed: int) -> Column:
    parts, base = [], float(HEIGHT)
    for kind in PARTS:
        height = (HEIGHT - TOP) * night[kind] / most
        if night[kind]:
            parts.append(Part(kind, round(base - height, 1), round(height, 1)))
        base -= height
    height = (FAILED_HEIGHT - TOP) * night["failed"] / most_failed
    failed = Part("failed", round(FAILED_HEIGHT - height, 1), round(height, 1)) if night["failed"] else None
    says = ", ".join(f"{night[kind]:,} {kind}" for kind in PARTS)
    x = round(LEFT + pitch * place + 1, 1)
    return Column(x, round(pitch - 2, 1), tuple(parts), failed, f"{night['started_at']:%Y-%m-%d}: {says}")


def _ticks(most: int, base: int, top: int) -> tuple[tuple[float, str], ...]:
    ends = ((float(base), "0"), (float(top), f"{most:,}"))
    return ends if most % 2 or base - top < 60 else (*ends, ((base + top) / 2, f"{most // 2:,}"))


def _round_up(most: int) -> int:
    """1, 2, 5 or such a number with zeros, at least `most`: an axis that a new night seldom moves."""
    step = 1
    while True:
        for first in (1, 2, 5):
            if first * step >= most:
                return first * step
        step *= 10
