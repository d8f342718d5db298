"""Pictures as numbers: where the bars of the last nights stand, and the line of a sparkline. Pure; units of an SVG."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil, log10

from verdicts.pipeline.nights.report.facts import NightOutcomes
from verdicts.pipeline.nights.report.words import GLYPHS, state_of_status

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 440, 168, 34, 6, 8, 36
"""Of the picture of the last nights, and of its margins: numbers at the left, states and dates at the bottom,
half of the last date at the right."""

SLOTS = 14

SPARK_WIDTH, SPARK_HEIGHT, SPARK_LEAST = 120, 24, 0.05
"""Of a sparkline. Its axis begins at 0 and ends at its largest value, or at 5 % where that is less: noise stays low."""

KINDS = ("unchanged", "stored", "other", "failed")
"""The parts of a bar, from the bottom."""

BLOCKS = "▏▎▍▌▋▊▉█"


@dataclass(frozen=True, slots=True)
class Part:
    """A rectangle of a bar."""

    kind: str
    y: float
    height: float


@dataclass(frozen=True, slots=True)
class Bar:
    """A night: its parts, the glyph of its state, and its date where that is written. `says` is for a pointer."""

    x: float
    width: float
    parts: tuple[Part, ...]
    glyph: str
    state: str
    date: str | None
    says: str


@dataclass(frozen=True, slots=True)
class Chart:
    """The last nights; `ticks` are (y, number) of the axis."""

    bars: tuple[Bar, ...]
    ticks: tuple[tuple[float, str], ...]


def chart_of(nights: Sequence[NightOutcomes]) -> Chart:
    """The bars of the nights, the newest at the right."""
    top = _round_up(max((night.addresses for night in nights), default=0))
    base, height = HEIGHT - BOTTOM, HEIGHT - BOTTOM - TOP
    step = (WIDTH - LEFT - RIGHT) / SLOTS
    first = SLOTS - len(nights)

    def bar(place: int, night: NightOutcomes) -> Bar:
        scale = height / top
        state = state_of_status(night.status)
        return Bar(
            x=round(LEFT + (first + place) * step, 1),
            width=round(step - 2, 1),
            parts=tuple(_parts(night, base, scale)),
            glyph=GLYPHS[state],
            state=state,
            date=f"{night.began_at.day} {night.began_at:%b}" if (len(nights) - 1 - place) % 3 == 0 else None,
            says=_says(night, state),
        )

    bars = tuple(bar(place, night) for place, night in enumerate(nights))
    return Chart(bars, tuple((round(base - height * part, 1), f"{top * part:,.0f}") for part in (0, 0.5, 1)))


def spark_points(history: Sequence[float]) -> tuple[tuple[float, float], ...]:
    """The points of a sparkline, the newest at the right edge."""
    top = max(SPARK_LEAST, *history) if history else SPARK_LEAST
    inner_width, inner_height = SPARK_WIDTH - 6, SPARK_HEIGHT - 6
    step = inner_width / max(1, len(history) - 1)
    start = inner_width - step * (len(history) - 1)
    return tuple(
        (round(3 + start + place * step, 1), round(3 + inner_height * (1 - share / top), 1))
        for place, share in enumerate(history)
    )


def block_bar(share: float, width: int = 10) -> str:
    """A share as a bar of text, to an eighth of a character: `██████▎`. More than nothing shows a sliver."""
    eighths = min(width * 8, max(1 if share > 0 else 0, round(share * width * 8)))
    whole, rest = divmod(eighths, 8)
    return "█" * whole + (BLOCKS[rest - 1] if rest else "")


def block_spark(history: Sequence[float]) -> str:
    """A sparkline of text: `▁▁▂█`."""
    top = max(SPARK_LEAST, *history) if history else SPARK_LEAST
    return "".join("▁▂▃▄▅▆▇█"[min(7, int(share / top * 8))] for share in history)


def _parts(night: NightOutcomes, base: float, scale: float) -> Iterator[Part]:
    y = base
    for kind, count in zip(KINDS, (night.unchanged or 0, night.stored, night.other, night.failed), strict=True):
        if count:
            # A failed address among thousands is what one looks for.
            height = max(1.5 if kind == "failed" else 0.0, count * scale)
            y -= height
            yield Part(kind, round(y, 1), round(height, 1))


def _says(night: NightOutcomes, state: str) -> str:
    day = f"{night.began_at:%Y-%m-%d}: {state}"
    if night.unchanged is None:
        return f"{day}, no crawl"
    return (
        f"{day}, {night.unchanged:,} unchanged, {night.stored:,} stored anew, {night.other:,} other,"
        f" {night.failed:,} failed"
    )


def _round_up(count: int) -> int:
    """The end of the axis: 1, 2, 4 or 10 times a power of ten that no bar passes, even numbers for its middle."""
    if count <= 2:
        return 2
    power = int(10.0 ** int(log10(count)))
    return next(step for step in (power, 2 * power, 4 * power, 6 * power, 8 * power, 10 * power) if step >= count)


def percent(share: float) -> str:
    """`83 %`; never 100 where something is missing, never 0 where something is there."""
    number = share * 100
    if 0 < number < 1:
        return "< 1 %"
    return f"{ceil(number) if number < 50 else int(number)} %"
