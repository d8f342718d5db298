"""The records that a recipe finds on a page: elements, sections below headings, statements. Pure."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from selectolax.lexbor import LexborHTMLParser

from verdicts.extract.generic.name_heads import unranked
from verdicts.extract.generic.stated import key
from verdicts.extract.html.html_blocks import html_blocks
from verdicts.extract.model.blocks import Block, fold
from verdicts.extract.recipes.recipe import Records
from verdicts.extract.recipes.values import WITHIN_MAX, WITHIN_PAGE, Part, part_of_element, values, written_apart
from verdicts.extract.statements.item import Item, first, is_of, term


def parts_of(page: bytes, records: Records, items: Sequence[Item]) -> list[Part]:
    """The records of a page, in its order. `items`: what it states."""
    if records.statement is not None:
        return [Part(item=item) for item in items if is_of(item, {term(records.statement)})]
    if records.heading is not None:
        blocks = html_blocks(LexborHTMLParser(page, scripting=True))
        parts = [*_sections(blocks, records.heading)]
    else:
        parts = [*_elements(page, records.css or "")]
    if not any(anchor.statement for anchor in (*records.fields.values(), *records.rows.values())):
        return parts
    named: dict[str, list[Item]] = defaultdict(list)
    for item in items:
        named[key(first(item, "name") or "")].append(item)
    return [_with_item(part, records, named) for part in parts]


def _elements(page: bytes, selector: str) -> Iterator[Part]:
    nodes = LexborHTMLParser(page, scripting=True).css(selector)
    for node, html in written_apart(nodes, WITHIN_MAX * len(page) + WITHIN_PAGE):
        part = part_of_element(node.tag or "", html)
        # A template of the page that is filled by a script, or a copy for another width, is hidden.
        if part.blocks:
            yield part


def _sections(blocks: Sequence[Block], level: int) -> Iterator[Part]:
    """What stands below each heading of that level, up to the next one of it or of a higher one."""
    begun: list[Block] = []
    for block in blocks:
        if block.level is not None and block.level <= level:
            if begun:
                yield Part(tuple(begun))
            begun = [block] if block.level == level else []
        elif begun:
            begun.append(block)
    if begun:
        yield Part(tuple(begun))


def _with_item(part: Part, records: Records, items: Mapping[str, Sequence[Item]]) -> Part:
    """The record with the one item that has its name."""
    anchor = records.fields.get("name")
    labels = frozenset(map(fold, records.labels))
    names = [part.blocks[0].text] if anchor is None and part.blocks else []
    if anchor is not None:
        names = [name for name in values(part, anchor, labels) if name is not None]
    own = [item for name in names for item in items.get(key(unranked(name)), ())]
    return replace(part, item=own[0]) if len(own) == 1 else part
