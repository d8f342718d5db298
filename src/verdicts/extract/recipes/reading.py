"""A page read by its recipe: the records that the generic reader would make, and doubts. Pure."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import TypeAlias, get_args

from msgspec.structs import replace

from verdicts.corpus.enumerations import Claim
from verdicts.extract.generic.stated import key
from verdicts.extract.generic.tables import read_table_of
from verdicts.extract.generic.web_page import WebPage
from verdicts.extract.generic.words import RANKED
from verdicts.extract.grids.grid import Grid, lines_of, turned
from verdicts.extract.model.blocks import fold
from verdicts.extract.model.records import Doubt, Fact, OutsideReview, Property, SideBySide
from verdicts.extract.recipes.recipe import Anchor, Recipe, Records
from verdicts.extract.recipes.values import Filled, count_doubts, fields_of, filled, never_filled, parts_of

RANK_DIGITS = 4
RANK_SHOWN = 40
"""Characters of an invalid rank in a doubt."""


@dataclass(frozen=True, slots=True)
class RecipeReading:
    """The result of a recipe, None if it finds no tool, and its doubts."""

    side_by_side: SideBySide | None
    doubts: tuple[Doubt, ...]


def read_by_recipe(page: WebPage, recipe: Recipe) -> RecipeReading:
    """Reads a page with its host's recipe."""
    tools: Sequence[str] = ()
    facts: Sequence[Fact] = ()
    reviews: Sequence[OutsideReview] = ()
    doubts = [*page.statements.doubts]
    if recipe.tools is not None:
        tools, facts, told = (_table_tools if recipe.tools.table is not None else _tools)(page, recipe.tools)
        doubts += told
    if recipe.reviews is not None:
        reviews, told = _reviews(page, recipe.reviews, tools)
        doubts += told
    if not tools:
        return RecipeReading(None, tuple(doubts))
    claim: Claim = "compares" if len(tools) > 1 else "describes"
    return RecipeReading(SideBySide("recipe", tuple(tools), tuple(facts), tuple(reviews), claim), tuple(doubts))


Tools: TypeAlias = tuple[Sequence[str], Sequence[Fact], Sequence[Doubt]]


def _table_tools(page: WebPage, records: Records) -> Tools:
    """The tools and all facts of the only table with the recipe's words in its first row or column."""
    wanted = fold(records.table or "")
    edges = ((grid, grid.texts()) for grid in page.grids)
    grids = [
        grid for grid, texts in edges if texts and wanted in map(fold, (*texts[0], *(row[0] for row in texts if row)))
    ]
    expected = f"one table with {records.table!r} in its first row or column"
    if len(grids) > 1:
        return (), (), [Doubt("recipe_ambiguous", None, expected, f"{len(grids)}")]
    if not grids:
        return (), (), [Doubt("recipe_no_record", None, expected, "none")]
    names = _names(grids[0], records)
    if len({*map(key, names)}) < len(names):
        expected = "names that stand in their table once each"
        return (), (), [Doubt("recipe_ambiguous", None, expected, ", ".join(names))]
    reading = read_table_of(grids[0], names) if len(names) > 1 else None
    if reading is None:
        heads = ", ".join(map(repr, names)) or "no names"
        expected = f"two tools or more that head the {records.names_in}"
        return (), (), [Doubt("recipe_no_record", None, expected, heads)]
    labels = {field: {*map(fold, anchor.labels)} for field, anchor in records.fields.items() if field != "name"}
    columns = [
        {
            "name": [name],
            **{
                field: [one.value for one in reading.facts if one.tool == place and fold(one.label or "") in own]
                for field, own in labels.items()
            },
        }
        for place, name in enumerate(names)
    ]
    told: list[Doubt] = []
    made = [Filled(fields_of(column, "tools", told), {}) for column in columns]
    doubts = [*count_doubts(len(names), records, "tools"), *reading.doubts, *dict.fromkeys(told)]
    doubts += [*never_filled(made, {"fields": labels}, "tools"), *_rank_doubts(made)]
    filled_facts = [fact for place, one in enumerate(made) for fact in _facts(place, one.fields)]
    return [one.fields["name"] for one in made], [*filled_facts, *reading.facts], doubts


def _names(grid: Grid, records: Records) -> list[str]:
    """The line of names: the one with the recipe's head, else the first."""
    lines = lines_of(grid)
    if records.names_in == "rows":
        lines = turned(lines)
    anchor = records.fields.get("name")
    heads = {fold(label) for label in (() if anchor is None else anchor.labels)}
    line = next((line for line in lines if not heads or fold(line.cells[0].text or "") in heads), None)
    return [] if line is None else [cell.text for cell in line.cells[1:] if cell.text]


def _tools(page: WebPage, records: Records) -> Tools:
    if records.heading is not None and "name" not in records.fields:
        named = {"name": Anchor(heading=records.heading), **records.fields}
        records = replace(records, fields=named)
    found, doubts = filled(parts_of(page, records), records, "tools", "name")
    made = [Filled(_ranked(one.fields), one.rows) for one in found]
    seen: dict[str, Filled] = {}
    differing = []
    for one in made:
        if seen.setdefault(key(one.fields["name"]), one) != one:
            name = repr(one.fields["name"])
            differing.append(Doubt("recipe_ambiguous", None, "one record of a tool", f"two of {name} that differ"))
    facts = [fact for place, one in enumerate(seen.values()) for fact in _facts(place, one.fields)]
    line = 0
    for name in records.rows:
        # A repeated attribute of a tool, such as its pros, gives several lines.
        for values in zip_longest(*(one.rows[name] for one in seen.values())):
            facts += (Fact(place, value, "recipe", name, line=line) for place, value in enumerate(values) if value)
            line += 1
    return [one.fields["name"] for one in seen.values()], facts, (*doubts, *differing, *_rank_doubts(made))


def _facts(place: int, fields: Mapping[str, str]) -> Iterator[Fact]:
    """What a record's fields say of its tool. An invalid rank is dropped, and so is a scale without its rating."""
    for name in get_args(Property):
        value = fields.get(name)
        if name == "rank" and value is not None:
            value = None if (rank := _rank(value)) is None else str(rank)
        if value is not None:
            rated = (fields.get("rating_best"), fields.get("ratings")) if name == "rating" else (None, None)
            yield Fact(place, value, "recipe", property=name, scale=rated[0], ratings=rated[1])


def _rank_doubts(made: Iterable[Filled]) -> Iterator[Doubt]:
    """A doubt for the first invalid rank."""
    ranks = [one.fields["rank"] for one in made if "rank" in one.fields and _rank(one.fields["rank"]) is None]
    if ranks:
        yield Doubt("recipe_unfilled", None, "tools.fields.rank as a number", repr(ranks[0][:RANK_SHOWN]))


def _rank(written: str) -> int | None:
    digits = written.strip("#. ")
    return int(digits) if digits.isascii() and digits.isdecimal() and len(digits) <= RANK_DIGITS else None


def _ranked(fields: Mapping[str, str]) -> dict[str, str]:
    """`2. Alpha` is a rank and a name."""
    ranked = RANKED.fullmatch(fields["name"])
    if ranked is None or "rank" in fields:
        return {**fields}
    number, name, hashed, name_hashed = ranked.groups()
    return {**fields, "name": name or name_hashed, "rank": number or hashed}


def _reviews(page: WebPage, records: Records, names: Sequence[str]) -> tuple[Sequence[OutsideReview], Sequence[Doubt]]:
    """Reviews of the tools that they name; without a name, of the page's only tool."""
    made, doubts = filled(parts_of(page, records), records, "reviews", "text")
    places = {key(name): place for place, name in enumerate(names)}
    reviews, unknown = [], []
    for one in made:
        named = one.fields.get("tool")
        of_one = 0 if len(names) == 1 and "tool" not in records.fields else None
        tool = of_one if named is None else places.get(key(named))
        others = {field: one.fields.get(field) for field in ("author", "rating", "rating_best", "published_date")}
        reviews.append(OutsideReview(tool=tool, text=one.fields["text"], **others))
        if named is not None and tool is None:
            unknown.append(Doubt("recipe_ambiguous", None, "reviews of the tools of the page", f"one of {named!r}"))
    return reviews, (*doubts, *unknown)
