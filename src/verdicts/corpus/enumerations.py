"""The words that columns with a fixed set of words may hold. A site's own words for them are in its profile."""

from typing import Literal, TypeAlias, get_args

Side: TypeAlias = Literal["a", "b"]
"""The tool a page shows first, and the one it shows second."""
SIDES: tuple[Side, Side] = ("a", "b")

Verdict: TypeAlias = Literal["ship", "mixed", "skip"]
"""The verdict of a whole panel."""
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)

ReviewVerdict: TypeAlias = Literal["ship", "skip"]
"""The verdict of one reviewer."""
REVIEW_VERDICTS: tuple[ReviewVerdict, ...] = get_args(ReviewVerdict)

Reviewer: TypeAlias = Literal["Builder", "Skeptic", "Futurist", "PM", "Founder", "Creator"]
REVIEWERS: tuple[Reviewer, ...] = get_args(Reviewer)
"""Reviewers seen on panels, in the order of their rows (the row of Creator is not known). Other reviewers are kept,
too."""

Attribution: TypeAlias = Literal["corrected", "observed", "matched", "intersected", "excluded", "ordered"]
"""The evidence for the tool of a review, strongest first."""
ATTRIBUTIONS: tuple[Attribution, ...] = get_args(Attribution)

Entry: TypeAlias = Literal["Free", "Paid"]
"""What starting with a tool costs. Other words are kept as published."""

PriceKind: TypeAlias = Literal["free", "open_source", "paid", "usage", "enterprise", "other"]
"""The sort of a tier in a pricing string."""

Period: TypeAlias = Literal["month", "quarter", "year", "week", "day", "hour"]
"""The time a price pays for."""

Billing: TypeAlias = Literal["monthly", "quarterly", "annually", "once"]
"""How a price is charged, where the string says so beside its period."""

ReviewerSource: TypeAlias = Literal["label", "row_order"]
Match: TypeAlias = Literal["exact", "near", "prefix"]
Rendering: TypeAlias = Literal["html", "innertext", "quotes"]
Reader: TypeAlias = Literal["main_text", "schema_org", "table", "sections", "recipe", "panel"]
PageKind: TypeAlias = Literal["panel", "versus", "list", "product", "article", "unread"]
"""What was read from a page; pages.kind explains each word."""

Claim: TypeAlias = Literal["compares", "describes"]
"""What a page does with the tools it names: it compares two or more, or describes each by itself."""

NamesIn: TypeAlias = Literal["columns", "rows"]
"""Whether each tool of a table has a column or a row of its own."""

NameEvidence: TypeAlias = Literal["headings", "count", "title", "repeated", "links", "corner", "attributes", "types"]
"""Why cells of a table seem to name tools. headings: half of them are in the title or headings. count: as many as the
title promises. title: it says that it compares. repeated: another table has them all.
links: half of them link to different addresses. corner: the corner cell says so. attributes: half of the cells on the
other axis are attributes of products. types: a line holds only prices, only numbers, or only yes and no.
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
"""Why a table was read or not; compared_grids.reason explains each word."""

CandidateReason: TypeAlias = Literal[
    "same_name_and_vendor",
    "same_name",
    "similar_name",
    "other_vendor",
    "other_version",
    "no_such_name",
    "corrected",
]
"""Why a tool of another site may be a tool of the panel, or not; product_candidates.reason explains each word."""

MentionEvidence: TypeAlias = Literal["panel", "corrected", "same_name_and_vendor", "same_name"]
"""Why a tool on a page is a tool of a panel; mentions.known_by explains each word."""

CandidateDecision: TypeAlias = Literal["merged", "candidate", "none"]

CorrectionKind: TypeAlias = Literal["same", "different", "review", "value", "category", "outside"]
CorrectionOutcome: TypeAlias = Literal["applied", "contradicts", "agrees", "gone"]
CORRECTION_OUTCOMES: tuple[CorrectionOutcome, ...] = get_args(CorrectionOutcome)
"""The outcomes of a correction. If several apply, the first of these counts."""

FactKind: TypeAlias = Literal["price", "free_plan", "rating", "platform", "license", "launched"]
"""Kinds of facts that are read from values of other sites' tables."""

ComparisonKind: TypeAlias = Literal["attribute", "question"]
Stage: TypeAlias = Literal["extract", "normalize"]
RowChange: TypeAlias = Literal["added", "changed", "removed"]
OutcomeClass: TypeAlias = Literal["answered", "other", "failed"]
CrawlKind: TypeAlias = Literal["crawl", "ingest"]
CrawlStatus: TypeAlias = Literal["running", "done", "partial", "interrupted"]

GateMeasure: TypeAlias = Literal[
    "comparison",
    "reviews",
    "review_text",
    "whole_panel",
    "side",
    "reviewer",
    "score",
    "verdict",
    "panel",
    "tagline",
    "description",
    "category",
    "entry",
    "slug",
    "rating",
    "decision",
    "price",
    "amount",
    "answered",
    "gone",
]
"""What the gates measure: what a page may lose, then the state of a host, then what is only reported."""
GATE_MEASURES: tuple[GateMeasure, ...] = get_args(GateMeasure)

GateTest: TypeAlias = Literal["night", "week", "month", "fixed", "reread", "count"]

GateUnit: TypeAlias = Literal["page", "tool"]

GateState: TypeAlias = Literal["passed", "watch", "held", "accepted", "shadow", "unjudged"]
