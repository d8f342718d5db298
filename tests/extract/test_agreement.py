"""What a page states of a tool beside what it shows: where they differ neither is taken, and both are told."""

import json

import pytest

from builders.read_documents import ComparedTool, ReadDocument, as_read
from builders.snapshots import article, html
from verdicts.extract.page import extract


def scripts(*stated: object) -> str:
    return "".join(f'<script type="application/ld+json">{json.dumps(part)}</script>' for part in stated)


def read(shown: str, *stated: object, title: str = "Heronmark vs Bittern") -> ReadDocument:
    return article(shown, title, head=scripts(*stated))


def product(price: str = "", rating: str = "", best: str | None = None) -> dict[str, object]:
    return {
        "@type": "Product",
        "name": "Heronmark",
        "description": "Keeps notes on birds.",
        "offers": {"price": price, "priceCurrency": "EUR"} if price else [],
        "aggregateRating": {"ratingValue": rating, "bestRating": best, "ratingCount": 7} if rating else [],
    }


def heronmark(document: ReadDocument) -> ComparedTool:
    return document.side_by_side.tools[0]


def rules(document: ReadDocument) -> list[str]:
    return [doubt.rule for doubt in document.doubts]


@pytest.mark.parametrize(
    ("price", "shown"),
    [
        ("24.99", "<h2>Heronmark</h2><p>€24.99 a month</p>"),
        ("24.99", "<h2>Heronmark</h2><p>24,99 € im Monat</p>"),
        ("24.9", "<h2>Heronmark</h2><p>€24.90</p>"),
        ("1299.00", "<h2>Heronmark</h2><p>1.299,00 €</p>"),
        ("1299", "<h2>Heronmark</h2><p>€1,299</p>"),
        ("1299", "<h2>Heronmark</h2><p>1 299 €</p>"),
        ("0", "<h2>Heronmark</h2><p>Kostenlos</p>"),
        ("20", "<h2>Heronmark</h2><p>€20</p><h2>Bittern</h2><p>€25</p>"),
        ("20", "<h2>Heronmark</h2><p>was €30, now €20</p>"),
    ],
)
def test_a_stated_price_that_the_page_shows_is_taken(price, shown):
    document = read(shown, product(price))
    assert (heronmark(document).price, rules(document)) == (f"{price} EUR", [])


@pytest.mark.parametrize(
    ("price", "shown"),
    [
        ("24990", "<h2>Heronmark</h2><p>€24.99 a month</p>"),
        ("2499", "<h2>Heronmark</h2><p>24,99 €</p>"),
        ("20", "<h2>Bittern</h2><p>free of charge</p><h2>Heronmark</h2><p>€25</p>"),
        ("5", "<h2>Heronmark</h2><p>It is €25 and has 3.5/5 of many</p>"),
    ],
)
def test_a_price_that_is_shown_otherwise_is_not_taken(price, shown):
    document = read(shown, product(price))
    (doubt,) = document.doubts
    assert (heronmark(document).price, doubt.rule) == (None, "price_differs")
    assert f"{price} EUR" in doubt.expected
    assert "€" in doubt.found


@pytest.mark.parametrize("shown", ["", "<h2>Bittern</h2><p>€25</p>"])
def test_a_price_that_the_page_shows_nowhere_is_kept_and_told(shown):
    document = read(shown, product("24.99"))
    assert (heronmark(document).price, rules(document)) == ("24.99 EUR", ["price_not_shown"])


@pytest.mark.parametrize(
    ("rating", "best", "shown"),
    [
        ("4.6", "5", "4.6/5"),
        ("4.5625", None, "4.6 out of 5"),
        ("4.9764705882353", None, "4,9 von 5"),
        ("92%", None, "9.2/10"),
        ("9.2", "10", "4.6 / 5"),
        ("4.6", "5", "Ines gave it 5/5 and Tomas 2/5"),
        ("4.6", "5", "version 3.2 of 2026"),
    ],
)
def test_a_rating_that_is_shown_rounded_or_on_another_scale_is_taken(rating, best, shown):
    document = read(f"<h2>Heronmark</h2><p>{shown}</p><h2>Bittern</h2><p>1.5/5</p>", product(rating=rating, best=best))
    assert (heronmark(document).rating, rules(document)) == (rating, [])


def test_a_tool_that_the_page_does_not_show_is_kept():
    page = f"<h1>A product</h1><p>{'It is kept for a season. ' * 20}</p>{scripts(product('20', '4.1'))}"
    document = as_read(extract(html(page, "https://shelf.example/t/heronmark")))
    assert (heronmark(document).price, heronmark(document).rating) == ("20 EUR", "4.1")
    assert rules(document) == ["price_not_shown"]


def test_a_rating_that_is_shown_otherwise_is_not_taken():
    document = read("<h2>Heronmark</h2><p>Rated 3.9/5 by 7 people</p>", product(rating="4.8", best="5"))
    tool = heronmark(document)
    assert (tool.rating, tool.rating_best, tool.ratings) == (None, None, None)
    (doubt,) = document.doubts
    assert (doubt.rule, "4.8" in doubt.expected, "3.9/5" in doubt.found) == ("rating_differs", True, True)


@pytest.mark.parametrize(
    ("shown", "one", "other", "taken", "doubts"),
    [
        ("€20 or €30", ("20", "4.1"), ("30.00", "4.7"), (None, None), ["statements_differ"] * 2),
        ("€20", ("20", "4.10"), ("20.00", "4.1"), ("20 EUR", "4.10"), []),
    ],
)
def test_two_statements_that_differ_leave_none_and_one_value_written_otherwise_is_one(shown, one, other, taken, doubts):
    document = read(f"<p>{shown}</p>", product(*one), product(*other))
    assert (heronmark(document).price, heronmark(document).rating) == taken
    assert rules(document) == doubts


def test_a_name_within_a_longer_one_is_no_mention_of_it():
    stated = {**product("20"), "name": "Bittern Heronmark"}
    title = "Bittern Heronmark vs Heronmark"
    document = read("<p>Bittern Heronmark costs €77 a month.</p>", stated, title=title)
    assert [tool.price for tool in document.side_by_side.tools] == [None, None]
    assert rules(document) == ["price_differs"]
