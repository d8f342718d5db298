"""Tools, their prices and products, and how tools, prices and verdicts changed over time."""

from datetime import datetime
from typing import Annotated

from verdicts.corpus.columns import COUNT, PCT, SHARE, Between, Derived, Id, NotEmpty, References, RetiredFrom, Visit
from verdicts.corpus.declare import SEEN, VALID, JoinedReference, Row, table
from verdicts.corpus.enumerations import (
    Billing,
    CandidateDecision,
    CandidateReason,
    Period,
    PriceKind,
    Side,
    Verdict,
)


@table(
    "tools",
    example="SELECT name, panel_verdict, mean_score, cheapest_monthly FROM tools ORDER BY mean_score DESC LIMIT 5",
    key=("tool_id",),
    in_order=(SEEN,),
)
class ToolRow(Row, frozen=True, omit_defaults=True):
    """A tool under review. The slug identifies it, not the display name: several tools can have the same name."""

    tool_id: Annotated[
        str,
        Id(),
        "Id of the tool: 32 hex digits made of (host, slug), or of (name, tagline) until a page with a slug claims it. "
        "It stays the same if the slug is renamed.",
    ]
    host: Annotated[str | None, "Host of the slug. NULL: known from text dumps only."]
    slug: Annotated[str | None, "Newest slug in the site's addresses. NULL: known from text dumps only."]
    name: Annotated[str, NotEmpty(), "Display name as last published."]
    tagline: Annotated[str | None, "Tagline as last published. NULL: no page shows one, or none any more."]
    description: Annotated[str | None, "Description as last published. NULL: no page shows one, or none any more."]
    category: Annotated[
        str | None,
        "Category as last published: free text with synonyms. Cards and Decision tables repeat it "
        "(evidence.tool_cards.category, verdicts.category). NULL: no page shows one, or none any more.",
    ]
    category_group: Annotated[
        str | None,
        NotEmpty(),
        "One name for all spellings and synonyms of a category, to group by: a suggestion from a declared list, else "
        "the category folded. Audio & Voice for Voice & Audio and Audio & Speech. NULL: no category.",
    ]
    entry: Annotated[
        str | None,
        "Entry price as last published: Free, Paid or another word. The site prints Free if the pricing has "
        "that word, even in No free plan, and Paid for open source without it: is_free asks the pricing first. "
        "NULL: no page shows it, or none any more.",
    ]
    product: Annotated[
        str,
        NotEmpty(),
        Derived(),
        "Product that the tool seems to be a version of: a suggestion for grouping, never an identity.",
    ]
    vendor: Annotated[
        str | None,
        NotEmpty(),
        "Company that seems to make it, from a declared list of names: a suggestion for grouping. NULL: neither name "
        "nor slug has one of these names.",
    ]
    vendor_evidence: Annotated[
        str | None,
        NotEmpty(),
        "Evidence for the vendor: the word, and whether it is in the name or the slug. NULL: no vendor.",
    ]
    first_seen_at: Annotated[datetime, "Fetch time of the oldest snapshot that shows the tool."]
    last_seen_at: Annotated[
        datetime, Visit(), "Fetch time of the newest snapshot whose content was read and shows the tool."
    ]
    is_shared_name: Annotated[bool, Derived(), "Whether another tool has the same display name."] = False
    panel_verdict: Annotated[
        Verdict | None,
        Derived(),
        "Verdict of its panel: the newest statement of a page that is not gone. NULL: none states it.",
    ] = None
    panel_ship_pct: Annotated[
        int | None,
        PCT,
        Derived(),
        "Share of the panel that would ship it, percent: the newest statement. NULL: no page states it now.",
    ] = None
    ship_votes: Annotated[
        int | None, COUNT, Derived(), "Ship votes of the panel, on the page of panel_verdict. NULL: not stated."
    ] = None
    skip_votes: Annotated[
        int | None, COUNT, Derived(), "Skip votes of the panel, on the page of panel_verdict. NULL: not stated."
    ] = None
    community_pct: Annotated[
        int | None,
        PCT,
        Derived(),
        "Share of the community that would ship it, percent: the newest statement of a Decision table, else the card "
        "of the newest page that has one. NULL: no votes yet, or no page that is not gone states it.",
    ] = None
    community_votes: Annotated[
        int | None, COUNT, Derived(), "Number of community votes in that Decision table. NULL: not stated."
    ] = None
    pages: Annotated[int, COUNT, Derived(), "Pages that show its card, including removed pages."] = 0
    reviews: Annotated[
        int, COUNT, Derived(), "Distinct reviews about it that pages show now. Withdrawn ones do not count."
    ] = 0
    scored_reviews: Annotated[
        int, COUNT, Derived(), "How many of them have a score. All means and scores are made of these."
    ] = 0
    mean_score: Annotated[float | None, PCT, Derived(), "Mean score of its reviews, 0-100. NULL: none has a score."] = (
        None
    )
    lowest_score: Annotated[int | None, PCT, Derived(), "Lowest score. NULL: no review has a score."] = None
    lowest_reviewer: Annotated[
        str | None, Derived(), "Reviewer that gave it. NULL: no page shows the reviewer, or no review has a score."
    ] = None
    highest_score: Annotated[int | None, PCT, Derived(), "Highest score. NULL: no review has a score."] = None
    highest_reviewer: Annotated[
        str | None, Derived(), "Reviewer that gave it. NULL: no page shows the reviewer, or no review has a score."
    ] = None
    builder_score: Annotated[float | None, PCT, Derived(), "Mean score of the Builder reviewer. NULL: none."] = None
    skeptic_score: Annotated[float | None, PCT, Derived(), "Mean score of the Skeptic reviewer. NULL: none."] = None
    futurist_score: Annotated[float | None, PCT, Derived(), "Mean score of the Futurist reviewer. NULL: none."] = None
    pm_score: Annotated[float | None, PCT, Derived(), "Mean score of the PM reviewer. NULL: none."] = None
    founder_score: Annotated[float | None, PCT, Derived(), "Mean score of the Founder reviewer. NULL: none."] = None
    creator_score: Annotated[float | None, PCT, Derived(), "Mean score of the Creator reviewer. NULL: none."] = None
    other_reviewers_score: Annotated[
        float | None, PCT, Derived(), "Mean score of all other reviewers and of reviews without a reviewer. NULL: none."
    ] = None
    is_free: Annotated[
        bool | None,
        Derived(),
        "Whether it can be used without paying: whether a tier of its pricing is free (pricing_tiers.is_free); if no "
        "pricing is shown, whether entry is Free. NULL: neither is known.",
    ] = None
    cheapest_monthly: Annotated[
        float | None,
        COUNT,
        Derived(),
        "Lowest price of a month in its pricing; 0: a tier is free. NULL: its pricing has none, or no page shows one "
        "now, even if entry is Free.",
    ] = None
    cheapest_currency: Annotated[
        str | None, Derived(), "Currency of that price, USD if one tier has it. NULL: free, or no price."
    ] = None


@table("tool_aliases", schema="evidence", key=("alias_id",))
class ToolAliasRow(Row, frozen=True):
    """A former id of a tool: made of name and tagline before a slug claimed it, or of its former slug."""

    alias_id: Annotated[str, Id(), RetiredFrom("tools"), "The former id, 32 hex digits. No other table has it."]
    tool_id: Annotated[str, Id(), References("tools"), "Tool that claimed it (tools.tool_id)."]
    name: Annotated[str, NotEmpty(), "Display name shown with the former id."]
    tagline: Annotated[str | None, "Tagline shown with the former id. NULL: not shown."]
    reason: Annotated[str, NotEmpty(), "Why the two are one tool, in words."]


@table("products", schema="evidence", key=("tool_id",))
class ProductRow(Row, frozen=True):
    """A tool that seems to be one of several entries of the same product.

    A suggestion for grouping, never an identity.
    """

    tool_id: Annotated[str, Id(), References("tools"), "Tool (tools.tool_id)."]
    product_id: Annotated[str, Id(), "The product: the smallest tool_id of its group."]
    name: Annotated[str, NotEmpty(), "Shortest name in the group."]
    confidence: Annotated[
        float,
        SHARE,
        "Certainty of the best pair with another tool of the group, 0-1. A suggestion needs 0.9.",
    ]
    reason: Annotated[str, NotEmpty(), "What this pair has in common, in words."]


@table(
    "product_candidates",
    schema="evidence",
    key=("page_id", "tool_number", "choice"),
    joined_references=(
        JoinedReference(("page_id", "tool_number"), "mentions", ("page_id", "tool_number"), "choice >= 0"),
    ),
)
class ProductCandidateRow(Row, frozen=True):
    """A tool that a page of another site mentions, and a tool of the panel that it may be.

    It has several rows if several tools of the panel have that name; tools.product has their product.
    """

    page_id: Annotated[str, Id(), References("pages"), "Page (pages.page_id)."]
    tool_number: Annotated[int, COUNT, "Tool on that page (mentions.tool_number)."]
    choice: Annotated[int, COUNT, "Number of the candidate, from 0, in the order of tool_id. All are equally likely."]
    tool_id: Annotated[
        str | None, Id(), References("tools"), "Tool of the panel (tools.tool_id). NULL: no tool, see reason."
    ]
    similarity: Annotated[
        float | None,
        SHARE,
        "Similarity of the two names, 0-1: rapidfuzz's ratio of their letters and digits, without the maker. If reason "
        "is other_vendor or other_version: similarity to the closest name. NULL: no name is close.",
    ]
    reason: Annotated[
        CandidateReason,
        "What decides. same_name_and_vendor: equal names and versions, and name or link show the same maker. "
        "same_name: equal names and versions, maker unknown. similar_name: nearly equal names, equal versions. "
        "other_vendor: name or link show another maker. other_version: other version numbers. no_such_name: no tool "
        "has such a name. corrected: a person says so (evidence.corrections).",
    ]
    decision: Annotated[
        CandidateDecision,
        "merged: one product; tool_outside_ratings shows its ratings beside the panel's. candidate: perhaps one "
        "product; a person would have to look. none: no evidence.",
    ]


@table(
    "pricing_tiers",
    example="SELECT plan, median(amount) AS amount FROM pricing_tiers WHERE kind = 'paid' GROUP BY plan ORDER BY plan",
    key=("tool_id", "tier_number"),
)
class PricingTierRow(Row, frozen=True):
    """A price of a plan in the pricing that a tool's pages show now. A plan with two ways to pay has two rows."""

    tool_id: Annotated[str, Id(), References("tools"), "Tool (tools.tool_id)."]
    tier_number: Annotated[int, COUNT, "Number of the price in the string, from 0."]
    plan: Annotated[str | None, "Name of the plan: Pro, Business. NULL: the tier has no name."]
    kind: Annotated[
        PriceKind,
        "Kind: free, open_source, paid (an amount is stated), usage (pay for use), enterprise (on "
        "request), other (something else, or an amount that could not be read as one price: then discrepancies has a "
        "row with the rule unread_price).",
    ]
    is_free: Annotated[
        bool,
        "Whether it costs nothing, or names a free tier beside the paid one: Pay-per-token via X (free tier "
        "available). No free plan and a free trial are not free.",
    ]
    amount: Annotated[
        float | None,
        Between(0),
        "Price in units of currency for one unit and one period; 0: free. NULL: no amount is stated, or only an upper "
        "bound.",
    ]
    amount_max: Annotated[
        float | None, Between(0), "Upper end of a range of prices, in the same units. NULL: one price, or no upper end."
    ]
    is_from: Annotated[bool, "Whether amount is the lowest of several: from $10, $10+."]
    currency: Annotated[str | None, "Currency of the amount, ISO 4217. NULL: no amount is printed."]
    period: Annotated[
        Period | None,
        "Time the amount pays for: month, quarter, year, week, day, hour. NULL: once, by use, or not stated.",
    ]
    unit: Annotated[
        str | None,
        "What one amount pays for beside the time: seat, user, 1M tokens, 1,000 requests, minute. NULL: not stated.",
    ]
    billing: Annotated[
        Billing | None,
        "How the amount is charged, or how long it binds: monthly, quarterly, annually, once. NULL: not stated.",
    ]
    license: Annotated[str | None, "Licence named in the tier: MIT, Apache 2.0. NULL: not named."]
    raw: Annotated[str, NotEmpty(), "The tier as printed."]


@table(
    "tool_history",
    schema="history",
    key=("tool_id", "valid_from"),
    period=VALID,
)
class ToolHistoryRow(Row, frozen=True):
    """The texts of a tool's card over time: one row for each state. Times of a tool never overlap.

    A text that was never known before is no new state.
    """

    tool_id: Annotated[str, Id(), References("tools"), "Tool (tools.tool_id)."]
    name: Annotated[str, NotEmpty(), "Display name in this state."]
    tagline: Annotated[str | None, "Tagline in this state. NULL: not shown."]
    description: Annotated[str | None, "Description in this state. NULL: not shown."]
    category: Annotated[str | None, "Category in this state. NULL: not shown."]
    entry: Annotated[str | None, "Entry in this state. NULL: not shown."]
    valid_from: Annotated[datetime, "When a snapshot first showed this state."]
    valid_to: Annotated[
        datetime | None,
        "When pages first showed another state, exclusive. NULL: it is the present state.",
    ]


@table(
    "price_history",
    schema="history",
    key=("tool_id", "valid_from"),
    period=VALID,
)
class PriceHistoryRow(Row, frozen=True):
    """A tool's pricing over time: one row for each state. What pages of one crawl day say is one state.

    Times of a tool never overlap. There is none for the time in which no page shows a pricing.
    """

    tool_id: Annotated[str, Id(), References("tools"), "Tool (tools.tool_id)."]
    pricing: Annotated[str, NotEmpty(), 'Pricing as published; " / " separates tiers.']
    valid_from: Annotated[datetime, "When a snapshot first showed this pricing."]
    valid_to: Annotated[
        datetime | None,
        "When pages first showed another pricing or none, exclusive. NULL: it is the present pricing.",
    ]


@table(
    "verdict_history",
    schema="history",
    key=("page_id", "side", "valid_from"),
    cluster_by=("tool_id",),
    period=VALID,
)
class VerdictHistoryRow(Row, frozen=True):
    """What a page says about one of its tools over time: one row for each state.

    Times of a page and side never overlap. While a page is gone it states nothing.
    """

    page_id: Annotated[str, Id(), References("pages"), "Page (pages.page_id)."]
    side: Annotated[Side, "Side of the page: a, b."]
    tool_id: Annotated[str, Id(), References("tools"), "Tool on that side (tools.tool_id)."]
    panel_verdict: Annotated[Verdict | None, "Verdict of the panel in this state: ship, mixed, skip. NULL: not stated."]
    ship_votes: Annotated[int | None, COUNT, "Panel members who would ship it. NULL: not stated."]
    skip_votes: Annotated[int | None, COUNT, "Panel members who would skip it. NULL: not stated."]
    panel_ship_pct: Annotated[
        int | None,
        PCT,
        "Share of the panel that would ship it, percent, 0-100. NULL: not stated.",
    ]
    community_pct: Annotated[
        int | None,
        PCT,
        "Share of the community that would ship it, percent, 0-100. NULL: no votes yet, or not stated.",
    ]
    community_votes: Annotated[
        int | None,
        COUNT,
        "Number of community votes; 0: the page says that there are no votes yet. NULL: not stated.",
    ]
    pricing: Annotated[str | None, "Pricing as printed. NULL: not stated."]
    valid_from: Annotated[datetime, "When a snapshot first showed this state."]
    valid_to: Annotated[
        datetime | None,
        "When a snapshot first showed another state, or the page was gone, exclusive. NULL: it is the present state.",
    ]
