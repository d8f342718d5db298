"""Microdata of a page in the form of JSON-LD: a dict of lists an item, with `@type`, `@id` and inner items."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from selectolax.lexbor import LexborHTMLParser, LexborNode

from verdicts.extract.statements.bounds import DEPTH_MAX, NODES_MAX
from verdicts.extract.statements.element_value import Markup, element_value


@dataclass(slots=True)
class _Walk:
    """What was met on the way: `taken` are the scopes that stand in an item already."""

    named: dict[str, LexborNode]
    """Elements by `id`, the first of each."""
    nodes: int = 0
    is_cut: bool = False
    taken: set[int] = field(default_factory=set)


def microdata(tree: LexborHTMLParser) -> Markup:
    """The items that are in no other. One that is meant for another, and stands in none, is kept as well."""
    scopes = tree.css("[itemscope]")
    identified = tree.css("[id]") if scopes and tree.css_first("[itemref]") else []
    walk = _Walk({node.attributes["id"] or "": node for node in reversed(identified)})
    outermost = [node for node in scopes if node.attributes.get("itemprop") is None]
    items = [_item(walk, node, ()) for node in (*outermost, *scopes) if node.mem_id not in walk.taken]
    return Markup(items, walk.is_cut)


def _item(walk: _Walk, scope: LexborNode, around: tuple[int, ...]) -> dict[str, list[Any]]:
    walk.taken.add(scope.mem_id)
    attributes = scope.attributes
    item: dict[str, list[Any]] = {"@type": (attributes.get("itemtype") or "").split()}
    if identity := attributes.get("itemid"):
        item["@id"] = [identity]
    around = (*around, scope.mem_id)
    if len(around) > DEPTH_MAX:
        walk.is_cut = True
        return item
    for node in _properties(walk, scope):
        # By `itemref` an item may stand in itself.
        if node.mem_id in around:
            continue
        value = _item(walk, node, around) if "itemscope" in node.attributes else element_value(node)
        for name in (node.attributes.get("itemprop") or "").split():
            item.setdefault(name, []).append(value)
    return item


def _properties(walk: _Walk, scope: LexborNode) -> Iterator[LexborNode]:
    """Elements with a property of this scope and of none inside it, in order, and those below what `itemref` names."""
    stack = [*scope.iter()]
    for name in (scope.attributes.get("itemref") or "").split():
        stack += [walk.named[name]] if name in walk.named else []
    stack.reverse()
    while stack:
        walk.nodes += 1
        if walk.nodes > NODES_MAX:
            walk.is_cut = True
            return
        node = stack.pop()
        attributes = node.attributes
        if attributes.get("itemprop") is not None:
            yield node
        if "itemscope" not in attributes:
            stack.extend([*node.iter()][::-1])
