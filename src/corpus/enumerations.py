"""The closed sets of words that columns may hold, each declared once. What a site calls them is in its profile."""

from typing import Literal, TypeAlias, get_args

Side: TypeAlias = Literal["a", "b"]
"""The tool a page shows first, and the one it shows second."""
SIDES: tuple[Side, Side] = ("a", "b")

Verdict: TypeAlias = Literal["ship", "mixed", "skip"]
"""What a panel as a whole says of a tool."""
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)

TakeVerdict: TypeAlias = Literal["ship", "skip"]
"""What one reviewer says."""
TAKE_VERDICTS: tuple[TakeVerdict, ...] = get_args(TakeVerdict)

Seat: TypeAlias = Literal["Builder", "Skeptic", "Futurist", "PM", "Founder", "Creator"]
SEATS: tuple[Seat, ...] = get_args(Seat)
"""Seats seen on panels, in the order of their rows (where Creator's row stands was never seen). Others are kept too."""

Attribution: TypeAlias = Literal["observed", "matched", "intersected", "excluded", "ordered"]
"""How it is known which tool a take is about, strongest evidence first."""
ATTRIBUTIONS: tuple[Attribution, ...] = get_args(Attribution)

Entry: TypeAlias = Literal["Free", "Paid"]
"""What it takes to start with a tool. Other words are kept as published."""

PriceKind: TypeAlias = Literal["free", "open_source", "paid", "usage", "enterprise", "other"]
"""What sort of tier a pricing string names."""

Period: TypeAlias = Literal["month", "quarter", "year", "week", "day", "hour"]
"""The time a price pays for."""

Billing: TypeAlias = Literal["monthly", "quarterly", "annually", "once"]
"""How a price is asked for, where that is said beside its period."""

SeatSource: TypeAlias = Literal["label", "row_order"]
Match: TypeAlias = Literal["exact", "near", "prefix"]
Rendering: TypeAlias = Literal["html", "innertext", "quotes"]
Reader: TypeAlias = Literal["main_text", "schema_org", "table", "sections", "recipe"]
Claim: TypeAlias = Literal["compares", "describes"]
"""What a page does with the tools it names: sets two or more side by side, or tells of each by itself."""

NamesIn: TypeAlias = Literal["columns", "rows"]
"""Whether each tool of a table has a column or a row of its own."""

NameEvidence: TypeAlias = Literal["headings", "stated", "links", "corner", "attributes", "types"]
"""What says that cells of a table name tools: half of them stand in the title or headings, or are stated products; half
lead to places of their own; the corner says what they are; half of what stands across is what is said of products; a
line across is all prices, all numbers or all yes and no.
"""

GridReason: TypeAlias = Literal[
    "names_known",
    "names_found",
    "no_names",
    "plans",
    "few_points",
    "both_ways",
    "no_product_attributes",
    "other_tools",
]
"""Why a table was read, or was not. names_known: its heads are tools that the title or sections name. names_found: the
evidence settles which cells do. no_names: no line of it can be names. plans: they are plans of one product. few_points:
too little says that they are tools. both_ways: as much speaks for its rows as for its columns. no_product_attributes:
nothing that is said of them is said of products. other_tools: at most one of the page's tools heads it, or its rows and
its columns both do.
"""

CandidateReason: TypeAlias = Literal[
    "same_name_and_vendor",
    "same_name",
    "similar_name",
    "other_vendor",
    "other_version",
    "no_such_name",
]
"""What speaks for or against a tool of another site being one of the panel's. same_name_and_vendor: equal names in
equal versions, and name or link say the same maker. same_name: equal names and versions, and nothing says who makes it.
similar_name: nearly equal names, equal versions. other_vendor: equal or nearly equal names, and name or link say
another maker. other_version: equal or nearly equal names, other version numbers. no_such_name: no tool is called so.
"""

CandidateDecision: TypeAlias = Literal["merged", "candidate", "none"]
"""merged: one product. candidate: it may be one, a person would have to look. none: nothing says so."""

FactKind: TypeAlias = Literal["price", "free_plan", "rating", "platform", "license", "launched"]
"""What values of other sites' tables are read for."""

ComparisonKind: TypeAlias = Literal["attribute", "question"]
Stage: TypeAlias = Literal["extract", "normalize"]
OutcomeClass: TypeAlias = Literal["answered", "other", "failed"]
CrawlKind: TypeAlias = Literal["crawl", "ingest"]
CrawlStatus: TypeAlias = Literal["running", "done", "partial", "interrupted"]

GateMeasure: TypeAlias = Literal[
    "comparison",
    "takes",
    "take_text",
    "whole_panel",
    "side",
    "seat",
    "score",
    "verdict",
    "panel",
    "tagline",
    "slug",
    "rating",
    "decision",
    "price",
    "amount",
    "attribution",
    "answered",
    "rejects",
    "changed",
    "new",
    "gone",
]
"""What the gates look at: what a page may lose, then how a host is, then what is only told."""
GATE_MEASURES: tuple[GateMeasure, ...] = get_args(GateMeasure)

GateTest: TypeAlias = Literal["night", "anew", "week", "month", "fixed", "reread", "count"]
"""What a night's readings are compared with."""

GateUnit: TypeAlias = Literal["page", "tool"]
"""What a test counts."""

GateLevel: TypeAlias = Literal["hold", "alert", "report"]
GateState: TypeAlias = Literal["passed", "watch", "alert", "held", "accepted", "shadow", "unjudged"]
