"""Microdata and RDFa Lite of a page in the form of JSON-LD: an item is a dict of lists, with `@type` and `@id`."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, TypeAlias

from verdicts.extract.html.cell_text import cell_text
from verdicts.extract.html.elements import Element
from verdicts.extract.statements.item import DEPTH_MAX, NODES_MAX

VALUES = {
    "meta": "content",
    "data": "value",
    "meter": "value",
    "time": "datetime",
    **dict.fromkeys(("a", "area", "link"), "href"),
    **dict.fromkeys(("audio", "embed", "img", "source", "track", "video"), "src"),
}
"""Attributes with a property's value instead of the element's text (HTML standard, 5.2.4)."""

Stated: TypeAlias = dict[str, list[Any]]


class Markup(NamedTuple):
    """Items of the markup; `is_cut`: there were more, or deeper ones."""

    items: list[Stated]
    is_cut: bool


def _inner(element: Element) -> list[Element]:
    """The child elements, the last first."""
    return [child for child in element.children[::-1] if isinstance(child, Element)]


def _within(element: Element) -> Iterator[Element]:
    """An element and all in it, in page order."""
    stack = [element]
    while stack:
        element = stack.pop()
        yield element
        stack += _inner(element)


def _value(element: Element) -> str:
    """`content` on any element is its value: `<span itemprop="price" content="20">twenty</span>`.

    Else its text as a browser shows it: `<del>$30</del> $20` is $20, and `<img alt="4.5">` is 4.5. A fully hidden
    element still states its value.
    """
    attributes = element.attributes
    given = attributes.get("content") or attributes.get(VALUES.get(element.tag, ""))
    if given is not None:
        return given
    every = (part for inner in _within(element) for part in inner.children if isinstance(part, str))
    return cell_text(element, {}).text or "".join(every)


class _Microdata:
    """The outermost items, and inner ones that no item contains."""

    def __init__(self, body: Element) -> None:
        self.nodes = 0
        self.is_cut = False
        self.named: dict[str, Element] = {}
        self.taken: set[int] = set()
        scopes: list[tuple[bool, Element]] = []
        for element in _within(body):
            attributes = element.attributes
            self.named.setdefault(attributes.get("id", ""), element)
            if "itemscope" in attributes:
                scopes.append(("itemprop" in attributes, element))
        scopes.sort(key=lambda scope: scope[0])
        self.items = [self._item(scope, ()) for _, scope in scopes if id(scope) not in self.taken]

    def _item(self, scope: Element, around: tuple[int, ...]) -> Stated:
        self.taken.add(id(scope))
        attributes = scope.attributes
        item: Stated = {"@type": attributes.get("itemtype", "").split()}
        if identity := attributes.get("itemid"):
            item["@id"] = [identity]
        around = (*around, id(scope))
        if len(around) > DEPTH_MAX:
            self.is_cut = True
            return item
        referenced = [self.named[name] for name in attributes.get("itemref", "").split() if name in self.named]
        stack = [*referenced[::-1], *_inner(scope)]
        while stack:
            self.nodes += 1
            if self.nodes > NODES_MAX:
                self.is_cut = True
                break
            element = stack.pop()
            attributes = element.attributes
            is_scope = "itemscope" in attributes
            if not is_scope:
                stack += _inner(element)
            names = attributes.get("itemprop", "").split()
            # By `itemref` an item may contain itself.
            if names and id(element) not in around:
                value = self._item(element, around) if is_scope else _value(element)
                for name in names:
                    item.setdefault(name, []).append(value)
        return item


def microdata(body: Element) -> Markup:
    read = _Microdata(body)
    return Markup(read.items, read.is_cut)


def rdfa(body: Element) -> Markup:
    """The outermost items. A property outside of them is the page's own: `<meta property="og:title">`."""
    stack: list[tuple[Element, Stated | None, int]] = [(body, None, 0)]
    items: list[Stated] = []
    is_cut = False
    for _ in range(NODES_MAX):
        if not stack:
            break
        element, subject, depth = stack.pop()
        attributes = element.attributes
        names = [] if subject is None else attributes.get("property", "").split()
        item = _begin_item(attributes, is_property=bool(names))
        if item is not None and depth >= DEPTH_MAX:
            is_cut = True
            continue
        if item is not None and not names:
            items.append(item)
        for name in names:
            assert subject is not None
            subject.setdefault(name, []).append(item or _property(element, attributes))
        stack += [(child, *((subject, depth) if item is None else (item, depth + 1))) for child in _inner(element)]
    return Markup(items, is_cut or bool(stack))


def _begin_item(attributes: Mapping[str, str], *, is_property: bool) -> Stated | None:
    """The item that begins here: with a type, or, if this is no property, with its own name."""
    types = attributes.get("typeof", "").split()
    identity = attributes.get("about") or attributes.get("resource")
    if not types and (is_property or identity is None):
        return None
    if is_property and identity is None:
        identity = attributes.get("href") or attributes.get("src")
    return {"@type": types, **({"@id": [identity]} if identity else {})}


def _property(element: Element, attributes: Mapping[str, str]) -> object:
    reference = attributes.get("resource")
    if reference is not None and "content" not in attributes:
        return {"@id": reference}
    return attributes.get("content") or attributes.get("datetime") or _value(element)
