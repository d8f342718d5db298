"""What the tables of a page say of its tools, those that title or sections name or the tables themselves. Pure."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from verdicts.corpus.enumerations import GridReason
from verdicts.extract.generic.axis import Axis, Finding, PageNames, find_axis, is_filled, is_genuine
from verdicts.extract.generic.compared_tables import TableReading, read_table_of
from verdicts.extract.generic.list_words import BEST_FOR, NAME_PARTS, PRICE, RATING
from verdicts.extract.generic.name_heads import unranked
from verdicts.extract.generic.stated import key
from verdicts.extract.grids.grid import ALIGNED, Grid
from verdicts.extract.model.blocks import Block, fold
from verdicts.extract.model.records import ComparedRow, ComparedTool, Doubt, PageGrid

PHRASE_MAX = 4
"""Words of a name within a title: `Alpha Writer Pro` of `Why we left Alpha Writer Pro`."""

PLACES_KEPT_MAX = 2_000
"""Places of a table whose texts are kept: 100 tools of 20 attributes."""


def names_on(blocks: Iterable[Block], titles: Iterable[str], stated: Iterable[str]) -> PageNames:
    """What a page says of names outside its tables."""
    headings = [unranked(block.text) for block in blocks if block.level is not None and block.cell is None]
    known = {key(part) for heading in headings for part in (heading, NAME_PARTS.split(heading, maxsplit=1)[0])}
    for title in titles:
        words = key(title).split()
        known |= {
            " ".join(words[place : place + count])
            for count in range(1, PHRASE_MAX + 1)
            for place in range(len(words) - count + 1)
        }
    return PageNames(frozenset(known), frozenset(map(key, stated)))


@dataclass(frozen=True, slots=True)
class TablesRead:
    """The tools of a page as its tables have them, those known first, and all its tables of data."""

    tools: tuple[ComparedTool, ...]
    rows: tuple[ComparedRow, ...]
    grids: tuple[PageGrid, ...]
    doubts: tuple[Doubt, ...]


def read_tables(
    grids: Sequence[Grid], names: Sequence[str], page: Callable[[], PageNames], *, is_promised: bool, has_sections: bool
) -> TablesRead:
    """What tables say of the tools of these names; without names, of those that the tables themselves name.

    `page`: what the page says of names, asked where none are known. `is_promised`: the title says that the page
    compares; where it has tables and none is read, that is told. `has_sections`: those of its tools were read.
    """
    filled = [] if names else [grid for grid in grids if is_filled(grid)]
    findings = {id(grid): find_axis(grid, known) for known in ((page(),) if filled else ()) for grid in filled}
    found = names or _union(finding.axis for finding in findings.values())
    readings = [(grid, read_table_of(grid, found) if len(found) > 1 else None) for grid in grids]
    kept: list[PageGrid] = []
    rows: list[ComparedRow] = []
    for grid, reading in readings:
        if reading is not None:
            rows += (replace(row, grid=len(kept)) for row in reading.rows)
        if reading is not None or is_genuine(grid):
            kept.append(_kept(grid, findings.get(id(grid)), reading))
    read = [reading for _, reading in readings if reading is not None]
    doubts = [doubt for reading in read for doubt in reading.doubts]
    unread = [grid for grid in grids if _may_compare(grid, names, has_sections=has_sections)]
    if not rows and unread and is_promised:
        unclear = f"tables of which nothing says which cells do: {len(unread)}"
        doubts.append(Doubt("axis_unclear", None, "cells that name tools", unclear))
    tools = tuple(_tool(name, place, read, rows) for place, name in enumerate(found)) if rows else ()
    return TablesRead(tools, tuple(rows), tuple(kept), tuple(doubts))


def _union(axes: Iterable[Axis | None]) -> Sequence[str]:
    """The names of all tables, each once."""
    return list({key(name): name for axis in axes if axis is not None for name in axis.names}.values())


def _may_compare(grid: Grid, names: Sequence[str], *, has_sections: bool) -> bool:
    """Whether a reader would look for the page's tools in it. Cards of them are their sections, too."""
    if has_sections:
        return is_genuine(grid) and _heads_begin_with(grid, names)
    return is_genuine(grid) or (grid.shape in ALIGNED and _heads_begin_with(grid, names))


def _heads_begin_with(grid: Grid, names: Sequence[str]) -> bool:
    """Whether two of these names begin a text of its first row, or of its first column."""
    texts = grid.texts()
    edges = (texts[0] if texts else [], [row[0] for row in texts if row])
    return any(sum(any(key(text).startswith(key(name)) for text in edge) for name in names) > 1 for edge in edges)


def _kept(grid: Grid, finding: Finding | None, reading: TableReading | None) -> PageGrid:
    reason: GridReason = "names_known" if reading is not None else "other_tools"
    if finding is not None and (reading is None or finding.axis is not None):
        reason = finding.reason
    return PageGrid(
        reason,
        None if reading is None else reading.names_in,
        0 if finding is None else finding.points,
        () if finding is None else tuple(sorted(finding.evidence)),
        grid.caption,
        () if reading is None else reading.left_over,
        tuple(map(tuple, grid.texts())) if grid.rows * grid.columns <= PLACES_KEPT_MAX else None,
    )


def _tool(name: str, place: int, read: Sequence[TableReading], rows: Sequence[ComparedRow]) -> ComparedTool:
    """A tool as all tables have it: a price that two of them differ in is left to the rows."""

    def only(values: Iterable[str | None]) -> str | None:
        known = {value for value in values if value is not None}
        return known.pop() if len(known) == 1 else None

    def said(labels: frozenset[str]) -> str | None:
        return only(row.values[place] for row in rows if fold(row.attribute) in labels)

    link = only(reading.links[place] for reading in read)
    return ComparedTool(name, url=link, price=said(PRICE), rating=said(RATING), best_for=said(BEST_FOR))
