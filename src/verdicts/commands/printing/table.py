"""An answer as a table for people: a row in each line.

A terminal has a width: texts are cut, and columns without room are left out; a line below the table names them. A row
that is alone and does not fit has a line for each column instead. Elsewhere everything is whole.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import ROUND_HALF_UP, Decimal
from os.path import commonprefix
from typing import TYPE_CHECKING, Any

from rich.cells import cell_len, set_cell_size
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from verdicts.pipeline.terminal import escape_controls, escape_line
from verdicts.warehouse.serving.answer_text import cell_text, is_number

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    from verdicts.warehouse.serving.query import Answer

NULL = "NULL"

_DECIMALS = 4
"""The most decimals of a DOUBLE in a table, two from 10 on; CSV and JSON have all digits."""


_SMALLEST, _LARGEST = 0.5 * 10**-_DECIMALS, 1e15
"""A column with a number other than 0 outside this range shows each number's own digits: 0.0000 is no answer."""


def column_texts(values: Sequence[Any]) -> list[str | None]:
    """One column as texts, None for NULL. All floats get the decimals of the one that needs most."""
    finite = [value for value in values if isinstance(value, float) and math.isfinite(value)]
    if any(value and not _SMALLEST <= abs(value) < _LARGEST for value in finite):
        return [_text(value, None) for value in values]
    most = _DECIMALS if max(map(abs, finite), default=0) < 10 else 2
    decimals = max((len(f"{value:.{most}f}".rstrip("0").partition(".")[2]) for value in finite), default=0)
    return [_text(value, decimals) for value in values]


def _text(value: object, decimals: int | None) -> str | None:
    if isinstance(value, float) and math.isfinite(value):
        if decimals is None:
            return cell_text(float(f"{value:.6g}"))
        # As SQL and the explorer round: 76.125 is 76.13.
        return f"{Decimal(str(value)).quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP):f}"
    if isinstance(value, datetime):
        return f"{value:%Y-%m-%d %H:%M:%S}"
    if isinstance(value, list) and all(isinstance(part, str) for part in value):
        return "; ".join(value)
    return cell_text(value)


BORDER = 3
"""Characters between two columns; one more ends the table."""


def widths(needs: Sequence[int], least: Sequence[int], room: int) -> list[int]:
    """The width of each column of a table in `room`, which has its `least`.

    Free room goes to columns that need more, the shortest first, as they are whole soonest.
    """
    left = room - 1 - BORDER * len(needs) - sum(least)
    fitted = list(least)
    wanting = sorted((number for number in range(len(needs)) if needs[number] > least[number]), key=needs.__getitem__)
    for position, number in enumerate(wanting):
        more = min(needs[number] - least[number], left // (len(wanting) - position))
        fitted[number] += more
        left -= more
    return fitted


READABLE, PROSE, OF_PROSE = 20, 28, 60
"""Characters that a text must have, in the first column or beside one longer than `OF_PROSE` more of them."""

_ID = re.compile(r"(\w+_)?ids?|name_key")
_SHORT_ID = 8
"""Characters of an id on a terminal: every command takes the beginning of one."""


@dataclass(frozen=True, slots=True)
class _Column:
    """A column as texts, each `shown`; None is NULL. `needs` and `least`: characters it takes, and must have."""

    name: str
    texts: list[str | None]
    is_number: bool
    needs: int
    least: int


def renderables(
    answer: Answer,
    console: Console,
    *,
    is_expanded: bool = False,
    ids: str = "whole",
) -> Iterator[RenderableType]:
    """Renders `answer` for `console`. `ids` is that of `Output`."""
    columns = [
        _column(name, type_, [row[number] for row in answer.rows])
        for number, (name, type_) in enumerate(zip(answer.columns, answer.types, strict=True))
    ]
    if is_expanded:
        yield from _records(columns)
    else:
        chosen = columns if ids == "whole" else _choose_columns(columns, with_ids=ids == "short")
        fitted = _fit_columns(chosen, console.width) if console.is_terminal else chosen
        if not fitted or (len(answer.rows) == 1 and len(fitted) < len(chosen)):
            yield from _records(columns)
        else:
            shown_names = {column.name for column in fitted}
            yield from _rows(fitted, [column.name for column in chosen if column.name not in shown_names], console)


def _column(name: str, type_: str, values: Sequence[object]) -> _Column:
    texts = [None if text is None else escape_controls(text) for text in column_texts(values)]
    # A number or a time that is cut would be wrong.
    is_whole = is_number(type_) or type_.startswith(("DATE", "TIME"))
    return replace(_make_column(escape_line(name), texts, is_whole=is_whole), is_number=is_number(type_))


def _make_column(name: str, texts: list[str | None], *, is_whole: bool = False) -> _Column:
    heading = max(map(cell_len, _parts(name)))
    longest = max((cell_len(escape_line(NULL if text is None else text)) for text in texts), default=0)
    least = longest if is_whole else min(longest, PROSE if longest > OF_PROSE else READABLE)
    return _Column(name, texts, is_number=False, needs=max(longest, cell_len(name)), least=max(heading, least))


def _choose_columns(columns: Sequence[_Column], *, with_ids: bool) -> list[_Column]:
    """The columns that tell a person something: no flag and no NULL that all rows have, no id unless `with_ids`.

    Names that several tools share have their slugs behind them; there is no column for slugs, and none for the number
    of rows that a list has without its limit.
    """
    by_name = {column.name: column for column in columns}
    chosen = []
    for column in columns:
        says = {*column.texts}
        is_mute = says <= {None} or (says in ({"true"}, {"false"}) and len(column.texts) > 1)
        if is_mute or column.name.endswith(("slug", "is_shared_name", "_found")):
            continue
        if not _ID.fullmatch(column.name):
            chosen.append(_distinct(column, by_name))
        elif with_ids:
            # Directly behind the first column: they were asked for.
            ids = [text and text[:_SHORT_ID] for text in column.texts]
            chosen.insert(1, _make_column(column.name, ids))
    return chosen


def _distinct(column: _Column, by_name: dict[str, _Column]) -> _Column:
    """Names of tools, `SmolLM3 (on-device)` where the answer has several slugs, or a flag that the name is shared."""
    prefix = column.name.removesuffix("name")
    slug, flag = by_name.get(f"{prefix}slug"), by_name.get(f"{prefix}is_shared_name")
    if slug is None or column.name not in ("name", "other_name"):
        return column
    slugs = defaultdict(set)
    for name, text in zip(column.texts, slug.texts, strict=True):
        slugs[name].add(text or "")
    texts = []
    for number, (name, text) in enumerate(zip(column.texts, slug.texts, strict=True)):
        is_shared = len(slugs[name]) > 1 if flag is None else flag.texts[number] == "true"
        # Slugs begin alike, or with the name.
        alike = slugs[name] if len(slugs[name]) > 1 else {text or "", re.sub(r"\W+", "-", f"{name} ".casefold())}
        start = commonprefix([*alike]).rfind("-") + 1  # noqa: RUF071  letters, no paths
        part = f"…{text[start:]}" if text and start else text
        texts.append(f"{name} ({part})" if is_shared and text else name)
    return _make_column(column.name, texts)


def _fit_columns(columns: Sequence[_Column], room: int) -> list[_Column]:
    """The columns for which there is room, each with a width. The first come first."""
    # The first column names the row.
    first, *rest = columns
    left, fitting = room - 1, []
    for column in (replace(first, least=max(first.least, min(first.needs, PROSE, room // 2))), *rest):
        if column.least + BORDER <= left:
            left -= column.least + BORDER
            fitting.append(column)
    fitted = widths([column.needs for column in fitting], [column.least for column in fitting], room)
    return [replace(column, needs=width) for column, width in zip(fitting, fitted, strict=True)]


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


def _rows(columns: Sequence[_Column], left_out: Sequence[str], console: Console) -> Iterator[RenderableType]:
    """One line per row. Below it on a terminal: what is not shown."""
    table = Table(width=1 + sum(column.needs + BORDER for column in columns))
    cut = 0
    ellipsis = "..." if _is_ascii(console) else "…"
    for column in columns:
        heading = Text(_heading(column.name, column.needs))
        table.add_column(heading, justify="right" if column.is_number else "left", no_wrap=True, width=column.needs)
    for row in zip(*(column.texts for column in columns), strict=True):
        cells = []
        for text, column in zip(row, columns, strict=True):
            line = None if text is None else escape_line(text)
            if line and cell_len(line) > column.needs:
                cut += 1
                line = set_cell_size(line, column.needs - len(ellipsis)).rstrip() + ellipsis
            cells.append(_cell(line))
        table.add_row(*cells)
    yield table
    missing = [f"{cut:,} text{'s' if cut > 1 else ''} cut ({ellipsis})"] if cut else []
    missing += [f"not shown: {', '.join(left_out)}"] if left_out else []
    if missing and console.is_terminal:
        yield Text(f"{'; '.join(missing)}. --expanded shows all, --output FILE.csv keeps it", style="dim")


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


def _cell(text: str | None) -> Text:
    return Text(NULL, style="dim") if text is None else Text(text)


def _is_ascii(console: Console) -> bool:
    return not console.encoding.lower().startswith("utf")
