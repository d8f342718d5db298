"""Shares of a hundred, night by night or load by load, on a fixed axis."""

from collections.abc import Sequence
from dataclasses import dataclass

WIDTH, HEIGHT, MARGIN = 120, 22, 3


@dataclass(frozen=True, slots=True)
class Sparkline:
    """Points from the oldest to the newest, as SVG has them; the newest is `end` too."""

    points: str
    end: tuple[float, float]
    says: str


def sparkline_of(shares: Sequence[float], of: str = "nights") -> Sparkline:
    """Percent, at least one, the oldest first; `of` what they are."""
    pitch = (WIDTH - 2 * MARGIN) / max(1, len(shares) - 1)
    points = [
        (round(MARGIN + pitch * place, 1), round(HEIGHT - MARGIN - (HEIGHT - 2 * MARGIN) * share / 100, 1))
        for place, share in enumerate(shares)
    ]
    says = f"{len(shares)} {of}, lowest {min(shares):.0f} %, newest {shares[-1]:.0f} %"
    return Sparkline(" ".join(f"{x},{y}" for x, y in points), points[-1], says)
