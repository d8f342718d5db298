"""All grids of a page, in its order; copies for other widths of a window are one."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from extract.grids.grid import Defect, Grid
from extract.grids.parts import are_rows, read_parts
from extract.grids.table import read_table
from extract.html.cell_text import is_hidden
from extract.html.elements import Element, attributes_of

DEPTH_MAX = 8
"""Tables around a table that is read: a cell's text holds that of the tables within, so each costs its depth."""

PLACES_MAX = 500_000
"""Places of all grids of a page. Tables behind are `too_large`: spans write a thousand places in forty characters."""


@dataclass(slots=True)
class _Found:
    """An element that is a grid, the tables around it, and whether tables below it are nested too deep."""

    element: Element
    depth: int
    is_table: bool
    is_too_deep: bool = False


def page_grids(body: Element) -> tuple[Grid, ...]:
    """The grids of a page's body, in order, an outer one before those in its cells. What is hidden is none."""
    found, ids = _found(body)
    grids: list[Grid] = []
    places = 0
    for place in found:
        if places > PLACES_MAX:
            grids.append(Grid("table", 0, 0, (), depth=place.depth, defects=(Defect("too_large", 0, 0),)))
            break
        read = read_table(place.element, ids, place.depth) if place.is_table else None
        grid = read or read_parts(place.element[2], ids, place.depth)
        places += sum(cell.rows * cell.columns for cell in grid.cells)
        if place.is_too_deep:
            grid = replace(grid, defects=(*grid.defects, Defect("nested_too_deep", 0, 0)))
        grids.append(grid)
    return tuple(_without_copies(grids))


def _found(body: Element) -> tuple[list[_Found], dict[str, Element]]:
    """Elements that are grids, and elements by their id. Within aligned parts only tables are grids."""
    found: list[_Found] = []
    ids: dict[str, Element] = {}
    stack: list[tuple[Element, int, bool]] = [(body, 0, False)]
    while stack:
        element, depth, is_part = stack.pop()
        tag, written, children = element
        if written:
            attributes = attributes_of(written)
            if "id" in attributes:
                ids.setdefault(attributes["id"], element)
            if is_hidden(attributes):
                continue
        if tag == "table":
            if depth < DEPTH_MAX:
                found.append(_Found(element, depth, is_table=True))
            elif found:
                found[-1].is_too_deep = True
            depth += 1
        elif not is_part and not depth and are_rows(children):
            found.append(_Found(element, depth, is_table=False))
            is_part = True
        stack += [(child, depth, is_part) for child in reversed(children) if isinstance(child, tuple)]
    return found, ids


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
