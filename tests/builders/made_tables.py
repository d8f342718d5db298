"""Tables made from what they say: each with the text of every place, spans and all, in the spellings that sites have.

The answer is laid out first and written down as markup after that, so nothing here reads a table. A table with a cell
left out, or a span too long, has no answer but that something is wrong with it.
"""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

CELLS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


@dataclass(frozen=True, slots=True)
class MadeTable:
    """A page with one table. `texts` and `unreadable` are of each place; None and empty where markup is broken."""

    html: str
    texts: tuple[tuple[str | None, ...], ...] | None
    unreadable: frozenset[tuple[int, int]] = frozenset()


@dataclass(slots=True)
class _Made:
    row: int
    column: int
    rows: int
    columns: int
    html: str
    text: str | None
    is_unreadable: bool
    is_head: bool


def make_tables(count: int) -> Iterator[MadeTable]:
    """So many tables, one in four of them broken; the same every time."""
    for number in range(count):
        yield make_table(Random(f"7/{number}"), is_broken=number % 4 == 3)


def make_table(random: Random, *, is_broken: bool) -> MadeTable:
    """A table of two to seven columns and one to three groups of rows, and its foot wherever it is written."""
    columns = random.randint(2, 7)
    # Of one group a cell over all its rows would be a column less, which nobody can see.
    groups = [random.randint(1, 4) for _ in range(random.randint(2 if is_broken else 1, 3))]
    cells, first = [], 0
    for group, rows in enumerate(groups):
        cells.append([*_tiles(random, first, rows, columns, is_head=group == 0)])
        first += rows
    if is_broken:
        _break(random, cells[random.randrange(len(cells))], first)
    write = _by_roles if random.random() < 0.3 else _by_elements
    html = f"<!doctype html><title>Plans</title><body><h1>Plans</h1>{write(random, cells, groups)}</body>"
    if is_broken:
        return MadeTable(html, None)
    texts: list[list[str | None]] = [[None] * columns for _ in range(first)]
    unreadable = set()
    for cell in (cell for group in cells for cell in group):
        for row in range(cell.row, cell.row + cell.rows):
            for column in range(cell.column, cell.column + cell.columns):
                texts[row][column] = cell.text
                if cell.is_unreadable:
                    unreadable.add((row, column))
    return MadeTable(html, tuple(map(tuple, texts)), frozenset(unreadable))


def _tiles(random: Random, first: int, rows: int, columns: int, *, is_head: bool) -> Iterator[_Made]:
    """Cells that fill these rows, each place once."""
    free = {(row, column) for row in range(rows) for column in range(columns)}
    for row, column in sorted(free):
        if (row, column) not in free:
            continue
        across = down = 1
        while (row, column + across) in free and random.random() < 0.15:
            across += 1
        while (
            row + down < rows
            and all((row + down, column + step) in free for step in range(across))
            and random.random() < 0.15
        ):
            down += 1
        free -= {(row + y, column + x) for y in range(down) for x in range(across)}
        html, text, is_unreadable = _content(random)
        yield _Made(first + row, column, down, across, html, text, is_unreadable, is_head or column == 0)


def _content(random: Random) -> tuple[str, str | None, bool]:
    kind = random.random()
    if kind < 0.05:
        return random.choice(CELLS["unreadable"]), None, True
    if kind < 0.5:
        text = random.choice(CELLS["plain"])
        return f" {text}\n" if random.random() < 0.3 else text, text, False
    html, text = random.choice(CELLS["spelt"])
    return html, text or None, False


def _break(random: Random, group: list[_Made], rows: int) -> None:
    """Leaves out a cell, or has one reach out of its group."""
    cell = random.choice(group)
    if random.random() < 0.5:
        group.remove(cell)
    else:
        cell.rows += rows + 1


def _by_elements(random: Random, groups: list[list[_Made]], rows: list[int]) -> str:
    parts, first = [], 0
    for number, cells in enumerate(groups):
        written = _rows(random, cells, range(first, first + rows[number]), "tr", ("th", "td"), "")
        first += rows[number]
        is_last = number == len(groups) - 1 and number > 0
        tag = "thead" if number == 0 and len(groups) > 1 else "tfoot" if is_last and random.random() < 0.5 else "tbody"
        parts.append((tag, f"<{tag}>{written}</{tag}>"))
    if parts[-1][0] == "tfoot" and random.random() < 0.5:
        # As HTML 4 asked for.
        parts.insert(1, parts.pop())
    return f"<table>{''.join(part for _, part in parts)}</table>"


def _by_roles(random: Random, groups: list[list[_Made]], rows: list[int]) -> str:
    parts, first = [], 0
    for number, cells in enumerate(groups):
        roles = ('div role="columnheader"' if number == 0 else 'div role="rowheader"', 'div role="cell"')
        written = _rows(random, cells, range(first, first + rows[number]), 'div role="row"', roles, "aria-")
        first += rows[number]
        parts.append(f'<div role="rowgroup">{written}</div>')
    return f'<div role="table">{"".join(parts)}</div>'


def _rows(random: Random, cells: list[_Made], rows: range, row_tag: str, tags: tuple[str, str], aria: str) -> str:
    written = []
    for row in rows:
        inner = []
        for cell in (cell for cell in cells if cell.row == row):
            tag = tags[0] if cell.is_head else tags[1]
            down = f' {aria}rowspan="{cell.rows}"' if cell.rows > 1 else ""
            if cell.rows > 1 and cell.row + cell.rows == rows.stop and random.random() < 0.3:
                down = f' {aria}rowspan="0"'
            across = f' {aria}colspan="{cell.columns}"' if cell.columns > 1 else ""
            inner.append(f"<{tag}{down}{across}>{cell.html}</{tag.partition(' ')[0]}>")
        gap = "\n" if random.random() < 0.5 else ""
        written.append(f"<{row_tag}>{gap.join(inner)}</{row_tag.partition(' ')[0]}>")
    return "\n".join(written)
