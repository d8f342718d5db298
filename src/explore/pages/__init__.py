"""A page is a function of a `Visit`: it asks named questions and returns the template that shows their answers."""

from verdicts.explore.pages import overviews, questions, records
from verdicts.explore.visit import Page

ROUTES: tuple[tuple[str, Page], ...] = (
    ("/", overviews.home),
    ("/seats", overviews.seats),
    ("/prices", overviews.prices),
    ("/changes", overviews.changes),
    ("/nights", overviews.nights),
    ("/doubts", overviews.doubts),
    ("/tools", records.tools),
    ("/tools/{tool:path}", records.tool),
    ("/takes/{take}", records.take),
    ("/pages/{page:path}", records.comparison),
    ("/search", records.search),
    ("/id/{prefix}", records.by_id),
    ("/questions", questions.index),
    ("/questions/{name}.csv", questions.question_csv),
    ("/questions/{name}", questions.question),
    ("/sql", questions.sql),
    ("/sql.csv", questions.sql_csv),
)
"""Path and page, in the order of matching."""
