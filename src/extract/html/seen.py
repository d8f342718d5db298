"""What is seen of a parsed page."""

from selectolax.lexbor import LexborHTMLParser, LexborNode

from extract.html.elements import Element, written_element
from extract.html.superscripts import resolve_superscripts
from extract.html.tags import HIDDEN, UNESCAPED, UNSEEN

_UNSEEN = ", ".join(sorted(UNSEEN))


def seen_body(tree: LexborHTMLParser) -> Element | None:
    """The body and what is seen in it; None for a page without one. Cuts what is not seen out of the tree."""
    for selector in (_UNSEEN, HIDDEN):
        for node in tree.css(selector):
            node.decompose()
    for node in tree.css(UNESCAPED):
        _escape(tree, node)
    body = tree.body
    written = None if body is None else body.html
    if written is None:
        return None
    element = written_element(written)
    if "<sup" in written:
        resolve_superscripts(element)
    return element


def _escape(tree: LexborHTMLParser, node: LexborNode) -> None:
    """Puts a plain element in the place of one whose text would be written with tags in it."""
    plain = tree.create_node("div")
    for child in list(node.iter(include_text=True)):
        plain.insert_child(child, move=True)
    node.replace_with(plain, move=True)
