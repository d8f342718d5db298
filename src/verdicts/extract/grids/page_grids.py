"""All grids of a page, in its order; copies for other window widths count once."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from verdicts.extract.grids.grid import Defect, Grid
from verdicts.extract.grids.tables import read_aligned, read_table
from verdicts.extract.html.cell_text import EMPTY, CellText, cell_text
from verdicts.extract.html.elements import Element, is_hidden

SHARED_SHARE = 0.5
"""The share of a list's terms that the first list must have: other lists are not columns beside each other."""


@dataclass(frozen=True, slots=True)
class DefinitionList:
    """A `dl` and the heading above it, if any."""

    element: Element
    heading: CellText | None


def read_definitions(lists: Sequence[DefinitionList], ids: Mapping[str, Element]) -> Grid | None:
    """One grid of all lists of a page with common terms; None for fewer than two lists."""
    columns: list[tuple[CellText, dict[str, CellText]]] = []
    is_doubled = False
    for found in lists:
        terms = dict(_terms(found.element, ids))
        if found.heading is None or not found.heading.text or not terms:
            continue
        shared = not columns or len(terms.keys() & columns[0][1].keys()) >= SHARED_SHARE * len(terms)
        same = [known for heading, known in columns if heading.text == found.heading.text]
        if same:
            is_doubled |= terms not in same
        elif shared:
            columns.append((found.heading, terms))
    if len(columns) < 2:
        return None
    names = list(dict.fromkeys(term for _, terms in columns for term in terms))
    lines = [[EMPTY, *(heading for heading, _ in columns)]]
    lines += [[CellText(name), *(terms.get(name, EMPTY) for _, terms in columns)] for name in names]
    grid = Grid.of_lines("definitions", lines)
    cells = tuple(replace(cell, is_head=cell.row == 0) for cell in grid.cells)
    return replace(grid, cells=cells, defects=(Defect("copies_differ", 0, 0),) if is_doubled else ())


def _terms(element: Element, ids: Mapping[str, Element]) -> Iterator[tuple[str, CellText]]:
    """Each term and its definitions as one text. An element may be around such a group."""
    term: str | None = None
    said: list[CellText] = []
    for part in _parts(element):
        text = cell_text(part, ids)
        if part.tag == "dt":
            if term and said:
                yield term, _joined(said)
            term, said = (text.text or "").removesuffix(":").strip(), []
        else:
            said.append(text)
    if term and said:
        yield term, _joined(said)


def _parts(element: Element) -> Iterator[Element]:
    for child in element.children:
        if isinstance(child, Element):
            if child.tag in {"dt", "dd"}:
                yield child
            elif child.tag == "div":
                yield from _parts(child)


def _joined(said: Sequence[CellText]) -> CellText:
    texts = [each.text for each in said if each.text]
    return replace(said[0], text=", ".join(texts) or None, is_unreadable=any(each.is_unreadable for each in said))


HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})

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
    """The visible grids of a page's body, in order, an outer one before its inner ones; lists of definitions last."""
    found, lists, ids = _found(body)
    grids: list[Grid] = []
    places = 0
    for place in found:
        if places > PLACES_MAX:
            grids.append(Grid("table", 0, 0, (), depth=place.depth, defects=(Defect("too_large", 0, 0),)))
            break
        grid = _read(place, ids)
        places += sum(cell.rows * cell.columns for cell in grid.cells)
        if place.is_too_deep:
            grid = replace(grid, defects=(*grid.defects, Defect("nested_too_deep", 0, 0)))
        grids.append(grid)
    definitions = read_definitions(
        [DefinitionList(dl, None if heading is None else cell_text(heading, ids)) for dl, heading in lists], ids
    )
    joined = [*_with_heads(grids), *(() if definitions is None else (definitions,))]
    return tuple(_without_copies(joined))


def _with_heads(grids: Sequence[Grid]) -> Iterator[Grid]:
    """Joins a sticky head, which is a table of its own, with the table of its cells."""
    head: Grid | None = None
    for grid in grids:
        if head is not None and grid.columns == head.columns and grid.shape == "table" and not _is_head(grid, 0):
            cells = (*head.cells, *(replace(cell, row=cell.row + 1, group=cell.group + 1) for cell in grid.cells))
            defects = (*head.defects, *(replace(defect, row=defect.row + 1) for defect in grid.defects))
            caption = grid.caption or head.caption
            yield replace(grid, rows=grid.rows + 1, cells=cells, defects=defects, caption=caption)
            head = None
            continue
        if head is not None:
            yield head
        head = grid if grid.rows == 1 and grid.shape == "table" and not grid.depth and _is_head(grid, 0) else None
        if head is None:
            yield grid
    if head is not None:
        yield head


def _is_head(grid: Grid, row: int) -> bool:
    return all(cell.is_head for cell in grid.cells if cell.row == row and cell.said.text)


def _read(place: _Found, ids: Mapping[str, Element]) -> Grid:
    if place.rows is None:
        return read_table(place.table, ids, place.depth)
    # A part may be an icon itself.
    lines = [[cell_text(Element("td", {}, [part]), ids) for part in parts] for parts in place.rows]
    return Grid.of_lines("parts", lines, place.depth)


def _found(
    body: Element,
) -> tuple[list[_Found], list[tuple[Element, Element | None]], dict[str, Element]]:
    found: list[_Found] = []
    lists: list[tuple[Element, Element | None]] = []
    heading: Element | None = None
    ids: dict[str, Element] = {}
    stack: list[tuple[Element, int, bool]] = [(body, 0, False)]
    while stack:
        element, depth, is_part = stack.pop()
        tag, attributes, children = element.tag, element.attributes, element.children
        if attributes:
            if "id" in attributes:
                ids.setdefault(attributes["id"], element)
            if is_hidden(attributes):
                continue
        if tag == "table":
            if depth < DEPTH_MAX:
                found.append(_Found(element, depth))
            elif found:
                found[-1].is_too_deep = True
            depth += 1
        elif tag in HEADINGS:
            heading = element
        elif tag == "dl" and not depth:
            lists.append((element, heading))
        elif not is_part and not depth:
            rows = read_aligned(children)
            if rows is not None:
                found.append(_Found(element, depth, rows))
                is_part = True
        stack += [(child, depth, is_part) for child in reversed(children) if isinstance(child, Element)]
    return found, lists, ids


def _without_copies(grids: list[Grid]) -> Iterator[Grid]:
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
