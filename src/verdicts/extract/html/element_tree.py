"""The tree of a page as plain elements, in one walk: all of an element, or what a reader sees of it."""

from collections.abc import Mapping, Set
from itertools import groupby
from typing import TypeAlias

from selectolax.lexbor import LexborNode

from verdicts.extract.html.elements import ICON_TAGS, PHRASING, ROLES, UNREAD, Element, is_unseen, read_superscript

_UNREAD = UNREAD - ICON_TAGS
_TEXT, _COMMENT = "-text", "-comment"
"""What selectolax calls these nodes. Other nodes that are no elements have no tag."""
_ROLE_TAGS = frozenset(ROLES.values())
_PICTURE_NAMES = frozenset({"title", "use"})
"""What says in a picture what it shows. Many pages have more elements in pictures than in all else."""

Children: TypeAlias = list[Element | str]


def read_element(  # noqa: PLR0912, PLR0915  a call an element costs as much
    root: LexborNode, unseen: Set[str] | None = None, *, opens: bool = False, closed: list[str] | None = None
) -> Element:
    """The element with its whole content, apart from footnote marks and invisible texts.

    Raised digits are footnote marks. With `unseen`, elements with these tags and elements that their attributes hide
    are left out, too (`is_unseen`). `opens`: parts that a click opens are shown; without it their
    tags are added to `closed`.
    """
    is_seen = unseen is not None
    skipped = {_COMMENT, *(_UNREAD if unseen is None else unseen)}
    element = whole = Element(root.tag or "", _attributes(root), [])
    children = element.children
    around: list[tuple[LexborNode, Element, Children]] = []
    # To join two texts at once would be quadratic in a text with many comments.
    split: dict[int, Children] = {}
    before = before_sup = ""
    node = root.first_child
    while node is not None or around:
        if node is None:
            ended, element, children = around.pop()
            if element.tag not in PHRASING:
                before = ""
            elif element.tag == "sup":
                raised = read_superscript(element, before_sup)
                if raised is not None:
                    children.pop()
                    before = raised or before_sup
                if raised:
                    children.append(raised)
                    split[id(children)] = children
            node = ended.next
            continue
        tag = node.tag
        if tag == _TEXT:
            before = node.text_content or ""
            if children and type(children[-1]) is str:
                split[id(children)] = children
            children.append(before)
        elif tag is not None and tag not in skipped:
            attributes: Mapping[str, str] = node.attributes  # type: ignore[assignment]
            if None in attributes.values():
                attributes = _attributes(node)
            if not is_seen or not attributes or not is_unseen(attributes, opens=opens):
                if "role" in attributes:
                    tag = ROLES.get(attributes["role"].strip().lower(), tag)
                element = Element(tag, attributes, [])
                children.append(element)
                if tag not in PHRASING:
                    before = ""
                elif tag == "sup":
                    before_sup = before
                inner = node.first_child
                if tag == "svg":
                    element.children += _picture_names(node)
                elif inner is not None:
                    around.append((node, element, children))
                    children, node = element.children, inner
                    if tag in _ROLE_TAGS and "href" in attributes and "role" in attributes:
                        # `<a role="cell" href="/x">` is a cell with a link.
                        link = Element("a", attributes, [])
                        children.append(link)
                        children = link.children
                    continue
            elif closed is not None and not is_unseen(attributes, opens=True):
                closed.append(tag)
        node = node.next
    for children in split.values():
        children[:] = _join_texts(children)
    return whole


def _attributes(node: LexborNode) -> Mapping[str, str]:
    return {name: value or "" for name, value in node.attributes.items()}


def _join_texts(children: Children) -> Children:
    runs = groupby(children, lambda child: isinstance(child, str))
    return [part for is_text, run in runs for part in (["".join(map(str, run))] if is_text else run)]


def _picture_names(picture: LexborNode) -> Children:
    """A picture's own titles and references."""
    return [
        Element(inner.tag or "", _attributes(inner), [inner.text()])
        for inner in picture.iter()
        if inner.tag in _PICTURE_NAMES
    ]
