"""Tools, their prices and products, and how tools, prices and verdicts changed over time."""

from datetime import datetime
from typing import Annotated

from verdicts.corpus.columns import COUNT, PCT, SHARE, Between, Derived, Id, NotEmpty, References, RetiredFrom
from verdicts.corpus.declare import SEEN, VALID, JoinedReference, Row, table
from verdicts.corpus.enumerations import (
    Billing,
    CandidateDecision,
    CandidateReason,
    Claim,
    Period,
    PriceKind,
    Side,
    Verdict,
)


@table("tools", key=("tool_id",), in_order=(SEEN,))
class ToolRow(Row, frozen=True):
    """A tool under review. The slug is the tool, the display name is not: one name can belong to several tools."""

    tool_id: Annotated[
        str,
        Id(),
        "Id of the tool: 32 hex digits made of (host, slug), or of (name, tagline) until a page with a slug claims it. "
        "A tool whose slug is renamed keeps it.",
    ]
    host: Annotated[str | None, "Host whose slug names the tool. NULL: known from text dumps only."]
    slug: Annotated[str | None, "Slug in the site's addresses, the newest. NULL: known from text dumps only."]
    name: Annotated[str, NotEmpty(), "Display name as last published."]
    tagline: Annotated[str | None, "Tagline as last published. NULL: never shown."]
    description: Annotated[str | None, "Description as last published. NULL: never shown."]
    category: Annotated[
        str | None,
        "Category as last published: open text with synonyms, not folded. Cards and Decision tables repeat it "
        "(tool_cards.category, verdicts.category). NULL: never shown.",
    ]
    category_group: Annotated[
        str | None,
        NotEmpty(),
        "Category under one name for all its spellings and synonyms, to group by: a suggestion from a declared list, "
        "else the category folded. Audio & Voice for Voice & Audio and Audio & Speech. NULL: no category.",
    ]
    entry: Annotated[
        str | None,
        "What it takes to start, as last published: Free, Paid or another word. The site prints Free wherever the "
        "pricing has that word, No free plan included, and Paid for open source without it: see free_to_start. NULL: "
        "never shown.",
    ]
    product: Annotated[
        str,
        NotEmpty(),
        Derived(),
        "Product the tool seems to be a version of: a suggestion for grouping, never an identity.",
    ]
    vendor: Annotated[
        str | None,
        NotEmpty(),
        "Company that seems to make it, by a declared list of names: a suggestion for grouping. NULL: neither name nor "
        "slug has one of them.",
    ]
    vendor_evidence: Annotated[
        str | None, NotEmpty(), "What says so: the word, and whether the name or the slug has it. NULL: no vendor."
    ]
    first_seen_at: Annotated[datetime, "When the oldest snapshot that shows the tool was fetched."]
    last_seen_at: Annotated[datetime, "When the newest snapshot whose content was read and shows the tool was fetched."]


@table("tool_aliases", key=("alias_id",))
class ToolAliasRow(Row, frozen=True):
    """An id a tool had before: of (name, tagline) of a dump until a slug claimed it, or of a slug it was renamed to."""

    alias_id: Annotated[str, Id(), RetiredFrom("tools"), "The former id, 32 hex digits. It is in no other table."]
    tool_id: Annotated[str, Id(), References("tools"), "The tool that claimed it (tools.tool_id)."]
    name: Annotated[str, NotEmpty(), "Display name the former id was made of."]
    tagline: Annotated[str | None, "Tagline the former id was made of. NULL: the dump had none."]
    reason: Annotated[str, NotEmpty(), "Why the two are one tool, in words."]


@table("products", key=("tool_id",))
class ProductRow(Row, frozen=True):
    """A tool that seems to be one of several entries of the same product.

    A suggestion for grouping, never an identity.
    """

    tool_id: Annotated[str, Id(), References("tools"), "Tool (tools.tool_id)."]
    product_id: Annotated[str, Id(), "The product: the smallest tool_id of its group."]
    name: Annotated[str, NotEmpty(), "Shortest name in the group."]
    score: Annotated[
        float,
        SHARE,
        "How sure it is, 0-1: that of the best pair with another tool of the group. Suggested from 0.9 on.",
    ]
    reason: Annotated[str, NotEmpty(), "What that pair has in common, in words."]


@table(
    "product_candidates",
    key=("url", "position", "choice"),
    joined_references=(
        JoinedReference(("url", "position"), "compared_tools", ("url", "position"), "tool_claim = 'compares'"),
        JoinedReference(("url", "position"), "described_tools", ("url", "position"), "tool_claim = 'describes'"),
    ),
)
class ProductCandidateRow(Row, frozen=True):
    """A tool that a page of another site names (all_outside_tools), and the tool of the panel that it may be.

    Several rows where several tools are called so and nothing tells them apart; their product is in tools.product.
    """

    url: Annotated[str, NotEmpty(), References("documents"), "Page of the other site (documents.url)."]
    position: Annotated[int, COUNT, "Place among the tools of that page (all_outside_tools.position)."]
    choice: Annotated[int, COUNT, "Place among the tools that it may be, from 0, by tool_id: none is more likely."]
    tool_id: Annotated[
        str | None, Id(), References("tools"), "Tool of the panel (tools.tool_id). NULL: none, see reason."
    ]
    score: Annotated[
        float | None,
        SHARE,
        "How alike the two names are, 0-1, letters and digits alone and without the maker: rapidfuzz's ratio. Of the "
        "most alike one where reason is other_vendor or other_version. NULL: no name is near.",
    ]
    reason: Annotated[
        CandidateReason,
        "What decides. same_name_and_vendor: equal names in equal versions, and name or link say the same maker. "
        "same_name: nothing says who makes it. similar_name: nearly equal names, equal versions. other_vendor: name or "
        "link say another maker. other_version: other version numbers. no_such_name: no tool is called so.",
    ]
    decision: Annotated[
        CandidateDecision,
        "merged: one product, so that its ratings stand beside the panel's in tool_outside_ratings. candidate: it may "
        "be one; a person would have to look. none: nothing says so.",
    ]
    tool_claim: Annotated[Claim, "Where that tool is. compares: compared_tools. describes: described_tools."]


@table("pricing_tiers", key=("tool_id", "position"))
class PricingTierRow(Row, frozen=True):
    """A price of a plan in a tool's newest pricing string. A plan that can be paid in two ways has two rows."""

    tool_id: Annotated[str, Id(), References("tools"), "Tool (tools.tool_id)."]
    position: Annotated[int, COUNT, "Place of the price in the string, from 0."]
    plan: Annotated[str | None, "Name of the plan: Pro, Business. NULL: the tier has no name."]
    kind: Annotated[
        PriceKind,
        "What sort of tier it is: free, open_source, paid (an amount is stated), usage (pay for what is "
        "used), enterprise (on request), other (nothing of these, or an amount that could not be read as one price: "
        "then discrepancies has a row of the rule unread_price).",
    ]
    is_free: Annotated[
        bool,
        "Whether it costs nothing, or names a free tier beside what is paid for: Pay-per-token via X (free tier "
        "available). No free plan and a free trial are not free.",
    ]
    amount: Annotated[
        float | None,
        Between(0),
        "Price in units of currency for one unit and one period; 0 for a free tier. NULL: no amount is stated, or only "
        "an upper bound.",
    ]
    amount_max: Annotated[
        float | None, Between(0), "Upper end of a range of prices, in the same units. NULL: one price, or open above."
    ]
    is_from: Annotated[bool, "Whether amount is the least of several: from $10, $10+."]
    currency: Annotated[str | None, "Currency of the amount, ISO 4217. NULL: no amount is printed."]
    period: Annotated[
        Period | None,
        "Time the amount pays for: month, quarter, year, week, day, hour. NULL: once, by use, or not stated.",
    ]
    unit: Annotated[
        str | None,
        "What one amount pays for beside the time: seat, user, 1M tokens, 1,000 requests, minute. NULL: not named.",
    ]
    billing: Annotated[
        Billing | None,
        "How the amount is asked for, where that is said: monthly, quarterly, annually, once. NULL: not said.",
    ]
    license: Annotated[str | None, "Licence named in the tier: MIT, Apache 2.0. NULL: none named."]
    raw: Annotated[str, NotEmpty(), "The tier as printed."]


@table(
    "tool_history",
    key=("tool_id", "valid_from"),
    period=VALID,
)
class ToolHistoryRow(Row, frozen=True):
    """A tool's card texts and the time they stood: one row for each state. Times of a tool never overlap."""

    tool_id: Annotated[str, Id(), References("tools"), "Tool (tools.tool_id)."]
    name: Annotated[str, NotEmpty(), "Display name in this state."]
    tagline: Annotated[str | None, "Tagline in this state. NULL: not shown."]
    description: Annotated[str | None, "Description in this state. NULL: not shown."]
    category: Annotated[str | None, "Category in this state. NULL: not shown."]
    entry: Annotated[str | None, "Entry in this state. NULL: not shown."]
    valid_from: Annotated[datetime, "When a snapshot first showed this state."]
    valid_to: Annotated[
        datetime | None,
        "When a snapshot first showed another state, exclusive. NULL: it is the present state.",
    ]


@table(
    "price_history",
    key=("tool_id", "valid_from"),
    period=VALID,
)
class PriceHistoryRow(Row, frozen=True):
    """A tool's pricing and the time it stood: one row for each state, to the day. Times of a tool never overlap."""

    tool_id: Annotated[str, Id(), References("tools"), "Tool (tools.tool_id)."]
    pricing: Annotated[str, NotEmpty(), 'Pricing as published, tiers apart by " / ".']
    valid_from: Annotated[datetime, "When a snapshot first showed this pricing."]
    valid_to: Annotated[
        datetime | None,
        "When a snapshot first showed another one, exclusive. NULL: it is the present one.",
    ]


@table(
    "verdict_history",
    key=("page_id", "side", "valid_from"),
    cluster_by=("tool_id",),
    period=VALID,
)
class VerdictHistoryRow(Row, frozen=True):
    """What a page said of one of its tools and the time it said so: one row for each state.

    Times of a page and side never overlap.
    """

    page_id: Annotated[str, Id(), References("pages"), "Page (pages.page_id)."]
    side: Annotated[Side, "Side of the page: a, b."]
    tool_id: Annotated[str, Id(), References("tools"), "Tool on that side (tools.tool_id)."]
    verdict: Annotated[Verdict | None, "Verdict of the panel in this state: ship, mixed, skip. NULL: not stated."]
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
        "Community votes cast; 0 where the page says that there are none yet. NULL: not stated.",
    ]
    pricing: Annotated[str | None, "Pricing as printed. NULL: not stated."]
    valid_from: Annotated[datetime, "When a snapshot first showed this state."]
    valid_to: Annotated[
        datetime | None,
        "When a snapshot first showed another state, exclusive. NULL: it is the present state.",
    ]
