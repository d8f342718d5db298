"""Tools, reviews and questions that the statements of a page hold. Pure."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from verdicts.extract.model.records import ComparedRow, ComparedTool, OutsideReview
from verdicts.extract.statements.item import Item, first, inner, is_of, is_variant, price_of, texts

TOOL_TYPES = frozenset(
    [
        *("product", "productgroup", "productmodel", "individualproduct", "someproducts"),
        *("softwareapplication", "webapplication", "mobileapplication", "service", "webapi"),
    ]
)
REVIEW_TYPES = frozenset({"review", "userreview", "criticreview"})
MEAN_TYPES = frozenset({"aggregaterating"})


class StatedTool(NamedTuple):
    """A tool as one item states it. `is_named` alone: only what the page names elsewhere is completed by it.

    An item without a type that schema.org knows (`SaaS`, or none), and a variant, make no tool by themselves.
    """

    tool: ComparedTool
    is_named: bool
    amounts: tuple[str, ...] = ()
    """What its price is made of, as stated."""
    means: tuple[tuple[str, str | None], ...] = ()
    """Every mean rating that it states, and the end of its scale."""


def key(name: str) -> str:
    """A name's form for comparing."""
    return re.sub(r"\W+", " ", name.casefold()).strip()


def stated_tools(items: Sequence[Item]) -> Iterator[StatedTool]:
    """What each item says of a tool, in the order of the page."""
    for item in items:
        name = first(item, "name")
        is_tool = is_of(item, TOOL_TYPES)
        if name is not None and (is_tool or inner(item, "aggregateRating", "offers")):
            yield _tool(item, name, is_named=not is_tool or is_variant(item))
        elif is_of(item, {"itemlist"}):
            yield from _listed(item)


def _tool(item: Item, name: str, *, is_named: bool) -> StatedTool:
    means = inner(item, "aggregateRating")
    mean = next(iter(means), None)
    price, amounts = price_of(item)
    tool = ComparedTool(
        name=name,
        url=first(item, "url"),
        description=first(item, "description"),
        category=first(item, "applicationCategory", "category"),
        price=price,
        rating=None if mean is None else first(mean, "ratingValue"),
        rating_best=None if mean is None else first(mean, "bestRating"),
        ratings=None if mean is None else first(mean, "ratingCount", "reviewCount"),
    )
    values = ((value, first(one, "bestRating")) for one in means for value in texts(one, "ratingValue"))
    return StatedTool(tool, is_named, amounts, tuple(values))


def _listed(item: Item) -> Iterator[StatedTool]:
    """Elements of a list. One of another kind, as a dish or a video, is no tool; one of no kind may be a colour."""
    for element in inner(item, "itemListElement"):
        listed = next(iter(inner(element, "item")), element)
        name = first(listed, "name") or first(element, "name")
        if name is not None and not listed.types - TOOL_TYPES - {"listitem", "thing"}:
            tool = ComparedTool(name=name, url=first(listed, "url") or first(element, "url"))
            yield StatedTool(tool, is_named=not is_of(listed, TOOL_TYPES))


def stated_reviews(items: Sequence[Item], names: Sequence[str]) -> Iterator[OutsideReview]:
    """Reviews with words; whose they are is said by them, or by the item that they stand in.

    A signed one that is stated in a script and in the page is one.
    """
    told: set[OutsideReview] = set()
    positions = {key(name): position for position, name in enumerate(names)}
    owners: dict[Item, str] = {}
    for item in items:
        for review in inner(item, "review", "reviews"):
            owner = first(item, "name")
            if owner is not None and (key(owner) in positions or review not in owners):
                owners[review] = owner
    for item in items:
        text = first(item, "reviewBody", "description")
        if text is None or not (is_of(item, REVIEW_TYPES) or item in owners):
            continue
        rating = next(iter(inner(item, "reviewRating")), None)
        tool_name = first(item, "itemReviewed") or owners.get(item)
        said = OutsideReview(
            tool=None if tool_name is None else positions.get(key(tool_name)),
            author=first(item, "author"),
            rating=first(item, "reviewRating") if rating is None else first(rating, "ratingValue"),
            rating_best=None if rating is None else first(rating, "bestRating"),
            published_on=first(item, "datePublished"),
            text=text,
        )
        if said not in told:
            yield said
        if said.author is not None:
            told.add(said)


def questions(items: Sequence[Item]) -> Iterator[ComparedRow]:
    """Questions and answers of a FAQPage speak of all tools at once."""
    for item in items:
        question = first(item, "name") if is_of(item, {"question"}) else None
        answers = inner(item, "acceptedAnswer", "suggestedAnswer")
        if question and answers and (answer := first(answers[0], "text")):
            yield ComparedRow("question", question, (answer,))
