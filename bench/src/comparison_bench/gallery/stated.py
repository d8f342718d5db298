"""Pages that state their tools by schema.org, beside what they show."""

import json
from collections.abc import Sequence
from typing import Any

from comparison_bench.gallery.facts import (
    LAYOUTS,
    Answer,
    AnsweredReview,
    AnsweredTool,
    Layouts,
    Page,
    Shelf,
    Tool,
    layout,
    nothing_compared,
    paragraphs,
    render_template,
    row,
    tag,
    text,
)
from comparison_bench.gallery.listicles import make_closing, surround

STATED: Layouts = {}
SHOWN: dict[str, str] = LAYOUTS["shown"]

_CONTEXT = "https://schema.org"


def script(value: object) -> str:
    return tag("script", json.dumps(value), type="application/ld+json")


def product(tool: Tool, kind: str = "Product", **more: object) -> dict[str, Any]:
    """A product with its price and the mean of its ratings."""
    return {
        "@type": kind,
        "name": tool.name,
        "url": tool.address,
        "offers": {"@type": "Offer", "price": tool.amount, "priceCurrency": "USD"},
        "aggregateRating": {"@type": "AggregateRating", "ratingValue": tool.rating, "ratingCount": tool.ratings},
        **more,
    }


def as_stated(tools: Sequence[Tool], *, ranked: bool = False) -> tuple[AnsweredTool, ...]:
    """The tools with their statements."""
    return tuple(
        AnsweredTool(tool.name, place if ranked else None, f"{tool.amount} USD", tool.rating)
        for place, tool in enumerate(tools, start=1)
    )


def write_sentence(tool: Tool) -> str:
    """What is stated, in a sentence."""
    return f"{tool.name} costs ${tool.amount} and has {tool.rating}/5 of {tool.ratings} people."


@layout(STATED, 3)
def pricing_columns(at: Shelf) -> Page:
    """`Alpha vs Beta vs Gamma`: three cards beside each other, the price in large figures."""
    cards = [(tool, at.random.sample(at.words["features"], 3 + at.form)) for tool in at.tools]
    grid = render_template(SHOWN["pricing_columns"], tools=cards)
    tools = tuple(AnsweredTool(tool.name, price=f"${tool.amount}/mo") for tool in at.tools)
    main = "\n".join((paragraphs(at.intro[:2]), grid, make_closing(at)))
    return Page(at.title("versus"), main, Answer("compares", tools, prose=tuple(at.intro[:3])))


@layout(STATED, 5)
def product_boxes(at: Shelf) -> Page:
    """A box a tool as page builders make them; names are numbered on the second and third page."""
    ranks = [rank if at.form else None for rank, _ in enumerate(at.tools, start=1)]
    boxes = [
        render_template(
            SHOWN["product_boxes"],
            tool=tool,
            heading=f"{rank}. {tool.name}" if rank else tool.name,
            prose=paragraphs(tool.prose),
        )
        for rank, tool in zip(ranks, at.tools, strict=True)
    ]
    tools = tuple(
        AnsweredTool(tool.name, rank, f"${tool.amount}/mo", f"{tool.rating}/5")
        for rank, tool in zip(ranks, at.tools, strict=True)
    )
    return Page(at.title("listing"), surround(at, *boxes), Answer("compares", tools, prose=at.prose))


@layout(STATED, 5)
def item_list(at: Shelf) -> Page:
    """A numbered list, all of it stated in a script as an ItemList."""
    kind = ("SoftwareApplication", "Product", "WebApplication")[at.form]
    listed = [
        {"@type": "ListItem", "position": place, "item": product(tool, kind)}
        for place, tool in enumerate(at.tools, start=1)
    ]
    parts = [
        tag("h2", text(f"{place}. {tool.name}")) + paragraphs([*tool.prose, write_sentence(tool)])
        for place, tool in enumerate(at.tools, start=1)
    ]
    head = script({"@context": _CONTEXT, "@type": "ItemList", "itemListElement": listed})
    prose = (*at.intro, *(words for tool in at.tools for words in (*tool.prose, write_sentence(tool))))
    answer = Answer("compares", as_stated(at.tools, ranked=True), prose=prose)
    return Page(at.title("listing"), surround(at, *parts), answer, head)


def _make_page(at: Shelf, way: str) -> Page:
    parts = (render_template(SHOWN[way], tool=tool, prose=paragraphs(tool.prose)) for tool in at.tools)
    return Page(at.title("versus"), surround(at, *parts), Answer("compares", as_stated(at.tools), prose=at.prose))


@layout(STATED, lambda form: 2 + form)
def microdata(at: Shelf) -> Page:
    """`Alpha vs Beta`: attributes of the visible elements say that each is a product."""
    return _make_page(at, "microdata")


@layout(STATED, lambda form: 2 + form)
def rdfa(at: Shelf) -> Page:
    """The same in RDFa Lite."""
    return _make_page(at, "rdfa")


@layout(STATED, 1)
def product_reviews(at: Shelf) -> Page:
    """One product with three reviews, and other products that a reader may like."""
    (tool,) = at.tools
    people = at.random.sample(["Ines", "Tomasz", "Aoife", "Benedikt", "Yara", "Lucía"], 3)
    texts = [words.replace("We", "I", 1) for words in at.words["prose"][:3]]
    reviews = [
        AnsweredReview(author, str(at.random.randint(2, 5)), words.format(name=tool.name))
        for author, words in zip(people, texts, strict=True)
    ]
    stated = [
        {
            "@type": "Review",
            "author": {"@type": "Person", "name": review.author},
            "reviewRating": {"@type": "Rating", "ratingValue": review.rating},
            "reviewBody": review.text,
        }
        for review in reviews
    ]
    told = "".join(tag("blockquote", tag("p", text(one.text)), tag("cite", text(one.author))) for one in reviews)
    others = tag("div", *(tag("h3", text(name)) for name in at.others[:3]), class_="also")
    main = "\n".join(
        (
            paragraphs([*tool.prose, write_sentence(tool)]),
            tag("h2", "Reviews"),
            told,
            tag("h2", "Others looked at"),
            others,
        )
    )
    head = script({"@context": _CONTEXT, **product(tool, review=stated)})
    prose = (*tool.prose, write_sentence(tool), *(review.text for review in reviews))
    answer = Answer("describes", as_stated(at.tools), reviews=tuple(reviews), prose=prose)
    return Page(tool.name, main, answer, head)


@layout(STATED, 8)
def shop_shelf(at: Shelf) -> Page:
    """A shop's page of many products with prices and stars, none beside another."""
    head = "".join(script({"@context": _CONTEXT, **product(tool)}) for tool in at.tools)
    main = paragraphs(at.intro[:1]) + render_template(SHOWN["shop_shelf"], tools=at.tools)
    return Page(
        at.subject.capitalize(), main, Answer("describes", as_stated(at.tools), prose=tuple(at.intro[:1])), head
    )


NOTHING = LAYOUTS["nothing"]


@layout(STATED, 2)
def other_tables(at: Shelf) -> Page:
    """A manual's table of options, a timetable, the standing of a league."""
    prose, shown = NOTHING["other_tables"]["prose"], NOTHING["other_tables"]["tables"][at.form]
    heads, *rows = ([*map(text, one)] for one in shown["rows"])
    table = tag("table", row(heads, "th"), *map(row, rows))
    return Page(shown["title"], paragraphs(prose) + table, nothing_compared(prose))


@layout(STATED, 1)
def steps(at: Shelf) -> Page:
    """Numbered sections that are not tools: a guide, and advice."""
    said = NOTHING["steps"]
    sections = [tuple(one) for one in said["sections"]]
    parts = [tag("h2", f"{place}. {head}") + paragraphs([told]) for place, (head, told) in enumerate(sections, start=1)]
    prose = [*at.intro, *(told for _, told in sections)]
    title = said["titles"][at.form].format(subject=at.subject)
    return Page(title, paragraphs(at.intro) + "".join(parts), nothing_compared(prose))
