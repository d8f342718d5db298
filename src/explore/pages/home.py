"""`/`: what the panels say."""

from verdicts.explore.figures.histogram import histogram_of
from verdicts.explore.pages.visit import View, Visit

ROWS = 8
"""Rows of each table; the pages behind them have the rest."""


def page(visit: Visit) -> View:
    seats = visit.ask("score_histogram")
    return View(
        "home",
        {
            "corpus": visit.ask("corpus_counts"),
            "top": visit.ask("top_tools", limit=ROWS),
            "split": visit.ask("split_panels", limit=ROWS),
            "turned": visit.ask("changed_verdicts", limit=ROWS),
            "seats": seats,
            "histogram": histogram_of(seats.rows),
        },
    )
