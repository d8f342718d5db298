"""Labels of a picture: as much of one as there is room for."""

from collections import defaultdict
from collections.abc import Sequence
from itertools import accumulate, takewhile
from unicodedata import combining, east_asian_width

from verdicts.warehouse.serving.named_queries import Label

BETWEEN = " · "
"""Stands between the parts of a label."""


BREADTHS = {
    1.6: "MW@%m",
    1.4: "w<>=+~#",
    1.25: "ABCDEGHKNOPQRUVXYZ&",
    0.7: 'frt()[]/-"',
    0.5: "iIjl.,:;'|! ",
}
"""How broad letters are beside a digit, which is 0.6 of the size of the letters. Others: 1, of the Far East 1.8."""

_BREADTH = {letter: breadth for breadth, letters in BREADTHS.items() for letter in letters}


def breadth(label: str) -> float:
    """How many digits have the room that a label takes."""
    return sum(map(_breadth, label))


def _breadth(letter: str) -> float:
    if combining(letter):
        return 0
    return _BREADTH.get(letter, 1.8 if east_asian_width(letter) in "WF" else 1)


def shortened(label: str, chars: float) -> str:
    """A label in the room of so many digits; what is cut ends in `…`."""
    if breadth(label) <= chars:
        return label
    ends = accumulate(map(_breadth, label))
    return label[: sum(end <= chars - 1 for end in ends)].rstrip() + "…"


def fitted(labels: Sequence[Label], chars: int) -> list[str]:
    """Labels with the parts of each cut, the longest first, until it has room; what tells them apart is not cut off.

    Of a shared name's slugs, `claw-code-open-source` and `claw-code-mirror`, only the ends differ: `…open-source`.
    """
    named: defaultdict[Label, list[str]] = defaultdict(list)
    for label in labels:
        named[label[:-1]].append(label[-1])
    shared = {name: _shared_words(ends) for name, ends in named.items()}
    return [_joined(label, shared[label[:-1]] if len(label) > 1 else "", chars) for label in labels]


def has_parts(labels: Sequence[Label]) -> bool:
    """Whether one name is not enough for some of them: then labels take more of the picture."""
    return any(len(label) > 1 for label in labels)


def _shared_words(texts: Sequence[str]) -> str:
    """What several texts begin with, as far as whole words of it."""
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
