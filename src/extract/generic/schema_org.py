"""schema.org items of a page, JSON-LD and microdata, in one form. Pure; broken ones are left out.

An item is a dict of lists, `{"@type": ["Product"], "name": ["Alpha"], "review": [{...}]}`, however it was written.
"""

import json
import re
from collections.abc import Iterator
from html import unescape
from typing import Any, TypeAlias

from selectolax.lexbor import LexborHTMLParser, LexborNode

from corpus.unicode_text import is_visible, published
from extract.model.blocks import clean

SchemaOrgItem: TypeAlias = dict[str, list[Any]]

SIZE_MAX, DEPTH_MAX, COUNT_MAX = 2_000_000, 30, 2_000
"""Characters of one script, levels of nesting, and items of one page that are read."""

_OPENING = re.compile(r"\s*+(?://\s*+)?(?:<!--|<!\[CDATA\[)")
_CLOSINGS = ("-->", "]]>")
_TRAILING_COMMA = re.compile(r",(\s*+[}\]])")

_VALUE_ATTRIBUTES = {
    "meta": "content",
    "data": "value",
    "meter": "value",
    "time": "datetime",
    "a": "href",
    "link": "href",
    "img": "src",
}
"""Where microdata has the value of a property that is not its text (HTML standard, 5.2.4)."""


def schema_org_items(tree: LexborHTMLParser) -> list[SchemaOrgItem]:
    """All items with a type, outer before inner, in the order of the page."""
    items: list[SchemaOrgItem] = []
    for script in tree.css('script[type="application/ld+json" i]'):
        for data in _parsed(script.text(deep=True) or ""):
            items += _typed(_plain(data, 0), 0)
    for node in tree.css("[itemscope]"):
        if node.attributes.get("itemprop") is None:
            items += _typed(_microdata(node, 0), 0)
    return items[:COUNT_MAX]


def first(item: SchemaOrgItem, name: str) -> str | None:
    """A property as text; of an inner item its name. None where it is absent or empty."""
    for value in item.get(name, ()):
        text = first(value, "name") if isinstance(value, dict) else published(str(value))
        if text and text.strip():
            return text
    return None


def inner(item: SchemaOrgItem, name: str) -> list[SchemaOrgItem]:
    """The inner items of a property."""
    return [value for value in item.get(name, ()) if isinstance(value, dict)]


def _parsed(text: str) -> list[Any]:
    """The JSON of a script; where it does not parse, without trailing commas, entities and comments around it."""
    if len(text) > SIZE_MAX:
        return []
    stripped = _unwrapped(text)
    for attempt in (stripped, _TRAILING_COMMA.sub(r"\1", stripped), _TRAILING_COMMA.sub(r"\1", unescape(stripped))):
        try:
            return [json.loads(attempt, strict=False)]
        except (ValueError, RecursionError):
            continue
    return list(_one_after_another(stripped))


def _unwrapped(text: str) -> str:
    """Without the comment around it that old browsers needed: `// <![CDATA[ {...} // ]]>`."""
    opening = _OPENING.match(text)
    text = text if opening is None else text[opening.end() :]
    end = text.rstrip().removesuffix(";").rstrip()
    if not end.endswith(_CLOSINGS):
        return text
    return end[: -len(_CLOSINGS[0])].rstrip().removesuffix("//")


def _one_after_another(text: str) -> Iterator[Any]:
    """`{...}{...}`: several values in one script."""
    decoder = json.JSONDecoder(strict=False)
    start = 0
    while (start := text.find("{", start)) >= 0:
        try:
            data, start = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            return
        yield data


def _plain(value: object, depth: int) -> object:
    """Every property a list, texts cleaned and those that show nothing left out, `@graph` in place."""
    if depth > DEPTH_MAX:
        return None
    if isinstance(value, dict):
        item: SchemaOrgItem = {}
        for name, part in value.items():
            parts = part if isinstance(part, list) else [part]
            plain = [_plain(inner_value, depth + 1) for inner_value in parts]
            item[_local(str(name))] = [inner_value for inner_value in plain if inner_value not in (None, "")]
        if "@type" in item:
            item["@type"] = [_local(str(kind)) for kind in item["@type"]]
        return item
    if isinstance(value, list):
        return {"@graph": [_plain(part, depth + 1) for part in value]}
    if isinstance(value, str):
        text = clean(published(unescape(value)))
        return text if is_visible(text) else None
    return None if value is None else str(value)


def _local(name: str) -> str:
    """`https://schema.org/Product` and `schema:Product` are `Product`."""
    return name if name.startswith("@") else re.split(r"[/#:]", name.rstrip("/"))[-1]


def _typed(value: object, depth: int) -> Iterator[SchemaOrgItem]:
    if not isinstance(value, dict) or depth > DEPTH_MAX:
        return
    if "@type" in value:
        yield value
    for parts in value.values():
        for part in parts:
            yield from _typed(part, depth + 1)


def _microdata(node: LexborNode, depth: int) -> SchemaOrgItem:
    item: SchemaOrgItem = {"@type": [_local(kind) for kind in (node.attributes.get("itemtype") or "").split()]}
    if depth <= DEPTH_MAX:
        for child in _properties(node):
            value: object = _microdata(child, depth + 1) if "itemscope" in child.attributes else _value(child)
            for name in (child.attributes.get("itemprop") or "").split():
                item.setdefault(_local(name), []).append(value)
    return item


def _properties(scope: LexborNode) -> Iterator[LexborNode]:
    """Elements with a property of this scope and of none inside it, in order. Without recursion."""
    stack = list(scope.iter())[::-1]
    while stack:
        node = stack.pop()
        is_property = node.attributes.get("itemprop") is not None
        if is_property:
            yield node
        if "itemscope" not in node.attributes:
            stack.extend(list(node.iter())[::-1])


def _value(node: LexborNode) -> str:
    attribute = _VALUE_ATTRIBUTES.get(node.tag or "")
    given = node.attributes.get("content") or (node.attributes.get(attribute) if attribute else None)
    text = clean(given if given is not None else node.text(deep=True))
    return text if is_visible(text) else ""
