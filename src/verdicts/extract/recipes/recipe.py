"""A recipe as data: where a host's pages have tools, and where each tool has its fields."""

import re
from collections.abc import Mapping
from difflib import get_close_matches
from hashlib import sha256
from typing import Annotated, Literal, TypeAlias, get_args

from msgspec import Meta, Struct, ValidationError, convert
from msgspec.json import encode
from selectolax.lexbor import LexborHTMLParser, SelectolaxError

from verdicts.corpus.text import BrokenDocument, parse_toml
from verdicts.extract.model.records import OutsideReview, Property
from verdicts.fetch.model.addresses import split_address

Text: TypeAlias = Annotated[str, Meta(min_length=1)]
Level: TypeAlias = Annotated[int, Meta(ge=1, le=6)]
Count: TypeAlias = Annotated[int, Meta(ge=1)]

TOOL_FIELDS = ("name", *get_args(Property), "rating_best", "ratings")
REVIEW_FIELDS = (*OutsideReview.__dataclass_fields__,)


class Anchor(Struct, frozen=True, forbid_unknown_fields=True):
    """Where a value is within its record.

    `label`: the words before it, one of several. `css`: an element, or an `attribute` of it.
    """

    label: Text | tuple[Text, ...] | None = None
    css: Text | None = None
    attribute: Text | None = None

    def __post_init__(self) -> None:
        if (self.label is None) == (self.css is None):
            raise ValueError('say where it stands by a label or by css, as in { label = "Price" }')
        if self.attribute is not None and self.css is None:
            raise ValueError("attribute goes with css, and names an attribute of that element")
        _check_selector(self.css)

    @property
    def labels(self) -> tuple[str, ...]:
        """The words before the value, if it is located by words."""
        return (self.label,) if isinstance(self.label, str) else self.label or ()


class Tools(Struct, frozen=True, forbid_unknown_fields=True):
    """What the record of a tool is, and where its fields are.

    `css`: each such element. `heading`: everything below each heading of that level, which is the name. `table`: each
    column or row (`names_in`) of the table with these words in its first row or column. `count`: the number on a page.
    `rows`: attributes beside the fields; a table always has them.
    """

    css: Text | None = None
    heading: Level | None = None
    table: Text | None = None
    names_in: Literal["columns", "rows"] | None = None
    count: Count | None = None
    fields: Mapping[str, Anchor] = {}
    rows: Mapping[str, Anchor] = {}

    def __post_init__(self) -> None:
        if sum(place is not None for place in (self.css, self.heading, self.table)) != 1:
            raise ValueError("say what a record is by one of css, heading, table")
        if (self.table is None) != (self.names_in is None):
            raise ValueError('names_in goes with table, and says where the names are: "columns" (the top) or "rows"')
        _check_selector(self.css)
        _check_fields(self.fields, TOOL_FIELDS, None if self.css is None else "name")
        if self.css is None and any(anchor.css for anchor in (*self.fields.values(), *self.rows.values())):
            raise ValueError("below a heading or in a table a field is found by its label, not by css")


class Reviews(Struct, frozen=True, forbid_unknown_fields=True):
    """`css`: each such element is a review. `count`: the number on a page."""

    css: Text
    count: Count | None = None
    fields: Mapping[str, Anchor] = {}

    def __post_init__(self) -> None:
        _check_selector(self.css)
        _check_fields(self.fields, REVIEW_FIELDS, "text")


class Recipe(Struct, frozen=True, forbid_unknown_fields=True):
    """A host's recipe for pages whose path begins with `path`.

    It reads pages that the generic reader refuses, or `always` instead of it.
    """

    host: str
    path: Annotated[str, Meta(pattern="^/")] = "/"
    always: bool = False
    tools: Tools | None = None
    reviews: Reviews | None = None

    def __post_init__(self) -> None:
        if self.tools is None and self.reviews is None:
            raise ValueError("write [tools], [reviews] or both, with the element that each one has")


Recipes: TypeAlias = Mapping[str, Recipe]

NO_RECIPES: Recipes = {}


def find_recipe(url: str, recipes: Recipes) -> Recipe | None:
    """The recipe for an address, if its host has one for this path."""
    address = split_address(url) if recipes else None
    recipe = None if address is None else recipes.get(address.host)
    return recipe if address is not None and recipe is not None and address.path.startswith(recipe.path) else None


def hash_recipes(recipes: Recipes) -> str:
    """Changes whenever a recipe changes its meaning; empty without recipes."""
    return sha256(encode([recipes[host] for host in sorted(recipes)])).hexdigest()[:8] if recipes else ""


class BrokenRecipe(ValueError):
    """An invalid recipe. Names the file, the table and the first mistake in it, with what to do."""


_KEYS = tuple(key for kind in (Recipe, Tools, Reviews, Anchor) for key in kind.__struct_fields__ if key != "host")
_UNKNOWN = re.compile(r"Object contains unknown field `(.*)`")


def parse_recipe(host: str, text: str | bytes, place: str) -> Recipe:
    """The recipe of a host in TOML. `place` names it in messages. Raises `BrokenRecipe`."""
    try:
        return convert({**parse_toml(text, place), "host": host}, Recipe)
    except BrokenDocument as error:
        raise BrokenRecipe(str(error)) from error
    except ValidationError as error:
        mistake, _, path = str(error).partition(" - at `$")
        if (unknown := _UNKNOWN.fullmatch(mistake)) is not None:
            mistake = _suggest_key(unknown[1], _KEYS)
        # `$.tools.fields[...]` does not name the field.
        key = path.strip(".`").removesuffix("[...]")
        raise BrokenRecipe(f"{place}: {key}: {mistake}" if key else f"{place}: {mistake}") from error


def _suggest_key(key: str, known: tuple[str, ...]) -> str:
    near = get_close_matches(key, known, n=1)
    hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(dict.fromkeys(known))}"
    return f"there is no key {key!r}; {hint}"


def _check_fields(fields: Mapping[str, Anchor], known: tuple[str, ...], required: str | None) -> None:
    for name in fields:
        if name not in known:
            raise ValueError(_suggest_key(name, known))
    if required is not None and required not in fields:
        raise ValueError(f"fields.{required} is missing; say where it stands")


def _check_selector(selector: str | None) -> None:
    try:
        LexborHTMLParser("").css(selector or "*")
    except SelectolaxError:
        raise ValueError(f"{selector!r} is not a CSS selector; write a tag, a class or both: div.card") from None
