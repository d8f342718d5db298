"""How the answer of a named question is drawn, and what names each of its rows.

    -- picture: bars name+slug+tool_id mean_score

A picture is a kind, the columns that label a mark, and the column that it shows. The first column is on every label;
each further one only on labels that without it name several rows: a slug is shown where a name is shared.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, cast, get_args

_PICTURE = re.compile(r"-- picture: (?P<kind>\w+)(?: (?P<labels>\w+(?:\+\w+)*) (?P<value>\w+))?$", re.MULTILINE)

PictureKind: TypeAlias = Literal["bars", "strip", "lines", "table"]

Label: TypeAlias = tuple[str, ...]
"""The parts of a label, the first the most telling."""


@dataclass(frozen=True, slots=True)
class Picture:
    """How an answer is drawn.

    `bars`: one bar a row, `value` long. `strip`: a dot a row on a fixed axis from 0 to 100. `lines`: `value` over the
    time `labels`, where each time has one. `table`: no picture fits, there are no labels and `value` is None.
    """

    kind: PictureKind
    labels: tuple[str, ...] = ()
    value: str | None = None


def picture_of(name: str, sql: str) -> Picture:
    """The picture that the file of a question declares. Raises ValueError where it declares none: a bug of ours."""
    told = _PICTURE.search(sql)
    if (
        told is None
        or told["kind"] not in get_args(PictureKind)
        or (told["kind"] == "table") != (told["value"] is None)
    ):
        raise ValueError(f"{name}.sql: '-- picture: KIND LABEL[+LABEL] VALUE' with KIND of {get_args(PictureKind)}")
    labels = tuple(told["labels"].split("+")) if told["labels"] else ()
    return Picture(cast("PictureKind", told["kind"]), labels, told["value"])


def row_labels(rows: Sequence[Sequence[str | None]]) -> list[Label]:
    """A label for each row, of the texts of its label columns, no two of them equal.

    Rows that no text tells apart are numbered. A first text that is None is an empty part.
    """
    labels: list[Label] = [(row[0] or "",) for row in rows]
    for place in range(1, max(map(len, rows), default=0)):
        counts = Counter(labels)
        further = [row[place] for row in rows]
        labels = [
            (*label, text) if text and counts[label] > 1 else label for label, text in zip(labels, further, strict=True)
        ]
    return _numbered(labels)


def _numbered(labels: Sequence[Label]) -> list[Label]:
    taken = set(labels)
    seen: set[Label] = set()
    numbered = []
    for label in labels:
        number, distinct = 1, label
        while distinct in seen or (number > 1 and distinct in taken):
            number += 1
            distinct = (*label, str(number))
        seen.add(distinct)
        numbered.append(distinct)
    return numbered
