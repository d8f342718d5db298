"""All grids of a page, in its order; copies for other window widths count once."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from verdicts.extract.grids.element_grids import read_aligned, read_table
from verdicts.extract.grids.grid import Defect, Grid, GridCell
from verdicts.extract.html.cell_text import cell_text
from verdicts.extract.html.elements import Element, is_hidden

DEPTH_MAX = 8
"""The most nested tables: a cell's text includes its inner tables, so each costs its depth."""

PLACES_MAX = 500_000
"""The most cells of all grids of a page. Later tables are `too_large`: 40 characters can span 1,000 cells."""


@dataclass(slots=True)
class _Found:
    """A grid's element or rows, its depth, and whether tables below are too deep."""

    table: Element
    depth: int
    rows: list[list[Element]] | None = None
    is_too_deep: bool = False


def page_grids(body: Element) -> tuple[Grid, ...]:
    """The visible grids of a page's body, in order, an outer one before its inner ones."""
    elements, ids = _find(body)
    grids: list[Grid] = []
    places = 0
    for element in elements:
        if places > PLACES_MAX:
            grids.append(Grid("table", 0, 0, (), depth=element.depth, defects=(Defect("too_large", 0, 0),)))
            break
        grid = _read(element, ids)
        places += sum(cell.rows * cell.columns for cell in grid.cells)
        if element.is_too_deep:
            grid = replace(grid, defects=(*grid.defects, Defect("nested_too_deep", 0, 0)))
        grids.append(grid)
    return tuple(_without_copies(_join_heads(grids)))


def _join_heads(grids: Iterable[Grid]) -> list[Grid]:
    """Joins a sticky head, which is a table of its own, with the table of its cells."""
    joined: list[Grid] = []
    for grid in grids:
        head = joined[-1] if joined else None
        is_alone = head is not None and head.rows == 1 and not head.depth and _has_head(head)
        if head is None or not is_alone or _has_head(grid) or (grid.shape, grid.columns) != (head.shape, head.columns):
            joined.append(grid)
        else:
            cells = (*head.cells, *(replace(cell, row=cell.row + 1) for cell in grid.cells))
            defects = (*head.defects, *(replace(defect, row=defect.row + 1) for defect in grid.defects))
            caption = grid.caption or head.caption
            joined[-1] = replace(grid, rows=grid.rows + 1, cells=cells, defects=defects, caption=caption)
    return joined


def _has_head(grid: Grid) -> bool:
    return all(cell.is_head for cell in grid.cells if cell.row == 0 and cell.said.text)


def _read(found_grid: _Found, ids: Mapping[str, Element]) -> Grid:
    if found_grid.rows is None:
        return read_table(found_grid.table, ids, found_grid.depth)
    cells = (
        # A part may be an icon itself.
        GridCell(row, column, 1, 1, False, None, cell_text(Element("td", {}, [part]), ids))
        for row, parts in enumerate(found_grid.rows)
        for column, part in enumerate(parts)
    )
    return Grid("parts", len(found_grid.rows), len(found_grid.rows[0]), tuple(cells), depth=found_grid.depth)


def _find(body: Element) -> tuple[list[_Found], dict[str, Element]]:
    """The grids, and the visible elements by their ids."""
    grids: list[_Found] = []
    ids: dict[str, Element] = {}
    stack: list[tuple[Element, int, bool]] = [(body, 0, False)]
    while stack:
        element, depth, is_part = stack.pop()
        if "id" in element.attributes:
            ids.setdefault(element.attributes["id"], element)
        if is_hidden(element.attributes):
            continue
        if element.tag == "table":
            if depth < DEPTH_MAX:
                grids.append(_Found(element, depth))
            elif grids:
                grids[-1].is_too_deep = True
            depth += 1
        elif not is_part and not depth and element.tag != "dl" and (rows := read_aligned(element.children)) is not None:
            grids.append(_Found(element, depth, rows))
            is_part = True
        stack += [(child, depth, is_part) for child in reversed(element.children) if isinstance(child, Element)]
    return grids, ids


def _without_copies(grids: Iterable[Grid]) -> Iterator[Grid]:
    """Each grid once. Grids with the same heads but different content get a flaw."""
    seen: dict[tuple[object, ...], list[list[str]]] = {}
    for grid in grids:
        texts = grid.texts()
        heads = (tuple(texts[0]) if texts else (), tuple(row[0] for row in texts if row))
        if len(texts) < 2 or len(texts[0]) < 2 or not any(heads[0][1:]):
            yield grid
        elif heads not in seen:
            seen[heads] = texts
            yield grid
        else:
            pairs = ((text, seen[heads][y][x], y, x) for y, row in enumerate(texts) for x, text in enumerate(row))
            if (place := next(((y, x) for text, copy, y, x in pairs if text != copy), None)) is not None:
                yield replace(grid, defects=(*grid.defects, Defect("copies_differ", *place)))
