"""Any site's comparison: two or more tools in schema.org items, `X vs Y` tables and lists. Pure."""

import re
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace

from verdicts.corpus.enumerations import Claim, Reader
from verdicts.extract.generic.boxes import read_boxes
from verdicts.extract.generic.known_sections import read_known_sections
from verdicts.extract.generic.label_words import LABELS, OTHER_ATTRIBUTES, find_property, is_award
from verdicts.extract.generic.naming import find_word
from verdicts.extract.generic.promise import Promise, heads_in, is_named_in, read_promise
from verdicts.extract.generic.section_values import ToolList
from verdicts.extract.generic.sections import bare_values
from verdicts.extract.generic.stated import (
    StatedTool,
    agreement,
    key,
    questions,
    read_stated_reviews,
    read_stated_tools,
)
from verdicts.extract.generic.table_facts import TablesRead, find_repeated, names_on, read_tables
from verdicts.extract.generic.tool_list import read_tool_list
from verdicts.extract.generic.web_page import WebPage
from verdicts.extract.model.blocks import Block, fold
from verdicts.extract.model.fact_lines import count_lines
from verdicts.extract.model.records import Doubt, Fact, OutsideReview, PageGrid, SideBySide

_PICK = re.compile(r"([^:]{4,80}):(?: .{2,60})?")
AWARDS_MIN = 3
"""The fewest lines of a list of awards."""


@dataclass(frozen=True, slots=True)
class Compared:
    """What a page compares (None for nothing), its doubts, and its tables of data."""

    side_by_side: SideBySide | None
    doubts: tuple[Doubt, ...]
    grids: tuple[PageGrid, ...]
    prose: tuple[str, ...] = ()
    """The paragraphs of the tools' sections."""


def read_side_by_side(page: WebPage) -> Compared:
    items, unread = page.statements
    stated = [*read_stated_tools(items)]
    promise = read_promise(page.titles, heads_in(page.blocks).union(key(stated_tool.name) for stated_tool in stated))
    listed, tables, doubts = _find_names(page, promise, stated)
    names = promise.names if tables.names in {(), promise.names} or listed is not None else ()
    by_tables = tables.names if listed is None and not names else ()
    sections = ToolList((), ()) if listed is None else listed
    # A page about two products may state its title as the name of an item.
    known_names = sections.names or names or by_tables
    tools = _merge_names(known_names, (*sections.names, *tables.names), stated)
    if listed is None and (by_tables or len(tools) == promise.count):
        doubts = tuple(doubt for doubt in doubts if doubt.rule != "list_not_read")
    doubts = (*unread, *tables.doubts, *doubts, *sections.left_over)
    in_tables = _assign_facts(tables.facts, tables.names, tools)
    if listed is None and (names or by_tables):
        sections = replace(sections, names=tools, facts=read_known_sections(page.blocks, tools))
    read = (*in_tables, *_new(_assign_facts(sections.facts, sections.names, tools), in_tables))
    stated_facts = tuple(
        fact for stated_tool in stated for fact in _assign_facts(stated_tool.facts, [stated_tool.name], tools)
    )
    facts = (*read, *stated_facts)
    doubts = (*doubts, *_in_sentences(tools, facts, sections))
    reviews = tuple(read_stated_reviews(items, tools))
    has_attributes = any(fact.label is not None for fact in facts)
    compares = has_attributes or ((bool(names) or promise.compares) and _has_details(facts))
    has_table = any(grid.names_in is not None for grid in tables.grids)
    is_comparison = listed is not None or has_table or (len(tools) >= 2 and compares)
    # Icons without a name stand for features.
    has_icons = any(doubt.rule == "unreadable_cell" for doubt in tables.doubts)
    can_be_others = bool(names) and not (promise.is_list or has_icons)
    are_others = promise.is_of_others or (can_be_others and not _are_products(names, facts, page.blocks))
    is_comparison = is_comparison and not are_others
    if promise.is_made and not is_comparison and len(doubts) == len(unread):
        doubts = (
            *doubts,
            *(_doubt_bare_values(page.blocks) or _unkept(promise, names if are_others and has_attributes else ())),
        )
    if not is_comparison and ((are_others and not reviews) or not _are_described(tools, facts, reviews, promise)):
        return Compared(None, doubts, tables.grids if promise.is_made else ())
    doubts = (*doubts, *_tell_awards(page.blocks))
    if any(tool.amounts or tool.means for tool in stated):
        agreed = agreement(stated, tools, [block.text for block in page.blocks])
        facts = tuple(fact for fact in facts if not _is_disputed(fact, tools, agreed.disputed))
        doubts = (*doubts, *agreed.doubts)
    reader: Reader = "table"
    if listed is not None:
        reader = "sections"
    elif not by_tables and (_has_details(stated_facts) or reviews):
        reader = "schema_org"
    claim: Claim = "compares" if is_comparison else "describes"
    side_by_side = SideBySide(reader, tools, facts, reviews, claim, tuple(questions(items)))
    return Compared(side_by_side, doubts, tables.grids, sections.prose)


def _find_names(
    page: WebPage, promise: Promise, stated: Sequence[StatedTool]
) -> tuple[ToolList | None, TablesRead, tuple[Doubt, ...]]:
    """The list of tools, if there is one, what tables say of them, or else of their own tools, and doubts of both."""
    listed, doubts = _read_list(page, promise, frozenset(key(tool.name) for tool in stated))
    tables = _tables(page, promise, listed)
    if listed is None and promise.names and not tables.names:
        # `Alpha vs Beta` over a table with `Lamp Alpha` and `Lamp Beta`.
        title_tables = _tables(page, replace(promise, names=()), None)
        if len(title_tables.names) == len(promise.names) and _share_words(title_tables.names, promise.names):
            return None, title_tables, doubts
    if listed is None and not (promise.names or tables.names):
        listed = read_boxes(page.blocks, promise)
        if listed is not None:
            tables, doubts = _tables(page, promise, listed), ()
    if listed is not None and promise.count not in {None, len(listed.names)}:
        # A table of as many tools as the title says, above the best of them.
        whole = _tables(page, promise, None)
        if len(whole.names) == promise.count:
            left = f"{len(listed.names)} sections, of {listed.names[0]!r} and others"
            return None, whole, (Doubt("left_over", None, "a section of each tool", left),)
    count = len(tables.names)
    if listed is None and not promise.names and count and promise.count not in {None, count}:
        promised = f"{promise.count} tools, as the title says"
        doubts = (Doubt("incomplete_list", None, promised, f"{count} tools in tables"),)
    return listed, tables, doubts


def _share_words(names: Sequence[str], other_names: Sequence[str]) -> bool:
    """Whether each of these names has a word of one of the others, and the other way round."""
    words, other_words = ([{*key(name).split()} for name in some] for some in (names, other_names))
    shared = [[not name_words.isdisjoint(others_words) for others_words in other_words] for name_words in words]
    return all(map(any, (*shared, *zip(*shared, strict=True))))


def _tables(page: WebPage, promise: Promise, listed: ToolList | None) -> TablesRead:
    names = promise.names if listed is None else listed.names
    return read_tables(
        page.grids if names or promise.is_made or page.has_table else (),
        names,
        lambda: names_on(page.blocks, promise, page.grids),
        is_promised=promise.is_made,
        has_sections=listed is not None,
    )


def _are_described(
    tools: Sequence[str], facts: Sequence[Fact], reviews: Sequence[OutsideReview], promise: Promise
) -> bool:
    """Whether a page describes tools: it has a rating or a review, or the price of the one that its title names.

    A menu also has products with prices.
    """
    priced = {fact.tool for fact in facts if find_property(fact) == "price"}
    has_price = any(len(tools) == 1 or is_named_in(promise.titles, tools[index]) for index in priced)
    is_rated = any(find_property(fact) == "rating" for fact in facts)
    return has_price or is_rated or (bool(tools) and bool(reviews))


def _doubt_bare_values(blocks: Sequence[Block]) -> tuple[Doubt, ...]:
    """Prices or ratings on a page that claims to compare, but gave no tools."""
    prices, ratings = bare_values(blocks)
    if len(prices) < 2 and len(ratings) < 2:
        return ()
    detail = f"{(*prices, *ratings)[0]!r}, and {len(prices) + len(ratings) - 1} more"
    return (Doubt("list_not_read", None, "tools with their prices and ratings", detail),)


def _unkept(promise: Promise, names: Sequence[str]) -> tuple[Doubt, ...]:
    """A doubt about a title that promises tools on a page without any, or compares `names` that are not tools."""
    detail = f"nothing that shows that {names[0]!r} is one" if names else "no section and no table that names them"
    return (Doubt("list_not_read", None, f"the tools that the title {promise.titles[0]!r} promises", detail),)


def _are_products(names: Sequence[str], facts: Sequence[Fact], blocks: Sequence[Block]) -> bool:
    """Whether a title's names can be products: teams, words, illnesses and stocks have attributes of their own.

    Sentences write ideas without capital letters: `Group Classes vs. Private Lessons`.
    """
    prose = "\n".join(block.text for block in blocks if block.level is None and block.cell is None)
    if all(name != name.lower() and find_word(name.lower(), prose) for name in names):
        return False
    labels = {fact.line: fact.label or "" for fact in facts if fact.line is not None}
    return sum(key(label) in OTHER_ATTRIBUTES for label in labels.values()) * 2 < max(1, len(labels))


def _in_sentences(tools: Sequence[str], facts: Sequence[Fact], listed: ToolList) -> Iterator[Doubt]:
    """Prices that only sentences have, of tools without another one."""
    priced = {fact.tool for fact in facts if find_property(fact) == "price"}
    unpriced = [name for index, name in enumerate(tools) if index not in priced and name in listed.in_sentences]
    if unpriced:
        detail = f"prices within sentences, in {len(unpriced)} sections, such as that of {unpriced[0]!r}"
        yield Doubt("left_over", None, "prices alone, or after their label", detail)


def _tell_awards(blocks: Sequence[Block]) -> Iterator[Doubt]:
    """A short list of awards, `Best for teams: Alpha`: which tool each one names is not read."""
    lines = [block.text for block in blocks if block.level is None and block.cell is None and not block.is_strong]
    picks = [pick for pick in map(_PICK.fullmatch, lines) if pick is not None and is_award(pick[1])]
    awards = [pick[0] for pick in picks if fold(pick[1]) not in LABELS]
    if len(awards) >= AWARDS_MIN:
        detail = f"{awards[0]!r}, and {len(awards) - 1} more"
        yield Doubt("left_over", None, "awards beside the names of tools", detail)


def _new(facts: Sequence[Fact], in_tables: Sequence[Fact]) -> Iterator[Fact]:
    """The facts of sections, whose lines go on behind those of tables; without lines that a table repeats.

    A list of definitions is a table and part of its section.
    """
    repeated = find_repeated(facts, in_tables)
    lines = dict.fromkeys(fact.line for fact in facts if fact.line is not None and fact.line not in repeated)
    numbers = {line: number for number, line in enumerate(lines, start=count_lines(in_tables))}
    for fact in facts:
        if fact.line is None:
            yield fact
        elif fact.line in numbers:
            yield replace(fact, line=numbers[fact.line])


def _read_list(page: WebPage, promise: Promise, stated: Set[str]) -> tuple[ToolList | None, tuple[Doubt, ...]]:
    """The page's list of tools; those of a title with names in the title's order, before others of the list."""
    listed, doubts = read_tool_list(page.blocks, page.host, promise, stated)
    if listed is None or not promise.names:
        return listed, doubts
    indices = [index for name in promise.names if (index := _find_position(name, listed.names)) is not None]
    heads = heads_in(block for block in page.blocks if block.cell is not None)
    if len({*indices}) < len(promise.names):
        is_titles = all(is_named_in(promise.titles, name) for name in listed.names)
        return (listed if is_titles else None), doubts
    # `Claude AI` over a section is `Claude` in title and table.
    short = {index: name for index, name in zip(indices, promise.names, strict=True) if key(name) in heads}
    names = [short.get(index, name) for index, name in enumerate(listed.names)]
    indices += [index for index in range(len(names)) if index not in indices]
    facts = tuple(replace(fact, tool=indices.index(fact.tool)) for fact in listed.facts)
    return replace(listed, names=tuple(names[index] for index in indices), facts=facts), doubts


def _find_position(name: str, names: Sequence[str]) -> int | None:
    """The place of a title's name in a list, or of the only longer one there: `ChatGPT`, `ChatGPT-5`."""
    equal = [index for index, listed in enumerate(names) if key(listed) == key(name)]
    longer = [index for index, listed in enumerate(names) if key(listed).startswith(f"{key(name)} ")]
    return equal[0] if equal else longer[0] if len(longer) == 1 else None


def _has_details(facts: Sequence[Fact]) -> bool:
    return any(find_property(fact) in {"description", "rating", "price", "category", "url"} for fact in facts)


def _merge_names(names: Sequence[str], read: Sequence[str], stated: Sequence[StatedTool]) -> tuple[str, ...]:
    """The names of a list or a title, then those that were read; else the stated ones. Each once."""
    tools = {key(name): name for name in (*names, *read)}
    keys = tools.keys() if names else {key(tool.name) for tool in stated if not tool.is_named}
    for tool in stated:
        if key(tool.name) in keys:
            tools.setdefault(key(tool.name), tool.name)
    return tuple(tools.values())


def _assign_facts(facts: Iterable[Fact], names: Sequence[str], tools: Sequence[str]) -> list[Fact]:
    """The facts of a reader that has these names, of the page's tools."""
    indices = {key(name): index for index, name in enumerate(tools)}
    own_indices = [indices.get(key(name)) for name in names]
    return [replace(fact, tool=index) for fact in facts if (index := own_indices[fact.tool]) is not None]


def _is_disputed(fact: Fact, tools: Sequence[str], disputed: Set[tuple[str, str]]) -> bool:
    return fact.label is None and (key(tools[fact.tool]), fact.property) in disputed
