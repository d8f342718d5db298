"""The nights of a month as a picture: what each asked for and got, what it left on the disk, what happened before it.

SVG by hand: bars, a line and dots take less than a library of charts. Colours follow the reader's light or dark screen.
"""

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from pathlib import Path

from builders.month.month import NightReport
from builders.month.site import CHANGES, LATE, TROUBLES

LEFT, RIGHT, STEP = 190, 60, 24
BARS_TOP, BARS = 40, 150
DISK_TOP, DISK = 226, 70
ROWS_TOP, ROW = 368, 17
"""Pixels."""

MB = 1_000_000

OUTCOMES: Mapping[str, tuple[str, ...]] = {
    "stored": ("stored",),
    "unchanged": ("unchanged",),
    "moved or gone": ("redirected", "not_found", "gone", "soft_404", "alias"),
    "failed": ("connect_error", "server_error", "throttled", "robots_denied"),
    "robots.txt, sitemaps": ("support",),
}
STATES = {0: "done", 2: "partial", 3: "held", 5: "storage failed", -9: "killed"}
"""Of exit codes."""

STYLE = """
text { font: 11px system-ui, sans-serif; fill: #24292f } .quiet { fill: #57606a }
.title { font-size: 13px; font-weight: 600 }
.axis { stroke: #d0d7de; fill: none } .line { stroke: #0969da; stroke-width: 2; fill: none } .dot { fill: #57606a }
.c0 { fill: #1a7f37 } .c1 { fill: #a7c7b0 } .c2 { fill: #9a6700 } .c3 { fill: #cf222e } .c4 { fill: #d0d7de }
.done { fill: #1a7f37 } .partial { fill: #9a6700 } .held { fill: #cf222e }
.storage { fill: #0969da } .killed { fill: #8250df }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3 } .quiet, .dot { fill: #9198a1 }
  .axis { stroke: #3d444d } .line { stroke: #4493f8 }
  .c0 { fill: #3fb950 } .c1 { fill: #2c5a39 } .c2 { fill: #d29922 } .c3 { fill: #f85149 } .c4 { fill: #3d444d }
  .done { fill: #3fb950 } .partial { fill: #d29922 } .held { fill: #f85149 }
  .storage { fill: #4493f8 } .killed { fill: #ab7df8 }
}
"""


def write_picture(path: Path, nights: Sequence[NightReport], source: Sequence[str]) -> None:
    """`source` are the parts of the data folder whose bytes are drawn."""
    height = ROWS_TOP + ROW * (len(CHANGES) + len(TROUBLES) + 2) + 12
    width = LEFT + STEP * len(nights) + RIGHT
    parts = [*_bars(nights), *_disk(nights, source), *_events(nights)]
    words = "Nights from left to right: requests by outcome, source on the disk, how each ended, what happened."
    path.write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" role="img">\n'
        f"<title>{words}</title>\n<style>{STYLE}</style>\n" + "\n".join(parts) + "\n</svg>\n",
        encoding="utf-8",
    )


def _bars(nights: Sequence[NightReport]) -> Iterator[str]:
    yield text(LEFT, BARS_TOP - 22, "Requests of each night, by outcome", "title")
    counts = [[sum(night.outcomes.get(name, 0) for name in names) for names in OUTCOMES.values()] for night in nights]
    most = max(map(sum, counts))
    yield from _axis(BARS_TOP, BARS, f"{most}")
    for number, of_night in enumerate(counts):
        bottom = float(BARS_TOP + BARS)
        for kind, count in enumerate(of_night):
            tall = BARS * count / most
            bottom -= tall
            if count:
                yield f'<rect class="c{kind}" x="{_x(number) - 8}" y="{bottom:.1f}" width="16" height="{tall:.1f}"/>'
    at = LEFT + 270
    for kind, name in enumerate(OUTCOMES):
        yield f'<rect class="c{kind}" x="{at}" y="{BARS_TOP - 31}" width="10" height="10"/>'
        yield text(at + 14, BARS_TOP - 22, name, "quiet")
        at += 28 + 6 * len(name)


def _disk(nights: Sequence[NightReport], source: Sequence[str]) -> Iterator[str]:
    sizes = [sum(night.disk.get(name, 0) for name in source) / MB for night in nights]
    yield text(LEFT, DISK_TOP - 8, "raw, state and records on the disk, MB", "title")
    yield from _axis(DISK_TOP, DISK, f"{max(sizes):.1f}")
    points = " ".join(f"{_x(at)},{DISK_TOP + DISK * (1 - size / max(sizes)):.1f}" for at, size in enumerate(sizes))
    yield f'<polyline class="line" points="{points}"/>'


def _events(nights: Sequence[NightReport]) -> Iterator[str]:
    for number in range(0, len(nights), 5):
        yield text(_x(number), ROWS_TOP - 26, str(number), "quiet", "middle")
    yield text(LEFT - 10, ROWS_TOP - 26, "night", "quiet", "end")
    yield text(LEFT - 10, ROWS_TOP, "how it ended", "", "end")
    at = LEFT + 330
    for name in STATES.values():
        yield f'<rect class="{name}" x="{at}" y="{ROWS_TOP - 49}" width="10" height="10" rx="2"/>'
        yield text(at + 14, ROWS_TOP - 40, name, "quiet")
        at += 28 + 6 * len(name)
    for number, night in enumerate(nights):
        for run, ended in enumerate(night.ended):
            name = STATES[ended.code]
            x = _x(number) - 8 + run * 9
            wide = 16 if len(night.ended) == 1 else 7
            yield (
                f'<rect class="{name}" x="{x}" y="{ROWS_TOP - 10}" width="{wide}" height="11" rx="2">'
                f"<title>{escape(ended.line)}</title></rect>"
            )
    for row, event in enumerate((*TROUBLES, *CHANGES, LATE), start=1):
        y = ROWS_TOP + row * ROW
        yield f'<path class="axis" d="M{LEFT} {y - 4}H{_x(len(nights) - 1) + 10}"/>'
        yield text(LEFT - 10, y, event, "", "end")
        for number, night in enumerate(nights):
            if times := night.events.count(event):
                yield f'<circle class="dot" cx="{_x(number)}" cy="{y - 4}" r="{3 + times}"/>'


def _axis(top: int, tall: int, most: str) -> Iterator[str]:
    yield f'<path class="axis" d="M{LEFT} {top}V{top + tall}"/>'
    yield text(LEFT - 6, top + 8, most, "quiet", "end")
    yield text(LEFT - 6, top + tall, "0", "quiet", "end")


def _x(night: int) -> int:
    return LEFT + 14 + night * STEP


def text(x: int, y: int, words: str, kind: str = "", anchor: str = "start") -> str:
    return f'<text class="{kind}" x="{x}" y="{y}" text-anchor="{anchor}">{escape(words)}</text>'
