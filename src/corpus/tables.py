"""The rows normalization yields: one frozen record a table, fields in the order of the table's columns.

The meaning of every column stands in `warehouse/schema/<table>.sql`; a test holds the two together.
Ids are lower-case hex of 128 bits. Times are UTC.
"""

from dataclasses import dataclass, fields
from datetime import datetime
from typing import Literal, TypeAlias

Side: TypeAlias = Literal["a", "b"]
Attribution: TypeAlias = Literal["observed", "matched", "intersected", "excluded", "ordered"]


@dataclass(frozen=True, slots=True)
class PageRow:
    page_id: str
    url: str | None
    host: str | None
    title: str
    renderings: tuple[str, ...]
    is_ambiguous: bool
    first_seen_at: datetime
    last_seen_at: datetime
    is_gone: bool


@dataclass(frozen=True, slots=True)
class DocumentRow:
    url: str
    host: str | None
    title: str | None
    author: str | None
    published_on: str | None
    text: str
    reader: Literal["main_text", "schema_org", "table"]
    first_seen_at: datetime
    last_seen_at: datetime


@dataclass(frozen=True, slots=True)
class ComparedToolRow:
    url: str
    position: int
    name: str
    tool_url: str | None
    description: str | None
    category: str | None
    price: str | None
    rating: float | None
    rating_best: float | None
    ratings: int | None


@dataclass(frozen=True, slots=True)
class ComparisonRowRow:
    url: str
    position: int
    tool_position: int
    kind: Literal["attribute", "question"]
    attribute: str
    value: str


@dataclass(frozen=True, slots=True)
class OutsideReviewRow:
    url: str
    position: int
    tool_position: int | None
    author: str | None
    rating: float | None
    rating_best: float | None
    published_on: str | None
    text: str


@dataclass(frozen=True, slots=True)
class ToolRow:
    tool_id: str
    host: str | None
    slug: str | None
    name: str
    tagline: str | None
    description: str | None
    category: str | None
    entry: str | None
    product: str
    first_seen_at: datetime
    last_seen_at: datetime


@dataclass(frozen=True, slots=True)
class ToolAliasRow:
    alias_id: str
    tool_id: str
    name: str
    tagline: str | None
    reason: str


@dataclass(frozen=True, slots=True)
class ProductRow:
    tool_id: str
    product_id: str
    name: str
    score: float
    reason: str


@dataclass(frozen=True, slots=True)
class ToolCardRow:
    page_id: str
    side: Side
    tool_id: str
    name: str
    tagline: str | None
    category: str | None
    panel_ship_pct: int | None
    chip: str | None
    community_pct: int | None
    entry: str | None
    description: str | None


@dataclass(frozen=True, slots=True)
class VerdictRow:
    page_id: str
    side: Side
    tool_id: str
    verdict: str | None
    ship_votes: int | None
    skip_votes: int | None
    community_pct: int | None
    community_votes: int | None
    pricing: str | None
    best_for: str | None
    category: str | None
    verdict_raw: str | None
    community_raw: str | None


@dataclass(frozen=True, slots=True)
class PricingTierRow:
    tool_id: str
    position: int
    plan: str | None
    kind: str
    amount: float | None
    currency: str | None
    period: str | None
    license: str | None
    raw: str


@dataclass(frozen=True, slots=True)
class ReviewRow:
    review_id: str
    tool_id: str
    seat: str | None
    seat_source: Literal["label", "row_order"] | None
    score: int | None
    verdict: str | None
    text: str
    attribution: Attribution
    confidence: float
    appearances: int
    first_seen_at: datetime
    last_seen_at: datetime


@dataclass(frozen=True, slots=True)
class ReviewAliasRow:
    old_id: str
    review_id: str
    reason: str


@dataclass(frozen=True, slots=True)
class LookalikeRow:
    review_id: str
    other_id: str
    similarity: float


@dataclass(frozen=True, slots=True)
class AppearanceRow:
    page_id: str
    text_id: str
    review_id: str
    position: int
    side: Side | None
    match: Literal["exact", "near", "prefix"]
    similarity: float
    attribution: Attribution
    text: str
    segment: str
    segment_offset: int
    first_block: int
    last_block: int
    first_seen_at: datetime
    last_seen_at: datetime


@dataclass(frozen=True, slots=True)
class AttributionEvidenceRow:
    review_id: str
    kind: Attribution
    page_id: str
    weight: float
    detail: str


@dataclass(frozen=True, slots=True)
class ToolHistoryRow:
    tool_id: str
    name: str
    tagline: str | None
    description: str | None
    category: str | None
    entry: str | None
    valid_from: datetime
    valid_to: datetime | None


@dataclass(frozen=True, slots=True)
class PriceHistoryRow:
    tool_id: str
    pricing: str
    valid_from: datetime
    valid_to: datetime | None


@dataclass(frozen=True, slots=True)
class VerdictHistoryRow:
    page_id: str
    side: Side
    tool_id: str
    verdict: str | None
    ship_votes: int | None
    skip_votes: int | None
    panel_ship_pct: int | None
    community_pct: int | None
    community_votes: int | None
    pricing: str | None
    valid_from: datetime
    valid_to: datetime | None


@dataclass(frozen=True, slots=True)
class DiscrepancyRow:
    page_id: str
    tool_id: str | None
    rule: str
    expected: str
    found: str


@dataclass(frozen=True, slots=True)
class RejectRow:
    url: str
    stage: Literal["extract", "normalize"]
    reason: str
    detail: str
    segment: str
    segment_offset: int


Row: TypeAlias = (
    PageRow
    | DocumentRow
    | ComparedToolRow
    | ComparisonRowRow
    | OutsideReviewRow
    | ToolRow
    | ToolAliasRow
    | ProductRow
    | ToolCardRow
    | VerdictRow
    | PricingTierRow
    | ReviewRow
    | ReviewAliasRow
    | LookalikeRow
    | AppearanceRow
    | AttributionEvidenceRow
    | ToolHistoryRow
    | PriceHistoryRow
    | VerdictHistoryRow
    | DiscrepancyRow
    | RejectRow
)

TABLES: dict[str, type[Row]] = {
    "pages": PageRow,
    "documents": DocumentRow,
    "compared_tools": ComparedToolRow,
    "comparison_rows": ComparisonRowRow,
    "outside_reviews": OutsideReviewRow,
    "tools": ToolRow,
    "tool_aliases": ToolAliasRow,
    "products": ProductRow,
    "tool_cards": ToolCardRow,
    "verdicts": VerdictRow,
    "pricing_tiers": PricingTierRow,
    "reviews": ReviewRow,
    "review_aliases": ReviewAliasRow,
    "lookalikes": LookalikeRow,
    "appearances": AppearanceRow,
    "attribution_evidence": AttributionEvidenceRow,
    "tool_history": ToolHistoryRow,
    "price_history": PriceHistoryRow,
    "verdict_history": VerdictHistoryRow,
    "discrepancies": DiscrepancyRow,
    "rejects": RejectRow,
}
"""Table name to the record of its rows, parents before children."""

KEYS: dict[str, tuple[str, ...]] = {
    "pages": ("page_id",),
    "documents": ("url",),
    "compared_tools": ("url", "position"),
    "comparison_rows": ("url", "position", "tool_position"),
    "outside_reviews": ("url", "position"),
    "tools": ("tool_id",),
    "tool_aliases": ("alias_id",),
    "products": ("tool_id",),
    "tool_cards": ("page_id", "side"),
    "verdicts": ("page_id", "side"),
    "pricing_tiers": ("tool_id", "position"),
    "reviews": ("review_id",),
    "review_aliases": ("old_id",),
    "lookalikes": ("review_id", "other_id"),
    "appearances": ("page_id", "text_id"),
    "attribution_evidence": ("review_id", "kind", "page_id"),
    "tool_history": ("tool_id", "valid_from"),
    "price_history": ("tool_id", "valid_from"),
    "verdict_history": ("page_id", "side", "valid_from"),
    "discrepancies": ("page_id", "rule", "expected", "found"),
    "rejects": ("segment", "segment_offset", "reason"),
}
"""Table name to the columns that name one row."""


def columns(table: str) -> tuple[str, ...]:
    """The column names of a table, in order."""
    return tuple(field.name for field in fields(TABLES[table]))
