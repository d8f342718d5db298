"""A page read by its recipe: the records that the generic reader would make, and doubts. Pure."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import NamedTuple, get_args

from verdicts.corpus.enumerations import Claim
from verdicts.extract.generic.label_words import RANKED
from verdicts.extract.generic.stated import key
from verdicts.extract.generic.table_facts import read_table
from verdicts.extract.generic.web_page import WebPage
from verdicts.extract.grids.grid import Grid, read_lines, transpose
from verdicts.extract.model.blocks import fold
from verdicts.extract.model.records import Doubt, DoubtRule, Fact, OutsideReview, Property, SideBySide
from verdicts.extract.recipes.anchors import Part, find_elements, find_sections, find_values
from verdicts.extract.recipes.recipe import Anchor, Recipe, Reviews, Tools

RANK_DIGITS = 4
RANK_SHOWN = 40
"""Characters of an invalid rank in a doubt."""


class RecipeReading(NamedTuple):
    """The result of a recipe, None if it finds no tool, and its doubts."""

    side_by_side: SideBySide | None
    doubts: tuple[Doubt, ...]


class Filled(NamedTuple):
    """The fields of a record with their only value, and all values of its rows."""

    fields: Mapping[str, str]
    rows: Mapping[str, Sequence[str]] = {}


def read_by_recipe(page: WebPage, recipe: Recipe) -> RecipeReading:
    """Reads a page with its host's recipe."""
    doubts: list[Doubt] = []
    names: Sequence[str] = ()
    facts: Sequence[Fact] = ()
    if recipe.tools is not None:
        read = _read_table if recipe.tools.table is not None else _read_records
        names, facts = read(page, recipe.tools, doubts)
    reviews = () if recipe.reviews is None else tuple(_read_reviews(page, recipe.reviews, names, doubts))
    all_doubts = (*page.statements.doubts, *dict.fromkeys(doubts))
    if not names:
        return RecipeReading(None, all_doubts)
    claim: Claim = "compares" if len(names) > 1 else "describes"
    return RecipeReading(SideBySide("recipe", tuple(names), tuple(facts), reviews, claim), all_doubts)


def _read_table(page: WebPage, tools: Tools, doubts: list[Doubt]) -> tuple[Sequence[str], Sequence[Fact]]:
    """The tools and all facts of the only table with the recipe's words in its first row or column."""
    wanted = fold(tools.table or "")
    edges = ((grid, [row for row in grid.texts() if row]) for grid in page.grids)
    grids = [grid for grid, rows in edges if rows and wanted in map(fold, (*rows[0], *(row[0] for row in rows)))]
    names = _names(grids[0], tools) if len(grids) == 1 else []
    reading = read_table(grids[0], names) if len({*map(key, names)}) == len(names) > 1 else None
    if reading is None:
        rule: DoubtRule = "recipe_ambiguous" if len(grids) > 1 or len(names) > 1 else "recipe_no_record"
        expected = f"one table with {tools.table!r} in its first row or column, and two tools or more in its"
        detail = f"{len(grids)} tables" if len(grids) != 1 else ", ".join(map(repr, names)) or "no names"
        doubts.append(Doubt(rule, None, f"{expected} {tools.names_in}", detail))
        return (), ()
    doubts += reading.doubts
    labels = {field: {*map(fold, anchor.labels)} for field, anchor in tools.fields.items() if field != "name"}
    made = []
    for index in range(len(names)):
        labelled = [(fold(fact.label or ""), fact.value) for fact in reading.facts if fact.tool == index]
        values = {
            field: [value for label, value in labelled if label in wanted_labels]
            for field, wanted_labels in labels.items()
        }
        made.append(Filled(_take_single(values, "tools", doubts)))
    doubts += _tell_gaps(made, tools.count, {"tools.fields": labels})
    return names, [*_read_facts(made, doubts), *reading.facts]


def _names(grid: Grid, tools: Tools) -> list[str]:
    """The line of names: the one with the recipe's head, else the first."""
    lines = read_lines(grid) if tools.names_in == "columns" else transpose(read_lines(grid))
    heads = {*map(fold, tools.fields["name"].labels)} if "name" in tools.fields else set()
    line = next((line for line in lines if not heads or fold(line.cells[0].text or "") in heads), None)
    return [] if line is None else [cell.text for cell in line.cells[1:] if cell.text]


def _read_records(page: WebPage, tools: Tools, doubts: list[Doubt]) -> tuple[Sequence[str], Sequence[Fact]]:
    """The tools of elements or sections: each once, for a page may repeat its cards for another window width."""
    if tools.heading is not None:
        made = _fill(find_sections(page.blocks, tools.heading), tools.fields, tools.rows, "tools", doubts)
        # `Conclusion` has a heading like those of tools, but no fields.
        made = [record for record in made if record.fields.keys() - {"name"} or any(record.rows.values())]
    else:
        made = _fill(find_elements(page.page, tools.css or ""), tools.fields, tools.rows, "tools", doubts)
        made = [*{repr(record): record for record in made}.values()]
    doubts += _tell_gaps(made, tools.count, {"tools.fields": tools.fields, "tools.rows": tools.rows})
    seen: dict[str, Filled] = {}
    for record in map(_part_rank, _take_whole(made, "tools", "name", doubts)):
        if seen.setdefault(key(record.fields["name"]), record) != record:
            detail = f"two of {record.fields['name']!r} that differ"
            doubts.append(Doubt("recipe_ambiguous", None, "one record of a tool", detail))
    facts = [*_read_facts(seen.values(), doubts)]
    line = 0
    for name in tools.rows:
        # A repeated attribute of a tool, such as its pros, gives several lines.
        for values in zip_longest(*(record.rows[name] for record in seen.values())):
            facts += (Fact(index, value, "recipe", name, line=line) for index, value in enumerate(values) if value)
            line += 1
    return [record.fields["name"] for record in seen.values()], facts


def _read_reviews(
    page: WebPage, reviews: Reviews, names: Sequence[str], doubts: list[Doubt]
) -> Iterator[OutsideReview]:
    """Reviews of the tools that they name; without a name, of the page's only tool."""
    made = _fill(find_elements(page.page, reviews.css), reviews.fields, {}, "reviews", doubts)
    doubts += _tell_gaps(made, reviews.count, {"reviews.fields": reviews.fields})
    indices = {key(name): index for index, name in enumerate(names)}
    for record in _take_whole(made, "reviews", "text", doubts):
        fields = dict.fromkeys(OutsideReview.__dataclass_fields__) | dict(record.fields)
        tool_name = record.fields.get("tool")
        tool = 0 if len(names) == 1 and "tool" not in reviews.fields else None
        tool = tool if tool_name is None else indices.get(key(tool_name))
        if tool_name is not None and tool is None:
            doubts.append(Doubt("recipe_ambiguous", None, "reviews of the tools of the page", f"one of {tool_name!r}"))
        yield OutsideReview(**{**fields, "tool": tool})  # type: ignore[arg-type]


def _fill(
    parts: Iterable[Part], fields: Mapping[str, Anchor], rows: Mapping[str, Anchor], kind: str, doubts: list[Doubt]
) -> list[Filled]:
    labels = frozenset(fold(label) for anchor in (*fields.values(), *rows.values()) for label in anchor.labels)
    made = []
    for part in parts:
        of_rows = {name: find_values(part, anchor, labels) for name, anchor in rows.items()}
        of_fields = {name: find_values(part, anchor, labels) for name, anchor in fields.items()}
        if part.name is not None:
            of_fields["name"] = [part.name]
        row_values = {name: [value for value in values if value is not None] for name, values in of_rows.items()}
        made.append(Filled(_take_single(of_fields, kind, doubts), row_values))
    return made


def _take_single(values: Mapping[str, Sequence[str | None]], kind: str, doubts: list[Doubt]) -> dict[str, str]:
    """The fields of a record with one value."""
    fields: dict[str, str] = {}
    for name, candidates in values.items():
        different = [*dict.fromkeys(value for value in candidates if value is not None)]
        if len(different) == 1:
            fields[name] = different[0]
        elif different:
            both = " and ".join(map(repr, different[:2]))
            doubts.append(Doubt("recipe_ambiguous", None, f"one {kind}.fields.{name} in a record", both))
        elif candidates:
            doubts.append(Doubt("recipe_unfilled", None, f"{kind}.fields.{name} behind its label", "no value"))
    return fields


def _take_whole(made: Sequence[Filled], kind: str, required: str, doubts: list[Doubt]) -> list[Filled]:
    """The records with their required field."""
    whole = [record for record in made if required in record.fields]
    if len(whole) < len(made):
        missing = f"{len(made) - len(whole)} of {len(made)} without one"
        doubts.append(Doubt("recipe_unfilled", None, f"{kind}.fields.{required} in every record", missing))
    return whole


def _tell_gaps(made: Sequence[Filled], count: int | None, names: Mapping[str, Iterable[str]]) -> Iterator[Doubt]:
    """Doubts about missing records, a number other than declared, and fields and rows that no record has."""
    kind = next(iter(names)).partition(".")[0]
    if not made:
        yield Doubt("recipe_no_record", None, f"records where [{kind}] says", "none")
    elif count is not None and len(made) != count:
        yield Doubt("recipe_count", None, f"{count} records of [{kind}]", f"{len(made)}")
    for table, columns in names.items() if made else ():
        for name in columns:
            if not any(record.fields.get(name) or record.rows.get(name) for record in made):
                yield Doubt("recipe_unfilled", None, f"{table}.{name} in some record", f"none of {len(made)}")


def _read_facts(made: Iterable[Filled], doubts: list[Doubt]) -> Iterator[Fact]:
    """What records say of their tools without rows. A rank that is no number is told, and so is no fact."""
    for index, record in enumerate(made):
        fields: dict[str, str] = dict(record.fields)
        if (rank := fields.pop("rank", None)) is not None:
            digits = rank.strip("#. ")
            if digits.isascii() and digits.isdecimal() and len(digits) <= RANK_DIGITS:
                fields["rank"] = str(int(digits))
            else:
                doubts.append(Doubt("recipe_unfilled", None, "tools.fields.rank as a number", repr(rank[:RANK_SHOWN])))
        names: tuple[Property, ...] = get_args(Property)
        for name in names:
            if (value := fields.get(name)) is not None:
                rated = (fields.get("rating_best"), fields.get("ratings")) if name == "rating" else (None, None)
                yield Fact(index, value, "recipe", property=name, scale=rated[0], ratings=rated[1])


def _part_rank(record: Filled) -> Filled:
    """`2. Alpha` is a rank and a name."""
    ranked = RANKED.fullmatch(record.fields["name"])
    if ranked is None or "rank" in record.fields:
        return record
    return record._replace(fields={**record.fields, "name": ranked[2] or ranked[4], "rank": ranked[1] or ranked[3]})
