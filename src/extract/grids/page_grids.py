"""All grids of a page, in its order; copies for other widths of a window are one."""

from collections.abc import Iterator
from dataclasses import replace

from extract.grids.grid import Defect, Grid
from extract.grids.table import read_table
from extract.html.cell_text import is_hidden
from extract.html.elements import Element, attributes_of

DEPTH_MAX = 4
"""Tables around a table that is read: a cell's text holds that of the tables within, so each costs its depth."""

PLACES_MAX = 500_000
"""Places of all grids of a page. Tables behind are `too_large`: spans write a thousand places in forty characters."""


def page_grids(body: Element) -> tuple[Grid, ...]:
    """The grids of a page's body, in order, an outer table before those in its cells. What is hidden is none."""
    tables, ids = _tables(body)
    grids: list[Grid] = []
    places = 0
    for table, depth, is_too_deep in tables:
        if places > PLACES_MAX:
            grids.append(Grid("table", 0, 0, (), depth=depth, defects=(Defect("too_large", 0, 0),)))
            break
        grid = read_table(table, ids, depth)
        places += sum(cell.rows * cell.columns for cell in grid.cells)
        if is_too_deep:
            grid = replace(grid, defects=(*grid.defects, Defect("nested_too_deep", 0, 0)))
        grids.append(grid)
    return tuple(_without_copies(grids))


def _tables(body: Element) -> tuple[list[tuple[Element, int, bool]], dict[str, Element]]:
    """Tables that are read, how deep each is nested and whether deeper ones are not; and elements by their id."""
    tables: list[tuple[Element, int, bool]] = []
    ids: dict[str, Element] = {}
    stack: list[tuple[Element, int]] = [(body, 0)]
    while stack:
        element, depth = stack.pop()
        tag, written, children = element
        if written:
            attributes = attributes_of(written)
            if "id" in attributes:
                ids.setdefault(attributes["id"], element)
            if is_hidden(attributes):
                continue
        if tag == "table":
            if depth < DEPTH_MAX:
                tables.append((element, depth, False))
            elif tables:
                tables[-1] = (*tables[-1][:2], True)
            depth += 1
        stack += [(child, depth) for child in reversed(children) if isinstance(child, tuple)]
    return tables, ids


def _without_copies(grids: list[Grid]) -> Iterator[Grid]:
    """Each grid once. Grids with the same heads that say different things are told."""
    seen: dict[tuple[object, ...], list[list[str]]] = {}
    for grid in grids:
        texts = grid.texts()
        heads = (tuple(texts[0]) if texts else (), tuple(row[0] for row in texts if row))
        if len(texts) < 2 or len(texts[0]) < 2 or not any(heads[0][1:]):
            yield grid
        elif heads not in seen:
            seen[heads] = texts
            yield grid
        elif (place := _difference(seen[heads], texts)) is not None:
            yield replace(grid, defects=(*grid.defects, Defect("copies_differ", *place)))


def _difference(first: list[list[str]], second: list[list[str]]) -> tuple[int, int] | None:
    return next(
        (
            (row, column)
            for row, (one, other) in enumerate(zip(first, second, strict=True))
            for column, (text, copy) in enumerate(zip(one, other, strict=True))
            if text != copy
        ),
        None,
    )
