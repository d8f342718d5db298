"""What pages of other sites say beside the tools that they mention: texts, values, facts, tables, reviews."""

from typing import Annotated

from verdicts.corpus.columns import COUNT, Between, Id, NotEmpty, References
from verdicts.corpus.declare import JoinedReference, Row, table
from verdicts.corpus.enumerations import (
    Billing,
    ComparisonKind,
    FactKind,
    GridReason,
    NameEvidence,
    NamesIn,
    Period,
)


@table("documents", schema="outside", key=("page_id",))
class DocumentRow(Row, frozen=True):
    """The main text of a page that is no comparison by a panel."""

    page_id: Annotated[str, Id(), References("pages"), "Page (pages.page_id)."]
    text: Annotated[str, "Main text without navigation and boilerplate. Line feeds separate paragraphs."]


@table(
    "comparison_rows",
    schema="outside",
    key=("page_id", "attribute_number", "tool_number"),
    joined_references=(
        JoinedReference(("page_id", "tool_number"), "mentions", ("page_id", "tool_number"), "kind = 'attribute'"),
    ),
)
class ComparisonRow(Row, frozen=True):
    """A value in a comparison of another site: one attribute of one tool, or the answer to a question about all."""

    page_id: Annotated[str, Id(), References("pages"), "Page (pages.page_id)."]
    attribute_number: Annotated[int, COUNT, "Number of the attribute or question on the page, from 0."]
    tool_number: Annotated[int, COUNT, "Tool (mentions.tool_number); 0 for an answer to a question."]
    kind: Annotated[ComparisonKind, "attribute: a property of one tool. question: a question about all tools."]
    attribute: Annotated[str, NotEmpty(), "Name of the attribute, or the question, as published."]
    value: Annotated[str, NotEmpty(), "Value or answer as published. An empty cell has no row."]
    section: Annotated[str | None, "Title above the attribute, within the table. NULL: no title."]
    grid_number: Annotated[
        int | None,
        COUNT,
        "Table that holds it (outside.compared_grids.grid_number). NULL: it is from a tool's section or a statement.",
    ]


@table(
    "comparison_facts",
    schema="outside",
    key=("page_id", "attribute_number", "tool_number", "fact_number"),
    joined_references=(
        JoinedReference(
            ("page_id", "attribute_number", "tool_number"),
            "comparison_rows",
            ("page_id", "attribute_number", "tool_number"),
            "attribute IS NOT NULL",
        ),
    ),
)
class ComparisonFactRow(Row, frozen=True):
    """A fact that a value on a page of another site states, as a number or a known word.

    A value with a number that could not be read completely has no row here; rejects has one.
    """

    page_id: Annotated[str, Id(), References("pages"), "Page (pages.page_id)."]
    attribute_number: Annotated[
        int, COUNT, "Attribute (outside.comparison_rows.attribute_number); behind these for a price without a label."
    ]
    tool_number: Annotated[int, COUNT, "Tool (mentions.tool_number)."]
    fact_number: Annotated[int, COUNT, "Number of the fact in the value, from 0."]
    attribute: Annotated[
        str | None,
        "Name of the attribute, as in comparison_rows. NULL: the tool's price (mentions.price), which stands "
        "without a label, as $9/mo beside the name.",
    ]
    kind: Annotated[
        FactKind,
        "What it is: a price, whether there is a free plan, a rating, a platform, a licence, the year of the launch.",
    ]
    number: Annotated[
        float | None,
        Between(0),
        "price: amount in currency for one unit and one period; 0: free. rating: the rating. launched: the year. NULL: "
        "another kind, or a price with only an upper bound.",
    ]
    number_max: Annotated[
        float | None,
        Between(0),
        "price: upper end of a range. rating: best possible rating. NULL: another kind, or not stated.",
    ]
    word: Annotated[
        str | None,
        "price: name of the plan. platform: web, windows, macos, linux, ios, android, browser_extension, command_line, "
        "api, editor, self_hosted. license: its name. NULL: another kind, or not stated.",
    ]
    is_true: Annotated[bool | None, "free_plan: whether there is one. price: whether it is free. NULL: another kind."]
    currency: Annotated[str | None, "Currency of a price, ISO 4217. NULL: not printed."]
    period: Annotated[Period | None, "Time that the amount pays for. NULL: once, by use, or not stated."]
    unit: Annotated[str | None, "What one amount pays for beside the time: seat, user. NULL: not stated."]
    billing: Annotated[Billing | None, "How the amount is charged. NULL: not stated."]


@table("compared_grids", schema="outside", key=("page_id", "grid_number"))
class ComparedGridRow(Row, frozen=True):
    """A data table on a page of another site that compares tools or claims to, whether it was read or not."""

    page_id: Annotated[str, Id(), References("pages"), "Page (pages.page_id)."]
    grid_number: Annotated[int, COUNT, "Number of the table on the page, from 0."]
    caption: Annotated[str | None, "Caption as published. NULL: no caption."]
    reason: Annotated[
        GridReason,
        "Why it was read: names_known (its heads are tools that the title or sections name), names_found (the evidence "
        "shows which cells name tools). Or why not: no_names (no row or column can be names), plans (of one product), "
        "few_points (too little evidence), both_ways (equal evidence for rows and columns), no_product_attributes (no "
        "attribute is one of products), other_tools (at most one of the page's tools heads it, or tools head both its "
        "rows and its columns).",
    ]
    names_in: Annotated[NamesIn | None, "Whether each tool has a column or a row. NULL: the table was not read."]
    points: Annotated[int, COUNT, "Points of the evidence for the names; without other evidence, 5 are needed."]
    evidence: Annotated[
        tuple[NameEvidence, ...],
        "Evidence for the names: headings, stated (products), links, corner, attributes, types.",
    ]
    left_over: Annotated[tuple[str, ...], "Texts of a table that was read that belong to no tool."]
    cells: Annotated[str | None, "Text of each cell, JSON lists of rows. NULL: more than 2,000 cells."]


@table(
    "outside_reviews",
    schema="outside",
    key=("page_id", "review_number"),
    joined_references=(
        JoinedReference(("page_id", "tool_number"), "mentions", ("page_id", "tool_number"), "tool_number IS NOT NULL"),
    ),
)
class ExternalReviewRow(Row, frozen=True):
    """One appearance of a review on a page of another site.

    Rows with the same review_id are one review; distinct_outside_reviews has it once.
    """

    page_id: Annotated[str, Id(), References("pages"), "Page (pages.page_id)."]
    review_number: Annotated[int, COUNT, "Number of the review on the page, from 0."]
    tool_number: Annotated[int | None, COUNT, "Tool (mentions.tool_number). NULL: the page does not name it."]
    author: Annotated[str | None, "Author as published. NULL: not stated."]
    rating: Annotated[
        float | None,
        Between(0),
        "Rating, on a scale up to rating_best. NULL: not stated, or not one number on that scale: then rejects has a "
        "row with the reason broken_rating.",
    ]
    rating_best: Annotated[
        float | None,
        Between(0),
        "Best possible rating, stated by itself or in the rating (8.5/10, 85%). NULL: not stated (schema.org then "
        "means 5), or not a number: then rejects has a row with the reason broken_rating_best.",
    ]
    published_date: Annotated[str | None, "Date as published. NULL: not stated."]
    text: Annotated[str, NotEmpty(), "The review as published."]
    review_id: Annotated[
        str | None,
        Id(),
        "Id of the review, 32 hex digits: the same for the same author, text, tool name and rating. Many people may "
        "write a text shorter than 120 letters and digits: without an author it has an id of its own on each page. "
        "NULL: loaded before there were ids; the next build adds them.",
    ]
