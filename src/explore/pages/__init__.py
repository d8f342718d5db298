"""One module a page: what it asks, and which template shows it.

A page is a function of a `Visit` that returns a `View`. It registers here by its path.
"""

from verdicts.explore.pages import (
    changes,
    comparison,
    doubts,
    finding,
    home,
    nights,
    prices,
    questions,
    seats,
    sql,
    take,
    tools,
)
from verdicts.explore.pages.visit import Page

ROUTES: tuple[tuple[str, Page], ...] = (
    ("/", home.page),
    ("/tools", tools.index),
    ("/tools/{tool:path}", tools.page),
    ("/takes/{take}", take.page),
    ("/pages/{page}", comparison.page),
    ("/seats", seats.page),
    ("/prices", prices.page),
    ("/changes", changes.page),
    ("/nights", nights.page),
    ("/doubts", doubts.page),
    ("/sql", sql.page),
    ("/sql.csv", sql.csv),
    ("/search", finding.search),
    ("/id/{prefix}", finding.by_id),
    ("/questions", questions.index),
    ("/questions/{name}.csv", questions.csv),
    ("/questions/{name}", questions.page),
)
"""Path and page, in the order in which a path is compared with them."""
