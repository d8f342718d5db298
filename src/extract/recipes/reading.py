"""A page read by its recipe: the records that the generic reader would make, and doubts. Pure."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from verdicts.corpus.enumerations import Claim
from verdicts.extract.generic.stated import key
from verdicts.extract.generic.tables import TableReading, read_table_of
from verdicts.extract.generic.web_page import WebPage
from verdicts.extract.generic.words import RANKED
from verdicts.extract.grids.grid import Grid, lines_of, turned
from verdicts.extract.model.blocks import fold
from verdicts.extract.model.records import ComparedRow, ComparedTool, Doubt, OutsideReview, SideBySide
from verdicts.extract.recipes.recipe import Anchor, Recipe, Records
from verdicts.extract.recipes.values import count_doubts, filled, parts_of

RANK_DIGITS = 4
RANK_SHOWN = 40
"""Characters of an invalid rank in a doubt."""


@dataclass(frozen=True, slots=True)
class TableTools:
    """Tools with the recipe's fields, and every row of the table."""

    tools: tuple[ComparedTool, ...]
    rows: tuple[ComparedRow, ...]
    doubts: tuple[Doubt, ...]


def read_recipe_table(page: WebPage, records: Records) -> TableTools:
    """The tools of the only table with the recipe's words in its first row or column."""
    wanted = fold(records.table or "")
    grids = [grid for grid in page.grids if wanted in _edges(grid)]
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
    return _table_tools(names, reading, records)


def _edges(grid: Grid) -> set[str]:
    texts = grid.texts()
    return {fold(text) for text in (*(texts[0] if texts else ()), *(row[0] for row in texts if row))}


def _names(grid: Grid, records: Records) -> list[str]:
    """The line of names: the one with the recipe's head, else the first."""
    lines = lines_of(grid)
    if records.names_in == "rows":
        lines = turned(lines)
    anchor = records.fields.get("name")
    heads = {fold(label) for label in (() if anchor is None else anchor.labels)}
    line = next((line for line in lines if not heads or fold(line.cells[0].text or "") in heads), None)
    return [] if line is None else [cell.text for cell in line.cells[1:] if cell.text]


def _table_tools(names: Sequence[str], reading: TableReading, records: Records) -> TableTools:
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
    """A tool with these fields; `link` is its address if they have none. An invalid rank is dropped."""
    others = {name: value for name, value in fields.items() if name not in {"rank", "url"}}
    return ComparedTool(**others, url=fields.get("url") or link, rank=_rank(fields.get("rank", "")))


def rank_doubts(fields: Iterable[Mapping[str, str]]) -> Iterator[Doubt]:
    """A doubt for the first invalid rank."""
    ranks = [of_tool["rank"] for of_tool in fields if "rank" in of_tool and _rank(of_tool["rank"]) is None]
    if ranks:
        yield Doubt("recipe_unfilled", None, "tools.fields.rank as a number", repr(ranks[0][:RANK_SHOWN]))


def _rank(written: str) -> int | None:
    digits = written.strip("#. ")
    return int(digits) if digits.isascii() and digits.isdecimal() and len(digits) <= RANK_DIGITS else None


NOTHING = TableTools((), (), ())


@dataclass(frozen=True, slots=True)
class RecipeReading:
    """The result of a recipe, None if it finds no tool, and its doubts."""

    side_by_side: SideBySide | None
    doubts: tuple[Doubt, ...]


def read_by_recipe(page: WebPage, recipe: Recipe) -> RecipeReading:
    """Reads a page with its host's recipe."""
    tools = NOTHING if recipe.tools is None else _tools(page, recipe.tools)
    names = [tool.name for tool in tools.tools]
    reviews, told = ((), ()) if recipe.reviews is None else _reviews(page, recipe.reviews, names)
    doubts = (*page.statements.doubts, *tools.doubts, *told)
    if not tools.tools:
        return RecipeReading(None, doubts)
    claim: Claim = "compares" if len(tools.tools) > 1 else "describes"
    return RecipeReading(SideBySide("recipe", tools.tools, tools.rows, reviews, claim), doubts)


def _tools(page: WebPage, records: Records) -> TableTools:
    if records.table is not None:
        return read_recipe_table(page, records)
    if records.heading is not None and "name" not in records.fields:
        named = {"name": Anchor(heading=records.heading), **records.fields}
        records = Records(heading=records.heading, count=records.count, fields=named, rows=records.rows)
    made, doubts = filled(parts_of(page, records), records, "tools", "name")
    fields = [_ranked(one.fields) for one in made]
    differing = []
    seen: dict[str, int] = {}
    for place, of_tool in enumerate(fields):
        first = seen.setdefault(key(of_tool["name"]), place)
        if made[first] != made[place]:
            name = repr(of_tool["name"])
            differing.append(Doubt("recipe_ambiguous", None, "one record of a tool", f"two of {name} that differ"))
    places = [*seen.values()]
    doubts = (*doubts, *differing, *rank_doubts(fields))
    tools = tuple(tool_of(fields[place], None) for place in places)
    # A repeated attribute of a tool, such as its pros, gives several rows.
    rows = tuple(
        ComparedRow("attribute", name, values)
        for name in records.rows
        for values in zip_longest(*(made[place].rows[name] for place in places))
    )
    return TableTools(tools, rows, doubts)


def _ranked(fields: Mapping[str, str]) -> dict[str, str]:
    """`2. Alpha` is a rank and a name."""
    ranked = RANKED.fullmatch(fields["name"])
    if ranked is None or "rank" in fields:
        return {**fields}
    number, name, hashed, name_hashed = ranked.groups()
    return {**fields, "name": name or name_hashed, "rank": number or hashed}


def _reviews(
    page: WebPage, records: Records, names: Sequence[str]
) -> tuple[tuple[OutsideReview, ...], tuple[Doubt, ...]]:
    """Reviews of the tools that they name; without a name, of the page's only tool."""
    made, doubts = filled(parts_of(page, records), records, "reviews", "text")
    places = {key(name): place for place, name in enumerate(names)}
    reviews, unknown = [], []
    for one in made:
        named = one.fields.get("tool")
        of_one = 0 if len(names) == 1 and "tool" not in records.fields else None
        tool = of_one if named is None else places.get(key(named))
        others = {field: one.fields.get(field) for field in ("author", "rating", "rating_best", "published_on")}
        reviews.append(OutsideReview(tool=tool, text=one.fields["text"], **others))
        if named is not None and tool is None:
            unknown.append(Doubt("recipe_ambiguous", None, "reviews of the tools of the page", f"one of {named!r}"))
    return tuple(reviews), (*doubts, *unknown)
