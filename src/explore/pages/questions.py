"""`/questions`: all named questions, by topic; one with its form, its picture and its table; its answer as CSV."""

from verdicts.explore.asking import ask, csv_of
from verdicts.explore.figures.picture import drawn
from verdicts.explore.pages.visit import Download, NotThere, View, Visit
from verdicts.warehouse.serving.named_queries import TOPICS, Query, list_queries, queries_by_topic

ROWS_SHOWN = 200
"""Rows of an answer on its page."""


def index(_: Visit) -> View:
    return View("questions", {"topics": queries_by_topic(), "headings": TOPICS})


def page(visit: Visit) -> View:
    query = _named(visit)
    asked = ask(visit.copy, query.name, visit.values, ROWS_SHOWN)
    picture = drawn(query.picture, asked.rows)
    return View("question", {"asked": asked, "query": query, "picture": picture, "heading": TOPICS[query.topic]})


def csv(visit: Visit) -> Download:
    """Raises Refused, QuestionFailed."""
    visit.refuse_others()
    query = _named(visit)
    return Download(f"{query.name}.csv", "text/csv", csv_of(visit.copy, query.name, dict(visit.values)))


def _named(visit: Visit) -> Query:
    name = visit.path["name"]
    for query in list_queries():
        if query.name == name:
            return query
    raise NotThere(f"No question is called {name}.")
