"""`/seats`: who scores how, and who disagrees with whom."""

from verdicts.explore.figures.heatmap import heatmap_of
from verdicts.explore.figures.histogram import histogram_of
from verdicts.explore.pages.visit import View, Visit

SEATS_MAX = 12
"""Seats that are set side by side, those with the most takes; the site has six."""


def page(visit: Visit) -> View:
    category = visit.values.get("category")
    leanings = visit.ask("seat_leanings", limit=SEATS_MAX)
    bins = visit.ask("score_histogram", category=category)
    pairs = visit.ask("seats_that_disagree", category=category)
    seats = [row["seat"] for row in leanings.rows]
    return View(
        "seats",
        {
            "category": category,
            "categories": visit.ask("categories"),
            "bins": bins,
            "histogram": histogram_of([row for row in bins.rows if row["seat"] in seats]),
            "pairs": pairs,
            "heatmap": heatmap_of(seats, pairs.rows),
            "leanings": leanings,
        },
    )
