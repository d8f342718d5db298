"""schema.org statements of a page, as JSON-LD or microdata, brought to one form. Pure; broken statements are left out.

A statement is a dict of lists, `{"@type": ["Product"], "name": ["Alpha"], "review": [{...}]}`, whatever form it was
written in.
"""

import json
import re
from collections.abc import Iterator
from html import unescape
from typing import Any

from selectolax.lexbor import LexborHTMLParser, LexborNode

from extract.model.blocks import clean

Statement = dict[str, list[Any]]

SIZE_MAX, DEPTH_MAX, COUNT_MAX = 2_000_000, 30, 2_000
"""Characters of one script, nesting, and statements of one page that are read."""

_WRAPPERS = re.compile(r"^\s*(?://)?\s*(?:<!--|<!\[CDATA\[)|(?://)?\s*(?:-->|\]\]>)\s*;?\s*$")
_TRAILING_COMMA = re.compile(r",(\s*[}\]])")

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


def statements(tree: LexborHTMLParser) -> list[Statement]:
    """All statements with a type, outer before inner, in the order of the page."""
    found: list[Statement] = []
    for script in tree.css('script[type="application/ld+json" i]'):
        for data in _parsed(script.text(deep=True) or ""):
            found += _typed(_plain(data, 0), 0)
    for node in tree.css("[itemscope]"):
        if node.attributes.get("itemprop") is None:
            found += _typed(_microdata(node, 0), 0)
    return found[:COUNT_MAX]


def first(statement: Statement, name: str) -> str | None:
    """A property as text; of an inner statement its name. None where it is absent or empty."""
    for value in statement.get(name, ()):
        text = first(value, "name") if isinstance(value, dict) else str(value)
        if text:
            return text
    return None


def inner(statement: Statement, name: str) -> list[Statement]:
    """The inner statements of a property."""
    return [value for value in statement.get(name, ()) if isinstance(value, dict)]


def _parsed(text: str) -> list[Any]:
    """The JSON of a script; with comments around it, trailing commas or entities in it, where it needs that."""
    if len(text) > SIZE_MAX:
        return []
    stripped = _WRAPPERS.sub("", text)
    for attempt in (stripped, _TRAILING_COMMA.sub(r"\1", stripped), _TRAILING_COMMA.sub(r"\1", unescape(stripped))):
        try:
            return [json.loads(attempt, strict=False)]
        except (ValueError, RecursionError):
            continue
    return list(_one_after_another(stripped))


def _one_after_another(text: str) -> Iterator[Any]:
    """`{...}{...}`: several values in one script."""
    decoder = json.JSONDecoder(strict=False)
    at = 0
    while (at := text.find("{", at)) >= 0:
        try:
            data, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            return
        yield data


def _plain(value: object, depth: int) -> object:
    """Every property a list, texts cleaned, `@graph` in place."""
    if depth > DEPTH_MAX:
        return None
    if isinstance(value, dict):
        made: Statement = {}
        for name, part in value.items():
            parts = part if isinstance(part, list) else [part]
            plain = [_plain(item, depth + 1) for item in parts]
            made[_local(str(name))] = [item for item in plain if item is not None and item != ""]
        if "@type" in made:
            made["@type"] = [_local(str(kind)) for kind in made["@type"]]
        return made
    if isinstance(value, list):
        return {"@graph": [_plain(item, depth + 1) for item in value]}
    if isinstance(value, str):
        return clean(unescape(value))
    return None if value is None else str(value)


def _local(name: str) -> str:
    """`https://schema.org/Product` and `schema:Product` are `Product`."""
    return name if name.startswith("@") else re.split(r"[/#:]", name.rstrip("/"))[-1]


def _typed(value: object, depth: int) -> Iterator[Statement]:
    if not isinstance(value, dict) or depth > DEPTH_MAX:
        return
    if "@type" in value:
        yield value
    for parts in value.values():
        for part in parts:
            yield from _typed(part, depth + 1)


def _microdata(node: LexborNode, depth: int) -> Statement:
    made: Statement = {"@type": [_local(kind) for kind in (node.attributes.get("itemtype") or "").split()]}
    if depth <= DEPTH_MAX:
        for child in _properties(node):
            value: object = _microdata(child, depth + 1) if "itemscope" in child.attributes else _value(child)
            for name in (child.attributes.get("itemprop") or "").split():
                made.setdefault(_local(name), []).append(value)
    return made


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
    return clean(given if given is not None else node.text(deep=True))
