"""Any site's comparison: two or more tools in schema.org items, `X vs Y` tables and lists. Pure."""

from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace

from verdicts.corpus.enumerations import Claim, Reader
from verdicts.extract.generic.boxes import read_boxes
from verdicts.extract.generic.picks import picks_of, read_picks, with_picks
from verdicts.extract.generic.promise import Promise, heads_in, is_named_in, promise_of
from verdicts.extract.generic.section_values import ToolList
from verdicts.extract.generic.sections import bare_values
from verdicts.extract.generic.stated import StatedTool, agreement, key, questions, stated_reviews, stated_tools
from verdicts.extract.generic.tables import TablesRead, names_on, read_tables
from verdicts.extract.generic.tool_list import read_tool_list
from verdicts.extract.generic.web_page import WebPage
from verdicts.extract.generic.words import FLAGS, OTHER_ATTRIBUTES, is_attribute
from verdicts.extract.model.blocks import Block, fold
from verdicts.extract.model.records import ComparedRow, ComparedTool, Doubt, OutsideReview, PageGrid, SideBySide

RATING_FIELDS = frozenset({"rating", "rating_best", "ratings"})


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
    stated = [*stated_tools(items)]
    promise = promise_of(page.titles, heads_in(page.blocks).union(key(one.tool.name) for one in stated))
    names = promise.names
    listed, doubts = _listed(page, promise, frozenset(key(one.tool.name) for one in stated))
    tables = _tables(page, promise, listed, stated)
    picks = picks_of(page.blocks)
    if listed is None and not (names or tables.tools):
        listed = read_boxes(page.blocks, promise) or read_picks(picks, promise)
        if listed is not None:
            tables, doubts = _tables(page, promise, listed, stated), ()
    if listed is not None and promise.count not in {None, len(listed.tools)}:
        # A table of as many tools as the title says, above the best of them.
        whole = _tables(page, promise, None, stated)
        if len(whole.tools) == promise.count:
            left = f"{len(listed.tools)} sections, of {listed.tools[0].name!r} and others"
            listed, tables, doubts = None, whole, (Doubt("left_over", None, "a section of each tool", left),)
    known = names if listed is None else [tool.name for tool in listed.tools]
    by_tables = tables.tools if listed is None and not names else ()
    if by_tables and promise.count is not None and promise.count != len(by_tables):
        promised, found = f"{promise.count} tools, as the title says", f"{len(by_tables)} tools in tables"
        doubts = (Doubt("incomplete_list", None, promised, found),)
    own, beside, in_lists, prose = (
        ((),) * 4 if listed is None else (listed.tools, listed.beside, listed.rows, listed.prose)
    )
    tools = _merged(known, (*own, *tables.tools), (*(one.tool for one in stated), *beside), stated)
    if listed is None and (by_tables or len(tools) == promise.count):
        doubts = tuple(doubt for doubt in doubts if doubt.rule != "list_not_read")
    doubts = (*unread, *tables.doubts, *doubts, *(listed.left_over if listed else ()))
    tools, more = with_picks(tools, picks)
    doubts = (*doubts, *more, *_in_sentences(tools, listed))
    rows = (*tables.rows, *_new(in_lists, tables.rows), *questions(items))
    reviews = tuple(stated_reviews(items, [tool.name for tool in tools]))
    has_attributes = any(row.kind == "attribute" for row in rows)
    compares = has_attributes or ((bool(names) or promise.compares) and _has_details(tools))
    has_table = any(grid.names_in is not None for grid in tables.grids)
    is_comparison = listed is not None or has_table or (len(tools) >= 2 and compares)
    # Icons without a name stand for features.
    has_icons = any(doubt.rule == "unreadable_cell" for doubt in tables.doubts)
    are_others = bool(names) and not (promise.is_list or has_icons or _are_products(tools, rows))
    is_comparison = is_comparison and not are_others
    if promise.is_made and not is_comparison and len(doubts) == len(unread):
        doubts = (*doubts, *(_unread(page.blocks) or _unkept(promise, names if are_others and rows else ())))
    if not is_comparison and ((are_others and not reviews) or not _are_described(tools, reviews, promise.titles)):
        return Compared(None, doubts, tables.grids if promise.is_made else ())
    if any(tool.amounts or tool.means for tool in stated):
        agreed = agreement(stated, [tool.name for tool in tools], [block.text for block in page.blocks])
        tools = tuple(_undisputed(tool, agreed.disputed) for tool in tools)
        doubts = (*doubts, *agreed.doubts)
    reader: Reader = "table"
    if listed is not None:
        reader = "sections"
    elif not by_tables and (_has_details(_merged(known, (), [one.tool for one in stated], stated)) or reviews):
        reader = "schema_org"
    claim: Claim = "compares" if is_comparison else "describes"
    return Compared(SideBySide(reader, tools, rows, reviews, claim), doubts, tables.grids, prose)


def _tables(page: WebPage, promise: Promise, listed: ToolList | None, stated: Sequence[StatedTool]) -> TablesRead:
    known = promise.names if listed is None else [tool.name for tool in listed.tools]
    return read_tables(
        page.grids if known or promise.is_made or page.has_table else (),
        known,
        lambda: names_on(page.blocks, promise, (one.tool.name for one in stated), page.grids),
        is_promised=promise.is_made,
        has_sections=listed is not None,
    )


def _are_described(tools: Sequence[ComparedTool], reviews: Sequence[OutsideReview], titles: Sequence[str]) -> bool:
    """Whether a page describes tools: it has a rating or a review, or the price of the one that its title names.

    A menu also has products with prices.
    """
    is_only = len(tools) == 1
    has_price = any(tool.price and (is_only or is_named_in(titles, tool.name)) for tool in tools)
    return has_price or any(tool.rating for tool in tools) or (bool(tools) and bool(reviews))


def _unread(blocks: Sequence[Block]) -> tuple[Doubt, ...]:
    """Prices or ratings on a page that claims to compare, but gave no tools."""
    prices, ratings = bare_values(blocks)
    if len(prices) < 2 and len(ratings) < 2:
        return ()
    found = f"{(*prices, *ratings)[0]!r}, and {len(prices) + len(ratings) - 1} more"
    return (Doubt("list_not_read", None, "tools with their prices and ratings", found),)


def _unkept(promise: Promise, names: Sequence[str]) -> tuple[Doubt, ...]:
    """A doubt about a title that promises tools on a page without any, or compares `names` that are not tools."""
    found = f"nothing that shows that {names[0]!r} is one" if names else "no section and no table that names them"
    return (Doubt("list_not_read", None, f"the tools that the title {promise.titles[0]!r} promises", found),)


def _are_products(tools: Sequence[ComparedTool], rows: Sequence[ComparedRow]) -> bool:
    """Whether a title's names are products: by a price, a rating, a link, an attribute, or two lines of yes and no.

    Teams, words, illnesses and stocks also stand side by side, with attributes of their own.
    """
    attributes = [row for row in rows if row.kind == "attribute"]
    others = sum(key(row.attribute) in OTHER_ATTRIBUTES for row in attributes)
    if others * 2 >= max(1, len(attributes)):
        return False
    has_value = any(tool.price or tool.rating or tool.url or tool.category for tool in tools)
    has_attribute = any(is_attribute(row.attribute) for row in attributes)
    flags = sum(all(value is None or fold(value) in FLAGS for value in row.values) for row in attributes)
    return has_value or has_attribute or (flags > 1 and not others)


def _in_sentences(tools: Sequence[ComparedTool], listed: ToolList | None) -> Iterator[Doubt]:
    """Prices that only sentences have, of tools without another one."""
    of_tools = [tool.name for tool in tools if listed and tool.price is None and tool.name in listed.in_sentences]
    if of_tools:
        found = f"prices within sentences, in {len(of_tools)} sections, such as that of {of_tools[0]!r}"
        yield Doubt("left_over", None, "prices alone, or after their label", found)


def _new(rows: Iterable[ComparedRow], known: Sequence[ComparedRow]) -> Iterator[ComparedRow]:
    """Rows that no table repeats: a list of definitions is a table and part of its section."""
    said = {(fold(row.attribute), row.values) for row in known}
    return (row for row in rows if (fold(row.attribute), row.values) not in said)


def _listed(page: WebPage, promise: Promise, stated: Set[str]) -> tuple[ToolList | None, tuple[Doubt, ...]]:
    """The page's list of tools; those of a title with names in the title's order, before others of the list."""
    listed, doubts = read_tool_list(page.blocks, page.host, promise, stated)
    if listed is None or not promise.names:
        return listed, doubts
    place_of = {key(tool.name): place for place, tool in enumerate(listed.tools)}
    places = [place_of[key(name)] for name in promise.names if key(name) in place_of]
    if len(places) < len(promise.names):
        is_titles = all(is_named_in(promise.titles, tool.name) for tool in listed.tools)
        return (listed if is_titles else None), doubts
    places += [place for place in range(len(listed.tools)) if place not in places]
    rows = (replace(row, values=tuple(row.values[place] for place in places)) for row in listed.rows)
    of_names = [tuple(tools[place] for place in places) for tools in (listed.tools, listed.beside)]
    return replace(listed, tools=of_names[0], rows=tuple(rows), beside=of_names[1]), doubts


def _has_details(tools: Sequence[ComparedTool]) -> bool:
    return any(tool.description or tool.rating or tool.price or tool.category or tool.url for tool in tools)


def _merged(
    names: Sequence[str],
    listed: Sequence[ComparedTool],
    others: Sequence[ComparedTool],
    stated: Sequence[StatedTool],
) -> tuple[ComparedTool, ...]:
    """The tools of a list or a title's `names`, completed by `others`; else the stated ones. Each once."""
    tools = {key(name): ComparedTool(name) for name in names}
    known = tools if names else {key(one.tool.name) for one in stated if not one.is_named}
    for tool in (*listed, *(tool for tool in others if key(tool.name) in known)):
        before = tools.setdefault(key(tool.name), tool)
        values = {name: getattr(tool, name) for name in ComparedTool.__dataclass_fields__ if name != "name"}
        # A scale belongs to its rating only.
        taken = RATING_FIELDS if before.rating else frozenset()
        missing = {name: value for name, value in values.items() if value and not getattr(before, name)}
        tools[key(tool.name)] = replace(before, **{name: value for name, value in missing.items() if name not in taken})
    return tuple(tools.values())


def _undisputed(tool: ComparedTool, disputed: Set[tuple[str, str]]) -> ComparedTool:
    if (key(tool.name), "price") in disputed:
        tool = replace(tool, price=None)
    if (key(tool.name), "rating") in disputed:
        tool = replace(tool, rating=None, rating_best=None, ratings=None)
    return tool
