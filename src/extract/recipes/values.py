"""The values that stand where an anchor says, within one record. Pure."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from selectolax.lexbor import LexborHTMLParser, LexborNode

from verdicts.extract.html.cell_text import cell_text
from verdicts.extract.html.elements import written_element
from verdicts.extract.html.html_blocks import html_blocks
from verdicts.extract.model.blocks import Block, clean, fold, shared_depth
from verdicts.extract.recipes.recipe import Anchor
from verdicts.extract.statements.item import Item
from verdicts.extract.statements.offers import price_of

_AROUND = {
    "tr": "<table>{}</table>",
    **dict.fromkeys(("thead", "tbody", "tfoot"), "<table>{}</table>"),
    **dict.fromkeys(("td", "th"), "<table><tr>{}</tr></table>"),
}
"""What an element must stand in to be parsed by itself."""

WITHIN_MAX = 3
"""Of a large page or record, elements that stand in each other are read to this depth."""
WITHIN_PAGE, WITHIN_RECORD = 300_000, 20_000
"""Characters that may be read beside that: on a small one, elements stand in each other as deep as they like."""


@dataclass(frozen=True, slots=True)
class Part:
    """A record: its text units, its element as a page of its own, the item that states it. None: it has none."""

    blocks: tuple[Block, ...] = ()
    html: str | None = None
    item: Item | None = None


def part_of_element(tag: str, html: str) -> Part:
    """An element of a page, alone."""
    alone = _AROUND.get(tag, "{}").format(html)
    return Part(html_blocks(LexborHTMLParser(alone, scripting=True)), alone)


def written_apart(nodes: Iterable[LexborNode], most: int) -> Iterator[tuple[LexborNode, str]]:
    """Elements, each with its HTML, as long as these are not `most` characters together.

    Elements that stand in each other are written again and again: all of them are the square of their page.
    """
    for node in nodes:
        html = node.html or ""
        most -= len(html)
        if most < 0:
            return
        yield node, html


def values(part: Part, anchor: Anchor, labels: frozenset[str]) -> list[str | None]:
    """What stands there, each value once; None for a label whose value is not told from what follows.

    `labels`: all that the recipe knows, folded: none of them is a value.
    """
    if anchor.label is not None:
        found = _behind_label(part.blocks, frozenset(map(fold, anchor.labels)), labels)
    elif anchor.heading is not None:
        found = (block.text for block in part.blocks if block.level == anchor.heading)
    elif anchor.statement is not None:
        found = iter(() if part.item is None else _stated(part.item, anchor.statement))
    else:
        found = _selected(part.html or "", anchor.css or "", anchor.attribute)
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
    """The text after a label; None where that is a label itself, or belongs to what comes after it.

    `<div>Price</div><div>Seats <b>5</b></div>`: the price is empty, and `Seats` is not it.
    """
    if not following or following[0].is_key or following[0].level is not None or fold(following[0].text) in known:
        return None
    value = following[0]
    is_of_next = len(following) > 1 and shared_depth(value.path, following[1].path) > shared_depth(
        label.path, value.path
    )
    return None if is_of_next else value.text


def _selected(html: str, selector: str, attribute: str | None) -> Iterator[str]:
    tree = LexborHTMLParser(html, scripting=True)
    if attribute is not None:
        yield from (clean(node.attributes.get(attribute) or "") for node in tree.css(selector))
        return
    html_blocks(tree)  # cuts what is not seen
    for _, written in written_apart(tree.css(selector), WITHIN_MAX * len(html) + WITHIN_RECORD):
        yield cell_text(written_element(written), {}).text or "" if written else ""


def _stated(item: Item, path: str) -> Iterator[str]:
    """`offers` alone is the price in words, with its currency."""
    if path.casefold() == "offers":
        yield price_of(item).words or ""
        return
    items, names = [item], path.casefold().split(".")
    for name in names[:-1]:
        items = [inner for one in items for inner in one.properties.get(name, ()) if isinstance(inner, Item)]
    for one in items:
        for value in one.properties.get(names[-1], ()):
            named = value.properties.get("name", [""])[0] if isinstance(value, Item) else value
            if isinstance(named, str):
                yield named
