"""Pages that no panel judges: documents, and what they compare."""

from datetime import datetime
from typing import Annotated

from verdicts.corpus.columns import COUNT, Between, Id, NotEmpty, References
from verdicts.corpus.declare import SEEN, JoinedReference, Row, table
from verdicts.corpus.enumerations import (
    Billing,
    Claim,
    ComparisonKind,
    FactKind,
    GridReason,
    NameEvidence,
    NamesIn,
    Period,
    Reader,
)


@table("documents", key=("url",), in_order=(SEEN,))
class DocumentRow(Row, frozen=True):
    """A crawled page that no panel judges: tool pages, news, articles, and comparisons of other sites."""

    url: Annotated[str, NotEmpty(), "Address of the page; urn:sha256:... for a file that came without one."]
    host: Annotated[str | None, "Host of the address, lower case. NULL: no address."]
    title: Annotated[str | None, "Title as published. NULL: none found."]
    author: Annotated[str | None, "Author as published. NULL: none found."]
    published_on: Annotated[str | None, "Date of publication as the page states it, ISO 8601. NULL: not stated."]
    text: Annotated[str, "Main text without navigation and boilerplate, paragraphs parted by line feeds."]
    reader: Annotated[
        Reader,
        "Who claimed the page. schema_org, table, sections, recipe: it compares or describes tools, see claim; recipe: "
        "a person said where on the pages of its host they stand. main_text: nobody, its text is kept.",
    ]
    claim: Annotated[
        Claim | None,
        "What the page does with the tools it names. compares: sets two or more side by side (compared_tools). "
        "describes: tells of each by itself, as the page of one product with its reviews does (described_tools). NULL: "
        "it names none.",
    ]
    first_seen_at: Annotated[datetime, "When the oldest snapshot whose content was read was fetched."]
    last_seen_at: Annotated[datetime, "When the newest snapshot whose content was read was fetched."]


@table("compared_tools", key=("url", "position"))
class ComparedToolRow(Row, frozen=True):
    """A tool that a page of any other site sets beside another one, however the page names it.

    No tool_id: names alone are no identity; product_candidates says which tool of the panel it may be.
    """

    url: Annotated[str, NotEmpty(), References("documents"), "Page it stands on (documents.url)."]
    position: Annotated[int, COUNT, "Place among the tools of the page, from 0."]
    name: Annotated[str, NotEmpty(), "Name as published."]
    tool_url: Annotated[str | None, "Address that the page gives for the tool. NULL: none."]
    description: Annotated[str | None, "Description as published. NULL: none."]
    category: Annotated[str | None, "Category as published. NULL: none."]
    price: Annotated[str | None, "Price as published, amount and currency. NULL: none."]
    rating: Annotated[
        float | None,
        Between(0),
        "Mean rating, on the scale that ends at rating_best. NULL: none, or not one number on that scale: then rejects "
        "has a row of the reason broken_rating.",
    ]
    rating_best: Annotated[
        float | None,
        Between(0),
        "The best rating there can be, stated apart or in the rating (8.5/10, 85%). NULL: not stated (schema.org then "
        "means 5), or no number: then rejects has a row of the reason broken_rating_best.",
    ]
    ratings: Annotated[
        int | None,
        COUNT,
        "Ratings or reviews behind the mean. NULL: not stated, or not exactly (1.2k, 350+): then rejects has a row of "
        "the reason broken_ratings.",
    ]
    rank: Annotated[int | None, COUNT, "The number that its heading has in a list. NULL: none."]
    best_for: Annotated[str | None, "What the page says it is best for, as published. NULL: nothing."]


@table("described_tools", key=("url", "position"))
class DescribedToolRow(ComparedToolRow, frozen=True):
    """A tool that a page of any other site tells of by itself, as that of a product with its reviews does."""


@table(
    "comparison_rows",
    key=("url", "position", "tool_position"),
    joined_references=(
        JoinedReference(("url", "tool_position"), "compared_tools", ("url", "position"), "kind = 'attribute'"),
    ),
)
class ComparisonRow(Row, frozen=True):
    """A value in a comparison of any other site: one attribute of one tool, or the answer to a question about all."""

    url: Annotated[str, NotEmpty(), References("documents"), "Page it stands on (documents.url)."]
    position: Annotated[int, COUNT, "Place of the attribute or question on the page, from 0."]
    tool_position: Annotated[int, COUNT, "The tool (compared_tools.position); 0 for the answer to a question."]
    kind: Annotated[ComparisonKind, "attribute: of one tool. question: asked and answered for all."]
    attribute: Annotated[str, NotEmpty(), "Name of the attribute, or the question, as published."]
    value: Annotated[str, NotEmpty(), "Value or answer as published. An empty cell has no row."]
    section: Annotated[str | None, "Title within the table that the attribute stands below. NULL: none."]
    grid: Annotated[
        int | None,
        COUNT,
        "The table it was read from (compared_grids.position). NULL: the section of a tool, a statement.",
    ]


@table(
    "comparison_facts",
    key=("url", "position", "tool_position", "fact_position"),
    joined_references=(
        JoinedReference(
            ("url", "position", "tool_position"),
            "comparison_rows",
            ("url", "position", "tool_position"),
            "kind IS NOT NULL",
        ),
    ),
)
class ComparisonFactRow(Row, frozen=True):
    """What a value in a comparison of any other site says in numbers and known words.

    A value of such an attribute that holds a number and cannot be read whole has no row here and one in rejects.
    """

    url: Annotated[str, NotEmpty(), References("documents"), "Page it stands on (documents.url)."]
    position: Annotated[int, COUNT, "The attribute (comparison_rows.position)."]
    tool_position: Annotated[int, COUNT, "The tool (compared_tools.position)."]
    fact_position: Annotated[int, COUNT, "Place among the facts of the value, from 0."]
    kind: Annotated[
        FactKind,
        "What it is: a price, whether there is a free plan, a rating, a platform, a licence, the year of the launch.",
    ]
    number: Annotated[
        float | None,
        Between(0),
        "price: amount in currency for one unit and one period, 0 for a free one. rating: the rating. launched: the "
        "year. NULL: the other kinds, and a price with an upper bound alone.",
    ]
    number_max: Annotated[
        float | None,
        Between(0),
        "price: the upper end of a range. rating: the best there can be, where it is stated. NULL: neither.",
    ]
    word: Annotated[
        str | None,
        "price: name of the plan. platform: web, windows, macos, linux, ios, android, browser_extension, command_line, "
        "api, editor, self_hosted. license: its name. NULL: none.",
    ]
    is_true: Annotated[bool | None, "free_plan: whether there is one. price: whether it is free. NULL: other kinds."]
    currency: Annotated[str | None, "Currency of a price, ISO 4217. NULL: none is printed."]
    period: Annotated[Period | None, "Time that the amount pays for. NULL: once, by use, or not stated."]
    unit: Annotated[str | None, "What one amount pays for beside the time: seat, user. NULL: not named."]
    billing: Annotated[Billing | None, "How the amount is asked for, where that is said. NULL: not said."]


@table("compared_grids", key=("url", "position"))
class ComparedGridRow(Row, frozen=True):
    """A table of data on a page of any other site that compares tools, or says that it does; read or not."""

    url: Annotated[str, NotEmpty(), References("documents"), "Page it stands on (documents.url)."]
    position: Annotated[int, COUNT, "Place among the tables of the page, from 0."]
    caption: Annotated[str | None, "Caption as published. NULL: none."]
    reason: Annotated[
        GridReason,
        "Why it was read: names_known (its heads are tools that the title or sections name), names_found (the evidence "
        "settles which cells name tools). Or why not: no_names (no line of it can be names), plans (of one product), "
        "few_points, both_ways (as much speaks for rows as for columns), no_product_attributes, other_tools (at most "
        "one of the page's tools heads it, or its rows and its columns both do).",
    ]
    names_in: Annotated[NamesIn | None, "Whether each tool has a column or a row. NULL: the table was not read."]
    points: Annotated[int, COUNT, "Points of the evidence for the names in it; 5 are needed where nothing else says."]
    evidence: Annotated[
        tuple[NameEvidence, ...],
        "What speaks for them: headings, stated (products), links, corner, attributes, types.",
    ]
    left_over: Annotated[tuple[str, ...], "Texts of a table that was read which belong to none of its tools."]
    cells: Annotated[str | None, "The text of each place, JSON lists of rows. NULL: more than 2,000 places."]


@table(
    "outside_reviews",
    key=("url", "position"),
    joined_references=(
        JoinedReference(("url", "tool_position"), "compared_tools", ("url", "position"), "tool_claim = 'compares'"),
        JoinedReference(("url", "tool_position"), "described_tools", ("url", "position"), "tool_claim = 'describes'"),
    ),
)
class ExternalReviewRow(Row, frozen=True):
    """A review that a page of any other site states of a tool: one appearance of it.

    Those with one review_id are one review, which distinct_outside_reviews has once.
    """

    url: Annotated[str, NotEmpty(), References("documents"), "Page it stands on (documents.url)."]
    position: Annotated[int, COUNT, "Place among the reviews of the page, from 0."]
    tool_position: Annotated[
        int | None,
        COUNT,
        "The tool (position in compared_tools or described_tools, see tool_claim). NULL: the page does not say whose.",
    ]
    author: Annotated[str | None, "Author as published. NULL: none."]
    rating: Annotated[
        float | None,
        Between(0),
        "Rating, on the scale that ends at rating_best. NULL: none, or not one number on that scale: then rejects "
        "has a row of the reason broken_rating.",
    ]
    rating_best: Annotated[
        float | None,
        Between(0),
        "The best rating there can be, stated apart or in the rating (8.5/10, 85%). NULL: not stated (schema.org then "
        "means 5), or no number: then rejects has a row of the reason broken_rating_best.",
    ]
    published_on: Annotated[str | None, "Date as published. NULL: none."]
    text: Annotated[str, NotEmpty(), "The review, words as published."]
    review_id: Annotated[
        str | None,
        Id(),
        "Id of the review, 32 hex digits: the same wherever one author says the same of a tool of one name with one "
        "rating. Of a text without an author and shorter than 120 letters and digits, which many may write, its own "
        "for each place. NULL: loaded before there were ids; the next build gives them.",
    ]
    tool_claim: Annotated[
        Claim | None,
        "Where the tool is. compares: compared_tools. describes: described_tools. NULL: tool_position is.",
    ]
