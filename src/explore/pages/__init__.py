"""One module a page: what it asks, and which template shows it.

A page is a function of a `Visit` that returns a `View`. It registers here by its path.
"""

from explore.pages import home, questions
from explore.pages.visit import Page

ROUTES: tuple[tuple[str, Page], ...] = (
    ("/", home.page),
    ("/questions", questions.index),
    ("/questions/{name}.csv", questions.csv),
    ("/questions/{name}", questions.page),
)
"""Path and page, in the order in which a path is compared with them."""
