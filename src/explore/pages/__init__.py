"""A page is a function of a `Visit`: it asks named questions and returns the template that shows their answers."""

from dataclasses import dataclass

from verdicts.explore.pages import overviews, questions, records
from verdicts.explore.pages.lists import LISTS
from verdicts.explore.visit import Page


@dataclass(frozen=True, slots=True)
class Way:
    """A path and its page. The stem with `.json` has the same answers, the stem with `.csv` is the page `csv`."""

    path: str
    page: Page
    csv: Page | None = None

    @property
    def stem(self) -> str:
        return "/index" if self.path == "/" else self.path


WAYS: tuple[Way, ...] = (
    Way("/", overviews.home),
    Way("/seats", overviews.seats),
    Way("/prices", overviews.prices),
    Way("/changes", overviews.changes),
    Way("/nights", overviews.nights),
    Way("/doubts", overviews.doubts),
    *(Way(f"/{listing.name}", listing.page, listing.csv) for listing in LISTS),
    Way("/tools/{tool:path}", records.tool),
    Way("/takes/{take}", records.take),
    Way("/pages/{page:path}", records.comparison),
    Way("/search", records.search),
    Way("/id/{record:path}", records.by_id),
    Way("/questions", questions.index),
    Way("/questions/{name}", questions.question, questions.question_csv),
    Way("/sql", questions.sql, questions.sql_csv),
)
"""In the order of matching."""
