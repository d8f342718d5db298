"""Tools of a table whose axis a recipe says; its rows are read as those of any other table. Pure."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from selectolax.lexbor import LexborHTMLParser

from verdicts.extract.generic.compared_tables import TableReading, read_table_of
from verdicts.extract.generic.grid_lines import lines_of, turned
from verdicts.extract.generic.stated import key
from verdicts.extract.grids.grid import Grid
from verdicts.extract.grids.page_grids import page_grids
from verdicts.extract.grids.tracks import declared_tracks
from verdicts.extract.html.seen import whole_body
from verdicts.extract.model.blocks import fold
from verdicts.extract.model.records import ComparedRow, ComparedTool, Doubt
from verdicts.extract.recipes.filled import count_doubts
from verdicts.extract.recipes.recipe import Records

RANK_DIGITS = 4
RANK_SHOWN = 40
"""Characters of what is no rank that are told."""


@dataclass(frozen=True, slots=True)
class TableTools:
    """Tools with the fields that the recipe names, and every row of the table."""

    tools: tuple[ComparedTool, ...]
    rows: tuple[ComparedRow, ...]
    doubts: tuple[Doubt, ...]


def read_recipe_table(page: bytes, records: Records) -> TableTools:
    """The tools of the one table that has the recipe's words in its first row or column."""
    tree = LexborHTMLParser(page, scripting=True)
    tracks = declared_tracks(tree)
    body = whole_body(tree)
    wanted = fold(records.table or "")
    grids = [grid for grid in (() if body is None else page_grids(body, tracks)) if wanted in _edges(grid)]
    expected = f"one table with {records.table!r} in its first row or column"
    if len(grids) > 1:
        return TableTools((), (), (Doubt("recipe_ambiguous", None, expected, f"{len(grids)}"),))
    if not grids:
        return TableTools((), (), (Doubt("recipe_no_record", None, expected, "none"),))
    names = _names(grids[0], records)
    if len({*map(key, names)}) < len(names):
        twice = Doubt("recipe_ambiguous", None, "names of which each stands in its table once", ", ".join(names))
        return TableTools((), (), (twice,))
    reading = read_table_of(grids[0], names) if len(names) > 1 else None
    if reading is None:
        heads = ", ".join(map(repr, names)) or "no names"
        none = Doubt("recipe_no_record", None, f"two tools or more that head the {records.names_in}", heads)
        return TableTools((), (), (none,))
    return _tools(names, reading, records)


def _edges(grid: Grid) -> set[str]:
    texts = grid.texts()
    return {fold(text) for text in (*(texts[0] if texts else ()), *(row[0] for row in texts if row))}


def _names(grid: Grid, records: Records) -> list[str]:
    """What stands in the line of names: the one that is headed as the recipe says, else the first."""
    lines = lines_of(grid)
    if records.names_in == "rows":
        lines = turned(lines)
    anchor = records.fields.get("name")
    heads = {fold(label) for label in (() if anchor is None else anchor.labels)}
    line = next((line for line in lines if not heads or fold(line.cells[0].text or "") in heads), None)
    return [] if line is None else [cell.text for cell in line.cells[1:] if cell.text]


def _tools(names: Sequence[str], reading: TableReading, records: Records) -> TableTools:
    doubts: list[Doubt] = [*count_doubts(len(names), records, "tools"), *reading.doubts]
    fields: list[dict[str, str]] = [{"name": name} for name in names]
    for field, anchor in records.fields.items():
        if field == "name":
            continue
        labels = {fold(label) for label in anchor.labels}
        lines = [row for row in reading.rows if fold(row.attribute) in labels]
        for place, of_tool in enumerate(fields):
            said = {value for row in lines if (value := row.values[place]) is not None}
            if len(said) == 1:
                of_tool[field] = said.pop()
            elif said:
                both = " and ".join(map(repr, sorted(said)[:2]))
                doubts.append(Doubt("recipe_ambiguous", None, f"one tools.fields.{field} of a tool", both))
        if not any(field in of_tool for of_tool in fields):
            none = f"none of {len(names)}"
            doubts.append(Doubt("recipe_unfilled", None, f"tools.fields.{field} in some record", none))
    doubts += rank_doubts(fields)
    return TableTools(tuple(map(tool_of, fields, reading.links)), reading.rows, tuple(doubts))


def tool_of(fields: Mapping[str, str], link: str | None) -> ComparedTool:
    """A tool with these fields; `link` is its address where they have none. A rank that is no number is none."""
    others = {name: value for name, value in fields.items() if name not in {"rank", "url"}}
    return ComparedTool(**others, url=fields.get("url") or link, rank=_rank(fields.get("rank", "")))


def rank_doubts(fields: Iterable[Mapping[str, str]]) -> Iterator[Doubt]:
    """The first rank that is no number."""
    ranks = [of_tool["rank"] for of_tool in fields if "rank" in of_tool and _rank(of_tool["rank"]) is None]
    if ranks:
        yield Doubt("recipe_unfilled", None, "tools.fields.rank as a number", repr(ranks[0][:RANK_SHOWN]))


def _rank(written: str) -> int | None:
    """`#2`, `2.`: 2."""
    digits = written.strip("#. ")
    return int(digits) if digits.isascii() and digits.isdecimal() and len(digits) <= RANK_DIGITS else None
