"""Pages that state their tools by schema.org, beside what they show."""

import json
from collections.abc import Sequence
from typing import Any

from builders.gallery.answers import Answer, AnsweredReview, AnsweredTool
from builders.gallery.facts import Shelf, Tool, Turn, shelf
from builders.gallery.listicles import closing
from builders.gallery.markup import Page, paragraphs, tag, text

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
    """The tools with what is stated of them."""
    return tuple(
        AnsweredTool(tool.name, place if ranked else None, f"{tool.amount} USD", tool.rating)
        for place, tool in enumerate(tools, start=1)
    )


def shown(tool: Tool) -> str:
    """What is stated, in a sentence."""
    return f"{tool.name} costs ${tool.amount} and has {tool.rating}/5 of {tool.ratings} people."


def item_list(turn: Turn) -> tuple[Shelf, Page]:
    """A numbered list, all of it stated in a script as an ItemList."""
    at = shelf("item_list", turn, 5)
    kind = ("SoftwareApplication", "Product", "WebApplication")[turn.form]
    listed = [
        {"@type": "ListItem", "position": place, "item": product(tool, kind)}
        for place, tool in enumerate(at.tools, start=1)
    ]
    parts = [
        tag("h2", text(f"{place}. {tool.name}")) + paragraphs([*tool.prose, shown(tool)])
        for place, tool in enumerate(at.tools, start=1)
    ]
    head = script({"@context": _CONTEXT, "@type": "ItemList", "itemListElement": listed})
    prose = (*at.intro, *(words for tool in at.tools for words in (*tool.prose, shown(tool))))
    answer = Answer("compares", as_stated(at.tools, ranked=True), prose=prose)
    return at, Page(at.title("listing"), "\n".join((paragraphs(at.intro), *parts, closing(at))), answer, head)


def microdata(turn: Turn) -> tuple[Shelf, Page]:
    """`Alpha vs Beta`, each a product by attributes of what is shown."""
    at = shelf("microdata", turn, 2 + turn.form)
    parts = []
    for tool in at.tools:
        name = tag("h2", text(tool.name), itemprop="name")
        price = tag("span", tool.amount, itemprop="price", content=tool.amount)
        currency = '<meta itemprop="priceCurrency" content="USD">'
        offer = tag("p", "Costs $", price, currency, itemprop="offers", itemscope="", itemtype=f"{_CONTEXT}/Offer")
        value = tag("span", tool.rating, itemprop="ratingValue")
        count = tag("span", str(tool.ratings), itemprop="ratingCount")
        mean = tag(
            "p",
            value,
            "/5 of ",
            count,
            itemprop="aggregateRating",
            itemscope="",
            itemtype=f"{_CONTEXT}/AggregateRating",
        )
        body = (name, paragraphs(tool.prose), offer, mean)
        parts.append(tag("section", *body, itemscope="", itemtype=f"{_CONTEXT}/Product"))
    prose = (*at.intro, *(words for tool in at.tools for words in tool.prose))
    answer = Answer("compares", as_stated(at.tools), prose=prose)
    return at, Page(at.title("versus"), "\n".join((paragraphs(at.intro), *parts, closing(at))), answer)


def rdfa(turn: Turn) -> tuple[Shelf, Page]:
    """The same in RDFa Lite."""
    at = shelf("rdfa", turn, 2 + turn.form)
    parts = []
    for tool in at.tools:
        name = tag("h2", text(tool.name), property="name")
        price = f'$<span property="price">{tool.amount}</span><meta property="priceCurrency" content="USD">'
        offer = tag("p", "Costs ", price, property="offers", typeof="Offer")
        mean = tag(
            "p",
            tag("b", tool.rating, property="ratingValue"),
            "/5",
            property="aggregateRating",
            typeof="AggregateRating",
        )
        parts.append(tag("section", name, paragraphs(tool.prose), offer, mean, vocab=f"{_CONTEXT}/", typeof="Product"))
    prose = (*at.intro, *(words for tool in at.tools for words in tool.prose))
    answer = Answer("compares", as_stated(at.tools), prose=prose)
    return at, Page(at.title("versus"), "\n".join((paragraphs(at.intro), *parts, closing(at))), answer)


def product_reviews(turn: Turn) -> tuple[Shelf, Page]:
    """One product with what three people say of it, and others that one may like, too."""
    at = shelf("product_reviews", turn, 1)
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
        (paragraphs([*tool.prose, shown(tool)]), tag("h2", "Reviews"), told, tag("h2", "Others looked at"), others)
    )
    head = script({"@context": _CONTEXT, **product(tool, review=stated)})
    prose = (*tool.prose, shown(tool), *(review.text for review in reviews))
    answer = Answer("describes", as_stated(at.tools), reviews=tuple(reviews), prose=prose)
    return at, Page(tool.name, main, answer, head)


def shop_shelf(turn: Turn) -> tuple[Shelf, Page]:
    """A shop's page of many products with prices and stars, none beside another."""
    at = shelf("shop_shelf", turn, 8)
    cards = []
    for tool in at.tools:
        stars = tag("span", f"{tool.rating}/5 ({tool.ratings})")
        price = tag("span", f"${tool.amount}")
        cards.append(tag("li", tag("a", tag("h3", text(tool.name)), href=tool.address), stars, price, class_="product"))
    head = "".join(script({"@context": _CONTEXT, **product(tool)}) for tool in at.tools)
    main = paragraphs(at.intro[:1]) + tag("ul", *cards, class_="products")
    return at, Page(
        at.subject.capitalize(), main, Answer("describes", as_stated(at.tools), prose=tuple(at.intro[:1])), head
    )


STATED = (item_list, microdata, rdfa, product_reviews, shop_shelf)
