"""Where a score or a price is on an axis, and how labels fit into their room."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate, takewhile
from math import log10
from unicodedata import combining, east_asian_width

from verdicts.warehouse.serving.named_queries import Label

WIDTH = 400
"""The width of most pictures in SVG units."""

USUAL_START, END = 40, 100
"""Scores below 40 are rare: an axis begins there, or at 0 if there is one. It never fits itself to the data."""

Tick = tuple[float, str]
"""Position and text of a mark on the axis."""


@dataclass(frozen=True, slots=True)
class Axis:
    """Scores from `start` to 100 between the units `left` and `right` of a picture."""

    start: int
    left: float
    right: float

    def x(self, score: float) -> float:
        return round(self.left + (self.right - self.left) * (score - self.start) / (END - self.start), 1)

    @property
    def ticks(self) -> tuple[Tick, ...]:
        step = 10 if self.start else 20
        return tuple((self.x(score), str(score)) for score in range(self.start, END + 1, step))


def axis_of(scores: Iterable[float], left: float, right: float) -> Axis:
    return Axis(USUAL_START if min(scores, default=END) >= USUAL_START else 0, left, right)


PRICES_WIDTH, PRICES_MARGIN = 520, 12
PRICES = (1, 10, 100, 1_000, 10_000)
"""Monthly prices marked on their axis, which is logarithmic."""


def price_x(amount: float) -> float:
    """A price below $1 or above $10,000 is at the end of the axis."""
    share = log10(min(PRICES[-1], max(1.0, amount))) / log10(PRICES[-1])
    return round(PRICES_MARGIN + (PRICES_WIDTH - 2 * PRICES_MARGIN) * share, 1)


def price_ticks() -> tuple[Tick, ...]:
    return tuple((price_x(amount), f"${amount:,}") for amount in PRICES)


BETWEEN = " · "
"""Separates the parts of a label."""

BREADTHS = {
    1.6: "MW@%m",
    1.4: "w<>=+~#",
    1.25: "ABCDEGHKNOPQRUVXYZ&",
    0.7: 'frt()[]/-"',
    0.5: "iIjl.,:;'|! ",
}
"""Widths of letters relative to a digit, which is 0.6 of the font size. Others: 1; East Asian ones: 1.8."""

_BREADTH = {letter: breadth for breadth, letters in BREADTHS.items() for letter in letters}


def breadth(label: str) -> float:
    """The width of a label in digits."""
    return sum(map(_breadth, label))


def _breadth(letter: str) -> float:
    if combining(letter):
        return 0
    return _BREADTH.get(letter, 1.8 if east_asian_width(letter) in "WF" else 1)


def shortened(label: str, chars: float) -> str:
    """A label in the room of so many digits; a cut label ends with `…`."""
    if breadth(label) <= chars:
        return label
    ends = accumulate(map(_breadth, label))
    return label[: sum(end <= chars - 1 for end in ends)].rstrip() + "…"


def fitted(labels: Sequence[Label], chars: int) -> list[str]:
    """Labels in the room of so many digits each. The longest parts are cut first, unless they tell rows apart.

    Slugs with a shared start, `claw-code-open-source` and `claw-code-mirror`, differ only at the end: `…open-source`.
    """
    named: defaultdict[Label, list[str]] = defaultdict(list)
    for label in labels:
        named[label[:-1]].append(label[-1])
    shared = {name: _shared_words(ends) for name, ends in named.items()}
    return [_joined(label, shared[label[:-1]] if len(label) > 1 else "", chars) for label in labels]


def _shared_words(texts: Sequence[str]) -> str:
    """The whole words with which all texts begin."""
    alike = takewhile(lambda letters: len(set(letters)) == 1, zip(*texts, strict=False)) if len(texts) > 1 else ()
    beginning = "".join(letters[0] for letters in alike)
    return beginning[: max(map(beginning.rfind, "- ")) + 1]


def _joined(label: Label, shared: str, chars: int) -> str:
    if breadth(whole := BETWEEN.join(label)) <= chars:
        return whole
    parts = (*label[:-1], "…" + label[-1].removeprefix(shared)) if shared else label
    room = max(len(parts), chars - len(BETWEEN) * (len(parts) - 1))
    most = next(most for most in range(room, 0, -1) if sum(min(len(part), most) for part in parts) <= room)
    return BETWEEN.join(shortened(part, most) for part in parts)


@dataclass(frozen=True, slots=True)
class LabelledRow:
    """A short label, its full text as a tooltip, the height of its line, the reach of its mark, and its value."""

    label: str
    says: str
    y: float
    x: float
    value: str


ROWS_MAX = 40
"""The most labelled rows of a picture: the first of the answer."""

LABELLED_ROW = 22
"""The height of such a row."""


def labelled_rows(
    told: Sequence[tuple[Label, float]], chars: int, places: Iterable[float], top: float
) -> tuple[LabelledRow, ...]:
    shown = fitted([label for label, _ in told], chars)
    return tuple(
        LabelledRow(short, BETWEEN.join(label), top + LABELLED_ROW * number, x, f"{value:,.1f}".removesuffix(".0"))
        for number, (short, (label, value), x) in enumerate(zip(shown, told, places, strict=True))
    )


def have_parts(told: Sequence[tuple[Label, float]]) -> bool:
    """Whether some labels have several parts, and so need more room."""
    return any(len(label) > 1 for label, _ in told)
