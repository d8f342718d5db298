"""The body of a parsed page as plain elements: what of it is seen, or all that can be told apart."""

from selectolax.lexbor import LexborHTMLParser, LexborNode

from verdicts.extract.html.elements import Element, written_element
from verdicts.extract.html.superscripts import resolve_superscripts
from verdicts.extract.html.tags import HIDDEN, ICON_TAGS, UNESCAPED, UNREAD, UNSEEN

_UNSEEN = ", ".join(sorted(UNSEEN))
_UNREAD = ", ".join(sorted(UNREAD - ICON_TAGS))


def seen_body(tree: LexborHTMLParser) -> Element | None:
    """The body and what is seen in it; None for a page without one. Cuts what is not seen out of the tree."""
    written = _written_body(tree, _UNSEEN, HIDDEN)
    if written is None:
        return None
    element = written_element(written)
    if "<sup" in written:
        resolve_superscripts(element)
    return element


def whole_body(tree: LexborHTMLParser) -> Element | None:
    """The body with its icons and with what is hidden or struck; None for a page without one.

    Cuts out of the tree what nobody reads, scripts first of all.
    """
    written = _written_body(tree, _UNREAD)
    return None if written is None else written_element(written)


def _written_body(tree: LexborHTMLParser, *cut: str) -> str | None:
    for selector in cut:
        for node in tree.css(selector):
            # `<html style="visibility:hidden">`: a script shows the page once it is whole. It cannot be cut, either.
            if node.tag != "html":
                node.decompose()
    for node in tree.css(UNESCAPED):
        _escape(tree, node)
    return None if tree.body is None else tree.body.html


def _escape(tree: LexborHTMLParser, node: LexborNode) -> None:
    """Puts a plain element in the place of one whose text would be written with tags in it."""
    plain = tree.create_node("div")
    for child in list(node.iter(include_text=True)):
        plain.insert_child(child, move=True)
    node.replace_with(plain, move=True)
