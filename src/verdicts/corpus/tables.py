"""Every table of the corpus, parents before children."""

from collections.abc import Mapping

from verdicts.corpus.declare import Row, Table, table_of
from verdicts.corpus.rows.corrections import CorrectionRow
from verdicts.corpus.rows.other_sites import (
    ComparedGridRow,
    ComparisonFactRow,
    ComparisonRow,
    DocumentRow,
    ExternalReviewRow,
)
from verdicts.corpus.rows.pages import MentionRow, PageRow, ToolCardRow, VerdictRow
from verdicts.corpus.rows.reviews import (
    AppearanceRow,
    AttributionEvidenceRow,
    LookalikeRow,
    ReviewAliasRow,
    ReviewHistoryRow,
    ReviewRow,
)
from verdicts.corpus.rows.runs import (
    CrawlRow,
    DiscrepancyRow,
    FillRateRow,
    GateAcceptRow,
    GateMeasureRow,
    LoadCountRow,
    LoadedFetchRow,
    LoadRow,
    RejectRow,
    RowChangeRow,
)
from verdicts.corpus.rows.tools import (
    PriceHistoryRow,
    PricingTierRow,
    ProductCandidateRow,
    ProductRow,
    ToolAliasRow,
    ToolHistoryRow,
    ToolRow,
    VerdictHistoryRow,
)

ROWS: tuple[type[Row], ...] = (
    PageRow,
    ToolRow,
    MentionRow,
    DocumentRow,
    ComparisonRow,
    ComparisonFactRow,
    ComparedGridRow,
    ExternalReviewRow,
    ToolAliasRow,
    ProductRow,
    ProductCandidateRow,
    ToolCardRow,
    VerdictRow,
    PricingTierRow,
    ReviewRow,
    ReviewAliasRow,
    LookalikeRow,
    AppearanceRow,
    AttributionEvidenceRow,
    ToolHistoryRow,
    PriceHistoryRow,
    VerdictHistoryRow,
    ReviewHistoryRow,
    DiscrepancyRow,
    CorrectionRow,
    RejectRow,
    CrawlRow,
    LoadedFetchRow,
    GateMeasureRow,
    GateAcceptRow,
    LoadRow,
    LoadCountRow,
    RowChangeRow,
    FillRateRow,
)

TABLES: Mapping[str, Table] = {declared.name: declared for declared in map(table_of, ROWS)}

CORPUS_TABLES = tuple(name for name, declared in TABLES.items() if not declared.is_log)
"""Tables whose rows a build may change or remove. The others are logs."""


def relation_of(table: str) -> str:
    """The name of a table in SQL, with its schema."""
    return TABLES[table].relation
