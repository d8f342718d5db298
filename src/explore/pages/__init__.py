"""A page is a function of a `Visit`: it asks named questions and returns the template that shows their answers."""

from verdicts.explore.pages import overviews, questions, records
from verdicts.explore.pages.api import describing
from verdicts.explore.pages.lists import LISTS
from verdicts.explore.visit import PagePath

_SHOWN = (
    PagePath(
        "/", overviews.home, "Scores by seat, tools with the highest means, panels that split, verdicts that turned."
    ),
    PagePath(
        "/seats", overviews.seats, "How seats score, and where they disagree.", None, {"category": "score_histogram"}
    ),
    PagePath("/prices", overviews.prices, "What tools cost, by category.", None, {"category": "cheapest_tools"}),
    PagePath("/changes", overviews.changes, "What changed.", None, {"since": "changed_verdicts"}),
    PagePath("/nights", overviews.nights, "Requests of each night, measures of the gates, how full columns are."),
    PagePath(
        "/doubts", overviews.doubts, "What was not read, contradicts, or is weak.", None, {"rule": "newest_doubts"}
    ),
    *(PagePath(f"/{one.name}", one.page, f"All {one.name}, filtered and sorted.", one.csv) for one in LISTS),
    PagePath("/tools/{tool:path}", records.tool, "A tool: takes, prices, changes, opponents."),
    PagePath("/takes/{take}", records.take, "A take: its evidence, and where it stands."),
    PagePath("/pages/{page:path}", records.comparison, "A comparison page: its two tools seat by seat."),
    PagePath("/search", records.search, "Tools and takes by words.", None, {"words": "search_takes"}),
    PagePath("/id/{record:path}", records.by_id, "The record that is meant."),
    PagePath("/questions", questions.index, "All named questions."),
    PagePath("/questions/{name}", questions.question, "The answer of a named question.", questions.question_csv),
    PagePath("/sql", questions.sql, "The answer of your SELECT.", questions.sql_csv),
)

PAGE_PATHS = (
    *_SHOWN,
    *(PagePath(path, describing(_SHOWN), "These paths, as OpenAPI 3.1.") for path in ("/api", "/openapi")),
)
"""In the order of matching."""
