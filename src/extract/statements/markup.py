"""Microdata and RDFa Lite of a page in the form of JSON-LD: an item is a dict of lists, with `@type` and `@id`."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from selectolax.lexbor import LexborHTMLParser, LexborNode

from verdicts.extract.html.cell_text import cell_text
from verdicts.extract.html.elements import VOID, written_element
from verdicts.extract.statements.item import DEPTH_MAX, NODES_MAX

ATTRIBUTES = {
    "meta": "content",
    "data": "value",
    "meter": "value",
    "time": "datetime",
    **dict.fromkeys(("a", "area", "link"), "href"),
    **dict.fromkeys(("audio", "embed", "iframe", "img", "source", "track", "video"), "src"),
    "object": "data",
}
"""Attributes with a property's value instead of the element's text (HTML standard, 5.2.4)."""


_WRITTEN_RAW = "script, style, template, noscript, iframe, xmp, plaintext, textarea, svg, math"
"""Inner elements without text, or with unescaped text in HTML, including `<`."""


class Markup(NamedTuple):
    """Items of the markup; `is_cut`: there were more, or deeper ones."""

    items: list[dict[str, list[Any]]]
    is_cut: bool


def element_value(node: LexborNode) -> str:
    """`content` on any element is its value: `<span itemprop="price" content="20">twenty</span>`."""
    attributes = node.attributes
    attribute = ATTRIBUTES.get(node.tag or "")
    given = attributes.get("content") or (attributes.get(attribute) if attribute else None)
    return given if given is not None else _text(node)


def _text(node: LexborNode) -> str:
    """As a browser shows it: `<del>$30</del> $20` is $20, and `<img alt="4.5">` is 4.5.

    A fully hidden element still states its value.
    """
    if node.tag in VOID:
        return ""
    if node.css_first(_WRITTEN_RAW) is None and node.html:
        return cell_text(written_element(node.html), {}).text or node.text(deep=True)
    alone = LexborHTMLParser(node.html or "", scripting=True)
    for raw in alone.css(_WRITTEN_RAW):
        raw.decompose()
    return "" if alone.body is None else alone.body.text(deep=True)


@dataclass(slots=True)
class _Walk:
    """State of the walk: `taken` are scopes inside an item."""

    named: dict[str, LexborNode]
    """Elements by `id`, the first of each."""
    nodes: int = 0
    is_cut: bool = False
    taken: set[int] = field(default_factory=set)


def microdata(tree: LexborHTMLParser) -> Markup:
    """The outermost items, and inner ones that no item contains."""
    scopes = tree.css("[itemscope]")
    identified = tree.css("[id]") if scopes and tree.css_first("[itemref]") else []
    walk = _Walk({node.attributes["id"] or "": node for node in reversed(identified)})
    outermost = [node for node in scopes if node.attributes.get("itemprop") is None]
    items = [_scope_item(walk, node, ()) for node in (*outermost, *scopes) if node.mem_id not in walk.taken]
    return Markup(items, walk.is_cut)


def _scope_item(walk: _Walk, scope: LexborNode, around: tuple[int, ...]) -> dict[str, list[Any]]:
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
        # By `itemref` an item may contain itself.
        if node.mem_id in around:
            continue
        value = _scope_item(walk, node, around) if "itemscope" in node.attributes else element_value(node)
        for name in (node.attributes.get("itemprop") or "").split():
            item.setdefault(name, []).append(value)
    return item


def _properties(walk: _Walk, scope: LexborNode) -> Iterator[LexborNode]:
    """Elements with a property of this scope and no inner one, in order, then those of `itemref`."""
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


_LINKS = ("resource", "href", "src")


def rdfa(tree: LexborHTMLParser) -> Markup:
    """The outermost items. A property outside of them is the page's own: `<meta property="og:title">`."""
    if tree.body is None or tree.css_first("[typeof]") is None:
        return Markup([], is_cut=False)
    stack: list[tuple[LexborNode, dict[str, list[Any]] | None, int]] = [(tree.body, None, 0)]
    items: list[dict[str, list[Any]]] = []
    nodes = 0
    is_cut = False
    while stack and nodes < NODES_MAX:
        nodes += 1
        node, subject, depth = stack.pop()
        attributes = node.attributes
        names = (attributes.get("property") or "").split() if subject is not None else []
        item = _typed_item(attributes, is_property=bool(names))
        if item is not None and depth >= DEPTH_MAX:
            is_cut = True
            continue
        if item is not None and not names:
            items.append(item)
        for name in names:
            assert subject is not None
            subject.setdefault(name, []).append(item or _value(node))
        inside = (subject, depth) if item is None else (item, depth + 1)
        stack.extend([(child, *inside) for child in node.iter()][::-1])
    return Markup(items, is_cut or bool(stack))


def _typed_item(attributes: dict[str, str | None], *, is_property: bool) -> dict[str, list[Any]] | None:
    """The item that begins here: with a type, or, if this is no property, with its own name."""
    types = (attributes.get("typeof") or "").split()
    identity = attributes.get("about") or attributes.get("resource")
    if not types and (is_property or identity is None):
        return None
    item: dict[str, list[Any]] = {"@type": types}
    if is_property and identity is None:
        identity = next((link for name in _LINKS if (link := attributes.get(name))), None)
    if identity:
        item["@id"] = [identity]
    return item


def _value(node: LexborNode) -> object:
    attributes = node.attributes
    reference = attributes.get("resource")
    if reference is not None and attributes.get("content") is None:
        return {"@id": reference}
    given = attributes.get("content") or attributes.get("datetime")
    return given or element_value(node)
