"""Variants of a product: one of another colour or plan has from its group what it does not say itself. Pure."""

from collections.abc import Iterable

from verdicts.extract.statements.item import Item, first, inner

OWN = frozenset({"hasvariant", "variesby", "productgroupid", "isvariantof", "url", "sku", "offers"})
"""What is the group's alone, and what it says of itself."""


def group_variants(items: Iterable[Item]) -> None:
    """Joins variants to their groups by `productGroupID`, and completes them. A name is inherited, too."""
    by_number = {number: item for item in items if (number := first(item, "productGroupID"))}
    for item in items:
        number = first(item, "inProductGroupWithID")
        named = by_number.get(number) if number else None
        if named is not None and named is not item and not inner(item, "isVariantOf"):
            item.properties["isvariantof"] = [named]
            named.properties.setdefault("hasvariant", []).append(item)
    for item in items:
        for group in inner(item, "isVariantOf"):
            for name, values in group.properties.items():
                if group is not item and name not in OWN:
                    item.properties.setdefault(name, values)


def is_variant(item: Item) -> bool:
    """Whether the page names the group that the item belongs to: then the group is the product."""
    return any(first(group, "name") for group in inner(item, "isVariantOf") if group is not item)
