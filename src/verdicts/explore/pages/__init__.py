"""A page is a function of a `Visit`: it asks named questions and returns the template that shows their answers."""

from verdicts.explore.pages import overviews, questions, record_pages
from verdicts.explore.pages.api import make_api_page
from verdicts.explore.pages.lists import LISTS
from verdicts.explore.pages.overviews import CHANGED, DOUBTFUL, NEWEST, NIGHT, OF_CATEGORY, ON_HOME, PRICES, REVIEWERS
from verdicts.explore.pages.record_pages import MENTIONED, OTHER_PAGE, REVIEW, SEARCH_PARTS, TOOL
from verdicts.explore.pages.two_tools import COMPARED, PANEL_PAGE, compare
from verdicts.explore.visit import PagePath

CATEGORY, RULE = {"category": "cheapest_tools"}, {"rule": "newest_doubts"}
PICKED = {"one": "compare_tools", "other": "compare_tools"}
"""Parameters of pages, each with a question that declares it."""

_SHOWN = (
    PagePath("/", overviews.home, "Counts, changes of the newest night, highest means.", None, {}, ON_HOME),
    PagePath(
        "/reviewers", overviews.reviewers, "How reviewers score, and where they disagree.", None, CATEGORY, REVIEWERS
    ),
    PagePath("/prices", overviews.prices, "What tools cost, by category.", None, CATEGORY, PRICES | OF_CATEGORY),
    PagePath("/changes", overviews.changes, "What changed.", None, {"since": "changed_verdicts"}, CHANGED),
    PagePath("/nights", overviews.nights, "Requests, measures of the gates, how full columns are.", None, {}, NIGHT),
    PagePath("/doubts", overviews.doubts, "What contradicts or is weak.", None, RULE, DOUBTFUL | NEWEST),
    *(
        PagePath(
            f"/{listing.name}",
            listing.page,
            f"All {listing.name}, filtered and sorted.",
            listing.csv,
            {},
            listing.parts,
        )
        for listing in LISTS
    ),
    PagePath("/tools/{tool:path}", record_pages.tool, "A tool: reviews, prices, changes, opponents.", None, {}, TOOL),
    PagePath(
        "/reviews/{review}", record_pages.review, "A review: its evidence, and where it stands.", None, {}, REVIEW
    ),
    PagePath("/pages/{page:path}", record_pages.page, "A page: its tools.", None, {}, OTHER_PAGE | PANEL_PAGE),
    PagePath(
        "/mentioned/{name:path}", record_pages.show_mentioned_tool, "A tool that pages mention.", None, {}, MENTIONED
    ),
    PagePath("/compare", compare, "Two tools side by side.", None, PICKED, COMPARED),
    PagePath(
        "/search",
        record_pages.search,
        "Tools, reviews and pages by words.",
        None,
        {"words": "search_reviews"},
        SEARCH_PARTS,
    ),
    PagePath("/id/{record:path}", record_pages.by_id, "The record that is meant."),
    PagePath("/glossary", overviews.glossary, "What the words of the pages mean."),
    PagePath("/questions", questions.index, "All named questions."),
    PagePath("/questions/{name}", questions.question, "The answer of a named question.", questions.question_csv),
    PagePath("/feed", questions.feed, "Each row that changed after a load, with removed rows; as JSON only."),
    PagePath("/sql", questions.sql, "The answer of your SELECT.", questions.sql_csv),
)

PAGE_PATHS = (
    *_SHOWN,
    *(PagePath(path, make_api_page(_SHOWN), "These paths, as OpenAPI 3.1.") for path in ("/api", "/openapi")),
)
"""In the order of matching."""
