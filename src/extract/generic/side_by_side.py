"""Any site's comparison: what schema.org statements and `X vs Y` tables of a page say of two or more tools. Pure."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from selectolax.lexbor import LexborHTMLParser

from extract.generic.schema_org import Statement, first, inner, statements
from extract.html.tables import rectangle, table_cells
from extract.model.blocks import clean
from extract.model.records import ComparedRow, ComparedTool, OutsideReview, Reader, SideBySide

TOOL_TYPES = frozenset({"Product", "SoftwareApplication", "WebApplication", "MobileApplication", "Service"})

VERSUS = re.compile(r"\s+(?:vs\.?|versus)\s+", re.IGNORECASE)
COMPARES = re.compile(r"\b(vs\.?|versus|compar\w+|alternatives?)\b", re.IGNORECASE)
TITLE_END = re.compile(r"\s*(?::|\||–|—|\?|,| - | in \d{4}\b|\(\d{4}\)).*$")
"""What follows the names in a title: `Alpha vs Beta: which is better in 2026? | A site`."""

NAME_MAX = 60


def read_side_by_side(tree: LexborHTMLParser) -> SideBySide | None:
    """What the page sets side by side; None where it compares nothing."""
    said = statements(tree)
    titles = [clean(node.text(deep=True)) for node in tree.css("h1, title, h2")]
    names = next((found for title in titles if (found := _names(title))), ())
    tools = _merged(names, [*_stated_tools(said)])
    rows = [*_table_rows(tree, names), *_questions(said)]
    reviews = tuple(_reviews(said, [tool.name for tool in tools]))
    has_attributes = any(row.kind == "attribute" for row in rows)
    is_comparison = len(tools) >= 2 and (has_attributes or ((bool(names) or _compares(titles)) and _says_more(tools)))
    is_rated = any(tool.rating for tool in tools) or bool(reviews)
    if not is_comparison and not (tools and is_rated):
        return None
    reader: Reader = "schema_org" if any(_says_more([tool]) for tool in tools) or reviews else "table"
    return SideBySide(reader, tools, tuple(rows), reviews)


def _compares(titles: Sequence[str]) -> bool:
    return any(COMPARES.search(title) for title in titles[:2])


def _says_more(tools: Sequence[ComparedTool]) -> bool:
    """Whether anything but the name is known of one of them."""
    return any(tool.description or tool.rating or tool.price or tool.category or tool.url for tool in tools)


def _names(title: str) -> tuple[str, ...]:
    """`Alpha vs Beta: which?` names two tools."""
    parts = [TITLE_END.sub("", part).strip() for part in VERSUS.split(title)]
    is_list = len(parts) >= 2 and all(0 < len(part) <= NAME_MAX for part in parts)
    return tuple(parts) if is_list else ()


def _key(name: str) -> str:
    return re.sub(r"\W+", " ", name.casefold()).strip()


def _merged(names: Sequence[str], stated: Sequence[ComparedTool]) -> tuple[ComparedTool, ...]:
    """The tools of the title, with what is stated of them; of a page that names none, those stated. Each once."""
    tools = {_key(name): ComparedTool(name) for name in names}
    for tool in stated:
        key = _key(tool.name)
        if names and key not in tools:
            continue
        before = tools.get(key)
        if before is None:
            tools[key] = tool
            continue
        known = {name: getattr(tool, name) for name in ComparedTool.__dataclass_fields__ if name != "name"}
        missing = {name: value for name, value in known.items() if value and not getattr(before, name)}
        tools[key] = replace(before, **missing)
    return tuple(tools.values())


def _stated_tools(said: Sequence[Statement]) -> Iterator[ComparedTool]:
    for statement in said:
        kinds = set(statement["@type"])
        if kinds & TOOL_TYPES and (name := first(statement, "name")):
            rating = next(iter(inner(statement, "aggregateRating")), {})
            offer = next(iter(inner(statement, "offers")), {})
            price = " ".join(
                filter(None, (first(offer, "price") or first(offer, "lowPrice"), first(offer, "priceCurrency")))
            )
            yield ComparedTool(
                name=name,
                url=first(statement, "url"),
                description=first(statement, "description"),
                category=first(statement, "applicationCategory") or first(statement, "category"),
                price=price or None,
                rating=first(rating, "ratingValue"),
                rating_best=first(rating, "bestRating"),
                ratings=first(rating, "ratingCount") or first(rating, "reviewCount"),
            )
        elif "ItemList" in kinds:
            for item in inner(statement, "itemListElement"):
                whole = next(iter(inner(item, "item")), item)
                if (name := first(whole, "name")) is not None:
                    yield ComparedTool(name=name, url=first(whole, "url"))


def _reviews(said: Sequence[Statement], names: Sequence[str]) -> Iterator[OutsideReview]:
    owners = {
        id(review): first(statement, "name")
        for statement in said
        if set(statement["@type"]) & TOOL_TYPES
        for review in inner(statement, "review") + inner(statement, "reviews")
    }
    places = {_key(name): place for place, name in enumerate(names)}
    for statement in said:
        text = first(statement, "reviewBody") or first(statement, "description")
        if "Review" not in statement["@type"] or text is None:
            continue
        rating = next(iter(inner(statement, "reviewRating")), {})
        of = first(statement, "itemReviewed") or owners.get(id(statement))
        yield OutsideReview(
            tool=None if of is None else places.get(_key(of)),
            author=first(statement, "author"),
            rating=first(rating, "ratingValue"),
            rating_best=first(rating, "bestRating"),
            published_on=first(statement, "datePublished"),
            text=text,
        )


def _questions(said: Sequence[Statement]) -> Iterator[ComparedRow]:
    """Questions and answers of a FAQPage speak of all tools at once."""
    for statement in said:
        question = first(statement, "name") if "Question" in statement["@type"] else None
        answers = inner(statement, "acceptedAnswer") or inner(statement, "suggestedAnswer")
        if question and answers and (answer := first(answers[0], "text")):
            yield ComparedRow("question", question, (answer,))


def _table_rows(tree: LexborHTMLParser, names: Sequence[str]) -> Iterator[ComparedRow]:
    """Rows of every table that has a column, or a row, a tool."""
    if len(names) < 2:
        return
    for table in tree.css("table"):
        cells = rectangle(table_cells(table))
        for turned in (cells, [list(column) for column in zip(*cells, strict=True)]):
            columns = _columns(turned[0], names) if turned else None
            if columns is None:
                continue
            labels = [at for at in range(len(turned[0])) if at not in columns]
            label = labels[0] if labels else columns[0]
            for row in turned[1:] if labels else ():
                values = tuple(row[at] or None for at in columns)
                # A cell over the whole table is a heading inside it.
                if row[label] and any(values) and set(values) != {row[label]}:
                    yield ComparedRow("attribute", row[label], values)
            break


def _columns(head: Sequence[str], names: Sequence[str]) -> tuple[int, ...] | None:
    """Which column is whose: a head that is a name, or begins with it."""
    keys = [_key(text) for text in head]
    found = []
    for name in map(_key, names):
        places = [at for at, key in enumerate(keys) if key == name]
        places += [at for at, key in enumerate(keys) if key.startswith(f"{name} ")]
        if not places:
            return None
        found.append(places[0])
    return tuple(found) if len(set(found)) == len(names) else None
