"""Draws the diagram of docs/entities.md: Mermaid's text in, an SVG out, which takes the colours of the page around it.

Mermaid's own program would be asked for at another host. Only names, keys and references are read.
"""

import re
from collections import defaultdict
from html import escape

_TABLE = re.compile(r"^ {4}([\w.]+) \{\n((?: {8}.+\n)*) {4}\}", re.MULTILINE)
_REFERENCE = re.compile(r"^ {4}([\w.]+) \|\|--o\{ ([\w.]+) : (\w+)", re.MULTILINE)
_BLOCK = re.compile(r"```mermaid\n(.*?)```", re.DOTALL)

WIDTH, LINE, GAP, BETWEEN = 172, 16, 14, 64
"""Of a box, of a line in it, between boxes of a column, and between columns."""


def with_picture(markdown: str) -> str:
    """The page with a picture in place of Mermaid's text."""
    return _BLOCK.sub(lambda block: picture(block[1]), markdown)


def picture(mermaid: str) -> str:
    """Columns from left to right: a table stands to the right of all tables to which it refers."""
    keys = {name: re.findall(r"(\w+) PK", columns) for name, columns in _TABLE.findall(mermaid)}
    parents: dict[str, set[str]] = defaultdict(set)
    for owner, table, _ in _REFERENCE.findall(mermaid):
        parents[table].add(owner)
    # A table to which nearly all refer, `loads`, would have more lines than all others.
    hubs = {name for name in keys if sum(name in of for of in parents.values()) > len(keys) / 2}
    lines = sorted((owner, table) for table, of in parents.items() for owner in of - hubs)
    columns = _columns(keys, lines)
    places: dict[str, tuple[int, int]] = {}
    for number, tables in enumerate(columns):
        top = GAP
        for table in tables:
            places[table] = (number * (WIDTH + BETWEEN) + 1, top)
            top += _height(keys[table]) + GAP
    height = max(top + _height(keys[table]) for table, (_, top) in places.items()) + GAP
    width = len(columns) * (WIDTH + BETWEEN) - BETWEEN + 2
    drawn = [_line(places[owner], places[table]) for owner, table in lines]
    drawn += [_box(table, keys[table], places[table]) for table in keys]
    note = (
        f"<p>Nearly all tables also refer to {', '.join(sorted(hubs))}; these lines are left out.</p>" if hubs else ""
    )
    return (
        f'<svg viewBox="0 0 {width} {height}" role="img" aria-label="Tables and their references" '
        f'style="width:100%;font:12px sans-serif;fill:currentColor">{"".join(drawn)}</svg>{note}'
    )


def _columns(keys: dict[str, list[str]], lines: list[tuple[str, str]]) -> list[list[str]]:
    """The tables of each column, each near the tables to which it refers. Those without a line stand last."""
    depths = dict.fromkeys((name for line in lines for name in line), 0)
    for _ in depths:
        for owner, table in lines:
            depths[table] = max(depths[table], depths[owner] + 1)
    columns: list[list[str]] = [[] for _ in range(max(depths.values()) + 2)]
    for table in keys:
        columns[depths.get(table, -1)].append(table)
    heights: dict[str, float] = {}
    for tables in columns:
        of = {table: [heights[owner] for owner, other in lines if other == table] for table in tables}
        tables.sort(key=lambda table: sum(of[table]) / len(of[table]) if of[table] else 0)
        heights |= {table: place for place, table in enumerate(tables)}
    return columns


def _height(key: list[str]) -> int:
    return (1 + len(key)) * LINE + 8


def _line(owner: tuple[int, int], table: tuple[int, int]) -> str:
    (left, top), (right, low) = owner, table
    left, top, low = left + WIDTH, top + LINE, low + LINE
    half = (right - left) / 2
    curve = f"M{left} {top}C{left + half:g} {top} {right - half:g} {low} {right} {low}"
    return f'<path d="{curve}" fill="none" stroke="currentColor" stroke-opacity=".45"/>'


def _box(table: str, key: list[str], place: tuple[int, int]) -> str:
    left, top = place
    written = [
        f'<text x="{left + 8}" y="{top + LINE * (number + 2)}" fill-opacity=".7">{escape(column)}</text>'
        for number, column in enumerate(key)
    ]
    return (
        f'<a style="text-decoration:none" href="dictionary.html#{table.replace(".", "")}">'
        f'<rect x="{left}" y="{top}" width="{WIDTH}" height="{_height(key)}" rx="4" '
        'fill="Canvas" fill-opacity=".6" stroke="currentColor"/>'
        f'<text x="{left + 8}" y="{top + LINE}" font-weight="bold">{escape(table)}</text>{"".join(written)}</a>'
    )
