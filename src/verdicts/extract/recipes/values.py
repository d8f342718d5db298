"""The records of a page by a recipe, and their values. Pure."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from selectolax.lexbor import LexborNode

from verdicts.extract.generic.stated import key
from verdicts.extract.generic.web_page import WebPage
from verdicts.extract.generic.words import unranked
from verdicts.extract.html.cell_text import cell_text
from verdicts.extract.html.element_tree import read_element
from verdicts.extract.html.elements import UNSEEN, is_unseen
from verdicts.extract.html.html_blocks import html_blocks
from verdicts.extract.html.page import Page
from verdicts.extract.model.blocks import Block, clean, fold, shared_depth
from verdicts.extract.model.records import Doubt
from verdicts.extract.recipes.recipe import Anchor, Records
from verdicts.extract.statements.item import Item, first, is_of, price_of, term


@dataclass(frozen=True, slots=True)
class Part:
    """A record: its text units, its element, and its statement, each if it has one."""

    blocks: tuple[Block, ...] = ()
    element: LexborNode | None = None
    item: Item | None = None


def values(part: Part, anchor: Anchor, labels: frozenset[str]) -> list[str | None]:
    """The values at the anchor, each once; None for a label without a clear value.

    `labels`: all labels of the recipe, folded: none of them is a value.
    """
    if anchor.label is not None:
        found = _behind_label(part.blocks, frozenset(map(fold, anchor.labels)), labels)
    elif anchor.heading is not None:
        found = (block.text for block in part.blocks if block.level == anchor.heading)
    elif anchor.statement is not None:
        found = iter(() if part.item is None else _stated(part.item, anchor.statement))
    else:
        found = iter(()) if part.element is None else _select_values(part.element, anchor.css or "", anchor.attribute)
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
    is_of_next = len(following) > 1 and shared_depth(value.path, following[1].path) > shared_depth(
        label.path, value.path
    )
    return None if is_of_next else value.text


def _select_values(element: LexborNode, selector: str, attribute: str | None) -> Iterator[str]:
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


def parts_of(page: WebPage, records: Records) -> list[Part]:
    """The records of a page, in order."""
    items = page.statements.items
    if records.statement is not None:
        return [Part(item=item) for item in items if is_of(item, {term(records.statement)})]
    if records.heading is not None:
        parts = [*_sections(page.blocks, records.heading)]
    else:
        parts = [*_elements(page.page, records.css or "")]
    if not any(anchor.statement for anchor in (*records.fields.values(), *records.rows.values())):
        return parts
    named: dict[str, list[Item]] = defaultdict(list)
    for item in items:
        named[key(first(item, "name") or "")].append(item)
    return [_with_item(part, records, named) for part in parts]


def _elements(page: Page, selector: str) -> Iterator[Part]:
    for node in _outermost(page.tree.css(selector)):
        # Templates for scripts, and copies for other widths, are hidden.
        blocks = html_blocks(read_element(node, UNSEEN)) if _is_seen(node) else ()
        if blocks:
            yield Part(blocks, node)


def _sections(blocks: Sequence[Block], level: int) -> Iterator[Part]:
    """The content below each heading of that level, up to the next one of that level or higher."""
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
    """The record with the only item of its name."""
    anchor = records.fields.get("name")
    labels = frozenset(map(fold, records.labels))
    names = [part.blocks[0].text] if anchor is None and part.blocks else []
    if anchor is not None:
        names = [name for name in values(part, anchor, labels) if name is not None]
    own = [item for name in names for item in items.get(key(unranked(name)), ())]
    return replace(part, item=own[0]) if len(own) == 1 else part


@dataclass(frozen=True, slots=True)
class Filled:
    """The filled fields of a record, and all values of its rows."""

    fields: Mapping[str, str]
    rows: Mapping[str, tuple[str, ...]]


def filled(parts: Sequence[Part], records: Records, kind: str, required: str) -> tuple[list[Filled], tuple[Doubt, ...]]:
    """The records of a kind. One without its `required` field is left out with a doubt.

    A section with only a heading is no record.
    """
    told: list[Doubt] = []
    labels = frozenset(map(fold, records.labels))
    made = [_filled(part, records, labels, kind, told) for part in parts]
    if kind == "tools":
        made = _without_copies(made, required)
    if records.heading is not None and len(records.fields) + len(records.rows) > 1:
        # `Conclusion` has a heading like those of tools, but no fields.
        made = [one for one in made if one.fields.keys() - {required} or any(one.rows.values())]
    if made:
        told += never_filled(made, {"fields": records.fields, "rows": records.rows}, kind)
    whole = [one for one in made if required in one.fields]
    if 0 < len(whole) < len(made):
        missing = f"{len(made) - len(whole)} of {len(made)} without one"
        told.append(Doubt("recipe_unfilled", None, f"{kind}.fields.{required} in every record", missing))
    return whole, (*count_doubts(len(made), records, kind), *dict.fromkeys(told))


def count_doubts(found: int, records: Records, kind: str) -> Iterator[Doubt]:
    """Doubts about missing records, or a number other than declared."""
    if not found:
        yield Doubt("recipe_no_record", None, f"records where [{kind}] says", "none")
    elif records.count is not None and found != records.count:
        yield Doubt("recipe_count", None, f"{records.count} records of [{kind}]", f"{found}")


def _filled(part: Part, records: Records, labels: frozenset[str], kind: str, told: list[Doubt]) -> Filled:
    fields, rows = (
        {name: values(part, anchor, labels) for name, anchor in anchors.items()}
        for anchors in (records.fields, records.rows)
    )
    return Filled(
        fields_of(fields, kind, told),
        {name: tuple(value for value in found if value is not None) for name, found in rows.items()},
    )


def fields_of(values: Mapping[str, Sequence[str | None]], kind: str, told: list[Doubt]) -> dict[str, str]:
    """The fields of a record with one value; doubts about the others go to `told`."""
    fields: dict[str, str] = {}
    for name, found in values.items():
        said = [*dict.fromkeys(value for value in found if value is not None)]
        if len(said) == 1:
            fields[name] = said[0]
        elif said:
            both = " and ".join(map(repr, said[:2]))
            told.append(Doubt("recipe_ambiguous", None, f"one {kind}.fields.{name} in a record", both))
        elif found:
            told.append(Doubt("recipe_unfilled", None, f"{kind}.fields.{name} behind its label", "no value"))
    return fields


def _without_copies(made: Sequence[Filled], required: str) -> list[Filled]:
    """Each tool once: a page may repeat its cards for another window width."""
    seen: set[object] = set()
    distinct = []
    for one in made:
        said = (*one.fields.items(), *one.rows.items())
        if required not in one.fields or said not in seen:
            distinct.append(one)
        seen.add(said)
    return distinct


def never_filled(made: Sequence[Filled], names: Mapping[str, Iterable[str]], kind: str) -> Iterator[Doubt]:
    """Doubts about fields and rows that no record has."""
    counts = Counter(name for one in made for name in (*one.fields, *(row for row, found in one.rows.items() if found)))
    for table, own in names.items():
        for name in own:
            if not counts[name]:
                yield Doubt("recipe_unfilled", None, f"{kind}.{table}.{name} in some record", f"none of {len(made)}")
