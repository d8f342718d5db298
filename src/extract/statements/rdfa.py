"""RDFa Lite of a page (`vocab`, `typeof`, `property`, `resource`) in the form of JSON-LD."""

from typing import Any

from selectolax.lexbor import LexborHTMLParser, LexborNode

from verdicts.extract.statements.bounds import DEPTH_MAX, NODES_MAX
from verdicts.extract.statements.element_value import Markup, element_value

_LINKS = ("resource", "href", "src")


def rdfa(tree: LexborHTMLParser) -> Markup:
    """The items that are in no other. A property outside of them is the page's own: `<meta property="og:title">`."""
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
        item = _item(attributes, is_property=bool(names))
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


def _item(attributes: dict[str, str | None], *, is_property: bool) -> dict[str, list[Any]] | None:
    """The item that begins here: with a type, or, where this is no property, with a name of its own."""
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
