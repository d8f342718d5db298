"""What each step costs as a picture: a block of bars for each part, the dearest step first.

SVG by hand. Colours follow the reader's light or dark screen.
"""

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from pathlib import Path

NAMES, BAR, ROW = 200, 330, 17
"""Pixels: of the steps' names, of the longest bar, of a line."""

LEAST = 0.02
"""Shares below are one line."""

STYLE = """
text { font: 11px system-ui, sans-serif; fill: #24292f } .quiet { fill: #57606a }
.title { font-size: 13px; font-weight: 600 } .c0 { fill: #1a7f37 }
@media (prefers-color-scheme: dark) { text { fill: #e6edf3 } .quiet { fill: #9198a1 } .c0 { fill: #3fb950 } }
"""


def write_picture(path: Path, parts: Mapping[str, Mapping[str, float]]) -> None:
    """`parts` has microseconds a page by part and step."""
    blocks = {part: _lines(steps) for part, steps in parts.items()}
    height = sum(ROW * (len(lines) + 2) for lines in blocks.values()) + 12
    drawn: list[str] = []
    y = ROW
    for part, lines in blocks.items():
        drawn += _block(part, lines, y)
        y += ROW * (len(lines) + 2)
    width = NAMES + BAR + 120
    path.write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" role="img">\n'
        f"<title>CPU time of a page by step: {', '.join(parts)}.</title>\n<style>{STYLE}</style>\n"
        + "\n".join(drawn)
        + "\n</svg>\n",
        encoding="utf-8",
    )


def _lines(steps: Mapping[str, float]) -> list[tuple[str, float]]:
    total = sum(steps.values())
    shown = sorted(((step, us) for step, us in steps.items() if us >= LEAST * total), key=lambda line: -line[1])
    rest = total - sum(us for _, us in shown)
    return [*shown, (f"{len(steps) - len(shown)} others", rest)] if len(shown) < len(steps) else shown


def _block(part: str, lines: Sequence[tuple[str, float]], y: int) -> Iterator[str]:
    total = sum(us for _, us in lines)
    yield text(0, y, f"{part}: {total / 1000:,.2f} ms of CPU", "title")
    for row, (step, us) in enumerate(lines, start=1):
        at = y + row * ROW
        wide = BAR * us / max(us for _, us in lines)
        yield text(NAMES - 8, at, step, "", "end")
        yield f'<rect class="c0" x="{NAMES}" y="{at - 10}" width="{wide:.1f}" height="12" rx="2"/>'
        yield text(NAMES + int(wide) + 6, at, f"{us:,.0f} µs, {us / total:.0%}", "quiet")


def text(x: int, y: int, words: str, kind: str = "", anchor: str = "start") -> str:
    return f'<text class="{kind}" x="{x}" y="{y}" text-anchor="{anchor}">{escape(words)}</text>'
