"""What compares and what describes are told apart, on 308 made pages of fourteen kinds; a menu is neither."""

import json
from collections.abc import Callable, Sequence
from random import Random
from typing import Any, NamedTuple

import pytest

from builders.snapshots import html
from verdicts.extract.model.records import Document
from verdicts.extract.page import extract

NAMES = ("Heronmark", "Bittern", "Reedling", "Kittiwake", "Dunlin", "Whimbrel", "Garganey", "Turnstone")
PROSE = (
    "We kept it open for a week beside our own work and wrote down what it did and what it forgot.",
    "Nobody asked us to look at it, and nobody paid for what stands here.",
    "It begins quickly, and after a month there is less to say of it than one would think.",
    "What is new since spring is a second window, in which the first one is shown smaller.",
)


class Page(NamedTuple):
    """A page's title, what its body holds beside prose, and its statements."""

    title: str
    body: str
    stated: Sequence[dict[str, Any]] = ()


def written(page: Page, random: Random) -> str:
    """The page; prose stands before and behind the rest."""
    prose = [f"<p>{' '.join(random.sample(PROSE, 3))}</p>" for _ in range(2)]
    scripts = "".join(f'<script type="application/ld+json">{json.dumps(one)}</script>' for one in page.stated)
    return (
        f"<html><head><title>{page.title} | Shelf</title>{scripts}</head><body><nav><a href='/'>Home</a></nav>"
        f"<main><h1>{page.title}</h1>{prose[0]}{page.body}{prose[1]}</main></body></html>"
    )


def _product(name: str, random: Random, *, is_rated: bool = True) -> dict[str, Any]:
    product: dict[str, Any] = {"@type": random.choice(["Product", "SoftwareApplication"]), "name": name}
    if is_rated:
        rating = {"@type": "AggregateRating", "ratingValue": f"{random.uniform(2, 5):.1f}", "ratingCount": 12}
        product["aggregateRating"] = rating
    return product


def _review(random: Random) -> dict[str, Any]:
    return {"@type": "Review", "reviewBody": random.choice(PROSE), "author": {"@type": "Person", "name": "Ines"}}


def _list(elements: Sequence[dict[str, Any]]) -> dict[str, Any]:
    listed = [{"@type": "ListItem", "position": place, "item": one} for place, one in enumerate(elements, start=1)]
    return {"@type": "ItemList", "itemListElement": listed}


def _headings(names: Sequence[str]) -> str:
    return "".join(f"<h2>{name}</h2><p>{name} is what it says, and no more.</p>" for name in names)


def versus_stated(names: Sequence[str], random: Random) -> Page:
    first, second = names[:2]
    return Page(f"{first} vs {second}", _headings(names[:2]), [_product(first, random), _product(second, random)])


def versus_table(names: Sequence[str], random: Random) -> Page:
    first, second = names[:2]
    rows = [
        ("", first, second),
        ("Price", "$9", "$12"),
        ("Licence", "MIT", "BSD"),
        ("Users", "3", str(random.randint(4, 9))),
    ]
    cells = ["".join(f"<td>{cell}</td>" for cell in row) for row in rows]
    return Page(f"{first} vs. {second}: which one?", f"<table>{''.join(f'<tr>{row}</tr>' for row in cells)}</table>")


def alternatives(names: Sequence[str], random: Random) -> Page:
    products = [_product(name, random) for name in names[1:5]]
    return Page(f"Alternatives to {names[0]}, compared", _headings(names[1:5]), [_list(products)])


def one_product(names: Sequence[str], random: Random) -> Page:
    product = {**_product(names[0], random), "review": [_review(random), _review(random)]}
    return Page(names[0], "<h2>What people say</h2>", [product])


def one_with_related(names: Sequence[str], random: Random) -> Page:
    product = {**_product(names[0], random), "review": [_review(random)]}
    return Page(f"{names[0]}: price and reviews", _headings(names[1:4]), [product, _product(names[1], random)])


def category(names: Sequence[str], random: Random) -> Page:
    return Page("Tools for notes", _headings(names[:6]), [_list([_product(name, random) for name in names[:6]])])


def variants(names: Sequence[str], random: Random) -> Page:
    sizes = [_product(f"{names[0]} {size}", random, is_rated=False) for size in ("Solo", "Team", "Large")]
    group = {**_product(names[0], random), "@type": "ProductGroup", "hasVariant": sizes}
    return Page(f"Compare the sizes of {names[0]}", _headings(["Solo", "Team", "Large"]), [group])


def menu(_names: Sequence[str], random: Random) -> Page:
    dishes = [{"@type": "MenuItem", "name": dish, "offers": {"price": 9}} for dish in ("Soup", "Bread", "Plums")]
    return Page(
        random.choice(["Our menu", "Menus compared: noon and night"]), "<p>Soup, bread, plums.</p>", [_list(dishes)]
    )


def dishes_for_sale(_names: Sequence[str], random: Random) -> Page:
    dishes = [{**_product(dish, random, is_rated=False), "offers": {"price": 9}} for dish in ("Soup", "Bread", "Plums")]
    return Page("Food to take away", "<p>Soup, bread, plums.</p>", dishes)


def videos(names: Sequence[str], _random: Random) -> Page:
    films = [{"@type": "VideoObject", "name": f"{name} in a minute", "url": "/v"} for name in names[:4]]
    return Page("Videos compared: four short ones", "<p>Four films.</p>", [_list(films)])


def colours(_names: Sequence[str], _random: Random) -> Page:
    listed = [{"@type": "ListItem", "name": colour, "url": f"/c/{colour}"} for colour in ("Moss", "Slate", "Rust")]
    return Page("Compare our colours", "<p>Three colours.</p>", [{"@type": "ItemList", "itemListElement": listed}])


def article(_names: Sequence[str], random: Random) -> Page:
    crumbs = [{"@type": "ListItem", "item": {"@id": "/", "name": name}} for name in ("Home", "Travel")]
    said = {"@type": "BlogPosting", "headline": "Two towns", "author": {"@type": "Person", "name": "Ines"}}
    path = {"@type": "BreadcrumbList", "itemListElement": crumbs}
    return Page(random.choice(["Two towns compared", "A walk by the sea"]), "", [said, path])


def recipe(_names: Sequence[str], random: Random) -> Page:
    return Page(
        "Plum cake", "<ol><li>Stone the plums.</li></ol>", [{**_product("Plum cake", random), "@type": "Recipe"}]
    )


def questions(names: Sequence[str], _random: Random) -> Page:
    asked = {"@type": "Question", "name": f"Is {names[0]} free?", "acceptedAnswer": {"@type": "Answer", "text": "No."}}
    return Page(f"Questions on {names[0]}", "<p>One question.</p>", [{"@type": "FAQPage", "mainEntity": [asked]}])


KINDS: dict[Callable[[Sequence[str], Random], Page], str | None] = {
    versus_stated: "compares",
    versus_table: "compares",
    alternatives: "compares",
    one_product: "describes",
    one_with_related: "describes",
    category: "describes",
    variants: "describes",
    menu: None,
    dishes_for_sale: None,
    videos: None,
    colours: None,
    article: None,
    recipe: None,
    questions: None,
}
"""How a page of each kind is made, and what it does with tools."""


def made_page(make: Callable[[Sequence[str], Random], Page], seed: int) -> str:
    """One page of a kind."""
    random = Random(f"{make.__name__} {seed}")
    return written(make(random.sample(NAMES, len(NAMES)), random), random)


PAGES = 22


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_a_page_claims_what_it_was_made_for(kind):
    for seed in range(PAGES):
        document = extract(html(made_page(kind, seed), f"https://shelf.example/{seed}"))
        assert isinstance(document, Document), document
        compared = document.side_by_side
        assert (None if compared is None else compared.claim) == KINDS[kind], (seed, compared)
        if KINDS[kind] == "compares":
            assert len(compared.tools) >= 2
