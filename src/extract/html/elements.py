"""Elements as plain Python objects, read off what Lexbor writes: a walk over its own nodes takes three times as long.

What Lexbor writes is regular, whatever the page was: an element that is not void has an end tag, no end tag is without
its element, and in texts and in values of attributes `<` and `>` are escaped.
"""

import re
from typing import TypeAlias

from verdicts.extract.html.tags import ROLES, VOID

_ATTRIBUTE = re.compile(r'(?<!\S)(=?[^\s=]*+)="([^"]*+)"')

Element: TypeAlias = tuple[str, str, list["Element | str"]]
"""Tag, attributes as written, and what the element holds: elements and texts, no two texts side by side."""


def attribute(attributes: str, name: str) -> str | None:
    """An attribute's value; None where it is not among them."""
    if name not in attributes:
        return None
    value = dict(_ATTRIBUTE.findall(attributes)).get(name)
    return None if value is None else _unescaped(value)


def attributes_of(attributes: str) -> dict[str, str]:
    """All attributes by name."""
    return {name: _unescaped(value) for name, value in _ATTRIBUTE.findall(attributes)} if attributes else {}


def written_element(written: str) -> Element:
    """The element that was written so.

    `>` ends a tag and nothing else, but for comments: `<` also stands in names, `<div <b="">`.
    """
    children: list[Element | str] = []
    around: list[list[Element | str]] = []
    outermost = children
    has_comments = "<!" in written or "<?" in written
    is_in_comment = False
    before_comment: list[str] = []
    for piece in written.split(">")[:-1]:
        if is_in_comment:
            is_in_comment = not piece.endswith("--")
            continue
        text, _, tag = piece.partition("<")
        if has_comments:
            if tag[0] in "!?":
                before_comment.append(text)
                is_in_comment = tag[0] == "!" and not tag.endswith("--")
                continue
            if before_comment:
                text = "".join((*before_comment, text))
                before_comment.clear()
        if text:
            children.append(_unescaped(text) if "&" in text else text)
        if tag[0] != "/":
            name, _, attributes = tag.partition(" ")
            within: list[Element | str] = []
            element = (name, attributes, within)
            children.append(_by_role(element) if "role=" in attributes else element)
            if name not in VOID:
                around.append(children)
                children = within
        elif tag[1:] not in VOID:
            # `<math><source>...</source></math>`: in mathematics these do hold something.
            children = around.pop()
    (outermost_element,) = outermost
    assert isinstance(outermost_element, tuple)
    return outermost_element


def _by_role(element: Element) -> Element:
    """An element as the one whose role it plays; of a link that is a cell, the cell holds the link."""
    name, attributes, children = element
    tag = ROLES.get((attribute(attributes, "role") or "").strip().lower())
    if tag is None:
        return element
    return tag, attributes, [element] if name == "a" else children


def _unescaped(written: str) -> str:
    if "&" not in written:
        return written
    written = written.replace("&nbsp;", "\xa0").replace("&lt;", "<").replace("&gt;", ">")
    return written.replace("&quot;", '"').replace("&amp;", "&")
