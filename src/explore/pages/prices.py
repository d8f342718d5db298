"""`/prices`: what tools of each category cost a month."""

from verdicts.explore.figures import ladder
from verdicts.explore.pages.visit import View, Visit

CATEGORIES_MAX = 30
"""Categories on the page, those with the most tools: with 20 marks each the page stays below 100 kB."""

DOTS_MAX = 20
"""Prices of a category that are told apart."""


def page(visit: Visit) -> View:
    dots = visit.ask("price_dots", dots=DOTS_MAX, categories=CATEGORIES_MAX)
    return View(
        "prices",
        {
            "prices": visit.ask("category_prices", limit=CATEGORIES_MAX),
            "dots": dots,
            "ladders": ladder.ladders_of(dots.rows),
            "ticks": ladder.ticks(),
            "most": CATEGORIES_MAX,
        },
    )
