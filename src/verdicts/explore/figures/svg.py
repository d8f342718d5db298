"""SVG elements, and the axis of scores. Only classes and attributes: the policy of the pages blocks `style=`."""

from collections.abc import Iterable
from dataclasses import dataclass

from markupsafe import Markup

WIDTH = 400
"""The width of most pictures in SVG units."""

LABEL_END = 60
"""Where the name of a reviewer ends, before its row."""


def svg(
    kind: str, width: float, height: float, says: str, *marks: Markup, is_fixed: bool = False, has_links: bool = False
) -> Markup:
    """A picture. `says` describes it for blind readers; a fixed picture keeps its size on every screen.

    To screen readers an image has no links, but a group has.
    """
    size = {"width": width, "height": height} if is_fixed else {}
    view, role = f"0 0 {_number(width)} {_number(height)}", "group" if has_links else "img"
    return _element("svg", Markup().join(marks), kind=kind, viewBox=view, role=role, aria_label=says, **size)


def line(kind: str, x1: float, y1: float, x2: float, y2: float) -> Markup:
    return _element("line", kind=kind, x1=x1, y1=y1, x2=x2, y2=y2)


def rect(kind: str, x: float, y: float, width: float, height: float, says: str = "") -> Markup:
    return _element("rect", tooltip(says), kind=kind, x=x, y=y, width=width, height=height)


def circle(kind: str, x: float, y: float, radius: float, says: str = "") -> Markup:
    return _element("circle", tooltip(says), kind=kind, cx=x, cy=y, r=radius)


def polyline(kind: str, points: Iterable[tuple[float, float]]) -> Markup:
    return _element("polyline", kind=kind, points=" ".join(f"{_number(x)},{_number(y)}" for x, y in points))


def text(x: float, y: float, words: str, kind: str = "", anchor: str = "") -> Markup:
    """`anchor` is the part of the words at `x`: `middle`, `end`, or the start."""
    return _element("text", Markup.escape(words), kind=kind, x=x, y=y, text_anchor=anchor)


def link(address: str, says: str, *marks: Markup) -> Markup:
    return _element("a", tooltip(says) + Markup().join(marks), href=address)


def group(says: str, *marks: Markup) -> Markup:
    return _element("g", tooltip(says) + Markup().join(marks))


def tooltip(says: str) -> Markup:
    return _element("title", Markup.escape(says)) if says else Markup()


def _element(name: str, content: Markup | None = None, /, **attributes: float | str) -> Markup:
    written = Markup().join(
        Markup(' {}="{}"').format("class" if key == "kind" else key.replace("_", "-"), _number(value))
        for key, value in attributes.items()
        if value != ""
    )
    return Markup("<{0}{1}>{2}</{0}>" if content else "<{0}{1}/>").format(name, written, content)  # noqa: S704  names of ours, everything else is escaped


def _number(value: float | str) -> str:
    return value if isinstance(value, str) else f"{value:.1f}".removesuffix(".0")


USUAL_START, END = 40, 100
"""Scores below 40 are rare: an axis begins there, or at 0 if there is one. It never fits itself to the data."""


@dataclass(frozen=True, slots=True)
class Axis:
    """Scores from `start` to 100 between the units `left` and `right` of a picture."""

    start: int
    left: float
    right: float

    def x(self, score: float) -> float:
        return self.left + (self.right - self.left) * (score - self.start) / (END - self.start)

    def base(self, y: float) -> Markup:
        return line("base", self.left, y, self.right, y)

    def grid(self, height: float) -> Markup:
        """The marked scores of a picture of this height, with their numbers below."""
        scores = range(self.start, END + 1, 10 if self.start else 20)
        return Markup().join(
            line("grid", self.x(score), 2, self.x(score), height - 20)
            + text(self.x(score), height - 6, str(score), "tick", "middle")
            for score in scores
        )


def make_axis(scores: Iterable[float], left: float, right: float) -> Axis:
    return Axis(USUAL_START if min(scores, default=END) >= USUAL_START else 0, left, right)
