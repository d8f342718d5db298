"""An answer as a table for people: a row a line where that can be read, else a column a line.

On a terminal a text that is too long for its column is cut, and a line below says how many were and how to see them.
Elsewhere nothing is cut: a long text takes several lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.cells import cell_len, set_cell_size
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from verdicts.commands.printing.bars import WIDTH, bars_of
from verdicts.commands.printing.cells import column_texts, is_number
from verdicts.commands.printing.fitting import widths
from verdicts.pipeline.terminal import shown, shown_line
from verdicts.warehouse.serving.named_queries import row_labels

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    from verdicts.warehouse.serving.named_queries import Picture
    from verdicts.warehouse.serving.query import Answer

READABLE = 24
"""Characters of a text below which its beginning says nothing: a table that would have less has a column a line."""

_NULL = "NULL"


@dataclass(frozen=True, slots=True)
class _Column:
    """A column as texts, each `shown`; None is NULL. `needs`, `least`: characters that it takes, and must have."""

    name: str
    texts: list[str | None]
    is_number: bool
    needs: int
    least: int
    is_bar: bool = False


def renderables(
    answer: Answer, console: Console, *, is_expanded: bool = False, picture: Picture | None = None
) -> Iterator[RenderableType]:
    """What shows `answer` on `console`; bars stand beside their value, or below where there is no room for that."""
    columns = [
        _column(name, type_, [row[place] for row in answer.rows])
        for place, (name, type_) in enumerate(zip(answer.columns, answer.types, strict=True))
    ]
    bars = bars_of(answer, picture, is_ascii=_is_ascii(console))
    with_bars = columns if bars is None or picture is None else _beside(columns, picture, bars)
    if not is_expanded and (fitted := _fitted(with_bars, console)):
        yield from _rows(with_bars, fitted, console)
        bars = None
    elif not is_expanded and (fitted := _fitted(columns, console)):
        yield from _rows(columns, fitted, console)
    else:
        yield from _records(columns)
    if not answer.rows and console.is_terminal:
        yield Text("no rows", style="dim")
    if bars and picture:
        yield from _below(columns, picture, bars)


def _column(name: str, type_: str, values: Sequence[object]) -> _Column:
    name = shown_line(name)
    heading = max(map(cell_len, _parts(name)))
    texts = [None if text is None else shown(text) for text in column_texts(values)]
    longest = max((cell_len(shown_line(text or _NULL)) for text in texts), default=0)
    # Half of a number is a wrong number.
    least = max(heading, longest if is_number(type_) else min(longest, READABLE))
    return _Column(name, texts, is_number(type_), needs=max(longest, cell_len(name)), least=least)


def _parts(name: str) -> list[str]:
    """Where the name of a column may be parted into lines: `lower_`, `quartile`."""
    return re.findall(r"[^_ ]*[_ ]|[^_ ]+$", name) or [name]


def _heading(name: str, width: int) -> str:
    """The name in lines of at most `width`."""
    lines = [""]
    for part in _parts(name):
        if lines[-1] and cell_len(lines[-1] + part.rstrip()) > width:
            lines.append("")
        lines[-1] += part
    return "\n".join(lines)


def _beside(columns: Sequence[_Column], picture: Picture, bars: Sequence[str]) -> list[_Column]:
    place = [column.name for column in columns].index(str(picture.value)) + 1
    return [
        *columns[:place],
        _Column("", [*bars], is_number=False, needs=WIDTH, least=WIDTH, is_bar=True),
        *columns[place:],
    ]


def _fitted(columns: Sequence[_Column], console: Console) -> list[int] | None:
    return widths([column.needs for column in columns], [column.least for column in columns], console.width)


def _rows(columns: Sequence[_Column], fitted: Sequence[int], console: Console) -> Iterator[RenderableType]:
    """A row a line; on a terminal each text in one line, elsewhere a long one in several."""
    table = Table()
    cut = 0
    ellipsis = "..." if _is_ascii(console) else "…"
    for column, width in zip(columns, fitted, strict=True):
        table.add_column(
            Text(_heading(column.name, width) if console.is_terminal else column.name),
            justify="right" if column.is_number else "left",
            overflow="fold",
            width=width if console.is_terminal or column.is_bar else None,
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
    """A column a line, a rule before each row; further lines of a value are indented."""
    for number, row in enumerate(zip(*(column.texts for column in columns), strict=True), start=1):
        yield Rule(Text(str(number)), align="left", style="dim")
        grid = Table.grid(padding=(0, 2, 0, 0))
        grid.add_column(no_wrap=True)
        grid.add_column(overflow="fold")
        for column, text in zip(columns, row, strict=True):
            grid.add_row(Text(column.name, style="bold"), _cell(text))
        yield grid


def _below(columns: Sequence[_Column], picture: Picture, bars: Sequence[str]) -> Iterator[RenderableType]:
    """A label, a value and a bar a line."""
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
    return Text(_NULL, style="dim") if text is None else Text(text)


def _is_ascii(console: Console) -> bool:
    return not console.encoding.lower().startswith("utf")
