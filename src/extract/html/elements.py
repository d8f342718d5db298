"""What is seen of a page, as plain Python objects: a walk over Lexbor's own nodes takes three times as long.

Lexbor parses, drops what is not seen and writes the rest, which is then split at its tags. What Lexbor writes is
regular, whatever the page was: an element that is not void has an end tag, and `<` and `>` stand for tags alone.
"""

import re
from typing import TypeAlias

from selectolax.lexbor import LexborHTMLParser, LexborNode

from extract.html.tags import HIDDEN, UNESCAPED, UNSEEN, VOID

_UNSEEN = ", ".join(sorted(UNSEEN))
_ATTRIBUTE = re.compile(r'(=?[^=]*)="([^"]*)" ?')

Element: TypeAlias = tuple[str, str, list["Element | str"]]
"""Tag, attributes as written, and what the element holds: elements and texts, no two texts side by side."""


def attribute(attributes: str, name: str) -> str | None:
    """An attribute's value; None where it is not among them."""
    if name not in attributes:
        return None
    value = dict(_ATTRIBUTE.findall(attributes)).get(name)
    return None if value is None else _unescaped(value)


def seen_elements(tree: LexborHTMLParser) -> Element | None:
    """The body of a page and what is seen in it; None where there is none. Cuts what is not seen out of the tree."""
    for selector in (_UNSEEN, HIDDEN):
        for node in tree.css(selector):
            node.decompose()
    for node in tree.css(UNESCAPED):
        _escape(tree, node)
    body = tree.body
    return None if body is None else _element(body.html or "")


def _escape(tree: LexborHTMLParser, node: LexborNode) -> None:
    """Puts a plain element in the place of one whose text would be written with tags in it."""
    plain = tree.create_node("div")
    for child in list(node.iter(include_text=True)):
        plain.insert_child(child, move=True)
    node.replace_with(plain, move=True)


def _element(written: str) -> Element:
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
            children.append((name, attributes, within))
            if name not in VOID:
                around.append(children)
                children = within
        elif tag[1:] not in VOID:
            # `<math><source>...</source></math>`: in mathematics these do hold something.
            children = around.pop()
    (element,) = outermost
    assert isinstance(element, tuple)
    return element


def _unescaped(written: str) -> str:
    if "&" not in written:
        return written
    written = written.replace("&nbsp;", "\xa0").replace("&lt;", "<").replace("&gt;", ">")
    return written.replace("&quot;", '"').replace("&amp;", "&")
