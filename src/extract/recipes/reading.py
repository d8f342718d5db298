"""A page read by its recipe: the records that the generic reader would make of it, and what is told. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from selectolax.lexbor import LexborHTMLParser

from verdicts.corpus.enumerations import Claim
from verdicts.extract.generic.list_words import RANKED
from verdicts.extract.generic.stated import key
from verdicts.extract.model.records import ComparedRow, Doubt, OutsideReview, SideBySide
from verdicts.extract.recipes.filled import Filled, filled
from verdicts.extract.recipes.parts import parts_of
from verdicts.extract.recipes.recipe import Anchor, Recipe, Records
from verdicts.extract.recipes.table import TableTools, rank_doubts, read_recipe_table, tool_of
from verdicts.extract.statements.item import Item
from verdicts.extract.statements.statements import statements

NOTHING = TableTools((), (), ())


@dataclass(frozen=True, slots=True)
class RecipeReading:
    """What a recipe yields, None where it finds no tool, and what is told."""

    side_by_side: SideBySide | None
    doubts: tuple[Doubt, ...]


def read_by_recipe(page: bytes, url: str, recipe: Recipe) -> RecipeReading:
    """What the page at `url` says where the recipe of its host says that it stands."""
    items, unread = statements(LexborHTMLParser(page, scripting=True), url)
    tools = NOTHING if recipe.tools is None else _tools(page, recipe.tools, items)
    names = [tool.name for tool in tools.tools]
    reviews, told = ((), ()) if recipe.reviews is None else _reviews(page, recipe.reviews, items, names)
    doubts = (*unread, *tools.doubts, *told)
    if not tools.tools:
        return RecipeReading(None, doubts)
    claim: Claim = "compares" if len(tools.tools) > 1 else "describes"
    return RecipeReading(SideBySide("recipe", tools.tools, tools.rows, reviews, claim), doubts)


def _tools(page: bytes, records: Records, items: Sequence[Item]) -> TableTools:
    if records.table is not None:
        return read_recipe_table(page, records)
    if records.heading is not None and "name" not in records.fields:
        named = {"name": Anchor(heading=records.heading), **records.fields}
        records = Records(heading=records.heading, count=records.count, fields=named, rows=records.rows)
    made, doubts = filled(parts_of(page, records, items), records, "tools", "name")
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
    rows = tuple(row for name in records.rows for row in _rows(name, [made[place] for place in places]))
    return TableTools(tools, rows, doubts)


def _ranked(fields: Mapping[str, str]) -> dict[str, str]:
    """`2. Alpha` is a rank and a name."""
    ranked = RANKED.fullmatch(fields["name"])
    if ranked is None or "rank" in fields:
        return {**fields}
    number, name, hashed, name_hashed = ranked.groups()
    return {**fields, "name": name or name_hashed, "rank": number or hashed}


def _rows(name: str, made: Sequence[Filled]) -> list[ComparedRow]:
    """An attribute that is said several times of a tool, as its points are, has several rows."""
    return [ComparedRow("attribute", name, values) for values in zip_longest(*(one.rows[name] for one in made))]


def _reviews(
    page: bytes, records: Records, items: Sequence[Item], names: Sequence[str]
) -> tuple[tuple[OutsideReview, ...], tuple[Doubt, ...]]:
    """Reviews, each of the tool that it names; where it names none, of the page's one tool."""
    made, doubts = filled(parts_of(page, records, items), records, "reviews", "text")
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
