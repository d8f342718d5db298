"""What compares and what describes are told apart on pages of fourteen kinds; a menu is neither."""

import json

import pytest

from builders.snapshots import html
from verdicts.extract.model.records import Document
from verdicts.extract.page import extract

PROSE = "<p>We kept it open for a week beside our own work and wrote down what it did and what it forgot.</p>" * 3
REVIEW = {"@type": "Review", "reviewBody": "It begins quickly, and then slows.", "author": {"name": "Ines"}}


def product(name, kind="Product", **more):
    return {"@type": kind, "name": name, **more}


def rate(name, kind="Product", **more):
    return product(name, kind, aggregateRating={"ratingValue": "4.1", "ratingCount": 12}, **more)


def list_items(*elements):
    items = [{"@type": "ListItem", "position": place, "item": one} for place, one in enumerate(elements, start=1)]
    return {"@type": "ItemList", "itemListElement": items}


def headings(*names):
    return "".join(f"<h2>{name}</h2><p>{name} is what it says, and no more.</p>" for name in names)


TABLE = "".join(
    f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>"
    for row in (("", "Heronmark", "Bittern"), ("Price", "$9", "$12"), ("Licence", "MIT", "BSD"), ("Users", "3", "7"))
)
TWO = ("Heronmark", "Bittern")
FOUR = ("Reedling", "Kittiwake", "Dunlin", "Whimbrel")
SIZES = ("Solo", "Team", "Large")
FOOD = ("Soup", "Bread", "Plums")
DISHES = [product(dish, "MenuItem", offers={"price": 9}) for dish in FOOD]
COLOURS = [{"@type": "ListItem", "name": colour, "url": f"/c/{colour}"} for colour in ("Moss", "Slate", "Rust")]
CRUMBS = [{"@type": "ListItem", "item": {"@id": "/", "name": name}} for name in ("Home", "Travel")]
ARTICLE = [product("Two towns", "BlogPosting"), {"@type": "BreadcrumbList", "itemListElement": CRUMBS}]
ANSWER = {"@type": "Answer", "text": "No."}
QUESTION = product("Is Heronmark free?", "Question", acceptedAnswer=ANSWER)
GROUP = rate("Heronmark", "ProductGroup", hasVariant=[product(f"Heronmark {size}") for size in SIZES])

# A page's title, what it holds beside prose, its statements, and what it does with tools.
KINDS = [
    ("Heronmark vs Bittern", headings(*TWO), [*map(rate, TWO)], "compares"),
    ("Heronmark vs. Bittern: which one?", f"<table>{TABLE}</table>", [], "compares"),
    ("Alternatives to Heronmark, compared", headings(*FOUR), [list_items(*map(rate, FOUR))], "compares"),
    ("Heronmark", "<h2>What people say</h2>", [rate("Heronmark", review=[REVIEW, REVIEW])], "describes"),
    ("Heronmark: price", headings(*FOUR), [rate("Heronmark", review=[REVIEW]), rate("Dunlin")], "describes"),
    ("Tools for notes", headings(*TWO, *FOUR), [list_items(*map(rate, (*TWO, *FOUR)))], "describes"),
    ("Compare the sizes of Heronmark", headings(*SIZES), [GROUP], "describes"),
    ("Heronmark, a lamp", "<p>It glows.</p>", [product("Heronmark", offers={"price": 9})], "describes"),
    ("Our menu", "<p>Soup, bread, plums.</p>", [list_items(*DISHES)], None),
    ("Menus compared: noon and night", "<p>Soup, bread, plums.</p>", [list_items(*DISHES)], None),
    ("Food to take away", "<p>Soup, bread.</p>", [product(dish, offers={"price": 9}) for dish in FOOD], None),
    (
        "Videos compared",
        "<p>Films.</p>",
        [list_items(*(product(f"{n} film", "VideoObject", url="/v") for n in FOUR))],
        None,
    ),
    ("Compare our colours", "<p>Three.</p>", [{"@type": "ItemList", "itemListElement": COLOURS}], None),
    ("Two towns compared", "", ARTICLE, None),
    ("A walk by the sea", "", ARTICLE, None),
    ("Plum cake", "<ol><li>Stone the plums.</li></ol>", [rate("Plum cake", "Recipe")], None),
    ("Questions on Heronmark", "<p>One.</p>", [{"@type": "FAQPage", "mainEntity": [QUESTION]}], None),
]


@pytest.mark.parametrize("kind", ["Product", "SoftwareApplication"])
@pytest.mark.parametrize(("title", "body", "stated", "claim"), KINDS, ids=[title for title, *_ in KINDS])
def test_a_page_claims_what_it_was_made_for(title, body, stated, claim, kind):
    said = [json.dumps(one).replace('"Product"', f'"{kind}"') for one in stated]
    scripts = "".join(f'<script type="application/ld+json">{one}</script>' for one in said)
    document = extract(
        html(
            f"<html><head><title>{title} | Shelf</title>{scripts}</head><body>"
            f"<nav><a href='/'>Home</a></nav><main><h1>{title}</h1>{PROSE}{body}{PROSE}</main></body></html>",
            "https://shelf.example/page",
        )
    )
    assert isinstance(document, Document), document
    compared = document.side_by_side
    assert (None if compared is None else compared.claim) == claim
    assert claim != "compares" or len(compared.tools) >= 2
