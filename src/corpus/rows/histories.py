"""What tools and verdicts said, and when: slowly changing dimensions of type 2."""

from datetime import datetime
from typing import Annotated

from verdicts.corpus.columns import COUNT, PCT, Id, NotEmpty, References
from verdicts.corpus.declare import VALID, Row, table
from verdicts.corpus.enumerations import Side, Verdict


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
