"""An answer as a table for people: one line per row if that is readable, else one line per column.

On a terminal a long text is cut; a line below the table says how many were cut and how to see them. Elsewhere nothing
is cut: a long text takes several lines.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from rich.cells import cell_len, set_cell_size
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from verdicts.pipeline.terminal import block_bar, shown, shown_line
from verdicts.warehouse.serving.answer_text import cell_text, is_number
from verdicts.warehouse.serving.named_queries import row_labels

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console, RenderableType

    from verdicts.warehouse.serving.named_queries import Picture
    from verdicts.warehouse.serving.query import Answer

NULL = "NULL"

_DECIMALS = 4
"""The most decimals of a DOUBLE in a table; CSV and JSON have all digits."""


_SMALLEST, _LARGEST = 0.5 * 10**-_DECIMALS, 1e15
"""A column with a number other than 0 outside this range shows each number's own digits: 0.0000 is no answer."""


def column_texts(values: Sequence[Any]) -> list[str | None]:
    """One column as texts, None for NULL. All floats get the decimals of the one that needs most."""
    finite = [value for value in values if isinstance(value, float) and math.isfinite(value)]
    if any(value and not _SMALLEST <= abs(value) < _LARGEST for value in finite):
        return [_text(value, None) for value in values]
    decimals = max((len(f"{value:.{_DECIMALS}f}".rstrip("0").partition(".")[2]) for value in finite), default=0)
    return [_text(value, decimals) for value in values]


def _text(value: object, decimals: int | None) -> str | None:
    if isinstance(value, float) and math.isfinite(value):
        return cell_text(float(f"{value:.6g}")) if decimals is None else f"{value:.{decimals}f}"
    if isinstance(value, datetime):
        return f"{value:%Y-%m-%d %H:%M:%S}"
    return cell_text(value)


BORDER = 3
"""Characters between two columns; one more ends the table."""


def widths(needs: Sequence[int], least: Sequence[int], room: int) -> list[int] | None:
    """The width of each column of a table in `room`; None if a column would be narrower than its `least`.

    Free room goes to columns that need more, the shortest first, as they are whole soonest.
    """
    left = room - 1 - BORDER * len(needs) - sum(least)
    if left < 0:
        return None
    fitted = list(least)
    wanting = sorted((place for place in range(len(needs)) if needs[place] > least[place]), key=needs.__getitem__)
    for position, place in enumerate(wanting):
        more = min(needs[place] - least[place], left // (len(wanting) - position))
        fitted[place] += more
        left -= more
    return fitted


WIDTH = 24
"""Characters of the longest bar."""


def bars_of(answer: Answer, picture: Picture | None, *, is_ascii: bool) -> list[str] | None:
    """A bar for each row, the largest value `WIDTH` long; none for NULL.

    None for another picture, a single row, no number above 0, or a number below 0, where bars begin.
    """
    if picture is None or picture.kind != "bars" or picture.value is None:
        return None
    place = answer.columns.index(picture.value)
    values = [float(row[place] or 0) for row in answer.rows]
    largest = max(values, default=0.0)
    if len(values) < 2 or largest <= 0 or min(values) < 0:
        return None
    bars = [block_bar(value / largest, WIDTH) for value in values]
    return ["#" * len(bar) for bar in bars] if is_ascii else bars


READABLE = 24
"""A text cut to fewer characters says nothing: such a table gets one line per column."""


@dataclass(frozen=True, slots=True)
class _Column:
    """A column as texts, each `shown`; None is NULL. `needs` and `least`: characters it takes, and must have."""

    name: str
    texts: list[str | None]
    is_number: bool
    needs: int
    least: int


def renderables(
    answer: Answer, console: Console, *, is_expanded: bool = False, picture: Picture | None = None
) -> Iterator[RenderableType]:
    """Renders `answer` for `console`, with the bars of its picture below."""
    columns = [
        _column(name, type_, [row[place] for row in answer.rows])
        for place, (name, type_) in enumerate(zip(answer.columns, answer.types, strict=True))
    ]
    fitted = widths([column.needs for column in columns], [column.least for column in columns], console.width)
    if fitted is None or is_expanded:
        yield from _records(columns)
    else:
        yield from _rows(columns, fitted, console)
    bars = bars_of(answer, picture, is_ascii=_is_ascii(console))
    if bars and picture:
        yield from _bars(columns, picture, bars)


def _column(name: str, type_: str, values: Sequence[object]) -> _Column:
    name = shown_line(name)
    heading = max(map(cell_len, _parts(name)))
    texts = [None if text is None else shown(text) for text in column_texts(values)]
    longest = max((cell_len(shown_line(text or NULL)) for text in texts), default=0)
    # Half of a number is a wrong number.
    least = max(heading, longest if is_number(type_) else min(longest, READABLE))
    return _Column(name, texts, is_number(type_), needs=max(longest, cell_len(name)), least=least)


def _parts(name: str) -> list[str]:
    """Where a column's name may break: `lower_`, `quartile`."""
    return re.findall(r"[^_ ]*[_ ]|[^_ ]+$", name) or [name]


def _heading(name: str, width: int) -> str:
    lines = [""]
    for part in _parts(name):
        if lines[-1] and cell_len(lines[-1] + part.rstrip()) > width:
            lines.append("")
        lines[-1] += part
    return "\n".join(lines)


def _rows(columns: Sequence[_Column], fitted: Sequence[int], console: Console) -> Iterator[RenderableType]:
    """One line per row; on a terminal each text is one line, elsewhere a long one takes several."""
    table = Table()
    cut = 0
    ellipsis = "..." if _is_ascii(console) else "…"
    for column, width in zip(columns, fitted, strict=True):
        table.add_column(
            Text(_heading(column.name, width) if console.is_terminal else column.name),
            justify="right" if column.is_number else "left",
            overflow="fold",
            width=width if console.is_terminal else None,
        )
    for row in zip(*(column.texts for column in columns), strict=True):
        cells = []
        for text, width in zip(row, fitted, strict=True):
            line = shown_line(text) if text and console.is_terminal else text
            if line and console.is_terminal and cell_len(line) > width:
                cut += 1
                line = set_cell_size(line, width - len(ellipsis)).rstrip() + ellipsis
            cells.append(_cell(line))
        table.add_row(*cells)
    yield table
    if not console.is_terminal:
        return
    if cut:
        yield Text(
            f"{cut:,} text{'s' if cut > 1 else ''} cut short at {ellipsis}: "
            "--expanded shows every value whole, --output FILE.csv keeps it",
            style="dim",
        )


def _records(columns: Sequence[_Column]) -> Iterator[RenderableType]:
    """One line per column, a rule before each row; further lines of a value are indented."""
    for number, row in enumerate(zip(*(column.texts for column in columns), strict=True), start=1):
        yield Rule(Text(str(number)), align="left", style="dim")
        grid = Table.grid(padding=(0, 2, 0, 0))
        grid.add_column(no_wrap=True)
        grid.add_column(overflow="fold")
        for column, text in zip(columns, row, strict=True):
            grid.add_row(Text(column.name, style="bold"), _cell(text))
        yield grid


def _bars(columns: Sequence[_Column], picture: Picture, bars: Sequence[str]) -> Iterator[RenderableType]:
    """A label, a value and a bar per line."""
    texts = {column.name: column.texts for column in columns}
    grid = Table.grid(padding=(0, 1, 0, 0))
    grid.add_column(overflow="fold")
    grid.add_column(justify="right", no_wrap=True)
    grid.add_column(no_wrap=True)
    labels = row_labels(list(zip(*(texts[name] for name in picture.labels), strict=True)))
    for label, value, bar in zip(labels, texts[str(picture.value)], bars, strict=True):
        grid.add_row(_cell(", ".join(label) or None), _cell(value), Text(bar))
    yield Text("")
    yield grid


def _cell(text: str | None) -> Text:
    return Text(NULL, style="dim") if text is None else Text(text)


def _is_ascii(console: Console) -> bool:
    return not console.encoding.lower().startswith("utf")
