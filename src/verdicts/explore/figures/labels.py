"""Labels in the room that they have, measured in digits."""

from collections import defaultdict
from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Decimal, localcontext
from itertools import accumulate, takewhile
from typing import TypeAlias
from unicodedata import combining, east_asian_width

from verdicts.warehouse.serving.named_queries import Label

BETWEEN = " · "
"""Separates the parts of a label."""

_BREADTHS = {
    1.6: "MW@%m",
    1.4: "w<>=+~#",
    1.25: "ABCDEGHKNOPQRUVXYZ&",
    0.7: 'frt()[]/-"',
    0.5: "iIjl.,:;'|! ",
}
"""Widths of letters relative to a digit, which is 0.6 of the font size. Others: 1; East Asian ones: 1.8."""

_BREADTH = {letter: measure_label for measure_label, letters in _BREADTHS.items() for letter in letters}


def write_number(value: float | Decimal, digits: int = 0, sign: str = "") -> str:
    """`1,234`, with so many digits after the point. Halves are rounded away from zero, as by SQL: 73.25 is 73.3."""
    with localcontext(rounding=ROUND_HALF_UP):
        return f"{Decimal(str(value)):{sign},.{digits}f}"


Box: TypeAlias = tuple[float, float, float, float]
"""Left, top, right, bottom."""

_REVIEWER_CHARS = 8
"""Room for the name of a reviewer before its row."""


def measure_label(label: str) -> float:
    """The width of a label in digits."""
    return sum(map(_measure_letter, label))


def _measure_letter(letter: str) -> float:
    if combining(letter):
        return 0
    return _BREADTH.get(letter, 1.8 if east_asian_width(letter) in "WF" else 1)


def shorten(label: str, chars: float = _REVIEWER_CHARS) -> str:
    """A label that fits into a width, in digits; a cut label ends with `…`."""
    if measure_label(label) <= chars:
        return label
    ends = accumulate(map(_measure_letter, label))
    return label[: sum(end <= chars - 1 for end in ends)].rstrip() + "…"


_ABOVE_OR_BELOW = [(x, y, anchor) for y in (-1, 1) for x, anchor in ((0, "middle"), (-1, "start"), (1, "end"))]
_BESIDE = [(1.5, 0, "start"), (-1.5, 0, "end")]
"""Places of a label: how many radii it stands from its dot, and which part of it does."""


def place_labels(
    dots: Sequence[tuple[float, float, str]], size: float, frame: Box, radius: float, *, is_lone: bool
) -> list[tuple[float, float, str] | None]:
    """The place and anchor of the label of each dot; None if it would meet another label or a dot.

    A label has letters of `size` units; the first ones are placed first. `is_lone`: beside a dot nothing else is drawn.
    """
    boxes = [(x - radius, y - radius, x + radius, y + radius) for x, y, _ in dots]
    spots: list[tuple[float, float, str] | None] = []
    for x, y, label in dots:
        room = 0.6 * size * measure_label(label)
        spots.append(None)
        for right, down, anchor in _BESIDE * is_lone + _ABOVE_OR_BELOW:
            at, base = x + right * radius, y + down * (radius + 0.55 * size) + 0.25 * size * (1 + (down == 0) * 0.4)
            left = at - {"start": 0, "middle": room / 2, "end": room}[anchor]
            box = (left, base - 0.8 * size, left + room, base + 0.25 * size)
            is_inside = frame[0] <= box[0] and frame[1] <= box[1] and box[2] <= frame[2] and box[3] <= frame[3]
            if is_inside and not any(_meet(box, taken_box) for taken_box in boxes):
                spots[-1] = (at, base, anchor)
                # Two labels that touch would read as one.
                boxes.append((box[0] - 0.4 * size, box[1], box[2] + 0.4 * size, box[3]))
                break
    return spots


def _meet(a: Box, b: Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def fit_labels(labels: Sequence[Label], chars: int) -> list[str]:
    """Labels that fit into a width, in digits each.

    The longest parts are cut first, unless they distinguish rows. Slugs with a shared start, `clavern-code-open-source`
    and `clavern-code-mirror`, differ only at the end: `…open-source`.
    """
    named: defaultdict[Label, list[str]] = defaultdict(list)
    for label in labels:
        named[label[:-1]].append(label[-1])
    shared = {name: _find_common_start(ends) for name, ends in named.items()}
    return [_join_parts(label, shared[label[:-1]] if len(label) > 1 else "", chars) for label in labels]


def _find_common_start(texts: Sequence[str]) -> str:
    """The whole words with which all texts begin."""
    alike = takewhile(lambda letters: len(set(letters)) == 1, zip(*texts, strict=False)) if len(texts) > 1 else ()
    beginning = "".join(letters[0] for letters in alike)
    return beginning[: max(map(beginning.rfind, "- ")) + 1]


def _join_parts(label: Label, shared: str, chars: int) -> str:
    if measure_label(whole := BETWEEN.join(label)) <= chars:
        return whole
    parts = (*label[:-1], "…" + label[-1].removeprefix(shared)) if shared else label
    room = max(len(parts), chars - len(BETWEEN) * (len(parts) - 1))
    most = next(most for most in range(room, 0, -1) if sum(min(len(part), most) for part in parts) <= room)
    return BETWEEN.join(shorten(part, most) for part in parts)
