"""A recipe as data: where on the pages of a host the tools stand, and where in each of them its fields do."""

from collections.abc import Mapping
from hashlib import sha256
from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct
from msgspec.json import encode

from verdicts.fetch.model.addresses.web_address import web_address

Text: TypeAlias = Annotated[str, Meta(min_length=1)]
Level: TypeAlias = Annotated[int, Meta(ge=1, le=6)]

TOOL_FIELDS = (
    *("name", "url", "description", "category", "price", "rating", "rating_best", "ratings", "rank", "best_for"),
)
REVIEW_FIELDS = ("tool", "author", "rating", "rating_best", "published_on", "text")

ANCHORS = ("label", "heading", "statement", "css")
"""Ways to say where a field stands: by words, by shape, by statement, and, as the last resort, by selector."""

PLACES = ("heading", "statement", "table", "css")
"""Ways to say what a record is."""


class Anchor(Struct, frozen=True, forbid_unknown_fields=True):
    """Where a value stands within its record: one of ANCHORS, the others are None.

    `label`: the words before it, one of several. `heading`: the level of a heading. `statement`: schema.org properties,
    parted by dots, of the record or, where that is no statement, of the one with the record's name. `css`: an element,
    or an `attribute` of it.
    """

    label: Text | tuple[Text, ...] | None = None
    heading: Level | None = None
    statement: Text | None = None
    css: Text | None = None
    attribute: Text | None = None

    @property
    def labels(self) -> tuple[str, ...]:
        """The words before the value; none where it does not stand by words."""
        return (self.label,) if isinstance(self.label, str) else self.label or ()


class Records(Struct, frozen=True, forbid_unknown_fields=True):
    """What a record is, one of PLACES, and where its fields stand in it.

    `heading`: all below each heading of that level, where any field stands. `statement`: each item of that type.
    `table`: each column or row (`names_in`) of the table with these words in its first row or column. `css`: each such
    element. `count`: so many there are on a page. `rows`: attributes beside the fields; a table has them without being
    asked.
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
        """All words that stand before a value, as written."""
        return frozenset(label for one in (*self.fields.values(), *self.rows.values()) for label in one.labels)


class Recipe(Struct, frozen=True):
    """A host's recipe. It holds for pages whose path begins with `path`.

    It reads what the generic reader refuses, or `always`: then what that one reads does not hold.
    """

    host: str
    path: str = "/"
    always: bool = False
    tools: Records | None = None
    reviews: Records | None = None


Recipes: TypeAlias = Mapping[str, Recipe]
"""Recipes by their hosts."""

NO_RECIPES: Recipes = {}


def recipe_of(url: str, recipes: Recipes) -> Recipe | None:
    """The recipe for an address; None where its host has none, or one for other paths."""
    if not recipes:
        return None
    address = web_address(url)
    recipe = None if address is None else recipes.get(address.host)
    return recipe if address is not None and recipe is not None and address.path.startswith(recipe.path) else None


def digest_of(recipes: Recipes) -> str:
    """What differs whenever a recipe says something else; empty without recipes."""
    return sha256(encode([recipes[host] for host in sorted(recipes)])).hexdigest()[:8] if recipes else ""
