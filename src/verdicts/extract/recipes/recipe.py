"""A recipe as data: where a host's pages have tools, and where each tool has its fields."""

from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from hashlib import sha256
from typing import Annotated, Any, Literal, TypeAlias, get_args

from msgspec import Meta, Struct, ValidationError, convert
from msgspec.json import encode
from selectolax.lexbor import LexborHTMLParser, SelectolaxError

from verdicts.corpus.text import BrokenDocument, parse_toml
from verdicts.extract.model.records import OutsideReview, Property
from verdicts.fetch.model.addresses import web_address

Text: TypeAlias = Annotated[str, Meta(min_length=1)]
Level: TypeAlias = Annotated[int, Meta(ge=1, le=6)]

ANCHORS = ("label", "heading", "statement", "css")
"""Ways to locate a field: by words, by shape, by statement, and, as the last resort, by selector."""

PLACES = ("heading", "statement", "table", "css")
"""Ways to locate a record."""


class Anchor(Struct, frozen=True, forbid_unknown_fields=True):
    """Where a value is within its record: one of ANCHORS is set.

    `label`: the words before it, one of several. `heading`: the level of a heading. `statement`: schema.org properties,
    joined by dots, of the record, or else of the statement with the record's name. `css`: an element, or an `attribute`
    of it.
    """

    label: Text | tuple[Text, ...] | None = None
    heading: Level | None = None
    statement: Text | None = None
    css: Text | None = None
    attribute: Text | None = None

    @property
    def labels(self) -> tuple[str, ...]:
        """The words before the value, if it is located by words."""
        return (self.label,) if isinstance(self.label, str) else self.label or ()


class Records(Struct, frozen=True, forbid_unknown_fields=True):
    """What a record is (one of PLACES) and where its fields are.

    `heading`: everything below each heading of that level; fields can be anywhere in it. `statement`: each item of that
    type. `table`: each column or row (`names_in`) of the table with these words in its first row or column. `css`: each
    such element. `count`: the number on a page. `rows`: attributes beside the fields; a table always has them.
    """

    heading: Level | None = None
    statement: Text | None = None
    table: Text | None = None
    css: Text | None = None
    names_in: Literal["columns", "rows"] | None = None
    count: Annotated[int, Meta(ge=1)] | None = None
    fields: Mapping[str, Anchor] = {}
    rows: Mapping[str, Anchor] = {}

    @property
    def labels(self) -> frozenset[str]:
        """All words before values, as written."""
        return frozenset(label for one in (*self.fields.values(), *self.rows.values()) for label in one.labels)


class Recipe(Struct, frozen=True):
    """A host's recipe for pages whose path begins with `path`.

    It reads pages that the generic reader refuses, or `always` instead of it.
    """

    host: str
    path: str = "/"
    always: bool = False
    tools: Records | None = None
    reviews: Records | None = None


Recipes: TypeAlias = Mapping[str, Recipe]

NO_RECIPES: Recipes = {}


def recipe_of(url: str, recipes: Recipes) -> Recipe | None:
    """The recipe for an address, if its host has one for this path."""
    if not recipes:
        return None
    address = web_address(url)
    recipe = None if address is None else recipes.get(address.host)
    return recipe if address is not None and recipe is not None and address.path.startswith(recipe.path) else None


def digest_of(recipes: Recipes) -> str:
    """Changes whenever a recipe changes its meaning; empty without recipes."""
    return sha256(encode([recipes[host] for host in sorted(recipes)])).hexdigest()[:8] if recipes else ""


_KINDS = {
    "tools": ("name", *get_args(Property), "rating_best", "ratings"),
    "reviews": (*OutsideReview.__dataclass_fields__,),
}
"""The fields that a recipe can fill."""
_TOP = ("path", "always", *_KINDS)

ANCHORS_IN: Mapping[str, tuple[str, ...]] = {
    "css": ANCHORS,
    "heading": ("label", "heading", "statement"),
    "statement": ("statement",),
    "table": ("label",),
}
"""The anchors of each kind of record: a section has no element around it, and a statement no words."""

_REQUIRED = {"tools": "name", "reviews": "text"}


class BrokenRecipe(ValueError):
    """An invalid recipe. Names the file, and each key with what to do, separated by semicolons."""


def declared_recipe(host: str, text: str | bytes, place: str) -> Recipe:
    """The recipe of a host in TOML. `place` names it in messages. Raises `BrokenRecipe`."""
    try:
        declared = parse_toml(text, place)
    except BrokenDocument as error:
        raise BrokenRecipe(str(error)) from error
    mistakes = [*_mistakes(declared)]
    if mistakes:
        raise BrokenRecipe("; ".join(f"{place}: {mistake}" for mistake in mistakes))
    return convert({"host": host, **declared}, Recipe)


def _mistakes(declared: Mapping[str, Any]) -> Iterator[str]:
    yield from _unknown("", declared, _TOP)
    if not isinstance(path := declared.get("path", "/"), str) or not path.startswith("/"):
        yield 'path: must be a path: "/compare/"'
    if not isinstance(declared.get("always", False), bool):
        yield "always: must be true or false"
    if not declared.keys() & _KINDS.keys():
        yield "tools: is missing; write [tools], [reviews] or both, with the element or heading that each one has"
    for kind in (kind for kind in _KINDS if kind in declared):
        records = declared[kind]
        if isinstance(records, dict):
            yield from _mistakes_of_records(kind, records)
        else:
            yield f"{kind}: write [{kind}] as the line above its keys"


def _mistakes_of_records(kind: str, records: Mapping[str, Any]) -> Iterator[str]:
    yield from _unknown(f"{kind}.", records, Records.__struct_fields__)
    places = [place for place in PLACES if place in records]
    if len(places) != 1:
        yield f"{kind}: say what a record is by one of {', '.join(PLACES)}; there are {len(places)}"
    plain = {key: value for key, value in records.items() if key in (*PLACES, "names_in", "count")}
    yield from _wrong(kind, plain, Records)
    yield from _wrong_selector(f"{kind}.css", records.get("css"))
    if ("table" in records) != ("names_in" in records):
        yield f'{kind}.names_in: goes with table, and says where the names stand: "columns" (the top) or "rows"'
    if kind == "reviews" and (unfit := {"table", "rows", "heading"} & records.keys()):
        yield f"{kind}.{min(unfit)}: reviews are read by css or statement; take this out"
    place = places[0] if len(places) == 1 else "css"
    fields = records.get("fields", {})
    for table, of_table in (("fields", fields), ("rows", records.get("rows", {}))):
        if not isinstance(of_table, dict):
            yield f"{kind}.{table}: write [{kind}.{table}] as the line above its keys"
            continue
        for name, anchor in of_table.items():
            yield from _mistakes_of_anchor(f"{kind}.{table}.{name}", anchor, place)
    if isinstance(fields, dict):
        yield from _unknown(f"{kind}.fields.", fields, _KINDS[kind])
        if _REQUIRED[kind] not in fields and place not in {"heading", "table"}:
            yield f"{kind}.fields.{_REQUIRED[kind]}: is missing; say where it stands"


def _mistakes_of_anchor(key: str, anchor: object, place: str) -> Iterator[str]:
    if not isinstance(anchor, dict):
        yield f'{key}: say where it stands, as in {{ label = "Price" }}'
        return
    yield from _unknown(f"{key}.", anchor, (*ANCHORS, "attribute"))
    given = [one for one in ANCHORS if one in anchor]
    if len(given) != 1:
        yield f"{key}: say where it stands by one of {', '.join(ANCHORS_IN[place])}; there are {len(given)}"
    elif given[0] not in ANCHORS_IN[place]:
        yield f"{key}.{given[0]}: where a record is a {place}, a field stands by {' or '.join(ANCHORS_IN[place])}"
    if "attribute" in anchor and "css" not in anchor:
        yield f"{key}.attribute: goes with css, and names an attribute of that element"
    yield from _wrong(key, {name: value for name, value in anchor.items() if name in (*ANCHORS, "attribute")}, Anchor)
    yield from _wrong_selector(f"{key}.css", anchor.get("css"))


def _unknown(begin: str, table: Mapping[str, Any], known: Sequence[str]) -> Iterator[str]:
    for key in table:
        if key not in known:
            near = get_close_matches(key, known, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(known)}"
            yield f"{begin}{key}: there is no such key; {hint}"


def _wrong(key: str, table: Mapping[str, Any], kind: type[Anchor] | type[Records]) -> Iterator[str]:
    """Values of a wrong type, one by one."""
    for name, value in table.items():
        try:
            convert({name: value}, kind)
        except ValidationError as error:
            yield f"{key}.{name}: {str(error).partition(' - at ')[0]}; write another value"


def _wrong_selector(key: str, selector: object) -> Iterator[str]:
    try:
        if isinstance(selector, str) and selector:
            LexborHTMLParser("").css(selector)
    except SelectolaxError:
        yield f"{key}: {selector!r} is not a CSS selector; write a tag, a class or both: div.card"
