"""The tools of tables whose names neither the title nor sections give: found by the shape of each table. Pure."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace

from extract.generic.axis import Axis, PageNames, find_axis, is_genuine, unranked
from extract.generic.compared_tables import compared_tables
from extract.generic.list_words import BEST_FOR, NAME_PARTS, PRICE, RATING
from extract.generic.stated import key
from extract.generic.tool_list import ToolList
from extract.grids.grid import Grid
from extract.model.blocks import Block, fold
from extract.model.records import ComparedRow, ComparedTool, Doubt

PHRASE_MAX = 4
"""Words of a name within a title: `Alpha Writer Pro` of `Why we left Alpha Writer Pro`."""


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


def read_tables(
    grids: Sequence[Grid], page: PageNames, *, is_promised: bool
) -> tuple[ToolList | None, tuple[Doubt, ...]]:
    """The tools of all tables that name some, and what the tables say of them; None where none does.

    `is_promised`: the title says that the page compares; where it has a table and none that is read, that is told.
    """
    axes: dict[frozenset[str], Axis] = {}
    for grid in grids:
        axis = find_axis(grid, page)
        if axis is not None:
            axes.setdefault(frozenset(map(key, axis.names)), axis)
    if not axes:
        unclear = sum(map(is_genuine, grids)) if is_promised else 0
        found = f"tables of which nothing says which cells do: {unclear}"
        return None, (Doubt("axis_unclear", None, "cells that name tools", found),) if unclear else ()
    said: dict[str, list[ComparedTool]] = defaultdict(list)
    rows: list[tuple[list[str], ComparedRow]] = []
    doubts: list[Doubt] = []
    for axis in axes.values():
        own, of_tables = compared_tables(grids, axis.names)
        doubts += of_tables
        keys = [key(unranked(name)) for name in axis.names]
        rows += ((keys, row) for row in own)
        for place, name in enumerate(axis.names):
            said[keys[place]].append(_tool(unranked(name), axis.links[place], place, own))
    return ToolList(
        tuple(map(_undivided, said.values())),
        tuple(
            replace(row, values=tuple(row.values[keys.index(tool)] if tool in keys else None for tool in said))
            for keys, row in rows
        ),
    ), tuple(doubts)


def _tool(name: str, link: str | None, place: int, rows: Sequence[ComparedRow]) -> ComparedTool:
    def only(labels: frozenset[str]) -> str | None:
        values = [row.values[place] for row in rows if fold(row.attribute) in labels]
        return values[0] if len(values) == 1 else None

    return ComparedTool(name, url=link, price=only(PRICE), rating=only(RATING), best_for=only(BEST_FOR))


def _undivided(said: Sequence[ComparedTool]) -> ComparedTool:
    """A tool as all tables have it: a price that two of them differ in is left to the rows."""

    def only(values: Iterable[str | None]) -> str | None:
        known = {value for value in values if value is not None}
        return known.pop() if len(known) == 1 else None

    return replace(
        said[0],
        url=only(tool.url for tool in said),
        price=only(tool.price for tool in said),
        rating=only(tool.rating for tool in said),
        best_for=only(tool.best_for for tool in said),
    )
