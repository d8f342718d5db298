"""Finds the records of a page, and the values at an anchor of a recipe. Pure."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from selectolax.lexbor import LexborNode

from verdicts.extract.html.cell_text import cell_text
from verdicts.extract.html.element_tree import read_element
from verdicts.extract.html.elements import UNSEEN, is_unseen
from verdicts.extract.html.html_blocks import html_blocks
from verdicts.extract.html.html_page import Page
from verdicts.extract.model.blocks import Block, clean, count_shared_depth, fold
from verdicts.extract.recipes.recipe import Anchor


class Part(NamedTuple):
    """A record: its text units, and its element, or its name if it is a section."""

    blocks: Sequence[Block]
    element: LexborNode | None = None
    name: str | None = None


def find_elements(page: Page, selector: str) -> Iterator[Part]:
    """Each visible element with text: templates for scripts, and copies for other widths, are hidden."""
    for node in _outermost(page.tree.css(selector)):
        blocks = html_blocks(read_element(node, UNSEEN)) if _is_seen(node) else ()
        if blocks:
            yield Part(blocks, node)


def find_sections(blocks: Sequence[Block], level: int) -> list[Part]:
    """The content below each heading of that level, up to the next one of that level or higher."""
    parts: list[Part] = []
    body: list[Block] | None = None
    for block in blocks:
        if block.level is not None and block.level <= level:
            body = [] if block.level == level else None
            if body is not None:
                parts.append(Part(body, name=block.text))
        elif body is not None:
            body.append(block)
    return parts


def find_values(part: Part, anchor: Anchor, labels: frozenset[str]) -> list[str | None]:
    """The values at the anchor, each once; None for a label without a clear value.

    `labels`: all labels of the recipe, folded; a label is never a value.
    """
    if anchor.css is None:
        found = _behind_label(part.blocks, frozenset(map(fold, anchor.labels)), labels)
    else:
        found = iter(()) if part.element is None else _select(part.element, anchor.css, anchor.attribute)
    return [*dict.fromkeys(value for value in found if value != "")]


def _behind_label(blocks: Sequence[Block], labels: frozenset[str], known: frozenset[str]) -> Iterator[str | None]:
    """`Price: $20` in one text, or `Price` and `$20` side by side."""
    for place, block in enumerate(blocks):
        before, colon, behind = block.text.partition(":")
        if fold(before) not in labels:
            continue
        if colon and behind.strip():
            yield behind.strip()
        elif not colon or not behind:
            yield _beside(block, blocks[place + 1 : place + 3], known)


def _beside(label: Block, following: Sequence[Block], known: frozenset[str]) -> str | None:
    """The text after a label; None if it is a label itself, or belongs to the next text.

    `<div>Price</div><div>Seats <b>5</b></div>`: the price is empty, not `Seats`.
    """
    if not following or following[0].is_key or following[0].level is not None or fold(following[0].text) in known:
        return None
    value = following[0]
    is_of_next = len(following) > 1 and count_shared_depth(value.path, following[1].path) > count_shared_depth(
        label.path, value.path
    )
    return None if is_of_next else value.text


def _select(element: LexborNode, selector: str, attribute: str | None) -> Iterator[str]:
    nodes = element.css(selector)
    if attribute is not None:
        yield from (clean(node.attributes.get(attribute) or "") for node in nodes)
    else:
        yield from (cell_text(read_element(node), {}).text or "" for node in _outermost(nodes) if _is_seen(node))


def _outermost(nodes: Iterable[LexborNode]) -> Iterator[LexborNode]:
    """These elements without those in others of them: to read each of them would be quadratic in the page."""
    inner: set[int] = set()
    for node in nodes:
        if node.mem_id not in inner:
            inner.update(below.mem_id for below in node.traverse())
            yield node


def _is_seen(node: LexborNode | None) -> bool:
    while node is not None and node.is_element_node:
        if node.tag in UNSEEN or is_unseen({name: value or "" for name, value in node.attributes.items()}):
            return False
        node = node.parent
    return True
