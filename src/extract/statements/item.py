"""A schema.org item, however it was written, and how its properties are asked for. Pure."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

Value: TypeAlias = "str | Item"


@dataclass(frozen=True, slots=True, eq=False)
class Item:
    """A thing that a page speaks of: `types` and the names of `properties` are folded by `term`.

    Texts are cleaned, none is empty. An item may lead back to itself: `review` and `itemReviewed` do. Items without a
    type are kept, and one that is only referred to has no properties.
    """

    id: str | None
    """Absolute address, `_:` and a name within one script, or None."""
    types: set[str] = field(default_factory=set)
    properties: dict[str, list[Value]] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"Item({self.id!r}, {sorted(self.types)}, {sorted(self.properties)})"


def term(name: str) -> str:
    """`https://schema.org/Product`, `schema:product` and `Product/` are `product`; 8 % of sites misspell one so."""
    return name if name.startswith("@") else re.split(r"[/#:]", name.strip().rstrip("/"))[-1].casefold()


def texts(item: Item, name: str) -> Iterator[str]:
    """A property's values as text; of an inner item its name."""
    for value in item.properties.get(name.casefold(), ()):
        if isinstance(value, str):
            yield value
        else:
            yield from (named for named in value.properties.get("name", ()) if isinstance(named, str))


def first(item: Item, *names: str) -> str | None:
    """The first text of the first of these properties that has any; None where none has."""
    return next((text for name in names for text in texts(item, name)), None)


def inner(item: Item, *names: str) -> list[Item]:
    """The inner items of these properties, each once."""
    values = (value for name in names for value in item.properties.get(name.casefold(), ()))
    return [*dict.fromkeys(value for value in values if isinstance(value, Item))]


def is_of(item: Item, types: Iterable[str]) -> bool:
    """Whether the item has one of these types, which are folded."""
    return not item.types.isdisjoint(types)
