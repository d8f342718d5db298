"""A page is a function of a `Visit`: it asks named questions and returns the template that shows their answers."""

from verdicts.explore.pages import overviews, questions, records
from verdicts.explore.pages.api import describing
from verdicts.explore.pages.lists import LISTS
from verdicts.explore.visit import PagePath

_SHOWN = (
    PagePath(
        "/",
        overviews.home,
        "Scores by seat, tools with the highest means, panels that split, verdicts that turned.",
        parts=overviews.HOME,
    ),
    PagePath(
        "/seats",
        overviews.seats,
        "How seats score, and where they disagree.",
        parameters={"category": "score_histogram"},
        parts=overviews.SEATS | {"complaints": "complaints"},
    ),
    PagePath(
        "/prices",
        overviews.prices,
        "What tools cost, by category.",
        parameters={"category": "cheapest_tools"},
        parts=overviews.PRICES | overviews.OF_CATEGORY,
    ),
    PagePath(
        "/changes",
        overviews.changes,
        "What changed.",
        parameters={"since": "changed_verdicts"},
        parts=overviews.CHANGED,
    ),
    PagePath(
        "/nights",
        overviews.nights,
        "Requests of each night, measures of the gates, how full columns are.",
        parts=overviews.NIGHT,
    ),
    PagePath(
        "/doubts",
        overviews.doubts,
        "What was not read, contradicts, or is weak.",
        parameters={"rule": "newest_doubts"},
        parts=overviews.DOUBTFUL | {"newest": "newest_doubts"},
    ),
    *(
        PagePath(
            f"/{one.name}",
            one.page,
            f"All {one.name}, filtered and sorted.",
            one.csv,
            parts={"rows": one.query.name, "facets": f"{one.record}_facets"},
        )
        for one in LISTS
    ),
    PagePath("/tools/{tool:path}", records.tool, "A tool: takes, prices, changes, opponents.", parts=records.TOOL),
    PagePath("/takes/{take}", records.take, "A take: its evidence, and where it stands.", parts=records.TAKE),
    PagePath(
        "/pages/{page:path}", records.comparison, "A comparison page: its two tools seat by seat.", parts=records.PAGE
    ),
    PagePath(
        "/search",
        records.search,
        "Tools and takes by words.",
        parameters={"words": "search_takes"},
        parts=records.FOUND,
    ),
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
